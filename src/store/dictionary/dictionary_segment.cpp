#include "store/dictionary/dictionary_segment.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/dictionary/dictionary_tail.h"
#include "store/messages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kMagic = 0x54'43'49'44'5a'52;  // "RZDICT"
constexpr std::uint32_t kBlock = 1u << 16;
constexpr std::uint64_t kLine = 64;
enum Seed : std::uint64_t { kSeedHeader = 0x52'5a'20, kSeedSums = 0x52'5a'21, kSeedBlock = 0x52'5a'22 };

constexpr std::uint64_t align(std::uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }
constexpr std::uint64_t slots_for(std::uint64_t count) { return count + count / 2 + 1; }
constexpr std::uint64_t num_blocks(const DictionarySegmentHeader& h) {
  return (h.sums_at - sizeof h + kBlock - 1) / kBlock;
}
std::uint64_t start_slot(std::uint64_t hash, std::uint64_t slots) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * slots) >> 64);
}
std::uint64_t header_checksum(const DictionarySegmentHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(DictionarySegmentHeader, checksum)), kSeedHeader);
}
std::span<const std::byte> block_bytes(std::span<const std::byte> segment, const DictionarySegmentHeader& header,
                                       std::uint64_t block) {
  const std::uint64_t begin = sizeof header + block * kBlock;
  RIZOMA_CHECK(begin < header.sums_at && header.sums_at <= segment.size());
  return segment.subspan(begin, std::min<std::uint64_t>(kBlock, header.sums_at - begin));
}

/// Sizes of the parts in their order in the segment.
struct Parts {
  std::uint64_t ids = 0;
  std::uint64_t text = 0;
  std::uint64_t index = 0;
};

Parts parts_of(const DictionarySegmentHeader& header, std::uint64_t text_bytes) {
  switch (header.kind) {
    case SegmentKind::permutation: return {header.count * header.width, 0, header.count * header.width};
    case SegmentKind::integer: return {header.count * 8, 0, header.slots * 8};
    case SegmentKind::string: return {(header.count + 1) * header.width, text_bytes, header.slots * 8};
  }
  return {};
}

void lay_out(DictionarySegmentHeader& header, std::uint64_t text_bytes) {
  const Parts parts = parts_of(header, text_bytes);
  header.ids_at = sizeof header;
  header.text_at = align(header.ids_at + parts.ids);
  header.index_at = align(header.text_at + parts.text);
  header.sums_at = align(header.index_at + parts.index);
  header.bytes = header.sums_at + num_blocks(header) * 8;
}

bool sane(const DictionarySegmentHeader& header, std::uint64_t mapped);

/// The bytes of a segment while its parts are filled in.
class Encoder {
 public:
  Encoder(SegmentKind kind, unsigned width, VertexId first, std::uint64_t count, std::uint64_t text_bytes) {
    header_.magic = kMagic;
    header_.kind = kind;
    header_.width = static_cast<std::uint8_t>(width);
    header_.block_bytes = kBlock;
    header_.first = first;
    header_.count = count;
    header_.slots = kind == SegmentKind::permutation ? 0 : slots_for(count);
    lay_out(header_, text_bytes);
    bytes_.resize(header_.bytes);
  }
  template <class T>
  [[nodiscard]] T* ids() {
    return reinterpret_cast<T*>(bytes_.data() + header_.ids_at);
  }
  template <class T>
  [[nodiscard]] T* index() {
    return reinterpret_cast<T*>(bytes_.data() + header_.index_at);
  }
  [[nodiscard]] std::byte* text() { return bytes_.data() + header_.text_at; }

  /// `key(place)`: the id there.  The cache misses of a group are overlapped.
  template <class GetKey>
  void fill_index(GetKey&& key) {
    constexpr std::uint64_t kGroup = 32;
    std::array<std::uint64_t, kGroup> hashes;
    std::uint64_t* slots = index<std::uint64_t>();
    for (std::uint64_t begin = 0; begin < header_.count; begin += kGroup) {
      const std::uint64_t size = std::min(kGroup, header_.count - begin);
      for (std::uint64_t i = 0; i < size; ++i) {
        hashes[i] = hash_id(key(begin + i));
        __builtin_prefetch(slots + start_slot(hashes[i], header_.slots), 1);
      }
      for (std::uint64_t i = 0; i < size; ++i) {
        std::uint64_t at = start_slot(hashes[i], header_.slots);
        while (slots[at] != 0) at = at + 1 == header_.slots ? 0 : at + 1;
        slots[at] = id_slot::make(hashes[i], begin + i);
      }
    }
  }

