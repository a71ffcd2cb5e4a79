// DaxFile: a MediumFile whose bytes are persistent memory.
//
// Writing.  Bytes of blocks that the file has ("solid": allocated and written once) are stored through
//   a mapping and are durable when `write` returns, cache line by cache line.  Bytes that need new
//   blocks go through the file system, whose copy goes around the cache too, and leave a debt.
// Syncing.  Costs a system call (fdatasync) only if there is a debt: new blocks or a new size, records
//   of the file system, which no store can make durable.  Without debt it returns at once.  Whoever had
//   the file open before may have left a debt: the first sync of an opening always pays.
// Growing.  `resize` to a greater size writes zeros, so that what comes there is solid: an appender that
//   grows its file in large steps pays one fdatasync a step and none for what it appends.
// Space.  A store to a mapped hole on a full device would kill the process (SIGBUS).  Solid blocks have
//   their space, and all others are written by a call that gives an Error.
#pragma once

#include "platform/mutex.h"
#include "platform/fd_file.h"
#include "platform/persistent_memory.h"

#include <atomic>

namespace rizoma {

class DaxFile final : public MediumFile {
 public:
  /// `descriptor` is open for reading and writing.
  DaxFile(std::shared_ptr<const FileDescriptor> descriptor, const std::string& where,
          std::shared_ptr<PersistentMemory> memory);

  [[nodiscard]] Result<std::uint64_t> size() const override { return file_.size(); }
  [[nodiscard]] Result<std::uint64_t> allocated() const override { return file_.allocated(); }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override { return file_.read(offset, out); }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  Status sync() override;
  Status resize(std::uint64_t size) override;
  Status discard(std::uint64_t offset, std::uint64_t size) override;
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return file_.map(offset, size);
  }
  Status populate(std::uint64_t offset, std::span<const std::byte> mapped) const override {
    return file_.populate(offset, mapped);
  }
  [[nodiscard]] Result<bool> mark_in_use() override { return file_.mark_in_use(); }
  [[nodiscard]] Result<bool> has_only_mark() override { return file_.has_only_mark(); }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    return file_.pin(number);
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override { return file_.pins(end); }

 private:
  Status map_solid() RIZOMA_REQUIRES(layout_);
  bool store(std::uint64_t offset, std::span<const std::byte> bytes);
  Status write_blocks(std::uint64_t offset, std::span<const std::byte> bytes);
  Status fill_with_zeros(std::uint64_t begin, std::uint64_t end);

  std::shared_ptr<const FileDescriptor> descriptor_;
  FdFile file_;
  std::string where_;
  std::shared_ptr<PersistentMemory> memory_;

  SharedMutex layout_;  ///< shared: storing; alone: changing what follows
  WritableMapping mapping_ RIZOMA_GUARDED_BY(layout_);
  std::uint64_t mapped_ RIZOMA_GUARDED_BY(layout_) =
      0;                                                ///< bytes of the mapping, which may reach beyond the file's end
  std::uint64_t solid_ RIZOMA_GUARDED_BY(layout_) = 0;  ///< blocks of [0, solid_) are allocated and written

  std::mutex syncing_;  ///< a sync waits for one that may be paying its debt
  std::atomic<bool> debt_{true};
};

}  // namespace rizoma
