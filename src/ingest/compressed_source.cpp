#include "ingest/compressed_source.h"

#include "base/check.h"

#include <zlib.h>
#include <zstd.h>

#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 18;

/// The compressed bytes, a buffer at a time.
class CompressedInput {
 public:
  CompressedInput(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)), buffer_(kInputBytes) {}

  /// True if at least one byte is available; reads more when the buffer is used up.
  Result<bool> refill() {
    if (begin_ == end_) {
      RIZOMA_ASSIGN(end_, source_->read(buffer_));
      RIZOMA_CHECK(end_ <= buffer_.size());
      begin_ = 0;
    }
    return begin_ < end_;
  }
  [[nodiscard]] char* data() noexcept { return buffer_.data() + begin_; }
  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  void use(std::size_t bytes) {
    RIZOMA_CHECK(bytes <= size());
    begin_ += bytes;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept { return source_->consumed() - size(); }
  [[nodiscard]] Error damaged(const std::string& what) const {
    return {ErrorCode::corrupt, name_ + ": " + what + " (at byte " + std::to_string(consumed()) + " of the file)"};
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(CompressedInput input) : input_(std::move(input)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  Result<std::size_t> read(std::span<char> out) override {
    std::size_t filled = 0;
    while (filled < out.size() && state_ != State::end) {
      RIZOMA_ASSIGN(const bool more, input_.refill());
      if (state_ == State::between) {
        RIZOMA_TRY(begin_member(more));
        continue;
      }
      if (!more) return input_.damaged("the gzip data end too early: the file is truncated");
      RIZOMA_ASSIGN(const std::size_t got, inflate_some(out.subspan(filled)));
      filled += got;
    }
    return filled;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return input_.consumed(); }

 private:
  enum class State { member, between, end };

  /// After a member: another one, zero padding, or the end.
  Status begin_member(bool more) {
    if (!more) {
      state_ = State::end;
    } else if (*input_.data() == '\0') {
      input_.use(1);
    } else {
      inflateReset(&stream_);
      state_ = State::member;
    }
    return {};
  }

  Result<std::size_t> inflate_some(std::span<char> out) {
    const auto room = static_cast<uInt>(std::min<std::size_t>(out.size(), std::size_t{1} << 30));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(input_.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    RIZOMA_CHECK(stream_.avail_in <= input_.size() && stream_.avail_out <= room);
    input_.use(input_.size() - stream_.avail_in);
    if (code == Z_STREAM_END) {
      state_ = State::between;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      const std::string_view why = stream_.msg != nullptr ? stream_.msg : "unknown error";
      return input_.damaged(why == "incorrect header check"
                                ? "this is no gzip data, though it is called so; rename a file that is not compressed"
                                : "damaged gzip data: " + std::string(why));
    }
    return room - stream_.avail_out;
  }

  CompressedInput input_;
  z_stream stream_{};
  State state_ = State::member;
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(CompressedInput input) : input_(std::move(input)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  Result<std::size_t> read(std::span<char> out) override {
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    while (output.pos < output.size) {
      RIZOMA_ASSIGN(const bool more, input_.refill());
      // Without new input the decoder may still hold output of the present frame.
      if (!more && frame_done_) break;
      const std::size_t before = output.pos;
      ZSTD_inBuffer input{input_.data(), input_.size(), 0};
      const std::size_t code = ZSTD_decompressStream(stream_.get(), &output, &input);
      input_.use(input.pos);
      RIZOMA_CHECK(output.pos >= before && output.pos <= output.size);
      if (ZSTD_isError(code) != 0) {
        return input_.damaged(std::string("damaged Zstandard data: ") + ZSTD_getErrorName(code));
      }
      frame_done_ = code == 0;
      if (!more && !frame_done_ && output.pos == before) {
        return input_.damaged("the Zstandard data end too early: the file is truncated");
      }
    }
    return output.pos;
  }
  [[nodiscard]] std::uint64_t consumed() const noexcept override { return input_.consumed(); }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };
  CompressedInput input_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool frame_done_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> decompress(Compression compression, std::unique_ptr<ByteSource> compressed,
                                               std::string name) {
  CompressedInput input(std::move(compressed), std::move(name));
  if (compression == Compression::gzip) {
    return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(input)));
  }
  return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(input)));
}

}  // namespace rizoma
