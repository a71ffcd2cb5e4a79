#include "platform/probe_copy.h"

#include "platform/os_error.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace rizoma::probe {
namespace {

constexpr std::size_t kPage = 4096;

struct CloseStream {
  void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
};
using Stream = std::unique_ptr<std::FILE, CloseStream>;

/// A stream with a descriptor of its own, at the start of the file.
Result<Stream> open_stream(int file, const char* mode, std::string_view where) {
  const int own = ::dup(file);
  if (own < 0) return os_error("open", where, errno);
  Stream stream(::fdopen(own, mode));
  if (stream == nullptr) {
    const int failed = errno;
    ::close(own);
    return os_error("open", where, failed);
  }
  std::rewind(stream.get());
  return stream;
}

struct Unmap {
  std::size_t bytes;
  void operator()(std::byte* data) const noexcept { ::munmap(data, bytes); }
};
using Mapped = std::unique_ptr<std::byte, Unmap>;

Result<Mapped> map_file(int file, std::size_t bytes, int protection, std::string_view where) {
  void* data = ::mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) return os_error("map", where, errno);
  return Mapped(static_cast<std::byte*>(data), Unmap{bytes});
}

Status read_all(int file, std::byte* data, std::size_t bytes, std::uint64_t offset, std::string_view where) {
  const ssize_t got = ::pread(file, data, bytes, static_cast<off_t>(offset));
  if (got == static_cast<ssize_t>(bytes)) return {};
  return os_error("read", where, got < 0 ? errno : EIO);
}

Status write_all(int file, const std::byte* data, std::size_t bytes, std::uint64_t offset, std::string_view where) {
  const ssize_t put = ::pwrite(file, data, bytes, static_cast<off_t>(offset));
  if (put == static_cast<ssize_t>(bytes)) return {};
  return os_error("write to", where, put < 0 ? errno : ENOSPC);
}

Status sync_file(int file, std::string_view where) {
  if (::fsync(file) == 0) return {};
  return os_error("sync", where, errno);
}

}  // namespace

void AlignedDeleter::operator()(std::byte* data) const noexcept { std::free(data); }

std::unique_ptr<std::byte, AlignedDeleter> aligned_block(std::size_t bytes) {
  void* data = nullptr;
  if (::posix_memalign(&data, kPage, bytes) != 0) throw std::bad_alloc();
  std::memset(data, 1, bytes);
  return std::unique_ptr<std::byte, AlignedDeleter>(static_cast<std::byte*>(data));
}

Status read_blocks(const CopyJob& job) {
  const auto block = aligned_block(job.block_bytes);
  for (std::uint64_t done = 0; done < job.file_bytes; done += job.block_bytes) {
    RIZOMA_TRY(read_all(job.source, block.get(), job.block_bytes, done, job.where));
  }
  return {};
}

Status copy_stdio(const CopyJob& job, bool durable) {
  RIZOMA_ASSIGN(const Stream in, open_stream(job.source, "rb", job.where));
  RIZOMA_ASSIGN(const Stream out, open_stream(job.target, "wb", job.where));
  const auto block = aligned_block(job.block_bytes);
  for (std::uint64_t done = 0; done < job.file_bytes; done += job.block_bytes) {
    if (std::fread(block.get(), 1, job.block_bytes, in.get()) != job.block_bytes) {
      return os_error("read", job.where, errno);
    }
    if (std::fwrite(block.get(), 1, job.block_bytes, out.get()) != job.block_bytes) {
      return os_error("write to", job.where, errno);
    }
  }
  if (std::fflush(out.get()) != 0) return os_error("write to", job.where, errno);
  return durable ? sync_file(job.target, job.where) : Status();
}

Status copy_direct(const CopyJob& job, bool durable) {
  const auto block = aligned_block(job.block_bytes);
  for (std::uint64_t done = 0; done < job.file_bytes; done += job.block_bytes) {
    RIZOMA_TRY(read_all(job.source, block.get(), job.block_bytes, done, job.where));
    RIZOMA_TRY(write_all(job.target, block.get(), job.block_bytes, done, job.where));
  }
  return durable ? sync_file(job.target, job.where) : Status();
}

Status copy_mapped(const CopyJob& job) {
  if (::ftruncate(job.target, static_cast<off_t>(job.file_bytes)) != 0) {
    return os_error("reserve space in", job.where, errno);
  }
  RIZOMA_ASSIGN(const Mapped in, map_file(job.source, job.file_bytes, PROT_READ, job.where));
  RIZOMA_ASSIGN(const Mapped out, map_file(job.target, job.file_bytes, PROT_READ | PROT_WRITE, job.where));
  for (std::uint64_t done = 0; done < job.file_bytes; done += job.block_bytes) {
    std::memcpy(out.get() + done, in.get() + done, job.block_bytes);
  }
  if (::msync(out.get(), job.file_bytes, MS_SYNC) != 0) return os_error("sync", job.where, errno);
  return {};
}

Status append_block(const CopyJob& job, std::uint64_t offset) {
  const auto block = aligned_block(job.block_bytes);
  RIZOMA_TRY(write_all(job.target, block.get(), job.block_bytes, offset, job.where));
  if (::fdatasync(job.target) != 0) return os_error("sync", job.where, errno);
  return {};
}

}  // namespace rizoma::probe
