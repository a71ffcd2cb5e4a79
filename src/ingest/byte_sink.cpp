#include "ingest/byte_sink.h"

#include "platform/file_medium.h"
#include "platform/os_error.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

class FileSink final : public ByteSink {
 public:
  FileSink(std::FILE* stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  Status write(std::string_view bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) == bytes.size()) return {};
    return os_error("write to", name_, errno);
  }
  Status finish() override {
    if (std::fclose(stream_.release()) == 0) return {};
    return os_error("write to", name_, errno);
  }

 private:
  struct Close {
    void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
  };
  std::unique_ptr<std::FILE, Close> stream_;
  std::string name_;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {
    constexpr int kGzip = 16 + MAX_WBITS;
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;
  ~GzipSink() override { deflateEnd(&stream_); }

  Status write(std::string_view bytes) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    for (; bytes.size() > kMost; bytes.remove_prefix(kMost))
      RIZOMA_TRY(deflate_all(bytes.substr(0, kMost), Z_NO_FLUSH));
    return deflate_all(bytes, Z_NO_FLUSH);
  }
  Status finish() override {
    RIZOMA_TRY(deflate_all({}, Z_FINISH));
    return sink_->finish();
  }

 private:
  static constexpr int kLevel = 6;

  Status deflate_all(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      RIZOMA_TRY(sink_->write({buffer_.data(), buffer_.size() - stream_.avail_out}));
    } while (stream_.avail_out == 0);
    return {};
  }

  std::unique_ptr<ByteSink> sink_;
  z_stream stream_{};
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 17);
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)), stream_(ZSTD_createCStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  Status write(std::string_view bytes) override { return compress_all(bytes, ZSTD_e_continue); }
  Status finish() override {
    RIZOMA_TRY(compress_all({}, ZSTD_e_end));
    return sink_->finish();
  }

 private:
  Status compress_all(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer output{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &output, &input, directive);
      if (ZSTD_isError(left) != 0) return Error{ErrorCode::io, std::string("Zstandard: ") + ZSTD_getErrorName(left)};
      RIZOMA_TRY(sink_->write({buffer_.data(), output.pos}));
      if (directive == ZSTD_e_end ? left == 0 : input.pos == input.size) return {};
    }
  }

  struct Free {
    void operator()(ZSTD_CStream* stream) const noexcept { ZSTD_freeCStream(stream); }
  };
  std::unique_ptr<ByteSink> sink_;
  std::unique_ptr<ZSTD_CStream, Free> stream_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 17);
};

/// Opens a new file beside `file`, under a name that no other file has.
Result<std::pair<std::FILE*, std::filesystem::path>> open_beside(const std::filesystem::path& file) {
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    std::filesystem::path temporary = file;
    temporary += ".part" + std::to_string(attempt);
    if (std::FILE* stream = std::fopen(temporary.c_str(), "wbx")) return std::pair{stream, temporary};
    if (errno != EEXIST) return os_error("create", temporary.string(), errno);
  }
  return Error{ErrorCode::already_exists, file.string() + ".part0 to .part999 all exist; remove these leftovers"};
}

/// Puts a closed file in the place of another of its directory, durably: bytes before the name, which would else have
/// nothing after it after a crash.
Status move_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  RIZOMA_ASSIGN(const auto directory, open_file_medium(to.has_parent_path() ? to.parent_path() : ".", false));
  {
    RIZOMA_ASSIGN(const auto opened, directory->open(from.filename().string(), FileMode::write));
    RIZOMA_TRY(opened->sync());
  }
  RIZOMA_TRY(directory->rename(from.filename().string(), to.filename().string()));
  return directory->sync_names();
}

}  // namespace

ReplacingFile::ReplacingFile(std::filesystem::path file, std::filesystem::path temporary,
                             std::unique_ptr<ByteSink> sink)
    : file_(std::move(file)), temporary_(std::move(temporary)), sink_(std::move(sink)) {}

ReplacingFile::~ReplacingFile() {
  if (temporary_.empty()) return;
  sink_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

Result<ReplacingFile> ReplacingFile::create(const std::filesystem::path& file) {
  RIZOMA_ASSIGN(auto opened, open_beside(file));
  std::unique_ptr<ByteSink> sink = std::make_unique<FileSink>(opened.first, opened.second.string());
  if (file.extension() == ".gz") sink = std::make_unique<GzipSink>(std::move(sink));
  if (file.extension() == ".zst") sink = std::make_unique<ZstdSink>(std::move(sink));
  return ReplacingFile(file, std::move(opened.second), std::move(sink));
}

Status ReplacingFile::commit() {
  RIZOMA_TRY(sink_->finish());
  RIZOMA_TRY(move_durably(temporary_, file_));
  temporary_.clear();
  return {};
}

}  // namespace rizoma
