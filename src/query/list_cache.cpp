#include "query/list_cache.h"

#include <algorithm>
#include <utility>

namespace rizoma::query {
namespace {

constexpr std::uint64_t kBytesBeside = 64;  // that a list takes in the table

}  // namespace

void ListCache::begin_batch() {
  ++now_;
  if (bytes_ > most_) shrink();
}

const ListCache::Held* ListCache::use(const ListKey& key) {
  const auto found = lists_.find(key);
  if (found == lists_.end()) return nullptr;
  found->second.used = now_;
  return &found->second;
}

const ListCache::Held* ListCache::find(const ListKey& key) const {
  const auto found = lists_.find(key);
  return found == lists_.end() ? nullptr : &found->second;
}

void ListCache::keep(std::vector<std::byte> memory, std::span<const ListKey> keys,
                     std::span<const std::uint64_t> bytes) {
  const std::byte* at = memory.data();
  bytes_ += memory.size() + keys.size() * kBytesBeside;
  memory_.push_back(std::move(memory));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    lists_.insert_or_assign(keys[i], Held{at, bytes[i], now_});
    at += bytes[i];
  }
}

void ListCache::shrink() {
  std::vector<std::pair<ListKey, Held>> all(lists_.begin(), lists_.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.second.used != b.second.used) return a.second.used > b.second.used;
    return std::pair(a.first.vertex, a.first.direction) < std::pair(b.first.vertex, b.first.direction);
  });
  std::vector<std::byte> memory;
  std::vector<ListKey> keys;
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> used;
  for (const auto& [key, held] : all) {
    if (memory.size() + held.bytes + (keys.size() + 1) * kBytesBeside > most_ / 2) break;
    memory.insert(memory.end(), held.data, held.data + held.bytes);
    keys.push_back(key);
    bytes.push_back(held.bytes);
    used.push_back(held.used);
  }
  lists_.clear();
  memory_.clear();
  bytes_ = 0;
  keep(std::move(memory), keys, bytes);
  for (std::size_t i = 0; i < keys.size(); ++i) lists_.find(keys[i])->second.used = used[i];
}

}  // namespace rizoma::query
