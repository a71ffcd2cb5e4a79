#include "store/sections/image.h"

#include "store/sections/image_head.h"

#include "base/check.h"
#include "base/checksum.h"
#include "base/wide_loops.h"
#include "store/disk_format.h"
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

/// Targets processed together: the second reader finds them in the first cache.  More would exceed the outstanding
/// misses of a processor (docs/measurements/store.md).
constexpr std::size_t kPieceBytes = 4096;

/// Prefetches this many bytes; they may be after the end of the image.
RIZOMA_INLINED inline void ask_for(const std::byte* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; i += format::kLine) __builtin_prefetch(bytes + i, 0, 2);
}

/// What the entries of an image are found to be, piece by piece.
template <bool Distinct, class Target>
class EntryFacts {
 public:
  EntryFacts(const SectionEdges<Target>& edges, const ImageSpec& spec, VertexId first)
      : targets_(edges.targets),
        offsets_(edges.offsets, std::size_t{spec.num_vertices} + 1),
        spec_(spec),
        first_(static_cast<Target>(first)) {}

  /// Counted to the end, without a way out: entries [begin, end), which follow those of before.
  void look_at(std::size_t begin, std::size_t end) {
    run_loop([&]() RIZOMA_INLINED {
      const bool own_vertices = look(begin, end);
      const std::size_t list = after_first_entries(begin, end);
      if (own_vertices) count_self_loops({offsets_, begin, end, list_});
      list_ = list;
    });
  }
  /// Sorted lists below the bound, with the number of self-loops that the header says; if Distinct, no target twice in
  /// one.
  [[nodiscard]] bool whole() const noexcept {
    return descents_ == 0 && self_loops_ == spec_.num_self_loops &&
           (spec_.num_entries == 0 || greatest_ < spec_.target_bound);
  }

 private:
  /// Looks at the entries as if they were one list.  True if any leads to a vertex of the section itself.
  RIZOMA_INLINED bool look(std::size_t begin, std::size_t end) {
    const Target first = first_;
    const auto vertices = static_cast<Target>(spec_.num_vertices);
    std::uint32_t descents = begin > 0 && descends<Distinct>(targets_ + begin) ? 1 : 0;
    std::uint32_t own = static_cast<Target>(targets_[begin] - first) < vertices ? 1 : 0;
    Target greatest = targets_[begin];
    for (std::size_t e = begin + 1; e < end; ++e) {
      descents += descends<Distinct>(targets_ + e) ? 1 : 0;
      own += static_cast<Target>(targets_[e] - first) < vertices ? 1 : 0;
      greatest = std::max(greatest, targets_[e]);
    }
    descents_ += descents;
    greatest_ = std::max(greatest_, greatest);
    return own > 0;
  }
  /// The first entry of a list may be below the last one of the list before.  Returns the list of the last entry.
  RIZOMA_INLINED std::size_t after_first_entries(std::size_t begin, std::size_t end) {
    std::size_t list = list_;
    std::uint32_t allowed = 0;
    for (; offsets_[list] < end; ++list) {
      const std::size_t at = offsets_[list];
      if (at >= begin && at > 0 && offsets_[list + 1] > at) allowed += descends<Distinct>(targets_ + at) ? 1 : 0;
      if (offsets_[list + 1] >= end) break;
    }
    descents_ -= allowed;
    return list;
  }
  RIZOMA_INLINED void count_self_loops(const EntryRun& run) {
    const auto owner = [first = first_](std::size_t place)
                           RIZOMA_INLINED { return static_cast<Target>(first + place); };
    const auto count = [&](std::size_t begin, std::size_t number, const auto& owner_of) RIZOMA_INLINED {
      std::uint32_t found = 0;
      for (std::size_t e = 0; e < number; ++e) found += targets_[begin + e] == owner_of(e) ? 1 : 0;
      self_loops_ += found;
    };
    for_owned_entries<Target>(
        run, owner,
        [&](std::size_t begin, Target u, std::size_t number)
            RIZOMA_INLINED { count(begin, number, [u](std::size_t) RIZOMA_INLINED { return u; }); },
        [&](std::size_t begin, const Target* owners, std::size_t number)
            RIZOMA_INLINED { count(begin, number, [owners](std::size_t e) RIZOMA_INLINED { return owners[e]; }); });
  }

  const Target* targets_;
  std::span<const std::uint32_t> offsets_;
  const ImageSpec& spec_;
  Target first_;
  std::size_t list_ = 0;    ///< of the last entry so far
  EdgeCount descents_ = 0;  ///< entries that may not follow the one before them in their list
  EdgeCount self_loops_ = 0;
  Target greatest_ = 0;
};

/// The checksum of an image's payload, from its front on.
class PayloadChecksum {
 public:
  explicit PayloadChecksum(std::span<const std::byte> image) noexcept : image_(image) {}
  void add_to(std::size_t end) noexcept {
    sum_.add(image_.subspan(at_, end - at_));
    at_ = end;
  }
  [[nodiscard]] std::uint64_t value() noexcept {
    add_to(image_.size());
    return sum_.value();
  }

 private:
  std::span<const std::byte> image_;
  std::size_t at_ = sizeof(format::ImageHeader);
  RunningChecksum sum_{format::kSeedImagePayload};
};

