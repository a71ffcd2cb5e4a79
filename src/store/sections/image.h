// Section image: the compact CSR of one section in one direction, as it is in an extent.
//
// Parts, each at a multiple of 64 bytes from the start: 64-byte header, u32 offsets[vertices + 1],
// targets (4 or 8 bytes each, sorted within each list), weights.  An image is written once and never
// changed; it is read where it is mapped, without a copy.  Where the weights are numbers of rows they are packed
// into as few bits as the largest of the section takes; images of earlier releases have them as float64.
//
// To write one: fill an ImageSpec, lay it out, put offsets, targets and weights at the places that the
// layout names, `pack_rows` if they are numbers of rows, then `seal_image`.  Cost: a checksum pass, about memory speed.
// To read one: `verify_image` once (checksum and invariants, in one pass), then view_image as often as
// wanted, O(1).
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "base/packed_bits.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rizoma {

/// All fields of an image's header.
struct ImageSpec {
  SectionId section = 0;
  Direction direction = Direction::out;
  unsigned target_bytes = 4;  ///< 4 or 8
  WeightType weights = WeightType::none;
  std::uint32_t num_vertices = 0;  ///< vertices of this section
  EdgeCount num_entries = 0;       ///< below 2^32
  EdgeCount num_self_loops = 0;
  VertexId target_bound = 0;  ///< every target is below this
  unsigned row_bits = 0;      ///< not 0: numbers of rows, packed into this many bits each, replace weights
};

/// Places of the parts, in bytes from the start of the image, and its size (a multiple of 64).
struct ImageLayout {
  std::size_t offsets = 0;
  std::size_t targets = 0;
  std::size_t weights = 0;
  std::size_t bytes = 0;
};
[[nodiscard]] ImageLayout image_layout(const ImageSpec& spec) noexcept;

/// Numbers of rows of 32 bits each: packed, and an array of uint32.
inline constexpr unsigned kWholeRowBits = 32;

/// Of an image that is not sealed, whose weights are numbers of rows, as float64 or of kWholeRowBits: packs them where
/// they are into as few bits as possible.  Returns the spec of the image then, which is no longer than before.
[[nodiscard]] ImageSpec pack_rows(const ImageSpec& spec, std::span<std::byte> image);

/// Completes an image whose parts have been filled in: zeros the gaps between them, writes the header.
/// `image` has image_layout(spec).bytes bytes.  Returns the image's id (see image_id).
std::uint64_t seal_image(const ImageSpec& spec, std::span<std::byte> image);

/// The header checksum of a sealed image: names this very image, as its header holds the payload's checksum.
[[nodiscard]] std::uint64_t image_id(std::span<const std::byte> image) noexcept;

/// Reads the entries of an image while it is verified, piece by piece, each while it is in the cache.  Its offsets
/// ascend to the number of entries; all else is to be relied on only once verify_image has succeeded.
class EntryReader {
 public:
  virtual ~EntryReader() = default;
  /// Entries [begin, end), which follow those of the call before.
  virtual void read(const ImageSpec& spec, std::span<const std::byte> image, std::size_t begin, std::size_t end) = 0;
};

/// Checks every byte: magic, version, checksums, monotone offsets, sorted targets below the bound,
/// number of self-loops; no neighbour twice where parallel edges are merged.  `where` names the place in messages;
/// `section_bits` gives the section's range; `reader`: gets the entries, null: none does.  Errors: corrupt,
/// unsupported (a version of the future).
Result<ImageSpec> verify_image(std::span<const std::byte> image, unsigned section_bits, std::string_view where,
                               ParallelEdges parallel = ParallelEdges::keep, EntryReader* reader = nullptr);

/// The same for an image of which only the head is present: the header and the offsets, whose checksum is known.
Result<ImageSpec> verify_image_head(std::span<const std::byte> image, unsigned section_bits,
                                    std::uint64_t head_checksum, std::string_view where);

/// The checksum of the bytes before the targets of a verified image.
[[nodiscard]] std::uint64_t image_head_checksum(const ImageSpec& spec, std::span<const std::byte> image) noexcept;

/// An image that has been verified, as a section of an Adjacency, without weights if they are packed.  Target must be
/// of its width.
template <class Target>
[[nodiscard]] SectionEdges<Target> view_image(const ImageSpec& spec, std::span<const std::byte> image) noexcept {
  const ImageLayout layout = image_layout(spec);
  return {reinterpret_cast<const std::uint32_t*>(image.data() + layout.offsets),
          reinterpret_cast<const Target*>(image.data() + layout.targets),
          spec.weights == WeightType::none || spec.row_bits != 0 ? nullptr : image.data() + layout.weights};
}

/// The numbers of rows of a verified image's entries, however they lie; 0 in an image without any.
class RowNumbers {
 public:
  RowNumbers(const ImageSpec& spec, std::span<const std::byte> image) noexcept;
  [[nodiscard]] double operator[](std::size_t i) const noexcept {
    if (plain_ != nullptr) return plain_[i];
    return packs_ ? static_cast<double>(packed_[i]) : 0.0;
  }
  /// Calls visit(i, row) for entries [begin, end).
  template <class Visit>
  void for_each(std::size_t begin, std::size_t end, Visit&& visit) const {
    if (plain_ != nullptr) {
      for (std::size_t i = begin; i < end; ++i) visit(i, plain_[i]);
    } else if (packs_) {
      for (std::size_t i = begin; i < end; ++i) visit(i, static_cast<double>(packed_[i]));
    } else {
      for (std::size_t i = begin; i < end; ++i) visit(i, 0.0);
    }
  }

 private:
  const double* plain_ = nullptr;
  bool packs_ = false;
  PackedBits packed_;
};

}  // namespace rizoma
