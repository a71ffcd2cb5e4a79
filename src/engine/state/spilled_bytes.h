// SpilledBytes: what does not fit into memory, in a file without a name, read where it is mapped.
//
// The system keeps pages of it in memory that it can spare, as of any file; the process does not count them as its own
// once they are let go.
#pragma once

#include "platform/unnamed_file.h"

#include <rizoma/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace rizoma {

class SpilledBytes {
 public:
  SpilledBytes() = default;

  /// Writes the parts one after another; `directory` as map_unnamed_file has it.
  static Result<SpilledBytes> write(const std::string& directory, std::span<const std::span<const std::byte>> parts) {
    SpilledBytes spilled;
    for (const std::span<const std::byte> part : parts) spilled.size_ += part.size();
    RIZOMA_ASSIGN(spilled.bytes_, map_unnamed_file(directory, parts));
    return spilled;
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {bytes_.get(), size_}; }
  /// The bytes stay readable; reading maps the pages again.
  void let_go() const noexcept { let_pages_go(bytes()); }

 private:
  std::shared_ptr<const std::byte> bytes_;
  std::size_t size_ = 0;
};

}  // namespace rizoma