  [[nodiscard]] std::vector<std::byte> seal() {
    RIZOMA_CHECK(sane(header_, bytes_.size()));
    auto* sums = reinterpret_cast<std::uint64_t*>(bytes_.data() + header_.sums_at);
    const std::uint64_t count = num_blocks(header_);
    for (std::uint64_t b = 0; b < count; ++b) sums[b] = checksum(block_bytes(bytes_, header_, b), kSeedBlock + b);
    header_.sums_checksum = checksum(std::as_bytes(std::span(sums, count)), kSeedSums);
    header_.checksum = header_checksum(header_);
    std::memcpy(bytes_.data(), &header_, sizeof header_);
    return std::move(bytes_);
  }

 private:
  DictionarySegmentHeader header_;
  std::vector<std::byte> bytes_;
};

bool sane(const DictionarySegmentHeader& header, std::uint64_t mapped) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << id_slot::kPlaceBits;
  if (header.kind > SegmentKind::string || header.block_bytes != kBlock) return false;
  if (header.width != 4 && header.width != 8) return false;
  if (header.count >= kMost || header.first >= kMost || header.bytes > mapped || header.text_at > header.index_at ||
      header.index_at > header.sums_at || header.sums_at > header.bytes)
    return false;
  if (header.slots != (header.kind == SegmentKind::permutation ? 0 : slots_for(header.count))) return false;
  DictionarySegmentHeader expected = header;
  // Whole lines of text: the padding counts as text here, which places the parts after alike.
  lay_out(expected, header.kind == SegmentKind::string ? header.index_at - header.text_at : 0);
  return expected.ids_at == header.ids_at && expected.text_at == header.text_at &&
         expected.index_at == header.index_at && expected.sums_at == header.sums_at && expected.bytes == header.bytes;
}

template <class Number>
std::vector<std::byte> encode_numbers(std::span<const Number> external) {
  Encoder encoder(SegmentKind::permutation, sizeof(Number), 0, external.size(), 0);
  if (!external.empty()) std::memcpy(encoder.ids<Number>(), external.data(), external.size_bytes());
  Number* inner = encoder.index<Number>();
  for (std::uint64_t i = 0; i < external.size(); ++i) {
    RIZOMA_CHECK(external[i] < external.size());
    inner[external[i]] = static_cast<Number>(i);
  }
  return encoder.seal();
}

template <class End>
void fill_strings(Encoder& encoder, std::span<const std::string_view> ids) {
  constexpr std::uint64_t kAhead = 16;  // ids lie anywhere
  End* ends = encoder.ids<End>();
  auto* const text = reinterpret_cast<char*>(encoder.text());
  std::uint64_t end = 0;
  ends[0] = 0;
  for (std::uint64_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) __builtin_prefetch(ids[i + kAhead].data());
    if (!ids[i].empty()) std::memcpy(text + end, ids[i].data(), ids[i].size());
    end += ids[i].size();
    ends[i + 1] = static_cast<End>(end);
  }
  encoder.fill_index([&](std::uint64_t i) { return std::string_view(text + ends[i], ends[i + 1] - ends[i]); });
}

}  // namespace

std::vector<std::byte> encode_integers(VertexId first, std::span<const std::int64_t> ids) {
  Encoder encoder(SegmentKind::integer, 8, first, ids.size(), 0);
  if (!ids.empty()) std::memcpy(encoder.ids<std::int64_t>(), ids.data(), ids.size_bytes());
  encoder.fill_index([&](std::uint64_t i) { return ids[i]; });
  return encoder.seal();
}

