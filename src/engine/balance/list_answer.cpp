#include "engine/balance/list_answer.h"

#include "base/check.h"
#include "engine/exchange/list_wire.h"

#include <utility>

namespace rizoma {

bool ListAnswer::add(DegreeRank r, VertexSet& has) {
  const std::span<const DegreeRank> list = lists_[r];
  const std::span<const DegreeRank> leads_to = list.subspan(1);  // its first member closes no wedge
  std::uint64_t needed = bytes() + most_bytes_of_list(list.size());
  for (const DegreeRank v : leads_to) needed += has.contains(v) ? 0 : most_bytes_of_list(lists_[v].size());
  if (needed > most_) return false;
  ++num_work_;
  work_.put_varint(r - std::exchange(last_work_, r));
  put_list(work_, list);
  for (const DegreeRank v : leads_to) {
    if (!has.add(v)) continue;
    ++num_others_;
    others_.put_varint(zigzag_difference(std::exchange(last_other_, v), v));
    put_list(others_, lists_[v]);
  }
  return true;
}

void ListAnswer::put(std::uint64_t blocks, std::uint64_t left, WireWriter& writer) && {
  for (const std::uint64_t number : {blocks, left, num_work_, num_others_}) writer.put_varint(number);
  for (WireWriter* const part : {&work_, &others_}) {
    const std::vector<std::byte> bytes = std::move(*part).take();
    writer.put_bytes(bytes.data(), bytes.size());
  }
}

/// What was received, and, before any is evicted for it, what is cached.
std::vector<StolenLists::DegreeRank> AnsweredLists::read(WireReader& answer, const OrientedLists& lists,
                                                         CachedCore& core, LruCache& kept) {
  blocks_ = answer.get_varint();
  left_ = answer.get_varint();
  const std::uint64_t num_work = answer.get_varint();
  const std::uint64_t num_others = answer.get_varint();
  std::uint64_t r = 0;
  for (std::uint64_t i = 0; i < num_work; ++i) {
    r += answer.get_varint();
    work_.push_back(static_cast<DegreeRank>(r));
    get_list(answer, entries_);
    begins_.push_back(entries_.size());
  }
  RIZOMA_CHECK(r < lists.size());
  std::vector<std::pair<DegreeRank, LruCache::List>> come;
  std::uint64_t v = 0;
  for (std::uint64_t i = 0; i < num_others; ++i) {
    v = apply_zigzag(v, answer.get_varint());
    RIZOMA_CHECK(v < lists.size());
    std::vector<DegreeRank> list;
    get_list(answer, list);
    const auto degree_rank = static_cast<DegreeRank>(v);
    if (degree_rank < core.size()) {
      core.add(degree_rank, list);
      continue;
    }
    come.emplace_back(degree_rank, std::make_shared<const std::vector<DegreeRank>>(std::move(list)));
    others_.insert(come.back());
  }
  for (std::size_t i = 0; i < work_.size(); ++i) {
    for (const DegreeRank w : list(i).subspan(1)) {
      if (lists.has(w) || core.has(w)) continue;
      const auto [place, is_new] = others_.try_emplace(w);
      if (is_new) place->second = kept.find(w);
      RIZOMA_CHECK(place->second != nullptr);
    }
  }
  std::vector<DegreeRank> gone;
  for (const auto& [degree_rank, list] : come) {
    const std::vector<DegreeRank> evicted = kept.keep(degree_rank, list);
    gone.insert(gone.end(), evicted.begin(), evicted.end());
  }
  return gone;
}

}  // namespace rizoma
