// HubAccumulators: sums of a pull whose messages do not fit the caches, with pushes to hubs.  Module: engine.
//
// What: in degree order most entries lead to the first vertices, the hubs, whose messages stay in the caches; the lists
// of hubs read all other messages at random.  In an undirected graph each such edge is also an entry of the other
// vertex.
// How: the thread that gathers the list of a non-hub adds its message to the accumulators of the hubs in it, and the
// list of a hub is read up to its last hub only; what remains random are the messages between non-hubs.  Accumulators
// are fixed-point, in a fixed fraction of the largest sum, so that they are the same in every order; an entry is off
// by less than 2^-60 of the largest sum.
// Cost: 8 bytes a hub and thread; a step O(entries + hubs * threads).
// Source: Koohi Esfahani, Kilpatrick, Vandierendonck, "Exploiting in-hub temporal locality in SpMV-based graph
// processing", ICPP'21, which pushes to hubs and pulls for all others; here no second copy of the edges is made.
#pragma once

#include <rizoma/edge_program.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

/// The number of hubs that pays; 0: none does.  O(sections).
[[nodiscard]] VertexId hubs_that_pay(Engine& engine, const GraphView& graph);

class HubAccumulators {
 public:
  HubAccumulators(Engine& engine, VertexId hubs);

  [[nodiscard]] VertexId hubs() const noexcept { return hubs_; }
  /// Before a step.  `most` bounds the size of every sum of messages.  False if the unit would be too coarse.
  [[nodiscard]] bool begin(double most) noexcept;

  /// The accumulators of one thread.
  class Mine {
   public:
    Mine(std::uint64_t* sums, VertexId hubs, double units) : sums_(sums), hubs_(hubs), units_(units) {}

    [[nodiscard]] bool is_hub(VertexId v) const noexcept { return v < hubs_; }
    /// Gathers some entries of v.  v is a hub: adds the messages of the hubs among them to its accumulator and returns
    /// 0.
    /// Otherwise: adds the message of v to the accumulators of the hubs among them and returns the sum of all messages.
    template <class Target, class Message>
    [[gnu::always_inline]] double gather(VertexId v, Message message,
                                         const Entries<Target, Message, void>& entries) const noexcept {
      if (is_hub(v)) {
        sums_[v] += in_units(gather_hubs(entries, [](Target) {}).first);
        return 0;
      }
      const std::uint64_t added = in_units(static_cast<double>(message));
      const auto [sum, hubs] = gather_hubs(entries, [&](Target hub) { sums_[hub] += added; });
      const std::size_t left = entries.size() - hubs;
      return left == 0 ? sum : sum + sum_of_many(entries.sources().data() + hubs, left, entries.values());
    }
    /// The same for a list in blocks.
    [[nodiscard]] double gather_blocks(VertexId v, auto message, const auto& list) const noexcept {
      double sum = 0;
      list.for_each([&](const auto& entries) {
        sum += gather(v, message, entries);
        return true;
      });
      return sum;
    }

   private:
    static constexpr std::size_t kTogether = 8;

    [[nodiscard]] std::uint64_t in_units(double sum) const noexcept {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(sum * units_));
    }
    /// The sum of the messages of the hubs among some entries, which come first, and their number; f(hub) for each.  A
    /// binary search for the last of them would touch lines that are not prefetched.
    template <class Target, class Message, class F>
    [[gnu::always_inline]] std::pair<double, std::size_t> gather_hubs(const Entries<Target, Message, void>& entries,
                                                                      F&& f) const noexcept {
      const Target* const places = entries.sources().data();
      const Message* const values = entries.values();
      const std::size_t size = entries.size();
      const auto border = static_cast<Target>(hubs_);
      double sums[4] = {};
      std::size_t i = 0;
      for (; size - i >= kTogether && places[i + kTogether - 1] < border; i += kTogether) {
        for (std::size_t k = 0; k < 4; ++k) {
          const Target one = places[i + 2 * k];
          const Target other = places[i + 2 * k + 1];
          sums[k] += static_cast<double>(values[one] + values[other]);
          f(one);
          f(other);
        }
      }
      for (; i < size && places[i] < border; ++i) {
        sums[0] += static_cast<double>(values[places[i]]);
        f(places[i]);
      }
      return {(sums[0] + sums[1]) + (sums[2] + sums[3]), i};
    }

    std::uint64_t* sums_;
    VertexId hubs_;
    double units_;
  };

  [[nodiscard]] Mine of(unsigned thread) noexcept { return {sums_[thread].data(), hubs_, units_}; }
  /// After a step: the sum of a hub; resets it.
  [[nodiscard]] double take(VertexId hub) noexcept {
    std::uint64_t sum = 0;
    for (VertexMap<std::uint64_t>& of_thread : sums_) {
      sum += of_thread[hub];
      of_thread[hub] = 0;
    }
    return static_cast<double>(static_cast<std::int64_t>(sum)) / units_;
  }

 private:
  VertexId hubs_;
  double units_ = 1;
  std::vector<VertexMap<std::uint64_t>> sums_;  ///< by thread, modulo 2^64
};

}  // namespace rizoma::engine_detail
