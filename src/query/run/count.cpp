#include <rizoma/detail/ranks.h>

#include "query/distributed/batches.h"
#include "query/run/run.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rizoma::query {
namespace {

/// Counts on one thread.
template <class Target>
class alignas(64) Counter {
 public:
  explicit Counter(const Run& run, const Engine& engine) : run_(&run), engine_(&engine), matcher_(run) {
    matcher_.work_for(engine);
  }

  [[nodiscard]] const CheckedCount& total() const noexcept { return total_; }
  [[nodiscard]] Matcher<Target>& matcher() noexcept { return matcher_; }

  /// Counts the matches with v at the root of a tree.
  std::uint64_t count_root(const Step& root, VertexId v, const ListPiece* piece) {
    if (piece != nullptr) matcher_.restrict_to(root.branches[0], piece->begin, piece->end);
    StepTally& tally = matcher_.tally(root);
    ++tally.visits;
    ++tally.candidates;
    CheckedCount found;
    if (const CheckedCount ways = matcher_.ways(root, v); ways.value() != 0) {
      matcher_.match(root.item, v);
      found.add(product(root, ways));
    }
    total_.add(found);
    if (piece != nullptr) matcher_.lift_restriction();
    return found.value();
  }

  /// Counts the matches of a part below a vertex that is matched.
  std::uint64_t count_below(unsigned vertex, VertexId v, const Step& step) {
    matcher_.match(vertex, v);
    return count(step);
  }

  [[nodiscard]] bool is_over() const noexcept { return total_.is_over() || is_over_; }

 private:
  std::uint64_t count(const Step& step) {
    StepTally& tally = matcher_.tally(step);
    ++tally.visits;
    if (step.is_edge) return count_edges(step, tally);
    if (!step.wedges.empty()) return count_met(step, tally);
    if (step.lists.empty()) return count_scanned(step, tally);
    if (step.branches.empty() && !step.tests_each() && step.unequal.empty()) {
      const std::uint64_t found = matcher_.count_candidates(step);
      tally.candidates += found;
      return found;
    }
    const std::span<const Target> candidates = matcher_.candidates(step);
    tally.candidates += candidates.size();
    if (step.adds_up) return taken(sum_below(step, candidates));
    if (step.branches.empty() && !step.tests_more() && step.unequal.empty()) return members(step, candidates);
    CheckedCount sum;
    Target before = 0;
    std::uint64_t of_before = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Target v = candidates[i];
      // A vertex that exists again has the same matches below it.
      if (i == 0 || v != before) of_before = count_at(step, v);
      before = v;
      sum.add(of_before);
      if ((i & 0xFF) == 0xFF && engine_->stopping()) break;
    }
    return taken(sum);
  }

  /// How many candidates are in the step's set, of which nothing else is asked.
  std::uint64_t members(const Step& step, std::span<const Target> candidates) const {
    const VertexSet& set = *run_->query.filter_of(step.item);
    std::uint64_t found = 0;
    for (const Target v : candidates) found += set.contains(v) ? 1 : 0;
    return found;
  }

  /// The matches below candidates that nothing else is asked of, where each branch is a number that is known.
  CheckedCount sum_below(const Step& step, std::span<const Target> candidates) {
    const Step& first = step.branches[0];
    if (step.branches.size() == 1 && first.power == 1) {
      return sum_of(candidates, [&](VertexId v) { return CheckedCount(known_below(first, v)); });
    }
    return sum_of(candidates, [&](VertexId v) {
      CheckedCount all(1);
      for (const Step& branch : step.branches) {
        const std::uint64_t found = known_below(branch, v);
        for (unsigned i = 0; i < branch.power; ++i) all.multiply(found);
      }
      return all;
    });
  }

  template <class Value>
  static CheckedCount sum_of(std::span<const Target> candidates, Value&& value) {
    CheckedCount sum;
    for (const Target v : candidates) sum.add(value(v));
    return sum;
  }

  std::uint64_t known_below(const Step& branch, VertexId v) {
    if (branch.memoized) return run_->tables[branch.number][v];
    const std::uint64_t length = matcher_.length(branch, v);
    StepTally& tally = matcher_.tally(branch);
    ++tally.visits;
    tally.candidates += length;
    return length;
  }

