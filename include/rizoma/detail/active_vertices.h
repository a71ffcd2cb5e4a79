// ActiveVertices: the frontier of a sweep while it runs: all vertices, a set of many or a list of few.
// Module: engine.
#pragma once

#include <rizoma/engine.h>

#include <optional>
#include <span>
#include <vector>

namespace rizoma {

/// Each form is made when it is first asked for.  For the thread that runs the sweep, apart from `found`.
class ActiveVertices {
 public:
  ActiveVertices(Engine& engine, VertexId universe);

  /// What a thread has found for the next sweep: vertices in a list or just their number, and the entries that
  /// lead on from them.
  struct alignas(64) Found {
    std::vector<VertexId> list;
    VertexId vertices = 0;
    EdgeCount entries = 0;
    EdgeCount in_vain = 0;  ///< entries that a pull has looked at and found nobody active
  };

  [[nodiscard]] VertexId universe() const noexcept { return universe_; }
  [[nodiscard]] VertexId size() const noexcept { return size_; }
  [[nodiscard]] EdgeCount entries() const noexcept { return entries_; }
  /// Entries that the last pull has looked at in vain: the least that the next one costs.  None before the first.
  [[nodiscard]] std::optional<EdgeCount> in_vain() const noexcept { return in_vain_; }
  [[nodiscard]] bool all() const noexcept { return form_ == Form::all; }
  /// True after a sweep that collected a set.
  [[nodiscard]] bool dense() const noexcept { return form_ != Form::list; }

  /// Makes these active, each once; `entries` lead on from them.
  void start(std::span<const VertexId> vertices, EdgeCount entries);
  void start_all(EdgeCount entries);

  /// Of several ranks, this one has its own in the list and the set; the counts are those of all.
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
  /// What the threads put down in lists is active from now on.
  void close_lists();
  /// What is in the next set is active from now on.
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
