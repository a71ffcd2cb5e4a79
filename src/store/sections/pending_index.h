// PendingIndex: where in a PendingBuffer the changes of a pair are, so that a change that asks what is there (a
// removal, a new weight) need not pass over all that waits.
//
// How.  A hash table of pairs with open addressing: the newest change of each, with some bits of its hash, so that
// other pairs are passed over without a look at them, and for each change the one of the same pair before it.  It is
// made when it is first asked for, and then takes what was appended since.  The table drops from it what a rollback
// drops: as these are the newest changes, no pair loses its place before those that came later.
// Cost.  O(1) a change, once (amortised), and a look-up of a pair as much as it has changes.  Both go in groups whose
//   cache misses overlap.
// Memory.  14 to 24 bytes a change.
// Threads.  The writer's, as appending is.
#pragma once

#include "store/sections/pending.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

class PendingIndex {
 public:
  /// A buffer with more changes has none: numbers of changes are 32 bits wide here.
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 32;

  /// Knows the first `count` changes of the buffer, fewer than kMost; always of the same buffer. Throws std::bad_alloc
  /// and is then as it was.
  void know(const PendingBuffer& buffer, std::uint64_t count);
  /// The changes from `count` on will be taken back; before they are.
  void forget(const PendingBuffer& buffer, std::uint64_t count) noexcept;
  /// Numbers of changes: those of a pair ascending, after those of the pair before.
  struct Found {
    std::vector<std::uint32_t> changes;
    std::vector<std::size_t> ends;  ///< by pair, in `changes`
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t pair) const noexcept {
      const std::size_t begin = pair == 0 ? 0 : ends[pair - 1];
      return std::span(changes).subspan(begin, ends[pair] - begin);
    }
  };
  /// The changes of each pair among those that are known.  A pair: pair_of one of its words.
  [[nodiscard]] Found find(const PendingBuffer& buffer, std::span<const std::uint64_t> pairs) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t newest = kNone;
    std::uint32_t tag : 31 = 0;
    std::uint32_t older : 1 = 0;  ///< the pair has more changes
  };
  /// Where the search for a pair begins, and what distinguishes its slot.
  struct Place {
    std::size_t slot;
    std::uint32_t tag;
  };
  [[nodiscard]] Place place_of(std::uint64_t pair) const noexcept;
  [[nodiscard]] std::size_t slot_of(const PendingBuffer& buffer, std::uint64_t pair, Place place) const noexcept;
  [[nodiscard]] std::size_t likely_slot(Place place) const noexcept;
  void chain(const PendingBuffer& buffer, std::size_t begin, std::size_t end) noexcept;

  std::vector<Slot> slots_;            ///< a power of two of them, a quarter more than changes at least
  std::vector<std::uint32_t> before_;  ///< by change
};

}  // namespace rizoma