  /// Where paths meet, each vertex is visited once.
  std::uint64_t count_met(const Step& step, StepTally& tally) {
    const std::vector<WedgeEnd<Target>>& met = matcher_.join_wedges(step);
    tally.candidates += met.size();
    const bool is_leaf = step.branches.empty() && !step.tests_each() && step.unequal.empty();
    CheckedCount sum;
    for (std::size_t i = 0; i < met.size(); ++i) {
      CheckedCount found = met[i].ways;
      if (!is_leaf) found.multiply(count_at(step, met[i].vertex));
      sum.add(found);
      if ((i & 0xFF) == 0xFF && engine_->stopping()) break;
    }
    return taken(sum);
  }

  /// A part of the pattern without an edge to the matched part: any vertex may be next.
  std::uint64_t count_scanned(const Step& step, StepTally& tally) {
    CheckedCount sum;
    const auto at = [&](VertexId v) {
      ++tally.candidates;
      sum.add(count_at(step, v));
    };
    const VertexRange range = matcher_.bounds(step);
    if (step.anchored) {
      for (const VertexId v : *run_->query.anchors[step.item]) {
        if (engine_->stopping()) break;
        if (v >= range.begin && v < range.end) at(v);
      }
    } else {
      for (VertexId v = range.begin; v < range.end && !engine_->stopping(); ++v) {
        if (run_->graph.is_live(v)) at(v);
      }
    }
    return taken(sum);
  }

  std::uint64_t count_at(const Step& step, VertexId v) {
    const CheckedCount ways = matcher_.ways(step, v);
    if (ways.value() == 0) return 0;
    matcher_.match(step.item, v);
    return product(step, ways);
  }

  std::uint64_t count_edges(const Step& step, StepTally& tally) {
    CheckedCount sum;
    matcher_.for_each_edge(step, [&](EdgeEntry entry) {
      ++tally.candidates;
      matcher_.match_edge(step.item, entry);
      sum.add(product(step, CheckedCount(1)));
    });
    return taken(sum);
  }

  /// The matches of all branches, times `ways`.
  std::uint64_t product(const Step& step, const CheckedCount& ways) {
    CheckedCount all = ways;
    for (const Step& branch : step.branches) {
      const auto& table = run_->tables[branch.number];
      const std::uint64_t found = table.size() != 0 ? table[matcher_.vertices()[step.item]] : count(branch);
      if (found == 0) return 0;
      for (unsigned i = 0; i < branch.power; ++i) all.multiply(found);
    }
    return taken(all);
  }

  std::uint64_t taken(const CheckedCount& number) noexcept {
    is_over_ = is_over_ || number.is_over();
    return number.value();
  }

  const Run* run_;
  const Engine* engine_;
  Matcher<Target> matcher_;
  CheckedCount total_;
  bool is_over_ = false;
};

/// What all ranks have counted.
Result<CheckedCount> sum_of_ranks(Ranks& ranks, const CheckedCount& mine) {
  return ranks.reduce(mine, CheckedCount(), [](CheckedCount sum, const CheckedCount& other) {
    sum.add(other);
    return sum;
  });
}

template <class Target>
class CountingRun {
 public:
  CountingRun(Engine& engine, const Planned& planned)
      : engine_(engine),
        repeats_(planned.repeats),
        shared_(planned.shared),
        view_(planned.graph),
        run_{view_, planned.query, planned.plan, planned.columns, {}, {}} {}

  /// Fills the tables of memoized steps, those below others first.
  Status prepare() {
    const bool anchored =
        std::any_of(run_.plan.roots.begin(), run_.plan.roots.end(), [](const Step& root) { return root.anchored; });
    RIZOMA_ASSIGN(run_.repeating, repeats_.of(engine_, run_.graph, anchored && shared_ == nullptr));
    if (shared_ != nullptr) {
      if (shared_->repeating == nullptr) shared_->repeating = std::make_shared<RepeatingLists>(*run_.repeating);
      run_.repeating = shared_->repeating;
      fetched_.emplace(*shared_);
    }
    run_.tables.resize(run_.plan.steps);
    tallies_.resize(run_.plan.steps);
    for (const Step& root : run_.plan.roots) RIZOMA_TRY(fill_below(root));
    return {};
  }

