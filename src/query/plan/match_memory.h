// What matches find out about one state of a graph, and keep for later ones.  Module: query.
//
// How: labels and types divide a graph as tables divide a database, and nearly every query names some.  So the vertices
// of a label are kept as a set, and the edges of a type as lists of their own.  Lists are made once matches have
// tested about as many edges as making those of one type reads, and then of each type that a match names: a graph that
// is asked little pays little.
// Cost: a bit for each vertex and label; for each type see filtered_adjacency.h.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/columns.h>
#include <rizoma/match.h>
#include <rizoma/vertex_set.h>

#include "base/recent_value.h"
#include "query/plan/filtered_adjacency.h"
#include "query/plan/plan.h"
#include "query/run/lazy_blocks.h"
#include "query/run/run.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace rizoma::query {

/// A vertex or an edge that is tested with all others costs this many times less.
inline constexpr double kCheaperByAll = 8;

/// Sets by the predicate that they belong to, of which the least recently used make room.  Any thread: a change makes
/// another list of them, and the one who is late does it again.
template <class Set>
class KeptSets {
 public:
  using Program = std::shared_ptr<const predicate::Program>;

  /// Null: it is not known.
  [[nodiscard]] std::shared_ptr<const Set> find(const predicate::Program& program) const {
    const auto entries = entries_.load();
    const std::shared_ptr<Entry> entry = find_in(*entries, program);
    if (entry == nullptr) return nullptr;
    entry->used.store(++time_, std::memory_order_relaxed);
    return entry->set;
  }
  /// Adds to the number of values that were tested without a set; returns their sum.
  double add_tests(const Program& program, double tests) {
    all_tests_.fetch_add(tests, std::memory_order_relaxed);
    std::shared_ptr<Entry> entry = find_in(*entries_.load(), *program);
    if (entry == nullptr) entry = put(std::make_shared<Entry>(program, nullptr, 0, ++time_), kNoLimit);
    return entry->tests.fetch_add(tests, std::memory_order_relaxed) + tests;
  }
  /// Those of all predicates.
  [[nodiscard]] double all_tests() const noexcept { return all_tests_.load(std::memory_order_relaxed); }
  /// Keeps a set of this many bytes, if all together have at most `most_bytes`.
  void keep(const Program& program, std::shared_ptr<const Set> set, std::uint64_t bytes, std::uint64_t most_bytes) {
    if (bytes <= most_bytes) put(std::make_shared<Entry>(program, std::move(set), bytes, ++time_), most_bytes);
  }

 private:
  static constexpr std::size_t kMost = 256;
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  struct Entry {
    Entry(Program of, std::shared_ptr<const Set> kept, std::uint64_t size, std::uint64_t time)
        : program(std::move(of)), set(std::move(kept)), bytes(size), used(time) {}
    Program program;
    std::shared_ptr<const Set> set;
    std::uint64_t bytes;
    std::atomic<double> tests = 0;
    std::atomic<std::uint64_t> used;
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;

  static std::shared_ptr<Entry> find_in(const Entries& entries, const predicate::Program& program) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry->program->is_same(program); });
    return found == entries.end() ? nullptr : *found;
  }

  /// In the place of the one with this predicate, if there is one.
  std::shared_ptr<Entry> put(std::shared_ptr<Entry> made, std::uint64_t most_bytes) {
    for (std::shared_ptr<const Entries> before = entries_.load();;) {
      auto after = std::make_shared<Entries>();
      std::uint64_t bytes = made->bytes;
      for (const auto& entry : *before) {
        if (entry->program->is_same(*made->program)) continue;
        after->push_back(entry);
        bytes += entry->bytes;
      }
      while (!after->empty() && (after->size() >= kMost || bytes > most_bytes)) {
        const auto oldest = std::min_element(after->begin(), after->end(), [](const auto& a, const auto& b) {
          return a->used.load(std::memory_order_relaxed) < b->used.load(std::memory_order_relaxed);
        });
        bytes -= (*oldest)->bytes;
        after->erase(oldest);
      }
      after->push_back(made);
      if (entries_.compare_exchange_strong(before, std::move(after))) return made;
    }
  }

  std::atomic<std::shared_ptr<const Entries>> entries_ = std::make_shared<const Entries>();
  mutable std::atomic<std::uint64_t> time_ = 0;
  std::atomic<double> all_tests_ = 0;
};

/// The vertices for which predicates hold.
struct KeptVertices {
  VertexSet set;
  std::optional<std::vector<VertexId>> members;  ///< the same, ascending, if they are few
};

/// Values of columns that predicates have read, by blocks of vertices or of rows of edges.
struct ColumnBlocks {
  LazyBlocks<IdColumn> ids;
  std::vector<LazyBlocks<ColumnValues>> vertices;  ///< of each column
  std::vector<LazyBlocks<ColumnValues>> edges;
};

/// Of one state of a graph, of which all lists are here.
class MatchMemory {
 public:
  [[nodiscard]] const GraphFigures& figures(const GraphView& graph) const {
    FirstFailure none;
    return *figures_.get(0, none, [&](std::size_t) -> Result<GraphFigures> { return figures_of(graph); });
  }
  [[nodiscard]] const std::shared_ptr<KnownRepeats>& repeats() const noexcept { return repeats_; }
  /// Which rows are edges: one block.
  [[nodiscard]] const LazyBlocks<std::shared_ptr<const UsedRows>>& used_rows() const noexcept { return used_rows_; }
  /// One block, which the first match makes.
  [[nodiscard]] const LazyBlocks<std::shared_ptr<const ColumnBlocks>>& columns() const noexcept { return columns_; }
  /// Of the system: bytes.
  [[nodiscard]] RecentValue& free_memory() noexcept { return free_memory_; }
  /// By predicates about vertex 0, or edge item 0.
  [[nodiscard]] KeptSets<KeptVertices>& vertices() noexcept { return vertices_; }
  [[nodiscard]] KeptSets<FilteredEdges>& edges() noexcept { return edges_; }

 private:
  LazyBlocks<GraphFigures> figures_ = LazyBlocks<GraphFigures>(1);
  std::shared_ptr<KnownRepeats> repeats_ = std::make_shared<KnownRepeats>();
  LazyBlocks<std::shared_ptr<const UsedRows>> used_rows_ = LazyBlocks<std::shared_ptr<const UsedRows>>(1);
  LazyBlocks<std::shared_ptr<const ColumnBlocks>> columns_ = LazyBlocks<std::shared_ptr<const ColumnBlocks>>(1);
  RecentValue free_memory_;
  KeptSets<KeptVertices> vertices_;
  KeptSets<FilteredEdges> edges_;
};

}  // namespace rizoma::query