std::vector<std::byte> encode_strings(VertexId first, std::span<const std::string_view> ids) {
  std::uint64_t bytes = 0;
  for (const std::string_view id : ids) bytes += id.size();
  const unsigned width = bytes <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
  Encoder encoder(SegmentKind::string, width, first, ids.size(), bytes);
  width == 4 ? fill_strings<std::uint32_t>(encoder, ids) : fill_strings<std::uint64_t>(encoder, ids);
  return encoder.seal();
}

std::vector<std::byte> encode_permutation(std::span<const std::uint32_t> external) { return encode_numbers(external); }
std::vector<std::byte> encode_permutation(std::span<const std::uint64_t> external) { return encode_numbers(external); }

DictionarySegment::DictionarySegment(Mapping mapping, const DictionarySegmentHeader& header, std::string where)
    : mapping_(std::move(mapping)),
      header_(header),
      where_(std::move(where)),
      verified_(new std::atomic<bool>[num_blocks(header)]()) {
  RIZOMA_CHECK(header.bytes <= mapping_.bytes.size() && num_blocks(header) <= header.bytes / 8);
}

Result<std::shared_ptr<const DictionarySegment>> DictionarySegment::open(Mapping mapping, std::string where) {
  DictionarySegmentHeader header;
  if (mapping.bytes.size() < sizeof header) return corrupt(where, "is shorter than the header of a dictionary segment");
  std::memcpy(&header, mapping.bytes.data(), sizeof header);
  if (header.magic != kMagic) return corrupt(where, "is not a dictionary segment");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged dictionary header");
  if (header.version > DictionarySegmentHeader{}.version) return future_version(where, header.version);
  if (!sane(header, mapping.bytes.size())) return corrupt(where, "has a dictionary header with impossible sizes");
  return std::shared_ptr<const DictionarySegment>(new DictionarySegment(std::move(mapping), header, std::move(where)));
}

std::uint64_t segment_id(std::span<const std::byte> segment) noexcept {
  DictionarySegmentHeader header;
  if (segment.size() < sizeof header) return 0;
  std::memcpy(&header, segment.data(), sizeof header);
  return header.checksum == header_checksum(header) ? header.checksum : 0;
}

Error DictionarySegment::damaged(const std::string& what) const {
  return corrupt(where_,
                 "(dictionary of vertices " + std::to_string(first()) + " to " + std::to_string(end()) + ") " + what);
}

Status DictionarySegment::verify_sums() const {
  const auto sums = mapping_.bytes.subspan(header_.sums_at, num_blocks(header_) * 8);
  if (checksum(sums, kSeedSums) != header_.sums_checksum) return damaged("has a damaged list of checksums");
  sums_verified_.store(true, std::memory_order_release);
  return {};
}

Status DictionarySegment::verify_block(std::uint64_t block) const {
  if (!sums_verified_.load(std::memory_order_acquire)) RIZOMA_TRY(verify_sums());
  if (checksum(block_bytes(mapping_.bytes, header_, block), kSeedBlock + block) != read(header_.sums_at, block, 8)) {
    return damaged("fails the checksum of its block at byte " + std::to_string(sizeof header_ + block * kBlock));
  }
  verified_[block].store(true, std::memory_order_release);
  return {};
}

Status DictionarySegment::touch(std::uint64_t at, std::uint64_t size) const {
  if (size == 0) return {};
  const std::uint64_t last = (at + size - 1 - sizeof header_) / kBlock;
  for (std::uint64_t b = (at - sizeof header_) / kBlock; b <= last; ++b) {
    if (!verified_[b].load(std::memory_order_acquire)) RIZOMA_TRY(verify_block(b));
  }
  return {};
}

Status DictionarySegment::verify() const {
  RIZOMA_TRY(verify_sums());
  for (std::uint64_t b = 0; b < num_blocks(header_); ++b) RIZOMA_TRY(verify_block(b));
  return {};
}

std::uint64_t DictionarySegment::read(std::uint64_t part, std::uint64_t index, unsigned width) const noexcept {
  std::uint64_t value = 0;
  RIZOMA_DCHECK(part + (index + 1) * width <= mapping_.bytes.size());
  std::memcpy(&value, mapping_.bytes.data() + part + index * width, width);
  return value;
}

