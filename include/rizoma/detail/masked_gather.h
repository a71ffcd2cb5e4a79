// What the active neighbours in one list show, folded: the inner loop of a pull.  Module: engine.  For the engine's own
// headers.
#pragma once

#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/ids.h>

#include <cstddef>
#include <cstdint>

namespace rizoma::engine_detail {

/// Folds what the active neighbours in a list show into `folded`; false if there are none.  `front`: bits of who is
/// active; if not kFiltered all are.  (An optional would go through memory, which takes longer than a short list.)
template <bool kFiltered, class P, class List, class Folded>
[[gnu::always_inline]] inline bool fold_active(const P& program, const List& list, const std::uint64_t* front,
                                               Folded& folded) {
  if constexpr (!kFiltered) {
    if (list.empty()) return false;
    if constexpr (Traits<P>::first_suffices) folded = program.fold(folded, list.one(0));
    else folded = program.fold(folded, list);
    return true;
  } else {
    bool any = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const VertexId u = list.source(i);
      if (((front[u / 64] >> (u % 64)) & 1) == 0) continue;
      folded = program.fold(folded, list.one(i));
      any = true;
      if constexpr (Traits<P>::first_suffices) break;
    }
    return any;
  }
}

template <bool kFiltered, class P, class Target, class Shown, class W, class Folded>
[[gnu::noinline]] bool fold_active(const P& program, const ListInBlocks<Target, Shown, W>& list,
                                   const std::uint64_t* front, Folded& folded) {
  bool any = false;
  list.for_each([&](const auto& block) {
    any = fold_active<kFiltered>(program, block, front, folded) || any;
    return !any || !Traits<P>::first_suffices;
  });
  return any;
}

}  // namespace rizoma::engine_detail
