// Part: what a directory has of a graph that was distributed over the disks of several machines.
//
// A part is a store whose `data` has the sections of one rank whole, of all others their heads (header and offsets, for
// the lengths of lists), of rows of edges the blocks that its own sections name, and holes instead of the rest.  The
// file `part` says which sections are whole and which blocks there, and ties the directory to one state of the graph.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/disk_format.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

struct Part {
  format::StoreId store;
  std::uint64_t generation = 0;  ///< of the state that was distributed
  std::uint32_t number = 0;
  std::uint32_t parts = 0;
  std::uint32_t rule = 0;             ///< by which sections were divided; the code that divides knows its meaning
  std::vector<std::uint32_t> owners;  ///< the part of each section
  std::vector<std::uint64_t> out_heads, in_heads;
  std::vector<bool> edge_blocks;  ///< which blocks of rows of edges this part has

  [[nodiscard]] bool has(SectionId section) const noexcept {
    return section < owners.size() && owners[section] == number;
  }
  /// Checksum of the head of another part's image; 0 if there is none.
  [[nodiscard]] std::uint64_t head(SectionId section, Direction direction) const noexcept {
    const std::vector<std::uint64_t>& heads = direction == Direction::out ? out_heads : in_heads;
    return section < heads.size() ? heads[section] : 0;
  }
};

/// Bytes of the file `part`.
[[nodiscard]] std::vector<std::byte> encode_part(const Part& part);

/// Size of the file that begins with these bytes, of a graph with this many sections.  Errors: corrupt, unsupported.
Result<std::uint64_t> part_bytes(std::span<const std::byte> bytes, std::uint64_t sections, std::string_view where);

/// Errors: corrupt, unsupported (a version of the future).
Result<Part> decode_part(std::span<const std::byte> bytes, std::string_view where);

}  // namespace rizoma
