// MemoryMedium: files that live in this process's memory and end with it.
//
// Each file is an anonymous memory object of the kernel (memfd), so mappings stay where they are
// while the file grows, discarded ranges are given back, and reading, writing and mapping are the
// very code that files on disk use.  Cost: one file descriptor a file.  What the bytes are in can be
// another (tests have plain memory, without system calls).
#pragma once

#include "platform/medium.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace rizoma {

/// The bytes of a file; there as long as its name, or a MediumFile that it gave.
class MemoryFile {
 public:
  virtual ~MemoryFile() = default;
  /// `where` is for messages.
  [[nodiscard]] virtual std::unique_ptr<MediumFile> open(std::string where, bool writable) = 0;
};
/// Makes an empty one.
using MemoryFileFactory = std::function<Result<std::shared_ptr<MemoryFile>>(const std::string& where)>;

/// An empty medium that reports `granularity`, for tests that imitate a device.
[[nodiscard]] std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity = 512);
/// The same over other files.
[[nodiscard]] std::unique_ptr<Medium> make_memory_medium(std::uint32_t granularity, MemoryFileFactory make_file);

}  // namespace rizoma
