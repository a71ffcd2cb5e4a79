// File cases of the probe: prepare nameless files, put the page cache into the wanted state, time.
#include "platform/clock.h"
#include "platform/fd_file.h"
#include "platform/os_error.h"
#include "platform/probe_buffer.h"
#include "platform/probe_copy.h"
#include "platform/probe_page_cache.h"

#include <rizoma/lab/probe.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

using probe::CopyJob;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kTrialBytes = std::uint64_t{1} << 20;
constexpr double kEvicted = 0.05;  ///< a file of which less than this stays cached counts as evicted

Status check(const FileCase& what) {
  const auto wrong = [](const char* why) {
    return Error{ErrorCode::invalid_argument, std::string("cannot probe files: ") + why};
  };
  if (what.samples == 0 || what.file_bytes == 0 || what.block_bytes == 0) return wrong("nothing to measure");
  const bool bypassed = what.cache == CacheState::bypassed;
  if (what.kernel == FileKernel::append_sync) return bypassed ? wrong("small appends need the page cache") : Status();
  if (what.file_bytes % what.block_bytes != 0)
    return wrong("the size of the file must be a multiple of the size of a block");
  if (bypassed && what.block_bytes % kPage != 0) return wrong("direct I/O needs blocks of whole 4096-byte pages");
  if (bypassed && what.kernel == FileKernel::copy_msync) return wrong("a mapping cannot bypass the page cache");
  return {};
}

Status fill(int file, std::uint64_t bytes, std::string_view where) {
  const auto block = probe::aligned_block(kTrialBytes);
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t some = std::min(kTrialBytes, bytes - done);
    const ssize_t put = ::pwrite(file, block.get(), some, static_cast<off_t>(done));
    if (put <= 0) return os_error("write to", where, put < 0 ? errno : ENOSPC);
    done += static_cast<std::uint64_t>(put);
  }
  if (::fsync(file) != 0) return os_error("sync", where, errno);
  return {};
}

/// Puts the page cache into the wanted state for the source and returns the share that it then holds.
Result<double> prepare_cache(const FileCase& what, const CopyJob& job) {
  if (what.cache == CacheState::warm) {
    RIZOMA_TRY(probe::warm_up(job.source, job.file_bytes, job.where));
  } else {
    RIZOMA_TRY(probe::evict(job.source, job.where));
    if (what.cache == CacheState::cold && what.drop_caches) RIZOMA_TRY(probe::drop_all_caches());
  }
  return probe::resident_share(job.source, job.file_bytes, job.where);
}

Status empty_target(const CopyJob& job) {
  if (::ftruncate(job.target, 0) == 0) return {};
  return os_error("empty a file in", job.where, errno);
}

Status run_once(const FileCase& what, const CopyJob& job) {
  const bool direct = what.cache == CacheState::bypassed;
  const bool durable = what.kernel == FileKernel::copy_fsync;
  switch (what.kernel) {
    case FileKernel::read: return probe::read_blocks(job);
    case FileKernel::copy_flush:
    case FileKernel::copy_fsync: return direct ? probe::copy_direct(job, durable) : probe::copy_stdio(job, durable);
    case FileKernel::copy_msync: return probe::copy_mapped(job);
    case FileKernel::append_sync: break;  // has its own loop
  }
  return {};
}

bool enough(const FileCase& what, const ProbeSamples& result, const Stopwatch& total) {
  return result.seconds.size() >= what.samples || total.seconds() >= what.seconds;
}

Result<ProbeSamples> sample_blocks(const FileCase& what, const CopyJob& job) {
  RIZOMA_TRY(fill(job.source, job.file_bytes, job.where));
  if (what.cache == CacheState::bypassed) {
    RIZOMA_TRY(probe::set_direct(job.source, true, job.where));
    RIZOMA_TRY(probe::set_direct(job.target, true, job.where));
  }
  ProbeSamples result{.units = job.file_bytes, .resident = 0.0};
  const Stopwatch total;
  do {
    RIZOMA_TRY(empty_target(job));
    RIZOMA_ASSIGN(const double resident, prepare_cache(what, job));
    result.resident = std::max(*result.resident, resident);
    const Stopwatch one;
    RIZOMA_TRY(run_once(what, job));
    result.seconds.push_back(one.seconds());
  } while (!enough(what, result, total));
  return result;
}

Result<ProbeSamples> sample_appends(const FileCase& what, const CopyJob& job) {
  ProbeSamples result{.units = 1};
  RIZOMA_TRY(probe::append_block(job, 0));  // the first one also makes the file
  const Stopwatch total;
  do {
    const Stopwatch one;
    RIZOMA_TRY(probe::append_block(job, (result.seconds.size() + 1) * job.block_bytes));
    result.seconds.push_back(one.seconds());
  } while (!enough(what, result, total));
  return result;
}

/// Names of the file systems that a store is likely to be on, by the magic number of statfs(2).
std::string name_of_file_system(unsigned long magic) {
  constexpr std::array<std::pair<unsigned long, const char*>, 10> names{{{0xef53, "ext4"},
                                                                         {0x58465342, "xfs"},
                                                                         {0x9123683e, "btrfs"},
                                                                         {0x01021994, "tmpfs"},
                                                                         {0x794c7630, "overlay"},
                                                                         {0x6969, "nfs"},
                                                                         {0x01021997, "9p"},
                                                                         {0x65735546, "fuse"},
                                                                         {0xf2f52010, "f2fs"},
                                                                         {0x2fc12fc1, "zfs"}}};
  for (const auto& [number, name] : names) {
    if (number == magic) return name;
  }
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%lx", magic);
  return text.data();
}

}  // namespace

Result<ProbeSamples> probe_file(const FileCase& what) {
  RIZOMA_TRY(check(what));
  const std::string where = what.source.string();
  RIZOMA_ASSIGN(const int source_number, probe::open_nameless(what.source));
  const FileDescriptor source(source_number);
  RIZOMA_ASSIGN(const int target_number, probe::open_nameless(what.target.empty() ? what.source : what.target));
  const FileDescriptor target(target_number);
  const CopyJob job{source.number(), target.number(), what.file_bytes, what.block_bytes, where};
  return what.kernel == FileKernel::append_sync ? sample_appends(what, job) : sample_blocks(what, job);
}

Result<ProbeDirectory> probe_directory(const std::filesystem::path& directory) {
  const std::string where = directory.string();
  struct statfs system{};
  if (::statfs(where.c_str(), &system) != 0) return os_error("look at", where, errno);
  ProbeDirectory result;
  result.file_system = name_of_file_system(static_cast<unsigned long>(system.f_type));
  result.free_bytes = static_cast<std::uint64_t>(system.f_bavail) * static_cast<std::uint64_t>(system.f_bsize);

  RIZOMA_ASSIGN(const probe::ProbeBuffer mapped, probe::ProbeBuffer::in_directory(directory, kTrialBytes));
  result.dax = mapped.map_sync();
  RIZOMA_ASSIGN(const int number, probe::open_nameless(directory));
  const FileDescriptor file(number);
  RIZOMA_TRY(fill(number, kTrialBytes, where));
  RIZOMA_TRY(probe::evict(number, where));
  RIZOMA_ASSIGN(const double resident, probe::resident_share(number, kTrialBytes, where));
  result.evictable = resident < kEvicted;
  result.direct_io = probe::set_direct(number, true, where).ok();
  return result;
}

}  // namespace rizoma
