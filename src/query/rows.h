// Lists the matches of one query on one thread, and can stop between any two of them.  Module: query.
//
// How: the steps of the plan in preorder, each with its candidates and a place among them; no recursion, so that a
// reader that has enough rows leaves everything as it is until more are wanted.
#pragma once

#include "query/matcher.h"
#include "query/roots.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace rizoma::query {

/// Which columns a reader wants, and what they hold.
struct RowColumns {
  std::vector<std::size_t> vertices;                     ///< places in BoundPattern::vertex_names
  std::vector<std::size_t> edges;                        ///< places in BoundPattern::edge_names
  std::shared_ptr<const std::vector<std::int64_t>> ids;  ///< external ids by inner number; null: those themselves
};

template <class Target>
class RowReader {
 public:
  RowReader(const Run& run, const RowColumns& columns) : run_(run), columns_(columns), matcher_(run) {
    for (const Step& root : run.plan.roots) flatten(root);
    frames_.resize(steps_.size());
  }

  /// Begins with v matched at the first root.
  void start(VertexId v, const ListPiece* piece) {
    const Step& root = *steps_[0];
    if (piece_on_) matcher_.lift_restriction();
    piece_on_ = piece != nullptr;
    if (piece_on_) matcher_.restrict_to(root.branches[0], piece->begin, piece->end);
    Frame& frame = frames_[0];
    frame.kept.assign(matcher_.ways(root, v), static_cast<Target>(v));
    frame.candidates = frame.kept;
    frame.at = 0;
    depth_ = 1;
  }

  /// Adds rows until there are `most`, or none are left: then false.
  bool read(MatchRows& rows, std::size_t most) {
    while (depth_ > 0) {
      Frame& frame = frames_[depth_ - 1];
      const Step& step = *steps_[depth_ - 1];
      const std::size_t size = step.is_edge ? frame.entries.size() : frame.candidates.size();
      if (frame.at == size) {
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
      ++frame.at;
      open(depth_++);
    }
    return false;
  }

 private:
  using List = std::span<const Target>;

  struct Frame {
    List candidates;
    std::vector<Target> kept;
    std::vector<EdgeEntry> entries;
    std::size_t at = 0;
  };

  void flatten(const Step& step) {
    steps_.push_back(&step);
    for (const Step& branch : step.branches) flatten(branch);
  }

  /// Finds the candidates of a step.
  void open(std::size_t depth) {
    const Step& step = *steps_[depth];
    Frame& frame = frames_[depth];
    frame.at = 0;
    if (step.is_edge) {
      frame.entries.clear();
      matcher_.for_each_edge(step, [&](EdgeEntry entry) { frame.entries.push_back(entry); });
      return;
    }
    if (!step.lists.empty()) {
      frame.candidates = matcher_.candidates(step);
      if (!step.tests_each() && step.unequal.empty()) return;
      frame.kept.clear();
      for (const Target v : frame.candidates) keep(step, frame, v);
    } else {
      scan(step, frame);
    }
    frame.candidates = frame.kept;
  }

  void keep(const Step& step, Frame& frame, VertexId v) {
    frame.kept.insert(frame.kept.end(), matcher_.ways(step, v), static_cast<Target>(v));
  }

  /// Any vertex may be next.
  void scan(const Step& step, Frame& frame) {
    frame.kept.clear();
    const VertexRange range = matcher_.bounds(step);
    if (step.anchored) {
      for (const VertexId v : *run_.query.anchors[step.item]) {
        if (v >= range.begin && v < range.end) keep(step, frame, v);
      }
      return;
    }
    for (VertexId v = range.begin; v < range.end; ++v) {
      if (run_.graph.is_live(v)) keep(step, frame, v);
    }
  }

  /// Rows of the last step's candidates, column by column.
  void emit(const Step& step, Frame& frame, MatchRows& rows, std::size_t most) {
    const std::size_t images = std::max<std::size_t>(run_.query.images.size(), 1);
    const std::size_t left = (step.is_edge ? frame.entries.size() : frame.candidates.size()) - frame.at;
    // The entries of an edge are few: one by one, since columns of edges tell which it was.
    const std::size_t count = step.is_edge ? 1 : std::min(left, (most - rows.rows + images - 1) / images);
    if (step.is_edge) matcher_.match_edge(step.item, frame.entries[frame.at]);
    const List some = step.is_edge ? List() : frame.candidates.subspan(frame.at, count);
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
    frame.at += count;
    rows.rows += count * images;
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
  std::size_t depth_ = 0;
  bool piece_on_ = false;
};

}  // namespace rizoma::query
