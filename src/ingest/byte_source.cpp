#include "ingest/byte_source.h"

#include "base/check.h"
#include "ingest/compressed_source.h"
#include "platform/os_error.h"
#include "platform/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

class PlainSource final : public ByteSource {
 public:
  PlainSource(std::FILE* stream, std::string name) : stream_(stream), name_(std::move(name)) {
    // Large reads go straight to the caller's buffer.
    std::setvbuf(stream, nullptr, _IONBF, 0);
  }

  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t got = std::fread(out.data(), 1, out.size(), stream_.get());
    if (got < out.size() && std::ferror(stream_.get()) != 0) return os_error("read", name_, errno);
    RIZOMA_CHECK(got <= out.size());
    consumed_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return consumed_; }

 private:
  struct Close {
    void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
  };
  std::unique_ptr<std::FILE, Close> stream_;
  std::string name_;
  std::uint64_t consumed_ = 0;
};

Result<Compression> compression_of(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(auto source, open_plain_source(file));
  std::array<char, 4> magic{};
  RIZOMA_ASSIGN(const std::size_t got, source->read(magic));
  const std::string_view start(magic.data(), got);
  if (start.starts_with("\x1f\x8b")) return Compression::gzip;
  if (start == "\x28\xb5\x2f\xfd") return Compression::zstd;
  // A Zstandard file may begin with a skippable frame: 0x184D2A50..0x184D2A5F, little-endian.
  if (got == 4 && (start[0] & 0xF0) == 0x50 && start.substr(1) == "\x2a\x4d\x18") return Compression::zstd;
  if (file.extension() == ".gz") return Compression::gzip;
  if (file.extension() == ".zst") return Compression::zstd;
  return Compression::none;
}

/// The first `limit` bytes of another source.
class FirstBytes final : public ByteSource {
 public:
  FirstBytes(std::unique_ptr<ByteSource> source, std::uint64_t size) : source_(std::move(source)), left_(size) {}

  Result<std::size_t> read(std::span<char> out) override {
    RIZOMA_ASSIGN(const std::size_t got, source_->read(out.first(std::min<std::uint64_t>(out.size(), left_))));
    left_ -= got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return source_->consumed(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t left_;
};

/// Where the first line begins that begins at byte `at` or after it; the file's end if none does.
Result<std::uint64_t> line_from(const std::filesystem::path& file, std::uint64_t at, std::uint64_t file_end) {
  if (at == 0 || at >= file_end) return std::min(at, file_end);
  // The line before may end with the byte before.
  RIZOMA_ASSIGN(const auto source, open_plain_source(file, at - 1));
  std::array<char, 4096> block{};
  for (std::uint64_t begin = at - 1;;) {
    RIZOMA_ASSIGN(const std::size_t got, source->read(block));
    const std::size_t found = std::string_view(block.data(), got).find('\n');
    if (found != std::string_view::npos) return begin + found + 1;
    begin += got;
    if (got < block.size()) return begin;
  }
}

}  // namespace

Result<std::uint64_t> file_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{ErrorCode::not_found, file.string() + ": no such file"};
  }
  if (error) return os_error("look at", file.string(), error.value());
  if (!std::filesystem::is_regular_file(status)) {
    return Error{ErrorCode::invalid_argument,
                 file.string() + " is not a regular file; give a file, or pipe its content in as -"};
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return os_error("look at", file.string(), error.value());
  return static_cast<std::uint64_t>(size);
}

Result<std::unique_ptr<ByteSource>> open_plain_source(const std::filesystem::path& file, std::uint64_t offset) {
  RIZOMA_TRY(file_bytes(file));
  RIZOMA_ASSIGN(std::FILE * stream, open_regular_stream(file.string()));
  auto source = std::make_unique<PlainSource>(stream, file.string());
  if (std::fseek(stream, static_cast<long>(offset), SEEK_SET) != 0) return os_error("seek in", file.string(), errno);
  return std::unique_ptr<ByteSource>(std::move(source));
}

Result<std::unique_ptr<ByteSource>> open_lines(const std::filesystem::path& file, const ByteRange& bytes,
                                               std::uint64_t& skipped) {
  RIZOMA_ASSIGN(const std::uint64_t file_end, file_bytes(file));
  RIZOMA_ASSIGN(skipped, line_from(file, bytes.begin, file_end));
  RIZOMA_ASSIGN(const std::uint64_t end, line_from(file, std::max(bytes.begin, bytes.end), file_end));
  RIZOMA_ASSIGN(auto source, open_plain_source(file, skipped));
  return std::unique_ptr<ByteSource>(std::make_unique<FirstBytes>(std::move(source), end - skipped));
}

Result<bool> is_compressed(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const Compression compression, compression_of(file));
  return compression != Compression::none;
}

Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const Compression compression, compression_of(file));
  RIZOMA_ASSIGN(auto plain, open_plain_source(file));
  if (compression == Compression::none) return plain;
  return decompress(compression, std::move(plain), file.string());
}

}  // namespace rizoma
