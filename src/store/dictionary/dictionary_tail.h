// DictionaryTail: the ids of consecutive internal ids in memory, with a hash index of them.
//
// One writer, any number of readers beside it.  What a reader may have learnt of never moves: ids lie
// in chunks that stay where they are, and a grown table leaves the old one in place until the tail
// dies (together they are no larger than the newest).  A slot is published by one atomic store after
// its id; a reader ignores numbers at or beyond its limit, so it sees a fixed set.
// Shape: a slot is 24 bits of fingerprint over 40 bits of place + 1; 0 is free.  Linear probing from
// the hash's upper bits, at most 70% full.
// Cost: an integer 8 + 16 bytes, a string 16 + 16, and its bytes if they are more than 12; two cache misses a look-up,
// and one more for a longer string, which the batch form overlaps.
#pragma once

#include <rizoma/ids.h>

#include "base/check.h"
#include "base/random.h"
#include "base/short_checksum.h"
#include "base/short_text.h"
#include "platform/page_array.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rizoma {

[[nodiscard]] inline std::uint64_t hash_id(std::int64_t id) noexcept { return mix64(static_cast<std::uint64_t>(id)); }
[[nodiscard]] inline std::uint64_t hash_id(std::string_view id) noexcept { return short_checksum(id); }

/// Slots of hash indexes, in memory and on disk.
namespace id_slot {
inline constexpr unsigned kPlaceBits = 40;
inline constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
[[nodiscard]] constexpr std::uint64_t make(std::uint64_t hash, std::uint64_t place) noexcept {
  return (hash << kPlaceBits) | (place + 1);
}
[[nodiscard]] constexpr bool may_match(std::uint64_t slot, std::uint64_t hash) noexcept {
  return (slot >> kPlaceBits) == ((hash << kPlaceBits) >> kPlaceBits);
}
[[nodiscard]] constexpr std::uint64_t place(std::uint64_t slot) noexcept { return (slot & kPlaceMask) - 1; }
}  // namespace id_slot

/// An array that grows at its end without moving its elements.  Chunk c holds kFirst * 2^c of them.
template <class T>
class StableArray {
 public:
  StableArray() = default;
  StableArray(const StableArray&) = delete;
  StableArray& operator=(const StableArray&) = delete;

