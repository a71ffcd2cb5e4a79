#include "store/sections/image.h"

#include "base/check.h"
#include "base/checksum.h"
#include "base/wide_loops.h"
#include "store/format.h"
#include "store/columns/column_rules.h"
#include "store/messages.h"
#include "store/sections/entry_owners.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace rizoma {
namespace {

constexpr std::size_t align_line(std::size_t bytes) noexcept {
  return (bytes + format::kLine - 1) / format::kLine * format::kLine;
}

void zero(std::span<std::byte> image, std::size_t begin, std::size_t end) {
  std::memset(image.data() + begin, 0, end - begin);
}

std::uint64_t header_checksum(const format::ImageHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::ImageHeader, checksum)),
                  format::kSeedImageHeader);
}

std::size_t weights_bytes(const ImageSpec& spec) noexcept {
  if (spec.row_bits != 0) return packed_bytes(spec.num_entries, spec.row_bits);
  return spec.num_entries * weight_bytes(spec.weights);
}

/// A version, a width and a type that belong together.
bool row_bits_ok(const format::ImageHeader& header) {
  constexpr unsigned kMost = std::bit_width(kMostRows - 1);
  if (header.row_bits == 0) return header.version < format::kPackedVersion;
  return header.version == format::kPackedVersion && header.row_bits <= kMost &&
         header.weight_type == static_cast<std::uint8_t>(WeightType::float64);
}

bool offsets_ok(const std::uint32_t* offsets, const ImageSpec& spec) {
  bool ok = offsets[0] == 0 && offsets[spec.num_vertices] == spec.num_entries;
  for (std::uint32_t i = 0; i < spec.num_vertices; ++i) ok &= offsets[i] <= offsets[i + 1];
  return ok;
}

/// If a number may not follow the one before it in a list.
template <bool Distinct, class Target>
RIZOMA_INLINED inline bool descends(const Target* number) {
  return Distinct ? number[-1] >= number[0] : number[-1] > number[0];
}

/// What the entries of an image are found to be.
template <class Target>
struct EntryFacts {
  EdgeCount descents = 0;  ///< that may not follow the entry before them in their list
  EdgeCount self_loops = 0;
  Target greatest = 0;
};

/// Counted to the end, without a way out.
template <bool Distinct, class Target>
RIZOMA_INLINED inline EntryFacts<Target> entry_facts(std::span<const std::uint32_t> offsets, const Target* all,
                                                     VertexId first) {
  EntryFacts<Target> facts;
  const auto owner = [first](std::size_t place) RIZOMA_INLINED { return static_cast<Target>(first + place); };
  for_owned_entries<Target>(
      offsets, owner, [&](std::size_t begin, const Target* owners, std::size_t count) RIZOMA_INLINED {
        const Target* const targets = all + begin;
        std::uint32_t descents = begin > 0 && owners[-1] == owners[0] && descends<Distinct>(targets) ? 1 : 0;
        std::uint32_t self_loops = targets[0] == owners[0] ? 1 : 0;
        Target greatest = targets[0];
        for (std::size_t e = 1; e < count; ++e) {
          const bool follows = owners[e - 1] == owners[e];
          descents += (follows & descends<Distinct>(targets + e)) ? 1 : 0;
          self_loops += targets[e] == owners[e] ? 1 : 0;
          greatest = std::max(greatest, targets[e]);
        }
        facts.descents += descents;
        facts.self_loops += self_loops;
        facts.greatest = std::max(facts.greatest, greatest);
      });
  return facts;
}

/// Sorted lists below the bound, with so many self-loops.  Distinct: no target twice in one.
template <bool Distinct, class Target>
RIZOMA_INLINED inline bool targets_ok(const SectionEdges<Target>& edges, const ImageSpec& spec, VertexId first) {
  if (spec.num_entries == 0) return spec.num_self_loops == 0;
  const auto facts =
      entry_facts<Distinct>(std::span(edges.offsets, std::size_t{spec.num_vertices} + 1), edges.targets, first);
  return facts.descents == 0 && facts.self_loops == spec.num_self_loops && facts.greatest < spec.target_bound;
}

