#include "query/distributed/list_cache.h"

#include <algorithm>
#include <utility>

namespace rizoma::query {

void ListCache::begin_batch() {
  ++now_;
  if (bytes_ > most_) shrink();
}

const ListCache::Held* ListCache::use(const ListKey& key) {
  Page* const page = page_of(key).get();
  if (page == nullptr) return nullptr;
  Held& held = (*page)[key.vertex % kPage];
  if (held.used == 0) return nullptr;
  held.used = now_;
  return &held;
}

const ListCache::Held* ListCache::find(const ListKey& key) const {
  const Page* const page = pages_[static_cast<std::size_t>(key.direction)][key.vertex / kPage].get();
  if (page == nullptr) return nullptr;
  const Held& held = (*page)[key.vertex % kPage];
  return held.used == 0 ? nullptr : &held;
}

ListCache::Held& ListCache::place_of(const ListKey& key) {
  std::unique_ptr<Page>& page = page_of(key);
  if (page == nullptr) {
    page = std::make_unique<Page>();
    bytes_ += sizeof(Page);
  }
  return (*page)[key.vertex % kPage];
}

void ListCache::keep(std::vector<std::byte> memory, std::span<const ListKey> keys,
                     std::span<const std::uint64_t> bytes) {
  const std::byte* at = memory.data();
  bytes_ += memory.size();
  memory_.push_back(std::move(memory));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    place_of(keys[i]) = {at, bytes[i], now_};
    at += bytes[i];
  }
}

std::vector<std::pair<ListKey, ListCache::Held>> ListCache::all() const {
  std::vector<std::pair<ListKey, Held>> all;
  for (const Direction direction : {Direction::out, Direction::in}) {
    const auto& pages = pages_[static_cast<std::size_t>(direction)];
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (pages[i] == nullptr) continue;
      for (VertexId place = 0; place < kPage; ++place) {
        const Held& held = (*pages[i])[place];
        if (held.used != 0) all.emplace_back(ListKey{i * kPage + place, direction}, held);
      }
    }
  }
  return all;
}

void ListCache::shrink() {
  std::vector<std::pair<ListKey, Held>> lists = all();
  std::stable_sort(lists.begin(), lists.end(),
                   [](const auto& a, const auto& b) { return a.second.used > b.second.used; });
  for (auto& pages : pages_) {
    for (auto& page : pages) page.reset();
  }
  bytes_ = 0;
  std::vector<std::byte> memory;
  std::size_t kept = 0;
  for (; kept < lists.size(); ++kept) {
    const auto& [key, held] = lists[kept];
    const std::uint64_t beside = page_of(key) == nullptr ? sizeof(Page) : 0;
    if (bytes_ + memory.size() + held.bytes + beside > most_ / 2) break;
    place_of(key) = held;
    memory.insert(memory.end(), held.data, held.data + held.bytes);
  }
  const std::byte* at = memory.data();
  for (const auto& [key, held] : std::span(lists).first(kept)) {
    place_of(key).data = at;
    at += held.bytes;
  }
  bytes_ += memory.size();
  memory_.clear();
  memory_.push_back(std::move(memory));
}

}  // namespace rizoma::query
