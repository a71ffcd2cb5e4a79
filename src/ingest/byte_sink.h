// ByteSink: bytes on their way into a file, compressed by its name, which appears only when complete.
#pragma once

#include <rizoma/result.h>

#include <filesystem>
#include <memory>
#include <string_view>

namespace rizoma {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
  /// Ends the data; nothing may be written after it.
  virtual Status finish() = 0;
};

/// A file under a temporary name beside its own.  `commit` gives it its name; without it the
/// destructor removes it.
class ReplacingFile {
 public:
  /// A name ending in .gz or .zst is compressed.
  static Result<ReplacingFile> create(const std::filesystem::path& file);
  ReplacingFile(ReplacingFile&&) noexcept = default;
  ReplacingFile& operator=(ReplacingFile&&) = delete;
  ~ReplacingFile();

  Status write(std::string_view bytes) { return sink_->write(bytes); }
  Status commit();

 private:
  ReplacingFile(std::filesystem::path file, std::filesystem::path temporary, std::unique_ptr<ByteSink> sink);

  std::filesystem::path file_;
  std::filesystem::path temporary_;
  std::unique_ptr<ByteSink> sink_;
};

}  // namespace rizoma
