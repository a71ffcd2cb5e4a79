// Exchanges the links that ranks have made.
#pragma once

#include "engine/state/concurrent_union_find.h"
#include "base/check.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/wire.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {

/// Keeps the disjoint sets of all ranks the same.  Where these are in memory that they share, ranks only wait for one
/// another.  Elsewhere each tells the others, by all threads, below which root it has hung which vertex since they last
/// were: vertices below the root of most as bits, the others one by one.  Who was no root then is known.
/// Cost: O(n / threads); 16 bytes for 64 vertices of the largest tree, 8 or 16 for each other vertex hung.
template <class Label>
class UnionBroadcast {
 public:
  UnionBroadcast(Engine& engine, ConcurrentUnionFind<Label>& sets) : engine_(engine), sets_(sets) {}

  /// Applies the links of all ranks; afterwards all have the same sets, and so the same roots.  Collective; without
  /// ranks it does nothing.
  Status broadcast() {
    RIZOMA_TRY(broadcast_last());
    return engine_.ranks() == nullptr || sets_.is_shared() ? Status() : note_roots();
  }
  /// Tells all ranks one large tree, once they have the same sets: then no rank needs to read the lists in it.  An edge
  /// between two vertices that their ranks find there is linked, and any other one is seen from its other end.
  Status agree_on(FrequentRoot& most) {
    if (engine_.ranks() == nullptr) return {};
    RIZOMA_TRY(broadcast());
    RIZOMA_ASSIGN(most,
                  over_ranks(engine_, sets_.frequent_root(), [](const auto& first, const auto&) { return first; }));
    return {};
  }
  /// The same as the last `tell`.
  Status broadcast_last() {
    Ranks* const ranks = engine_.ranks();
    if (ranks == nullptr) return {};
    if (sets_.is_shared()) return ranks->barrier();
    RIZOMA_ASSIGN(std::vector<std::byte> mine, hung());
    std::vector<std::vector<std::byte>> to(ranks->size(), mine);
    mine = to[ranks->rank()] = {};
    RIZOMA_ASSIGN(const auto received, ranks->collective(CollectiveKind::mail, std::move(to)));
    for (unsigned rank = 0; rank < ranks->size(); ++rank) {
      if (rank != ranks->rank()) RIZOMA_TRY(link(received[rank]));
    }
    return {};
  }

 private:
  static constexpr std::uint64_t kGrain = 1 << 14;  // of vertices: whole words of bits
  struct HungLabel {
    Label vertex;
    Label root;
  };
  struct HungWord {
    std::uint64_t word;
    std::uint64_t bits;
  };
  struct Hung {
    std::vector<HungWord> words;  ///< below the root of most
    std::vector<HungLabel> others;
  };

  /// The links since, a piece for some vertices: the root of most, the number of words, words, others.
  Result<std::vector<std::byte>> hung() {
    const VertexId top = sets_.frequent_root().root;
    const std::uint64_t size = sets_.size();
    const auto pack = [&](std::size_t piece, WireWriter& writer) {
      Hung found;
      const VertexId end = std::min((piece + 1) * kGrain, size);
      for (VertexId base = piece * kGrain; base < end; base += 64) note_hung(base, top, found);
      if (found.words.empty() && found.others.empty()) return;
      writer.put(std::uint64_t{top});
      writer.put(std::uint64_t{found.words.size()});
      put_all(writer, found.words);
      put_all(writer, found.others);
    };
    return pack_pieces(engine_, (size + kGrain - 1) / kGrain, 0, engine_.ranks()->size() - 1, pack);
  }

  void note_hung(VertexId base, VertexId top, Hung& found) {
    std::uint64_t below_top = 0;
    std::uint64_t left = roots_.universe() == 0 ? ~std::uint64_t{0} : roots_.words()[base / 64];
    if (sets_.size() - base < 64) left &= (std::uint64_t{1} << (sets_.size() - base)) - 1;
    for (; left != 0; left &= left - 1) {
      const VertexId v = base + static_cast<VertexId>(std::countr_zero(left));
      const Label root = sets_.root(v);
      if (root == v) continue;
      if (root == top) below_top |= left & (~left + 1);
      else found.others.push_back({static_cast<Label>(v), root});
    }
    if (below_top != 0) found.words.push_back({base / 64, below_top});
  }

  Status link(std::span<const std::byte> told) {
    return unpack_pieces(engine_, told, [&](std::size_t, std::span<const std::byte> piece, unsigned) {
      if (piece.empty()) return;
      WireReader reader(piece);
      const auto top = reader.get<std::uint64_t>();
      const auto words = reader.get<std::uint64_t>();
      for (std::uint64_t i = 0; i < words && reader.ok(); ++i) {
        const auto hung = reader.get<HungWord>();
        for (std::uint64_t left = hung.bits; left != 0; left &= left - 1)
          sets_.link(hung.word * 64 + static_cast<VertexId>(std::countr_zero(left)), top);
      }
      while (!reader.empty()) {
        const auto hung = reader.get<HungLabel>();
        RIZOMA_CHECK(reader.ok());
        sets_.link(hung.vertex, hung.root);
      }
      RIZOMA_CHECK(reader.ok());
    });
  }

  template <class T>
  static void put_all(WireWriter& writer, const std::vector<T>& values) {
    writer.put_bytes(values.data(), values.size() * sizeof(T));
  }

  Status note_roots() {
    if (roots_.universe() == 0) roots_ = engine_.make_set(sets_.size());
    return engine_.for_blocks(sets_.size(), kGrain, [&](VertexRange block, unsigned) {
      for (VertexId base = block.begin; base < block.end; base += 64) {
        std::uint64_t bits = 0;
        for (VertexId v = base; v < std::min<VertexId>(base + 64, block.end); ++v)
          bits |= std::uint64_t{sets_.parent(v) == v ? 1U : 0U} << (v - base);
        roots_.words()[base / 64] = bits;
      }
    });
  }

  Engine& engine_;
  ConcurrentUnionFind<Label>& sets_;
  VertexSet roots_;  ///< when the ranks last had the same sets; at first all are
};

}  // namespace rizoma