Result<std::int64_t> DictionarySegment::integer(VertexId number) const {
  RIZOMA_CHECK(number >= first() && number < end() && kind() != SegmentKind::string);
  const unsigned width = kind() == SegmentKind::permutation ? header_.width : 8;
  RIZOMA_TRY(touch(header_.ids_at + (number - first()) * width, width));
  const std::uint64_t id = read(header_.ids_at, number - first(), width);
  if (kind() == SegmentKind::permutation && id >= size()) return damaged("gives a vertex an impossible id");
  return static_cast<std::int64_t>(id);
}

Result<std::string_view> DictionarySegment::text(VertexId number) const {
  RIZOMA_CHECK(number >= first() && number < end() && kind() == SegmentKind::string);
  const unsigned width = header_.width;
  const std::uint64_t place = number - first();
  RIZOMA_TRY(touch(header_.ids_at + place * width, 2 * width));
  const std::uint64_t begin = read(header_.ids_at, place, width);
  const std::uint64_t finish = read(header_.ids_at, place + 1, width);
  if (begin > finish || finish > header_.index_at - header_.text_at) return damaged("has strings that overlap");
  RIZOMA_TRY(touch(header_.text_at + begin, finish - begin));
  return std::string_view(reinterpret_cast<const char*>(mapping_.bytes.data()) + header_.text_at + begin,
                          finish - begin);
}

Status DictionarySegment::append_to(std::vector<std::int64_t>& ids, VertexRange numbers) const {
  RIZOMA_CHECK(numbers.begin >= first() && numbers.end <= end() && kind() != SegmentKind::string);
  const unsigned width = kind() == SegmentKind::permutation ? header_.width : 8;
  const std::uint64_t place = numbers.begin - first(), begin = ids.size();
  RIZOMA_TRY(touch(header_.ids_at + place * width, numbers.size() * width));
  ids.resize(begin + numbers.size());
  const std::byte* const from = mapping_.bytes.data() + header_.ids_at + place * width;
  if (width == 8) {
    std::memcpy(ids.data() + begin, from, numbers.size() * 8);
  } else {
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      std::uint32_t id = 0;
      std::memcpy(&id, from + i * 4, 4);
      ids[begin + i] = id;
    }
  }
  if (kind() != SegmentKind::permutation) return {};
  const auto is_possible = [&](std::int64_t id) { return static_cast<std::uint64_t>(id) < size(); };
  const bool possible = std::all_of(ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.end(), is_possible);
  return possible ? Status() : damaged("gives a vertex an impossible id");
}

Status DictionarySegment::append_to(StringColumn& ids, VertexRange numbers) const {
  RIZOMA_CHECK(numbers.begin >= first() && numbers.end <= end() && kind() == SegmentKind::string);
  if (numbers.empty()) return {};
  const unsigned width = header_.width;
  const std::uint64_t place = numbers.begin - first(), begin = ids.bytes.size();
  RIZOMA_TRY(touch(header_.ids_at + place * width, (numbers.size() + 1) * width));
  const std::uint64_t text = read(header_.ids_at, place, width);
  std::uint64_t last = text;
  for (std::uint64_t i = 1; i <= numbers.size(); ++i) {
    const std::uint64_t next = read(header_.ids_at, place + i, width);
    if (next < last) return damaged("has strings that overlap");
    ids.offsets.push_back(begin + next - text);
    last = next;
  }
  if (last > header_.index_at - header_.text_at) return damaged("has strings that overlap");
  RIZOMA_TRY(touch(header_.text_at + text, last - text));
  ids.bytes.append(reinterpret_cast<const char*>(mapping_.bytes.data()) + header_.text_at + text, last - text);
  return {};
}