  /// The matches of a tree; `counts`, if given, takes those of each root.
  Result<std::uint64_t> count_tree(const Step& root, VertexMap<std::uint64_t>* counts) {
    CheckedCount total;
    const auto add = [&](std::vector<Counter<Target>>& counters) {
      for (Counter<Target>& counter : counters) {
        total.add(counter.total());
        if (counter.is_over()) total.overflow();
      }
      gather(root, counters);
    };
    if (shared_ != nullptr) {
      RIZOMA_ASSIGN(BlockQueues queues, assigned_blocks(*shared_, run_.query, root));
      const auto count = [&](Counter<Target>& counter, VertexId v, const ListPiece* piece) {
        counter.count_root(root, v, piece);
      };
      RIZOMA_TRY(for_batches({root.item, &root, root.branches, {}}, std::move(queues), count, add));
    } else {
      std::vector<Counter<Target>> counters(engine_.threads(), Counter<Target>(run_, engine_));
      RIZOMA_TRY(
          for_roots(engine_, run_.graph, run_.query, root, [&](unsigned thread, VertexId v, const ListPiece* piece) {
            const std::uint64_t found = counters[thread].count_root(root, v, piece);
            if (counts != nullptr && found != 0) {
              counts->atomic(v).fetch_add(found, std::memory_order_relaxed);
            }
          }));
      add(counters);
    }
    if (engine_.ranks() != nullptr) {
      RIZOMA_ASSIGN(total, sum_of_ranks(*engine_.ranks(), total));
    }
    if (total.is_over()) return too_many_matches();
    return total.value();
  }

  [[nodiscard]] std::vector<StepTally>& tallies() noexcept { return tallies_; }

 private:
  Status fill_below(const Step& step) {
    for (const Step& branch : step.branches) {
      RIZOMA_TRY(fill_below(branch));
      if (branch.memoized) RIZOMA_TRY(fill(step, branch));
    }
    return {};
  }

  Status fill(const Step& above, const Step& step) {
    auto table = engine_.make_map<std::uint64_t>(run_.graph.num_vertices(), 0);
    if (shared_ != nullptr) {
      RIZOMA_TRY(fill_shared(above, step, table));
      run_.tables[step.number] = std::move(table);
      return {};
    }
    std::vector<Counter<Target>> counters(engine_.threads(), Counter<Target>(run_, engine_));
    RIZOMA_TRY(engine_.for_edges(run_.graph, Direction::out, [&](VertexRange block, unsigned thread) {
      for (VertexId v = block.begin; v < block.end && !engine_.stopping(); ++v) {
        if (run_.graph.is_live(v)) table[v] = counters[thread].count_below(above.item, v, step);
      }
    }));
    gather(step, counters);
    for (Counter<Target>& counter : counters) {
      if (counter.is_over()) return too_many_matches();
    }
    if (engine_.ranks() != nullptr) RIZOMA_TRY(engine_.ranks()->gather(table.data(), sizeof(std::uint64_t)));
    run_.tables[step.number] = std::move(table);
    return {};
  }

  /// Data nodes fill the tables of their own vertices.
  Status fill_shared(const Step& above, const Step& step, VertexMap<std::uint64_t>& table) {
    const RootBlocks all(run_.graph, {shared_->holders.of_sections(), shared_->holders.rank()});
    std::vector<RootBlock> blocks;
    for (std::uint64_t i = 0; i < all.size(); ++i) all.read(i, blocks);
    bool over = false;
    const auto count = [&](Counter<Target>& counter, VertexId v, const ListPiece*) {
      table[v] = counter.count_below(above.item, v, step);
    };
    const Ranks& ranks = shared_->ranks;
    auto queues = BlockQueues::own(std::move(blocks), ranks.rank(), ranks.size());
    RIZOMA_TRY(for_batches({above.item, nullptr, std::span(&step, 1), {}}, std::move(queues), count,
                           [&](std::vector<Counter<Target>>& counters) {
                             gather(step, counters);
                             for (const Counter<Target>& counter : counters) over = over || counter.is_over();
                           }));
    if (over) return too_many_matches();
    return shared_->holders.gather(shared_->ranks, table.data(), table.size());
  }

  /// Calls count(counter, v, piece) for the vertices of the blocks, and done(counters) after each batch.
  template <class Count, class Done>
  Status for_batches(Tree tree, BlockQueues queues, Count&& count, Done&& done) {
    Batches<Target> batches(engine_, *fetched_, *shared_, run_.query, tree, std::move(queues), true);
    if (batches.is_steady()) return count_steadily(batches, count, done);
    for (;;) {
      RIZOMA_ASSIGN(const bool some, batches.next([] { return false; }));
      if (!some) break;
      view_ = batches.view();
      std::vector<Counter<Target>> counters(engine_.threads(), Counter<Target>(run_, engine_));
      RIZOMA_TRY(count_blocks(batches.blocks(), counters, count));
      done(counters);
    }
    view_ = shared_->own;
    return {};
  }

