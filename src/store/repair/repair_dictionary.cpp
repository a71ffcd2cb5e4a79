#include "store/repair/repair_dictionary.h"

#include "base/random.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/dictionary/dictionary_tail.h"
#include "store/manifest/store_id.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

/// Ids of a reordered dense graph that neither direction gives.
VertexId lost_of_permutation(const DictionarySegment& segment) {
  std::vector<bool> known(segment.size());
  for (VertexId v = segment.first(); v < segment.end(); ++v) {
    const auto id = segment.integer(v);
    if (id && static_cast<std::uint64_t>(*id) < known.size()) known[static_cast<std::size_t>(*id)] = true;
  }
  VertexId lost = 0;
  for (std::size_t id = 0; id < known.size(); ++id) {
    if (!known[id] && !segment.find(static_cast<std::int64_t>(id))) ++lost;
  }
  return lost;
}

Mapping held(std::vector<std::byte> bytes) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {*owner, owner};
}

std::int64_t unverified(const DictionarySegment& segment, VertexId v, std::int64_t) {
  return segment.unverified_integer(v);
}
std::string_view unverified(const DictionarySegment& segment, VertexId v, std::string_view) {
  return segment.unverified_text(v);
}
std::vector<std::byte> encode(VertexId first, std::span<const std::int64_t> ids) { return encode_integers(first, ids); }
std::vector<std::byte> encode(VertexId first, std::span<const std::string_view> ids) {
  return encode_strings(first, ids);
}

/// Random ids that take the place of lost ones; they stay where they are.
class StandIns {
 public:
  void make(VertexId v, std::int64_t& id) const { id = static_cast<std::int64_t>(mix64(seed_ + v)); }
  void make(VertexId v, std::string_view& id) {
    id = texts_.emplace_back(std::to_string(mix64(seed_ + v)) + " for vertex " + std::to_string(v));
  }

 private:
  std::uint64_t seed_ = make_store_id().low;
  std::deque<std::string> texts_;
};

/// False if texts overlap, so that together they might take any amount of memory.
bool fit_in(std::uint64_t, const std::vector<std::int64_t>&) { return true; }
bool fit_in(std::uint64_t bytes, const std::vector<std::string_view>& ids) {
  std::uint64_t total = 0;
  for (const std::string_view id : ids) total += id.size();
  return total <= bytes;
}

/// False if two are equal, as in blocks that were zeroed: they cannot be what was written, and an index of many equal
/// ids takes quadratic time.
template <class Key>
bool all_differ(const std::vector<Key>& ids) {
  std::vector<std::uint64_t> hashes;
  for (const Key& id : ids) hashes.push_back(hash_id(id));
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end();
}

template <class Key>
Mapping mended(const DictionarySegment& segment, std::uint64_t bytes, std::set<VertexId>& lost) {
  std::vector<Key> ids;
  for (VertexId v = segment.first(); v < segment.end(); ++v) ids.push_back(unverified(segment, v, Key()));
  if (fit_in(bytes, ids) && all_differ(ids)) {
    std::vector<std::byte> again = encode(segment.first(), ids);
    if (segment.was_written_as(again)) return held(std::move(again));  // only the index, or a checksum, is damaged
  }
  StandIns stand_ins;
  for (VertexId v = segment.first(); v < segment.end(); ++v) {
    Key& id = ids[v - segment.first()];
    if (segment.vouches_for(id, v)) continue;
    lost.insert(v);
    stand_ins.make(v, id);
  }
  return held(encode(segment.first(), ids));
}

}  // namespace

Mapping DictionaryMender::mend(Mapping mapping, const std::string& where) {
  const auto opened = DictionarySegment::open(mapping, where);
  if (!opened) return mapping;
  const DictionarySegment& segment = **opened;
  if (segment.first() == 0) {
    damage_.clear();
    lost_.clear();
  }
  const Status verified = segment.verify();
  if (verified) return mapping;
  const VertexRange vertices{segment.first(), segment.end()};
  if (segment.kind() == SegmentKind::permutation) {
    damage_.push_back({verified.error(), vertices, lost_of_permutation(segment)});
    return mapping;
  }
  const std::size_t before = lost_.size();
  Mapping usable = segment.kind() == SegmentKind::string
                       ? mended<std::string_view>(segment, mapping.bytes.size(), lost_)
                       : mended<std::int64_t>(segment, mapping.bytes.size(), lost_);
  damage_.push_back({verified.error(), vertices, lost_.size() - before});
  return usable;
}

}  // namespace rizoma
