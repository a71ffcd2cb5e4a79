// DictionarySegment: the external ids of a range of internal ids, as immutable durable bytes.
//
// Parts, each at a multiple of 64 bytes: 128-byte header; then by kind
//   permutation  external id of each number, then number of each id (4 or 8 bytes each; ids 0..count-1)
//   integer      i64 ids, then index slots
//   string       4- or 8-byte ends (count + 1, the first 0), the bytes, then index slots
// and last the checksums (XXH3) of the blocks of 64 KiB that all parts after the header make up.
// Index: open addressing, linear probing, 3 slots for 2 ids; a slot is 24 bits of the hash over 40
// bits of (place in segment + 1), 0 is free; a hash h starts at (h * slots) >> 64.
// Cost: open reads the header; a look-up verifies the blocks it touches once, then two cache misses.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/medium.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

enum class SegmentKind : std::uint8_t { permutation = 0, integer = 1, string = 2 };

struct DictionarySegmentHeader {
  std::uint64_t magic = 0;
  std::uint16_t version = 1;
  SegmentKind kind = SegmentKind::integer;
  std::uint8_t width = 8;  ///< bytes of a number (permutation) or an end (string)
  std::uint32_t block_bytes = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t slots = 0;
  std::uint64_t ids_at = 0;  ///< places of the parts from the start of the segment
  std::uint64_t text_at = 0;
  std::uint64_t index_at = 0;
  std::uint64_t sums_at = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sums_checksum = 0;
  std::uint64_t reserved[4] = {};
  std::uint64_t checksum = 0;
};
static_assert(sizeof(DictionarySegmentHeader) == 128);

class DictionarySegment {
 public:
  /// Reads the header only.  `where` is for messages.  Errors: corrupt, unsupported.
  static Result<std::shared_ptr<const DictionarySegment>> open(Mapping mapping, std::string where);

  [[nodiscard]] SegmentKind kind() const noexcept { return header_.kind; }
  [[nodiscard]] VertexId first() const noexcept { return header_.first; }
  [[nodiscard]] VertexId end() const noexcept { return header_.first + header_.count; }
  [[nodiscard]] VertexId size() const noexcept { return header_.count; }

  /// Number of an id, or kNoVertex.  The first for integer and permutation segments.
  [[nodiscard]] Result<VertexId> find(std::int64_t id) const;
  [[nodiscard]] Result<VertexId> find(std::string_view id) const;
  /// Prefetches the place that a `find` of this id reads first, for integer and string segments.
  void prefetch(std::int64_t id) const noexcept;
  void prefetch(std::string_view id) const noexcept;
  /// Id of a number in [first, end): integers and permutations; strings (valid while the segment is).
  [[nodiscard]] Result<std::int64_t> integer(VertexId number) const;
  [[nodiscard]] Result<std::string_view> text(VertexId number) const;

  /// Appends the ids of consecutive numbers, as `integer` and `text` have them.  Cost: O(their bytes).
  Status append_to(std::vector<std::int64_t>& ids, VertexRange numbers) const;
  Status append_to(StringColumn& ids, VertexRange numbers) const;

  /// Verifies all blocks.
  Status verify() const;

  // ---- for repair: integer and string segments that fail `verify` ----

  /// What the bytes say that the id of a number in [first, end) is, right or wrong.
  [[nodiscard]] std::int64_t unverified_integer(VertexId number) const noexcept;
  [[nodiscard]] std::string_view unverified_text(VertexId number) const noexcept;
  /// True if that is right: its block is whole, or the index leads from it to the number, which for wrong bytes
  /// happens by a chance of 2^-24.
  [[nodiscard]] bool vouches_for(std::int64_t id, VertexId number) const;
  [[nodiscard]] bool vouches_for(std::string_view id, VertexId number) const;
  /// True if this segment was written with the content of `encoded`.
  [[nodiscard]] bool was_written_as(std::span<const std::byte> encoded) const noexcept;

 private:
  DictionarySegment(Mapping mapping, const DictionarySegmentHeader& header, std::string where);
  [[nodiscard]] std::uint64_t read(std::uint64_t part, std::uint64_t index, unsigned width) const noexcept;
  Status touch(std::uint64_t at, std::uint64_t size) const;
  Status verify_block(std::uint64_t block) const;
  Status verify_sums() const;
  [[nodiscard]] Error damaged(const std::string& what) const;
  void prefetch_slot(std::uint64_t hash) const noexcept;
  template <class Key>
  [[nodiscard]] Result<VertexId> find_indexed(Key id) const;
  template <class Key>
  [[nodiscard]] bool leads_to(Key id, VertexId number) const noexcept;
  [[nodiscard]] Result<VertexId> find_permuted(std::int64_t id) const;

  Mapping mapping_;
  DictionarySegmentHeader header_;
  std::string where_;
  mutable std::atomic<bool> sums_verified_{false};
  std::unique_ptr<std::atomic<bool>[]> verified_;
};

/// The checksum of a segment's header, which names it; 0 if its bytes do not have that checksum.
[[nodiscard]] std::uint64_t segment_id(std::span<const std::byte> segment) noexcept;

/// Encoders.  Ids are distinct; ids[i] belongs to internal id first + i.
[[nodiscard]] std::vector<std::byte> encode_integers(VertexId first, std::span<const std::int64_t> ids);
[[nodiscard]] std::vector<std::byte> encode_strings(VertexId first, std::span<const std::string_view> ids);
/// external[i] is the id of internal id i; a permutation of 0..size-1.  Number: 32 or 64 bits.
[[nodiscard]] std::vector<std::byte> encode_permutation(std::span<const std::uint32_t> external);
[[nodiscard]] std::vector<std::byte> encode_permutation(std::span<const std::uint64_t> external);

}  // namespace rizoma