  [[nodiscard]] T& operator[](std::uint64_t i) const noexcept {
    const unsigned c = chunk_of(i);
    return chunks_[c].load(std::memory_order_acquire)[i - begin_of(c)];
  }
  /// Makes place for element i, where all before it have theirs.
  void reach(std::uint64_t i) {
    const unsigned c = chunk_of(i);
    if (memory_[c].size() > 0) return;
    memory_[c] = PageArray<T>(kFirst << c);
    chunks_[c].store(memory_[c].data(), std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t kFirst = 1024;
  [[nodiscard]] static constexpr unsigned chunk_of(std::uint64_t i) noexcept {
    return static_cast<unsigned>(std::bit_width(i / kFirst + 1)) - 1;
  }
  [[nodiscard]] static constexpr std::uint64_t begin_of(unsigned c) noexcept {
    return ((std::uint64_t{1} << c) - 1) * kFirst;
  }
  std::array<std::atomic<T*>, 32> chunks_{};
  std::array<PageArray<T>, 32> memory_;
};

[[nodiscard]] inline bool same_id(std::int64_t a, std::int64_t b) noexcept { return a == b; }
[[nodiscard]] inline bool same_id(std::string_view a, std::string_view b) noexcept { return is_same_text(a, b); }

/// A text in 16 bytes: a short one lies within, so that a look-up need not go where texts lie.
class KeptText {
 public:
  static constexpr std::size_t kWithin = 12;

  KeptText() = default;
  /// `text` stays where it is unless it is short.
  explicit KeptText(std::string_view text) noexcept : size_(static_cast<std::uint32_t>(text.size())) {
    const char* const data = text.data();
    if (text.size() > kWithin) {
      std::memcpy(bytes_.data(), &data, sizeof data);
    } else if (!text.empty()) {
      std::memcpy(bytes_.data(), data, text.size());
    }
  }
  /// Valid as long as this is, where it is.
  [[nodiscard]] std::string_view view() const noexcept { return {is_within() ? bytes_.data() : elsewhere(), size_}; }
  [[nodiscard]] bool is_within() const noexcept { return size_ <= kWithin; }
  /// Where the text lies that is not within.
  [[nodiscard]] const char* elsewhere() const noexcept {
    const char* data = nullptr;
    std::memcpy(&data, bytes_.data(), sizeof data);
    return data;
  }

 private:
  std::uint32_t size_ = 0;
  std::array<char, kWithin> bytes_{};
};

/// Key: std::int64_t or std::string_view.
template <class Key>
class DictionaryTail {
 public:
  explicit DictionaryTail(VertexId first) : first_(first) {
    tables_.push_back(std::make_unique<Table>(10));
    publish_table();
  }

  [[nodiscard]] VertexId first() const noexcept { return first_; }
  [[nodiscard]] VertexId end() const noexcept { return first_ + count_; }  ///< the writer's
  [[nodiscard]] Key operator[](VertexId number) const noexcept { return key(ids_[number - first_]); }
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return bytes_ + count_ * sizeof(Kept) + 16 * (tables_.back()->mask + 1);
  }

  /// Number of the id if it has one below `limit`, else kNoVertex.
  [[nodiscard]] VertexId find(Key id, VertexId limit) const noexcept {
    return find(*table_.load(std::memory_order_acquire), id, hash_id(id), limit);
  }

  /// As find for each id in turn, with the cache misses of a group overlapped.
  template <class GetId>
  void find(std::size_t count, GetId&& get, VertexId limit, VertexId* numbers) const {
    const Table& table = *table_.load(std::memory_order_acquire);
    for_each_id(
        count, get, limit, [&]() -> const Table& { return table; },
        [&](std::size_t i, Key id, std::uint64_t hash) { numbers[i] = find(table, id, hash, limit); });
  }

  /// The writer: number of the id, the next one if it is new.
  VertexId find_or_add(Key id) { return find_or_add(id, hash_id(id)); }

  /// As find_or_add for each id in turn, with the cache misses of a group overlapped.
  template <class GetId>
  void find_or_add(std::size_t count, GetId&& get, VertexId* numbers) {
    for_each_id(
        count, get, kNoVertex, [&]() -> const Table& { return *tables_.back(); },
        [&](std::size_t i, Key id, std::uint64_t hash) { numbers[i] = find_or_add(id, hash); });
  }

  /// The writer: forgets the numbers >= end, which no reader's limit reaches.  The latest ids have
  /// broken no probe sequence of earlier ones, so their slots are simply freed, last first.
  void rollback(VertexId end) {
    Table& table = *tables_.back();
    while (first_ + count_ > end) {
      const std::uint64_t place = --count_;
      std::uint64_t at = table.start(hash_id(key(ids_[place])));
      while (id_slot::place(table.slots[at].load(std::memory_order_relaxed)) != place) at = (at + 1) & table.mask;
      table.slots[at].store(0, std::memory_order_release);
    }
  }

 private:
  using Kept = std::conditional_t<std::is_same_v<Key, std::string_view>, KeptText, Key>;
  [[nodiscard]] static std::int64_t key(std::int64_t kept) noexcept { return kept; }
  [[nodiscard]] static std::string_view key(const KeptText& kept) noexcept { return kept.view(); }

  struct Table {
    explicit Table(unsigned bits)
        : slots(std::size_t{1} << bits), mask((std::uint64_t{1} << bits) - 1), shift(64 - bits) {}
    [[nodiscard]] std::uint64_t start(std::uint64_t hash) const noexcept { return hash >> shift; }
    PageArray<std::atomic<std::uint64_t>> slots;
    std::uint64_t mask;
    unsigned shift;
  };

  static constexpr std::size_t kGroup = 32;  ///< of ids whose cache misses overlap

  /// Calls visit(i, id, hash) with each id in turn, when its slot, the id there and its text are on their way from
  /// memory.
  template <class GetId, class GetTable, class Visit>
  void for_each_id(std::size_t count, GetId&& get, VertexId limit, GetTable&& table_now, Visit&& visit) const {
    std::array<Key, kGroup> ids;
    std::array<std::uint64_t, kGroup> hashes;
    std::array<const Kept*, kGroup> found;
    for (std::size_t begin = 0; begin < count; begin += kGroup) {
      const std::size_t size = count - begin < kGroup ? count - begin : kGroup;
      const Table& table = table_now();
      for (std::size_t i = 0; i < size; ++i) {
        ids[i] = get(begin + i);
        hashes[i] = hash_id(ids[i]);
        __builtin_prefetch(&table.slots[table.start(hashes[i])]);
      }
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t slot = first_like(table, hashes[i]);
        const bool there = slot != 0 && first_ + id_slot::place(slot) < limit;
        found[i] = there ? &ids_[id_slot::place(slot)] : nullptr;
        __builtin_prefetch(found[i]);
      }
      if constexpr (std::is_same_v<Key, std::string_view>) {
        for (std::size_t i = 0; i < size; ++i) {
          if (found[i] != nullptr && ids[i].size() > KeptText::kWithin) __builtin_prefetch(found[i]->elsewhere());
        }
      }
      for (std::size_t i = 0; i < size; ++i) visit(begin + i, ids[i], hashes[i]);
    }
  }

