// Lists the matches of one query on one thread, and can stop between any two of them.  Module: query.
//
// How: the steps of the plan in preorder, each with its candidates and a place among them; no recursion, so that a
// reader that has enough rows leaves everything as it is until more are wanted.  A candidate that stands for several
// matches (there are several shortest paths to it) is held once, with their number.
#pragma once

#include "query/run/matcher.h"
#include "query/run/roots.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace rizoma::query {

/// The columns that a reader wants, and their content.
struct RowColumns {
  std::vector<std::size_t> vertices;                     ///< places in BoundPattern::vertex_names
  std::vector<std::size_t> edges;                        ///< places in BoundPattern::edge_names
  std::shared_ptr<const std::vector<std::int64_t>> ids;  ///< external ids by internal id; null: those themselves
};

template <class Target>
class RowReader {
 public:
  RowReader(const Run& run, const RowColumns& columns) : run_(run), columns_(columns), matcher_(run) {
    for (const Step& root : run.plan.roots) flatten(root);
    frames_.resize(steps_.size());
    for (std::size_t i = 1; i < steps_.size(); ++i) {
      const Step& above = *steps_[i - 1];
      frames_[i].together = steps_[i]->is_edge && !steps_[i]->filters.empty() && !above.is_edge &&
                            above.branches.data() == steps_[i] && matcher_.tests_edge_alone(*steps_[i]);
    }
  }

  /// The next rows are those with v matched at the first root.
  void start(VertexId v, const ListPiece* piece) {
    const Step& root = *steps_[0];
    if (piece_on_) matcher_.lift_restriction();
    piece_on_ = piece != nullptr;
    if (piece_on_) matcher_.restrict_to(root.branches[0], piece->begin, piece->end);
    root_ = v;
  }

  /// Adds rows until there are `most`, the engine stops, or none are left: then false.
  bool read(const Engine& engine, MatchRows& rows, std::size_t most) {
    matcher_.work_for(engine);
    if (root_) {
      clear(0);
      keep(*steps_[0], frames_[0], *root_);
      if (matcher_.broke_off()) return true;
      frames_[0].candidates = frames_[0].kept;
      root_.reset();
      depth_ = 1;
    }
    for (std::uint32_t turn = 1; depth_ > 0; ++turn) {
      if (turn % kStoppedAfter == 0 && engine.stopping()) return true;
      Frame& frame = frames_[depth_ - 1];
      const Step& step = *steps_[depth_ - 1];
      if (frame.opened && frame.rows_before == found_) frame.next();  // again it would lead nowhere, too
      frame.opened = false;
      if (frame.at == frame.size(step)) {
        --depth_;
        continue;
      }
      if (depth_ == steps_.size()) {
        if (rows.rows >= most) return true;
        emit(step, frame, rows, most);
        continue;
      }
      if (step.is_edge) matcher_.match_edge(step.item, frame.entries[frame.at]);
      else matcher_.match(step.item, frame.candidates[frame.at]);
      if (!open(depth_)) return true;
      frame.take(1);
      frame.opened = frame.used != 0;
      frame.rows_before = found_;
      ++depth_;
    }
    return false;
  }

 private:
  using List = std::span<const Target>;

  struct Frame {
    List candidates;
    std::vector<Target> kept;
    std::vector<std::uint64_t> times;  ///< how many matches each of `kept` stands for; one if past the end
    std::vector<EdgeEntry> entries;
    std::size_t at = 0;
    std::uint64_t used = 0;         ///< of the matches that the candidate stands for
    bool opened = false;            ///< the candidate has more of them, and one was looked below
    std::uint64_t rows_before = 0;  ///< the rows found until then
    // Of an edge step: those of some candidates of the step above, which are tested together.
    bool together = false;
    std::size_t begin = 0;  ///< candidates
    std::vector<std::size_t> ends;
    std::vector<EdgeEntry> tested;

    [[nodiscard]] std::size_t size(const Step& step) const { return step.is_edge ? entries.size() : candidates.size(); }
    [[nodiscard]] std::uint64_t left_of(std::size_t i) const { return i < times.size() ? times[i] - used : 1; }
    void clear() {
      kept.clear();
      times.clear();
      at = 0;
      used = 0;
      opened = false;
    }
    void next() {
      ++at;
      used = 0;
    }
    /// Skips `count` matches of the candidate.
    void take(std::uint64_t count) {
      if (count == left_of(at)) next();
      else used += count;
    }
  };

  static constexpr std::uint32_t kStoppedAfter = 256;  // steps
  static constexpr std::size_t kTestedTogether = 256;  // candidates whose edges are

  void flatten(const Step& step) {
    steps_.push_back(&step);
    for (const Step& branch : step.branches) flatten(branch);
  }

  /// Finds the candidates of a step; false if the engine stopped meanwhile, and they must be sought again.
  bool open(std::size_t depth) {
    const Step& step = *steps_[depth];
    Frame& frame = frames_[depth];
    clear(depth);
    if (step.is_edge) {
      frame.entries.clear();
      if (frame.together) take_tested(step, frame, frames_[depth - 1], steps_[depth - 1]->item);
      else matcher_.for_each_edge(step, [&](EdgeEntry entry) { frame.entries.push_back(entry); });
      return true;
    }
    if (!step.lists.empty()) {
      frame.candidates = matcher_.candidates(step);
      if (!step.tests_each() && step.unequal.empty()) return true;
      for (const Target v : frame.candidates) {
        keep(step, frame, v);
        if (matcher_.broke_off()) return false;
      }
    } else if (!scan(step, frame)) {
      return false;
    }
    frame.candidates = frame.kept;
    return true;
  }

