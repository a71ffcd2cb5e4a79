// ActiveVertices: the frontier of a running sweep: all vertices, a bit set or a list.  Module: engine.
#pragma once

#include <rizoma/engine.h>

#include <optional>
#include <span>
#include <vector>

namespace rizoma {

/// Converts between list and set on first use.  Only the thread that runs the sweep calls it, apart from `found`.
class ActiveVertices {
 public:
  ActiveVertices(Engine& engine, VertexId universe);

  /// The next frontier of one thread: vertices as a list or a count, and the entries of their lists.
  struct alignas(64) Found {
    std::vector<VertexId> list;
    VertexId vertices = 0;
    EdgeCount entries = 0;
    EdgeCount in_vain = 0;  ///< entries that a pull has read without an active neighbour
  };

  [[nodiscard]] VertexId universe() const noexcept { return universe_; }
  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] EdgeCount entries() const noexcept { return entries_; }
  /// Entries that the last pull read in vain: a lower bound on the cost of the next one.  None before the first.
  [[nodiscard]] std::optional<EdgeCount> in_vain() const noexcept { return in_vain_; }
  [[nodiscard]] bool all() const noexcept { return form_ == Form::all; }
  /// True after a sweep that collected a set.
  [[nodiscard]] bool dense() const noexcept { return form_ != Form::list; }

  /// Activates these vertices, each once; `entries`: of their lists.
  void start(std::span<const VertexId> vertices, EdgeCount entries);
  void start_all(EdgeCount entries);

  /// On ranks: the list and the set hold this rank's vertices, the counts are those of all ranks.
  void count_all(VertexId size, EdgeCount entries, std::optional<EdgeCount> in_vain) noexcept {
    size_ = size;
    entries_ = entries;
    in_vain_ = in_vain;
  }

  [[nodiscard]] std::span<const VertexId> list();
  /// A bit for each vertex, 64 a word.
  [[nodiscard]] std::uint64_t* bits();

  [[nodiscard]] Found& found(unsigned thread) noexcept { return found_[thread]; }
  /// The words of the next set, all zero.
  [[nodiscard]] std::uint64_t* next_bits();
  /// Makes the threads' lists the frontier.
  void close_lists();
  /// Makes the next set the frontier.
  void close_set();

 private:
  enum class Form : std::uint8_t { list, set, all };
  void take_counts();

  Engine& engine_;
  VertexId universe_;
  Form form_ = Form::list;
  VertexId size_ = 0;
  EdgeCount entries_ = 0;
  std::optional<EdgeCount> in_vain_;
  bool has_list_ = true;
  bool has_set_ = false;
  bool next_is_clear_ = false;
  std::vector<VertexId> list_;
  VertexSet set_;
  VertexSet next_;
  std::vector<Found> found_;
};

}  // namespace rizoma
