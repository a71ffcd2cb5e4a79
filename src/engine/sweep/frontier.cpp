#include <rizoma/frontier.h>

#include "base/check.h"

#include <algorithm>

namespace rizoma {

Frontier::Frontier(VertexId universe, std::span<const VertexId> members)
    : universe_(universe), list_(members.begin(), members.end()) {
  std::sort(list_.begin(), list_.end());
  list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  RIZOMA_CHECK(list_.empty() || list_.back() < universe);
}

Frontier::Frontier(VertexSet set) : universe_(set.universe()), has_list_(false), has_set_(true), set_(std::move(set)) {}

Frontier Frontier::all(VertexId universe) {
  VertexSet set(universe);
  for (VertexId v = 0; v < universe; v += 64) {
    set.words()[v / 64] = universe - v >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (universe - v)) - 1;
  }
  set.recount();
  return Frontier(std::move(set));
}

const std::vector<VertexId>& Frontier::list() const {
  if (!has_list_) {
    list_.reserve(set_.count());
    set_.for_each([this](VertexId v) { list_.push_back(v); });
    has_list_ = true;
  }
  return list_;
}

const VertexSet& Frontier::set() const {
  if (!has_set_) {
    set_ = VertexSet(universe_);
    for (const VertexId v : list_) set_.add(v);
    has_set_ = true;
  }
  return set_;
}

}  // namespace rizoma