template <class Key>
Result<VertexId> DictionarySegment::find_indexed(Key id) const {
  const std::uint64_t hash = hash_id(id);
  std::uint64_t at = start_slot(hash, header_.slots);
  for (std::uint64_t probes = 0; probes < header_.slots; ++probes) {
    RIZOMA_TRY(touch(header_.index_at + at * 8, 8));
    const std::uint64_t slot = read(header_.index_at, at, 8);
    if (slot == 0) return kNoVertex;
    if (id_slot::may_match(slot, hash)) {
      if (id_slot::place(slot) >= size()) return damaged("names a vertex that does not exist");
      const VertexId number = first() + id_slot::place(slot);
      if constexpr (std::is_same_v<Key, std::int64_t>) {
        RIZOMA_ASSIGN(const std::int64_t stored, integer(number));
        if (stored == id) return number;
      } else {
        RIZOMA_ASSIGN(const std::string_view stored, text(number));
        if (stored == id) return number;
      }
    }
    at = at + 1 == header_.slots ? 0 : at + 1;
  }
  return damaged("has no free slot in its index");
}

/// Whether the index, verified or not, has a slot that maps `id` to `number`.
template <class Key>
bool DictionarySegment::leads_to(Key id, VertexId number) const noexcept {
  constexpr std::uint64_t kFarthest = 4096;  // no whole index has so long a run of slots in use
  const std::uint64_t hash = hash_id(id);
  std::uint64_t at = start_slot(hash, header_.slots);
  for (std::uint64_t probes = 0; probes < std::min(kFarthest, header_.slots); ++probes) {
    const std::uint64_t slot = read(header_.index_at, at, 8);
    if (slot == 0) return false;
    if (id_slot::place(slot) == number - first()) return id_slot::may_match(slot, hash);
    at = at + 1 == header_.slots ? 0 : at + 1;
  }
  return false;
}

std::int64_t DictionarySegment::unverified_integer(VertexId number) const noexcept {
  return static_cast<std::int64_t>(read(header_.ids_at, number - first(), 8));
}

std::string_view DictionarySegment::unverified_text(VertexId number) const noexcept {
  const std::uint64_t place = number - first();
  const std::uint64_t begin = read(header_.ids_at, place, header_.width);
  const std::uint64_t finish = read(header_.ids_at, place + 1, header_.width);
  if (begin > finish || finish > header_.index_at - header_.text_at) return {};
  return {reinterpret_cast<const char*>(mapping_.bytes.data()) + header_.text_at + begin, finish - begin};
}

bool DictionarySegment::vouches_for(std::int64_t id, VertexId number) const {
  return leads_to(id, number) || integer(number);
}
bool DictionarySegment::vouches_for(std::string_view id, VertexId number) const {
  return leads_to(id, number) || text(number);
}

bool DictionarySegment::was_written_as(std::span<const std::byte> encoded) const noexcept {
  DictionarySegmentHeader other;
  if (encoded.size() < sizeof other) return false;
  std::memcpy(&other, encoded.data(), sizeof other);
  return other.sums_checksum == header_.sums_checksum && other.bytes == header_.bytes;
}

Result<VertexId> DictionarySegment::find_permuted(std::int64_t id) const {
  if (id < 0 || static_cast<std::uint64_t>(id) >= size()) return kNoVertex;
  const auto place = static_cast<std::uint64_t>(id);
  RIZOMA_TRY(touch(header_.index_at + place * header_.width, header_.width));
  const VertexId number = read(header_.index_at, place, header_.width);
  if (number >= size()) return damaged("names a vertex that does not exist");
  // Where the ids are damaged but the index is not, the index gives them.
  if (const auto back = integer(number); back && *back != id) {
    return damaged("leads from an id to a vertex that has another id");
  }
  return number;
}

Result<VertexId> DictionarySegment::find(std::int64_t id) const {
  RIZOMA_CHECK(kind() != SegmentKind::string);
  return kind() == SegmentKind::permutation ? find_permuted(id) : find_indexed(id);
}

Result<VertexId> DictionarySegment::find(std::string_view id) const {
  RIZOMA_CHECK(kind() == SegmentKind::string);
  return find_indexed(id);
}

void DictionarySegment::prefetch(std::int64_t id) const noexcept { prefetch_slot(hash_id(id)); }
void DictionarySegment::prefetch(std::string_view id) const noexcept { prefetch_slot(hash_id(id)); }

void DictionarySegment::prefetch_slot(std::uint64_t hash) const noexcept {
  __builtin_prefetch(mapping_.bytes.data() + header_.index_at + start_slot(hash, header_.slots) * 8);
}

}  // namespace rizoma
