// Mailbox: one accumulator a vertex, which the threads of a push combine messages into.  Module: engine.
#pragma once

#include <rizoma/engine.h>

#include <algorithm>
#include <atomic>
#include <type_traits>

namespace rizoma::engine_detail {

/// Stands in for void messages.
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, char, T>;

/// One accumulator a vertex, for many threads.  Values of a machine word are combined by compare-and-swap, others under
/// a lock bit a vertex.
template <class Accum>
class Mailbox {
 public:
  /// Prepares n empty boxes with `identity`.
  void prepare(Engine& engine, VertexId n, const Accum& identity) {
    identity_ = identity;
    if (values_.size() == n) return;
    values_ = engine.make_map<Accum>(n, identity);
    has_mail_ = engine.make_set(n);
    if constexpr (!kExchanged) busy_ = engine.make_set(n);
  }

  template <class Combine>
  void deliver(VertexId v, const Accum& sent, Combine&& combine) {
    if constexpr (kExchanged) {
      std::atomic_ref<Accum> cell(values_[v]);
      Accum before = cell.load(std::memory_order_relaxed);
      while (!cell.compare_exchange_weak(before, combine(before, sent), std::memory_order_relaxed)) {
      }
      has_mail_.add_atomic(v);
    } else {
      const std::uint64_t bit = std::uint64_t{1} << (v % 64);
      std::atomic_ref<std::uint64_t> guard(busy_.words()[v / 64]);
      while ((guard.fetch_or(bit, std::memory_order_acquire) & bit) != 0) {
        while ((guard.load(std::memory_order_relaxed) & bit) != 0) {
        }
      }
      values_[v] = combine(values_[v], sent);
      has_mail_.add_atomic(v);
      guard.fetch_and(~bit, std::memory_order_release);
    }
  }

  [[nodiscard]] bool has(VertexId v) const noexcept { return has_mail_.contains(v); }
  [[nodiscard]] const Accum& operator[](VertexId v) const noexcept { return values_[v]; }
  /// f(v, acc) for each vertex of a block with mail.
  template <class F>
  void for_each(VertexRange block, F&& f) const {
    has_mail_.for_each(block, [&](VertexId v) { f(v, values_[v]); });
  }
  /// Empties the boxes of a range, aligned to 64.
  void forget(VertexRange range) {
    has_mail_.for_each(range, [&](VertexId v) { values_[v] = identity_; });
    std::fill(has_mail_.words() + range.begin / 64, has_mail_.words() + (range.end + 63) / 64, 0);
  }

 private:
  static constexpr bool kExchanged = [] {
    if constexpr (sizeof(Accum) <= 8 &&
                  (std::has_unique_object_representations_v<Accum> || std::is_floating_point_v<Accum>)) {
      return std::atomic_ref<Accum>::is_always_lock_free;
    }
    return false;
  }();

  Accum identity_{};
  VertexMap<Accum> values_;
  VertexSet has_mail_;
  VertexSet busy_;
};

}  // namespace rizoma::engine_detail
