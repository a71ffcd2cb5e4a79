// masked_gather: the inner loop of a pull: gathers the messages of the active neighbours in one list.  Module: engine.
#pragma once

#include <rizoma/detail/list_blocks.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/ids.h>

#include <cstddef>
#include <cstdint>

namespace rizoma::engine_detail {

/// Gathers the active entries of a list into `accum`; false if there are none.  `front`: bits of the active vertices;
/// without kFiltered all are active.  (An optional result would go through memory, which costs more than a short list.)
template <bool kFiltered, class P, class List, class Accum>
[[gnu::always_inline]] inline bool masked_gather(const P& program, const List& list, const std::uint64_t* front,
                                                 Accum& accum) {
  if constexpr (!kFiltered) {
    if (list.empty()) return false;
    if constexpr (Traits<P>::early_exit) accum = program.gather(accum, list.one(0));
    else accum = program.gather(accum, list);
    return true;
  } else {
    bool any = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const VertexId u = list.source(i);
      if (((front[u / 64] >> (u % 64)) & 1) == 0) continue;
      accum = program.gather(accum, list.one(i));
      any = true;
      if constexpr (Traits<P>::early_exit) break;
    }
    return any;
  }
}

template <bool kFiltered, class P, class Target, class Message, class W, class Accum>
[[gnu::noinline]] bool masked_gather(const P& program, const ListInBlocks<Target, Message, W>& list,
                                     const std::uint64_t* front, Accum& accum) {
  bool any = false;
  list.for_each([&](const auto& block) {
    any = masked_gather<kFiltered>(program, block, front, accum) || any;
    return !any || !Traits<P>::early_exit;
  });
  return any;
}

}  // namespace rizoma::engine_detail