  /// The same on a rank that has all lists.
  template <class Count, class Done>
  Status count_steadily(Batches<Target>& batches, Count&& count, Done&& done) {
    std::vector<Counter<Target>> counters(engine_.threads(), Counter<Target>(run_, engine_));
    Status status;
    const auto match = [&] {
      if (!status) return false;
      const auto blocks = batches.take(engine_.threads());
      status = count_blocks(blocks, counters, count);
      return status && !blocks.empty();
    };
    for (;;) {
      RIZOMA_ASSIGN(const bool some, batches.next(match));
      if (!some) break;
      // Others may never keep this rank waiting.
      static_cast<void>(match());
      RIZOMA_TRY(status);
    }
    RIZOMA_TRY(status);
    done(counters);
    return {};
  }

  template <class Count>
  Status count_blocks(std::span<const RootBlock> blocks, std::vector<Counter<Target>>& counters, Count&& count) {
    return engine_.for_blocks(blocks.size(), 1, [&](VertexRange some, unsigned thread) {
      for (const RootBlock& each : blocks.subspan(some.begin, some.size())) {
        for (VertexId v = each.vertices.begin; v < each.vertices.end && !engine_.stopping(); ++v) {
          if (view_.is_live(v)) count(counters[thread], v, each.piece ? &*each.piece : nullptr);
        }
      }
    });
  }

  void gather(const Step& step, std::vector<Counter<Target>>& counters) {
    for (Counter<Target>& counter : counters) {
      const StepTally& tally = counter.matcher().tally(step);
      tallies_[step.number].visits += tally.visits;
      tallies_[step.number].candidates += tally.candidates;
    }
    for (const Step& branch : step.branches) {
      if (run_.tables[branch.number].size() == 0) gather(branch, counters);
    }
  }

  Engine& engine_;
  KnownRepeats& repeats_;
  SharedGraph* shared_;
  std::optional<FetchedLists<Target>> fetched_;
  GraphView view_;  ///< the matched vertices; of a shared graph the reads of a batch
  Run run_;
  std::vector<StepTally> tallies_;
};

}  // namespace

Error too_many_matches() {
  return {ErrorCode::unsupported, "the pattern has more matches than 64 bits can count; narrow the pattern down"};
}

Result<CountResult> count_matches(Engine& engine, const Planned& planned) {
  if (engine.ranks() != nullptr && planned.shared == nullptr) RIZOMA_TRY(engine.ranks()->divide(planned.graph));
  return planned.graph.with_out([&]<class Target>(const Adjacency<Target>&) -> Result<CountResult> {
    CountingRun<Target> run(engine, planned);
    RIZOMA_TRY(run.prepare());
    CheckedCount product;
    product.add(1);
    for (const Step& root : planned.plan.roots) {
      RIZOMA_ASSIGN(const std::uint64_t found, run.count_tree(root, nullptr));
      if (found == 0) return CountResult{0, std::move(run.tallies())};
      product.multiply(found);
    }
    if (product.is_over()) return too_many_matches();
    return CountResult{product.value(), std::move(run.tallies())};
  });
}

Status count_by_root(Engine& engine, const Planned& planned, VertexMap<std::uint64_t>& counts) {
  const std::vector<Step>& roots = planned.plan.roots;
  return planned.graph.with_out([&]<class Target>(const Adjacency<Target>&) -> Status {
    CountingRun<Target> run(engine, planned);
    RIZOMA_TRY(run.prepare());
    CheckedCount others;
    others.add(planned.query.times);
    for (std::size_t i = 1; i < roots.size(); ++i) {
      RIZOMA_ASSIGN(const std::uint64_t found, run.count_tree(roots[i], nullptr));
      others.multiply(found);
    }
    auto found = engine.make_map<std::uint64_t>(planned.graph.num_vertices(), 0);
    RIZOMA_TRY(run.count_tree(roots[0], &found));
    bool over = others.is_over();
    for (VertexId v = 0; v < counts.size(); ++v) {
      CheckedCount sum;
      sum.add(found[v]);
      sum.multiply(others.value());
      sum.add(counts[v]);
      over = over || sum.is_over();
      counts[v] = sum.value();
    }
    if (over) return too_many_matches();
    return {};
  });
}

}  // namespace rizoma::query
