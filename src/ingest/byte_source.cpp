#include "ingest/byte_source.h"

#include "ingest/compressed_source.h"
#include "platform/os_error.h"

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
    if (got < out.size() && std::ferror(stream_.get()) != 0) return os_error("reading", name_, errno);
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

}  // namespace

Result<std::uint64_t> file_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{ErrorCode::not_found, file.string() + ": no such file"};
  }
  if (error) return os_error("looking at", file.string(), error.value());
  if (!std::filesystem::is_regular_file(status)) {
    return Error{ErrorCode::invalid_argument, file.string() + ": is not a regular file"};
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return os_error("looking at", file.string(), error.value());
  return static_cast<std::uint64_t>(size);
}

Result<std::unique_ptr<ByteSource>> open_plain_source(const std::filesystem::path& file, std::uint64_t offset) {
  RIZOMA_TRY(file_bytes(file));
  std::FILE* stream = std::fopen(file.c_str(), "rb");
  if (stream == nullptr) return os_error("open", file.string(), errno);
  auto source = std::make_unique<PlainSource>(stream, file.string());
  if (std::fseek(stream, static_cast<long>(offset), SEEK_SET) != 0) return os_error("seeking in", file.string(), errno);
  return std::unique_ptr<ByteSource>(std::move(source));
}

Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(const Compression compression, compression_of(file));
  RIZOMA_ASSIGN(auto plain, open_plain_source(file));
  if (compression == Compression::none) return plain;
  return decompress(compression, std::move(plain), file.string());
}

}  // namespace rizoma
