// RemovedVertices: which internal ids are holes: vertices that were removed and not added again.
//
// A removed vertex keeps its internal id and its entry in the dictionary; this set hides both.  Adding
// its id again takes the number out of the set, so ids and numbers stay one to one.
// Immutable: a change gives a new set, which shares with the old one the bitmaps of the sections that it
// does not touch.  Cost: O(sections), and 2^section_bits / 8 bytes for each section touched.
// On disk (disk_format.h): RemovedHeader, the sections, their bitmaps; read whole when a store is opened.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/vertex_set.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

class RemovedVertices {
 public:
  explicit RemovedVertices(unsigned section_bits) noexcept : section_bits_(section_bits) {}

  [[nodiscard]] VertexId count() const noexcept { return count_; }
  [[nodiscard]] bool contains(VertexId v) const noexcept {
    const SectionId section = v >> section_bits_;
    if (section >= sections_.size() || sections_[section] == nullptr) return false;
    const VertexId place = bit_of(v);
    return ((*sections_[section])[place >> 6] >> (place & 63) & 1) != 0;
  }
  /// The set with these vertices in it, or without them.
  [[nodiscard]] RemovedVertices with(std::span<const VertexId> vertices) const { return changed(vertices, true); }
  [[nodiscard]] RemovedVertices without(std::span<const VertexId> vertices) const { return changed(vertices, false); }

  /// The set for vertices below `universe`; an empty one if there are no holes.
  [[nodiscard]] VertexSet to_set(VertexId universe) const;

  [[nodiscard]] std::vector<std::byte> encode() const;
  /// The header checksum of encoded ones, which names them; 0 if they are too short.
  [[nodiscard]] static std::uint64_t id_of(std::span<const std::byte> encoded) noexcept;
  /// Checks every byte; all members are below `num_vertices`.  Errors: corrupt, unsupported.
  static Result<RemovedVertices> decode(std::span<const std::byte> bytes, unsigned section_bits, VertexId num_vertices,
                                        std::string_view where);

 private:
  using Bits = std::vector<std::uint64_t>;
  [[nodiscard]] VertexId bit_of(VertexId v) const noexcept { return v & ((VertexId{1} << section_bits_) - 1); }
  [[nodiscard]] std::size_t words() const noexcept { return ((std::size_t{1} << section_bits_) + 63) / 64; }
  [[nodiscard]] RemovedVertices changed(std::span<const VertexId> vertices, bool member) const;

  unsigned section_bits_;
  VertexId count_ = 0;
  std::vector<std::shared_ptr<const Bits>> sections_;  ///< null: no holes
};

}  // namespace rizoma
