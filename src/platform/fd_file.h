// FdFile: a MediumFile on a file descriptor, whatever is after it (a file, anonymous memory).
//
// Reading past a mapped file's end after someone else truncated it raises SIGBUS: only the
// holder of the writer lock may change a store's files, and the store never cuts off what a reader may
// still have.
#pragma once

#include "platform/medium.h"

#include <memory>
#include <string>

namespace rizoma {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

class FdFile final : public MediumFile {
 public:
  /// `where` names the file in messages; `writable` false refuses every change.
  FdFile(std::shared_ptr<const FileDescriptor> descriptor, std::string where, bool writable);

  [[nodiscard]] Result<std::uint64_t> size() const override;
  [[nodiscard]] Result<std::uint64_t> allocated() const override;
  Status read(std::uint64_t offset, std::span<std::byte> out) const override;
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  /// Errors: also io if the file has lost its name since it was opened: what it holds could not be found again.
  Status sync() override;
  Status resize(std::uint64_t size) override;
  Status discard(std::uint64_t offset, std::uint64_t size) override;
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override;
  Status populate(std::uint64_t offset, std::span<const std::byte> mapped) const override;
  [[nodiscard]] Result<bool> mark_in_use() override;
  [[nodiscard]] Result<bool> has_only_mark() override;
  /// A pin is a shared lock of the byte at that offset, of an opening of its own (F_OFD_SETLK).
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override;
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override;

 private:
  [[nodiscard]] Status check_writable(const char* operation) const;
  [[nodiscard]] Result<std::unique_ptr<FileDescriptor>> open_again() const;
  [[nodiscard]] Error too_short(std::uint64_t offset, std::uint64_t size) const;

  std::shared_ptr<const FileDescriptor> descriptor_;
  std::string where_;
  bool writable_;
  bool had_name_;                         ///< anonymous memory never has
  std::unique_ptr<FileDescriptor> mark_;  ///< holds a shared flock of its own
};

}  // namespace rizoma