  /// The first slot that may have an id of this hash; 0: none has.
  [[nodiscard]] static std::uint64_t first_like(const Table& table, std::uint64_t hash) noexcept {
    for (std::uint64_t at = table.start(hash);; at = (at + 1) & table.mask) {
      const std::uint64_t slot = table.slots[at].load(std::memory_order_acquire);
      if (slot == 0 || id_slot::may_match(slot, hash)) return slot;
    }
  }

  [[nodiscard]] VertexId find(const Table& table, Key id, std::uint64_t hash, VertexId limit) const noexcept {
    for (std::uint64_t at = table.start(hash);; at = (at + 1) & table.mask) {
      const std::uint64_t slot = table.slots[at].load(std::memory_order_acquire);
      if (slot == 0) return kNoVertex;
      if (!id_slot::may_match(slot, hash)) continue;
      const VertexId number = first_ + id_slot::place(slot);
      if (number < limit && same_id(key(ids_[id_slot::place(slot)]), id)) return number;
    }
  }

  VertexId find_or_add(Key id, std::uint64_t hash) {
    Table& table = *tables_.back();
    std::uint64_t at = table.start(hash);
    for (std::uint64_t slot; (slot = table.slots[at].load(std::memory_order_relaxed)) != 0;
         at = (at + 1) & table.mask) {
      if (id_slot::may_match(slot, hash) && same_id(key(ids_[id_slot::place(slot)]), id))
        return first_ + id_slot::place(slot);
    }
    ids_.reach(count_);
    ids_[count_] = keep(id);
    table.slots[at].store(id_slot::make(hash, count_), std::memory_order_release);
    ++count_;
    if (count_ * 10 > (table.mask + 1) * 7) grow();
    return first_ + count_ - 1;
  }

  void grow() {
    auto grown = std::make_unique<Table>(64 - tables_.back()->shift + 1);
    std::array<std::uint64_t, kGroup> hashes;
    for (std::uint64_t begin = 0; begin < count_; begin += kGroup) {
      const std::uint64_t size = std::min<std::uint64_t>(kGroup, count_ - begin);
      for (std::uint64_t i = 0; i < size; ++i) {
        hashes[i] = hash_id(key(ids_[begin + i]));
        __builtin_prefetch(&grown->slots[grown->start(hashes[i])], 1);
      }
      for (std::uint64_t i = 0; i < size; ++i) {
        std::uint64_t at = grown->start(hashes[i]);
        while (grown->slots[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & grown->mask;
        grown->slots[at].store(id_slot::make(hashes[i], begin + i), std::memory_order_relaxed);
      }
    }
    tables_.push_back(std::move(grown));
    publish_table();
  }
  void publish_table() noexcept { table_.store(tables_.back().get(), std::memory_order_release); }

  [[nodiscard]] std::int64_t keep(std::int64_t id) noexcept { return id; }
  [[nodiscard]] KeptText keep(std::string_view id) {
    RIZOMA_CHECK(id.size() <= UINT32_MAX);
    if (id.size() <= KeptText::kWithin) return KeptText(id);
    if (id.size() > text_left_) {
      const std::size_t size = std::max({id.size(), kTextBlock, std::min(bytes_, kLargeTextBlock)});
      texts_.emplace_back(size);
      text_ = texts_.back().data();
      text_left_ = size;
      bytes_ += size;
    }
    char* kept = text_;
    std::memcpy(kept, id.data(), id.size());
    text_ += id.size();
    text_left_ -= id.size();
    return KeptText({kept, id.size()});
  }

  static constexpr std::size_t kTextBlock = std::size_t{1} << 16;
  static constexpr std::size_t kLargeTextBlock = std::size_t{1} << 21;  ///< where there is much text
  VertexId first_;
  std::uint64_t count_ = 0;
  StableArray<Kept> ids_;
  std::vector<std::unique_ptr<Table>> tables_;  ///< the last is in use
  std::atomic<const Table*> table_{nullptr};
  std::vector<PageArray<char>> texts_;
  char* text_ = nullptr;
  std::size_t text_left_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace rizoma