template <class Target>
bool targets_ok(const SectionEdges<Target>& edges, const ImageSpec& spec, VertexId first, ParallelEdges parallel) {
  if (parallel == ParallelEdges::merge) {
    return run_loop([&]() RIZOMA_INLINED { return targets_ok<true>(edges, spec, first); });
  }
  return run_loop([&]() RIZOMA_INLINED { return targets_ok<false>(edges, spec, first); });
}

}  // namespace

ImageLayout image_layout(const ImageSpec& spec) noexcept {
  ImageLayout layout;
  layout.offsets = sizeof(format::ImageHeader);
  layout.targets = align_line(layout.offsets + (std::size_t{spec.num_vertices} + 1) * sizeof(std::uint32_t));
  layout.weights = align_line(layout.targets + spec.num_entries * spec.target_bytes);
  layout.bytes = align_line(layout.weights + weights_bytes(spec));
  return layout;
}

ImageSpec pack_rows(const ImageSpec& spec, std::span<std::byte> image) {
  const ImageLayout layout = image_layout(spec);
  RIZOMA_CHECK(spec.weights == WeightType::float64 && spec.row_bits == 0 && image.size() == layout.bytes);
  std::byte* const begin = image.data() + layout.weights;
  const auto row = [begin](std::uint64_t i) {
    double number;
    std::memcpy(&number, begin + i * sizeof number, sizeof number);
    RIZOMA_CHECK(number >= 0 && number < static_cast<double>(kMostRows) && number == std::trunc(number));
    return static_cast<std::uint64_t>(number);
  };
  std::uint64_t most = 0;
  for (EdgeCount i = 0; i < spec.num_entries; ++i) most = std::max(most, row(i));
  ImageSpec packed = spec;
  packed.row_bits = bits_for(most);
  RIZOMA_CHECK(image_layout(packed).bytes <= image.size());
  pack(spec.num_entries, packed.row_bits, begin, row);
  return packed;
}

RowNumbers::RowNumbers(const ImageSpec& spec, std::span<const std::byte> image) noexcept
    : packs_(spec.row_bits != 0 && spec.num_entries > 0) {
  if (spec.weights != WeightType::float64) return;
  const std::byte* const begin = image.data() + image_layout(spec).weights;
  if (spec.row_bits == 0) plain_ = reinterpret_cast<const double*>(begin);
  if (packs_) packed_ = PackedBits(begin, spec.row_bits);
}

std::uint64_t seal_image(const ImageSpec& spec, std::span<std::byte> image) {
  const ImageLayout layout = image_layout(spec);
  RIZOMA_CHECK(image.size() == layout.bytes);
  RIZOMA_CHECK(spec.num_entries <= UINT32_MAX && spec.num_self_loops <= spec.num_entries);
  const auto* offsets = reinterpret_cast<const std::uint32_t*>(image.data() + layout.offsets);
  RIZOMA_CHECK(offsets[0] == 0 && offsets[spec.num_vertices] == spec.num_entries);
  RIZOMA_DCHECK(offsets_ok(offsets, spec));
  zero(image, layout.offsets + (std::size_t{spec.num_vertices} + 1) * sizeof(std::uint32_t), layout.targets);
  zero(image, layout.targets + spec.num_entries * spec.target_bytes, layout.weights);
  zero(image, layout.weights + weights_bytes(spec), layout.bytes);

  format::ImageHeader header;
  if (spec.row_bits != 0) header.version = format::kPackedVersion;
  header.row_bits = static_cast<std::uint8_t>(spec.row_bits);
  header.direction = static_cast<std::uint8_t>(spec.direction);
  header.target_bytes = static_cast<std::uint8_t>(spec.target_bytes);
  header.section = spec.section;
  header.num_vertices = spec.num_vertices;
  header.weight_type = static_cast<std::uint8_t>(spec.weights);
  header.num_entries = spec.num_entries;
  header.num_self_loops = spec.num_self_loops;
  header.target_bound = spec.target_bound;
  header.payload_checksum = checksum(image.subspan(sizeof header), format::kSeedImagePayload);
  header.checksum = header_checksum(header);
  std::memcpy(image.data(), &header, sizeof header);
  return header.checksum;
}