/// Looks at all entries, piece by piece, of which the checksum, the look, and the reader make a pass each while the
/// next one is fetched.  The offsets ascend.
template <bool Distinct, class Target>
bool entries_ok(const ImageSpec& spec, std::span<const std::byte> image, VertexId first, PayloadChecksum& sum,
                EntryReader* reader) {
  constexpr std::size_t kPiece = kPieceBytes / sizeof(Target);
  const ImageLayout layout = image_layout(spec);
  const SectionEdges<Target> edges = view_image<Target>(spec, image);
  EntryFacts<Distinct, Target> facts(edges, spec, first);
  const bool weighted = edges.weights != nullptr;
  for (std::size_t begin = 0; begin < spec.num_entries; begin += kPiece) {
    const std::size_t end = std::min<std::size_t>(begin + kPiece, spec.num_entries);
    const std::byte* const next = image.data() + layout.targets + (begin + kPiece) * sizeof(Target);
    sum.add_to(layout.targets + end * sizeof(Target));
    ask_for(next, kPieceBytes / 2);
    facts.look_at(begin, end);
    ask_for(next + kPieceBytes / 2, kPieceBytes / 2);
    if (reader != nullptr && !weighted) reader->read(spec, image, begin, end);
  }
  for (std::size_t begin = 0; weighted && begin < spec.num_entries; begin += kPiece) {
    const std::size_t end = std::min<std::size_t>(begin + kPiece, spec.num_entries);
    sum.add_to(layout.weights + end * weight_bytes(spec.weights));
    if (reader != nullptr) reader->read(spec, image, begin, end);
  }
  return facts.whole();
}

bool entries_ok(const ImageSpec& spec, std::span<const std::byte> image, VertexId first, ParallelEdges parallel,
                PayloadChecksum& sum, EntryReader* reader) {
  const bool distinct = parallel == ParallelEdges::merge;
  if (spec.target_bytes == 4) {
    return distinct ? entries_ok<true, std::uint32_t>(spec, image, first, sum, reader)
                    : entries_ok<false, std::uint32_t>(spec, image, first, sum, reader);
  }
  return distinct ? entries_ok<true, std::uint64_t>(spec, image, first, sum, reader)
                  : entries_ok<false, std::uint64_t>(spec, image, first, sum, reader);
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
  RIZOMA_CHECK(spec.weights == WeightType::float64 && image.size() == layout.bytes);
  RIZOMA_CHECK(spec.row_bits == 0 || spec.row_bits == kWholeRowBits);
  std::byte* const begin = image.data() + layout.weights;
  const auto pack_those = [&](const auto& row) {
    std::uint64_t most = 0;
    for (EdgeCount i = 0; i < spec.num_entries; ++i) most = std::max<std::uint64_t>(most, row(i));
    ImageSpec packed = spec;
    packed.row_bits = bits_for(most);
    RIZOMA_CHECK(image_layout(packed).bytes <= image.size());
    pack(spec.num_entries, packed.row_bits, begin, row);
    return packed;
  };
  if (spec.row_bits == kWholeRowBits) {
    return pack_those([begin](std::uint64_t i) {
      std::uint32_t number;
      std::memcpy(&number, begin + i * sizeof number, sizeof number);
      return number;
    });
  }
  return pack_those([begin](std::uint64_t i) {
    double number;
    std::memcpy(&number, begin + i * sizeof number, sizeof number);
    RIZOMA_CHECK(number >= 0 && number < static_cast<double>(kMostRows) && number == std::trunc(number));
    return static_cast<std::uint64_t>(number);
  });
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

/// The content of the header, if it is whole and valid.
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
  if (!sane || image_layout(spec).bytes != image.size()) return corrupt(where, "has impossible sizes");
  RIZOMA_CHECK(reinterpret_cast<std::uintptr_t>(image.data()) % sizeof(std::uint64_t) == 0);
  return spec;
}

const std::uint32_t* offsets_in(const ImageSpec& spec, std::span<const std::byte> image) noexcept {
  return reinterpret_cast<const std::uint32_t*>(image.data() + image_layout(spec).offsets);
}

}  // namespace

Result<ImageSpec> verify_image(std::span<const std::byte> image, unsigned section_bits, std::string_view where,
                               ParallelEdges parallel, EntryReader* reader) {
  format::ImageHeader header;
  RIZOMA_ASSIGN(const ImageSpec spec, read_header(image, section_bits, where, header));
  PayloadChecksum sum(image);
  const bool whole = offsets_ok(offsets_in(spec, image), spec) &&
                     entries_ok(spec, image, spec.section << section_bits, parallel, sum, reader);
  if (header.payload_checksum != sum.value()) return corrupt(where, "fails its checksum");
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
  if (!offsets_ok(offsets_in(spec, image), spec)) return corrupt(where, "has lists of impossible lengths");
  return spec;
}

Result<ImageSpec> check_image_head(std::span<const std::byte> image, unsigned section_bits, std::string_view where) {
  format::ImageHeader header;
  RIZOMA_ASSIGN(const ImageSpec spec, read_header(image, section_bits, where, header));
  if (!offsets_ok(offsets_in(spec, image), spec)) return corrupt(where, "has lists of impossible lengths");
  return spec;
}

}  // namespace rizoma
