// SpillFile: blocks of bytes that do not fit in memory, in a file that goes away with this object.
//
// Blocks are appended in any order and read back by their place; nothing is synced, for nothing here
// has to outlive the process.  The name is removed as soon as the file is open, so that a crash leaves
// nothing; one that could not be removed goes when the next writer opens the store that spilled
// (it begins with kSpillPrefix).
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace rizoma {

/// Names of spill files begin so.
inline constexpr std::string_view kSpillPrefix = "spill.";

class SpillFile {
 public:
  /// Creates `kSpillPrefix + name`.
  static Result<std::unique_ptr<SpillFile>> create(Medium& medium, std::string_view name);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Appends the bytes and returns their place; several threads may, at the same time.
  [[nodiscard]] Result<std::uint64_t> append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return end_.load(std::memory_order_relaxed); }
  /// Bytes that were appended.
  Status read(std::uint64_t place, std::span<std::byte> out) const;
  /// Returns the space of these bytes to the device where possible: they are not read again.
  Status let_go(std::uint64_t place, std::uint64_t size);

 private:
  explicit SpillFile(std::unique_ptr<MediumFile> file) noexcept : file_(std::move(file)) {}
  std::unique_ptr<MediumFile> file_;
  std::atomic<std::uint64_t> end_{0};  ///< places up to here are given away
};

}  // namespace rizoma