std::uint64_t image_id(std::span<const std::byte> image) noexcept {
  std::uint64_t id = 0;
  if (image.size() < sizeof(format::ImageHeader)) return id;
  std::memcpy(&id, image.data() + offsetof(format::ImageHeader, checksum), sizeof id);
  return id;
}

namespace {

/// What the header says, if it is whole and can be.
Result<ImageSpec> read_header(std::span<const std::byte> image, unsigned section_bits, std::string_view where,
                              format::ImageHeader& header) {
  if (image.size() < sizeof header) return corrupt(where, "is shorter than the header of a section image");
  std::memcpy(&header, image.data(), sizeof header);
  if (header.magic != format::kImageMagic) return corrupt(where, "is not a section image");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kPackedVersion) return future_version(where, header.version);

  ImageSpec spec;
  spec.section = header.section;
  spec.direction = static_cast<Direction>(header.direction);
  spec.target_bytes = header.target_bytes;
  spec.weights = static_cast<WeightType>(header.weight_type);
  spec.num_vertices = header.num_vertices;
  spec.num_entries = header.num_entries;
  spec.num_self_loops = header.num_self_loops;
  spec.target_bound = header.target_bound;
  spec.row_bits = header.row_bits;
  const bool sane = header.direction <= 1 && (spec.target_bytes == 4 || spec.target_bytes == 8) &&
                    spec.weights <= WeightType::float64 && spec.num_vertices <= (std::uint64_t{1} << section_bits) &&
                    spec.num_entries <= UINT32_MAX && row_bits_ok(header);
  if (!sane || image_layout(spec).bytes != image.size()) return corrupt(where, "has sizes that cannot be");
  RIZOMA_CHECK(reinterpret_cast<std::uintptr_t>(image.data()) % sizeof(std::uint64_t) == 0);
  return spec;
}

const std::uint32_t* offsets_in(const ImageSpec& spec, std::span<const std::byte> image) noexcept {
  return reinterpret_cast<const std::uint32_t*>(image.data() + image_layout(spec).offsets);
}

}  // namespace

Result<ImageSpec> verify_image(std::span<const std::byte> image, unsigned section_bits, std::string_view where,
                               ParallelEdges parallel) {
  format::ImageHeader header;
  RIZOMA_ASSIGN(const ImageSpec spec, read_header(image, section_bits, where, header));
  if (header.payload_checksum != checksum(image.subspan(sizeof header), format::kSeedImagePayload)) {
    return corrupt(where, "fails its checksum");
  }
  const VertexId first = spec.section << section_bits;
  const bool whole =
      offsets_ok(offsets_in(spec, image), spec) &&
      (spec.target_bytes == 4 ? targets_ok(view_image<std::uint32_t>(spec, image), spec, first, parallel)
                              : targets_ok(view_image<std::uint64_t>(spec, image), spec, first, parallel));
  if (!whole) return corrupt(where, "has unsorted neighbours or neighbours that do not exist");
  return spec;
}

std::uint64_t image_head_checksum(const ImageSpec& spec, std::span<const std::byte> image) noexcept {
  return checksum(image.first(image_layout(spec).targets), format::kSeedImageHead);
}

Result<ImageSpec> verify_image_head(std::span<const std::byte> image, unsigned section_bits,
                                    std::uint64_t head_checksum, std::string_view where) {
  format::ImageHeader header;
  RIZOMA_ASSIGN(const ImageSpec spec, read_header(image, section_bits, where, header));
  if (head_checksum != image_head_checksum(spec, image)) return corrupt(where, "fails the checksum of its head");
  if (!offsets_ok(offsets_in(spec, image), spec)) return corrupt(where, "has lists of lengths that cannot be");
  return spec;
}

}  // namespace rizoma