  void clear(std::size_t depth) {
    frames_[depth].clear();
    if (depth + 1 < frames_.size()) frames_[depth + 1].ends.clear();
  }

  /// The edges of an edge step at the candidate of the step above, of which some more are tested if need be.
  void take_tested(const Step& step, Frame& frame, const Frame& above, unsigned vertex) {
    if (above.at - frame.begin >= frame.ends.size()) {
      frame.begin = above.at;
      const std::size_t count = std::min(kTestedTogether, above.candidates.size() - above.at);
      matcher_.find_edges(step, vertex, above.candidates.subspan(above.at, count), frame.tested, frame.ends);
      matcher_.match(vertex, above.candidates[above.at]);
    }
    const std::size_t i = above.at - frame.begin;
    const auto place = [&](std::size_t end) { return frame.tested.begin() + static_cast<std::ptrdiff_t>(end); };
    frame.entries.assign(place(i == 0 ? 0 : frame.ends[i - 1]), place(frame.ends[i]));
  }

  void keep(const Step& step, Frame& frame, VertexId v) {
    const std::uint64_t ways = matcher_.ways(step, v).value();
    if (ways == 0) return;
    if (ways != 1) {
      frame.times.resize(frame.kept.size(), 1);
      frame.times.push_back(ways);
    }
    frame.kept.push_back(static_cast<Target>(v));
  }

  /// Any vertex may be next.  False if the engine stopped meanwhile.
  bool scan(const Step& step, Frame& frame) {
    const VertexRange range = matcher_.bounds(step);
    if (step.anchored) {
      for (const VertexId v : *run_.query.anchors[step.item]) {
        if (matcher_.stopping()) return false;
        if (v >= range.begin && v < range.end) keep(step, frame, v);
      }
      return !matcher_.broke_off();
    }
    for (VertexId v = range.begin; v < range.end; ++v) {
      if (matcher_.stopping()) return false;
      if (run_.graph.is_live(v)) keep(step, frame, v);
    }
    return !matcher_.broke_off();
  }

  /// Rows of the last step's candidates, column by column.
  void emit(const Step& step, Frame& frame, MatchRows& rows, std::size_t most) {
    const std::size_t images = std::max<std::size_t>(run_.query.images.size(), 1);
    const std::size_t wanted = (most - rows.rows + images - 1) / images;
    const List some = step.is_edge ? List() : next_of(frame, wanted);
    // The entries of an edge are few: one by one, since columns of edges tell which it was.
    const std::size_t count = step.is_edge ? 1 : some.size();
    if (step.is_edge) matcher_.match_edge(step.item, frame.entries[frame.at++]);
    for (std::size_t image = 0; image < images; ++image) {
      for (std::size_t i = 0; i < columns_.vertices.size(); ++i) {
        const unsigned v = source_of(columns_.vertices[i], image);
        if (!step.is_edge && v == step.item) append(rows.vertices[i], some);
        else rows.vertices[i].insert(rows.vertices[i].end(), count, id_of(matcher_.vertices()[v]));
      }
      for (std::size_t i = 0; i < columns_.edges.size(); ++i) {
        const EdgeEntry entry = matcher_.edges()[run_.query.edge_of_name[columns_.edges[i]]];
        rows.edges[i].insert(rows.edges[i].end(), count, entry);
      }
    }
    found_ += count;
    rows.rows += count * images;
  }

  /// Skips candidates of the last step, at most `count` matches; returns how many.
  List next_of(Frame& frame, std::size_t most) {
    if (frame.times.empty()) {
      const List some = frame.candidates.subspan(frame.at, std::min(frame.candidates.size() - frame.at, most));
      frame.at += some.size();
      return some;
    }
    repeated_.clear();
    while (repeated_.size() < most && frame.at < frame.candidates.size()) {
      const std::uint64_t times = std::min<std::uint64_t>(frame.left_of(frame.at), most - repeated_.size());
      repeated_.insert(repeated_.end(), times, frame.candidates[frame.at]);
      frame.take(times);
    }
    return repeated_;
  }

  [[nodiscard]] unsigned source_of(std::size_t name, std::size_t image) const {
    const unsigned v = run_.query.vertex_of_name[name];
    return run_.query.images.empty() ? v : run_.query.images[image][v];
  }

  [[nodiscard]] std::int64_t id_of(VertexId v) const {
    return columns_.ids == nullptr ? static_cast<std::int64_t>(v) : (*columns_.ids)[v];
  }

  void append(std::vector<std::int64_t>& column, List some) const {
    const std::size_t before = column.size();
    column.resize(before + some.size());
    std::int64_t* const to = column.data() + before;
    if (columns_.ids == nullptr) {
      for (std::size_t i = 0; i < some.size(); ++i) to[i] = static_cast<std::int64_t>(some[i]);
    } else {
      const std::int64_t* const ids = columns_.ids->data();
      for (std::size_t i = 0; i < some.size(); ++i) to[i] = ids[some[i]];
    }
  }

  const Run& run_;
  const RowColumns& columns_;
  Matcher<Target> matcher_;
  std::vector<const Step*> steps_;
  std::vector<Frame> frames_;
  std::optional<VertexId> root_;  ///< that is still to be matched
  std::vector<Target> repeated_;  ///< matches of the last step that are one candidate
  std::uint64_t found_ = 0;       ///< matches so far
  std::size_t depth_ = 0;
  bool piece_on_ = false;
};

}  // namespace rizoma::query
