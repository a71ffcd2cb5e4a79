// Medium: the seam between the store and whatever keeps bytes (memory, files, DAX mappings).
//
// A Medium is a flat set of named files.  What it promises, and nothing more may be assumed:
//   1. A write is durable once a `sync` of its file that began after the write returned has succeeded;
//      until then any subset of the written granules may survive a crash, in any order.
//   2. A granule (`granularity()` bytes, aligned) is atomic: it survives whole or not at all.
//   3. Creation, removal and renaming of names are durable, in order, once `sync_names` has succeeded;
//      until then any subset may survive.  rename replaces atomically.
//   4. A failed sync leaves the file's unsynced bytes in an unknown state, although reads show them: no
//      later sync covers them unless they are written again.  (File systems do so: their pages count as
//      clean.)  Names, cuts and holes are records of the file system: for them a later sync counts.
//   5. `discard` is a write of zeros that may be forgotten, whole or in part; the rules above hold for it.
//   6. What a process reads need not be durable: the one that wrote it may have died before its sync, or
//      gone on after a failed one.  Who builds on it writes it again and syncs it first.
// FaultMedium (testing/) explores every state these rules allow.
//
// `persistence()` says, in the words of libpmem2, in which pieces a medium makes bytes durable, and so
// what a sync costs: by pages (fdatasync, to the device), by cache lines (flushes, done when `write`
// returns, so that a sync of bytes within the file costs no system call) or by bytes (memory that needs
// no flush at all).  Sizes, blocks and names are the file system's on every medium: a sync that follows
// a growth of the file pays for a real one.  Who appends often and syncs each time should therefore
// grow the file ahead, by `resize`, in large steps.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Read-only bytes of a file that stay mapped while a copy of this lives.
struct Mapping {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// The pieces in which stores become durable (libpmem2's PMEM2_GRANULARITY_*).
enum class Granularity : std::uint8_t { byte, cache_line, page };

/// One open file.  Methods may be called from several threads; concurrent writes must not overlap.
class MediumFile {
 public:
  virtual ~MediumFile() = default;
  [[nodiscard]] virtual Result<std::uint64_t> size() const = 0;
  /// Bytes that it takes on the device: less than its size if blocks have been returned.
  [[nodiscard]] virtual Result<std::uint64_t> allocated() const { return size(); }
  /// Reads exactly out.size() bytes; Error of code corrupt if the file ends before.
  virtual Status read(std::uint64_t offset, std::span<std::byte> out) const = 0;
  /// Writes all bytes, growing the file if need be.
  virtual Status write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Makes all completed writes (and the size) durable, those of earlier openings too.
  virtual Status sync() = 0;
  /// Sets the size; new bytes are zero.
  virtual Status resize(std::uint64_t size) = 0;
  /// Gives the blocks of a range back to the device if it can (its bytes then read as zero or as before);
  /// the size stays.
  virtual Status discard(std::uint64_t offset, std::uint64_t size) = 0;
  /// Maps [offset, offset+size), which must be within the file; offset a multiple of 4096.
  [[nodiscard]] virtual Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const = 0;
  /// Brings in `mapped`, a part of what `map` gave, which is at `offset` of the file.  Error of code io if the device
  /// cannot read it: who touched it would be ended by a signal.  Media that cannot tell say nothing.
  virtual Status populate([[maybe_unused]] std::uint64_t offset,
                          [[maybe_unused]] std::span<const std::byte> mapped) const {
    return {};
  }
  /// Marks the file as in use until this object dies, for other openings of it, in any process, to
  /// see.  True if no other opening has it marked.
  [[nodiscard]] virtual Result<bool> mark_in_use() { return true; }
  /// Of a file that this object has marked: true if no other opening has it marked now.
  [[nodiscard]] virtual Result<bool> has_only_mark() { return true; }
  /// Pins a number of the file until the result dies or its process does, for all who ask for `pins` of
  /// the file later, in any process.  Null where the system cannot.
  [[nodiscard]] virtual Result<std::shared_ptr<const void>> pin(std::uint64_t) const {
    return std::shared_ptr<const void>();
  }
  /// The pinned numbers below `end`, ascending.
  [[nodiscard]] virtual Result<std::vector<std::uint64_t>> pins(std::uint64_t) const {
    return std::vector<std::uint64_t>();
  }
};

/// How a name is opened.
enum class FileMode { read, write, create };  ///< create: make it, replacing an existing one

/// Exclusive right to write to a Medium; released by its destructor and by the death of the process.
class WriterLock {
 public:
  virtual ~WriterLock() = default;
  /// Removes its traces in the directory once it is released; it is held until then.
  virtual void remove_file() noexcept {}
};

class Medium {
 public:
  virtual ~Medium() = default;
  [[nodiscard]] virtual Result<std::unique_ptr<MediumFile>> open(std::string_view name, FileMode mode) = 0;
  [[nodiscard]] virtual Result<bool> exists(std::string_view name) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::string>> list() const = 0;  ///< no directories; links and pipes too
  /// Whether the directory has anything but files and empty directories, which a store does not make.
  [[nodiscard]] virtual Result<bool> has_others() const { return false; }
  virtual Status remove(std::string_view name) = 0;
  virtual Status rename(std::string_view from, std::string_view to) = 0;
  /// Makes names durable, that of the medium too.
  virtual Status sync_names() = 0;
  /// Error of code locked, naming the holder, if another process (or Medium object) has it.
  [[nodiscard]] virtual Result<std::unique_ptr<WriterLock>> lock_for_writing() = 0;
  /// Bytes written atomically (rule 2): a sector of a disk (512), an aligned word of persistent memory (8).
  [[nodiscard]] virtual std::uint32_t granularity() const noexcept = 0;
  [[nodiscard]] virtual Granularity persistence() const noexcept { return Granularity::page; }
  /// An identity: equal for two openings of one directory, different for two directories that exist at once.
  [[nodiscard]] virtual Result<std::string> identity() const { return describe(); }
  /// For messages: a path, or ":memory:".
  [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace rizoma
