#include <rizoma/detail/sweep_steps.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace rizoma::engine_detail {

SweepSteps::SweepSteps(SweepState& state, BlockProgram& program, const SweepOptions& options)
    : state_(state),
      program_(program),
      direction_(options.direction),
      sum_bound_(options.sum_bound),
      rule_{.can_push = state.along == Direction::out || state.graph.has_in_edges(),
            .can_pull = state.along == Direction::in || state.graph.has_in_edges(),
            .visit_once = state.kind.visit_once,
            .early_exit = state.kind.early_exit,
            .symmetric = !state.graph.directed()},
      unexplored_(state.graph.num_entries()),
      hub_count_(options.hubs) {}

// --- Beginning -----------------------------------------------------------------------------------

Status SweepSteps::start(std::span<const VertexId> vertices) {
  return state_.ranks == nullptr ? start_own(vertices) : start_mine(vertices);
}

Status SweepSteps::start_own(std::span<const VertexId> vertices) {
  begin_with(vertices);
  return state_.ranks == nullptr ? Status() : agree();
}

Status SweepSteps::start_all() {
  pulled_ = false;
  state_.active.start_all(state_.graph.num_entries());
  if (state_.kind.message_bytes == 0) return {};
  program_.set_anew();
  return state_.engine.for_vertices(state_.graph, [&](VertexRange block, unsigned) { program_.scatter(block); });
}

void SweepSteps::begin_with(std::span<const VertexId> vertices) {
  pulled_ = false;
  EdgeCount entries = 0;
  for (const VertexId v : vertices) {
    entries += state_.degrees[v];
    if (state_.kind.visit_once) state_.done.add(v);
  }
  program_.scatter(vertices);
  state_.active.start(vertices, entries);
}

// All ranks receive all vertices; each begins with its own.  Of few whose lists all can read each goes through all
// lists, and takes its own vertices: a hub would keep its owner busy, and the others waiting.
Status SweepSteps::start_mine(std::span<const VertexId> vertices) {
  constexpr std::size_t kFew = 16;
  RIZOMA_TRY(state_.ranks->divide(state_.graph));
  // Of other ranks' vertices nothing is asked.
  const bool may = state_.kind.claims() && !state_.kind.has_cond && state_.kind.message_bytes == 0;
  state_.together = may && vertices.size() <= kFew && state_.ranks->reads_all_lists();
  if (state_.together) {
    begin_with(vertices);
    return {};
  }
  std::vector<VertexId> mine;
  std::copy_if(vertices.begin(), vertices.end(), std::back_inserter(mine),
               [&](VertexId v) { return state_.ranks->owns(v); });
  return start_own(mine);
}

VertexSet SweepSteps::take_done() {
  VertexSet& done = state_.done;
  for (std::size_t word = 0; word < VertexSet::words_of(state_.listless.universe()); ++word)
    done.words()[word] &= ~state_.listless.word(word);
  Ranks* const ranks = state_.ranks;
  for (unsigned rank = 0; ranks != nullptr && rank < ranks->size(); ++rank) {
    if (rank == ranks->rank()) continue;  // bits of other ranks' vertices: these share no word with ours
    for (const VertexRange range : ranks->ranges_of(rank))
      std::fill(done.words() + range.begin / 64, done.words() + (range.end + 63) / 64, 0);
  }
  return std::move(done);
}

// --- A step --------------------------------------------------------------------------------------

Status SweepSteps::step() {
  program_.begin_step();
  const bool pulls_now = pulls();
  RIZOMA_TRY(pulls_now ? pull() : push());
  pulled_ = pulls_now && state_.active.all();
  state_.together = false;
  return state_.ranks == nullptr ? Status() : agree();
}

// Which way the messages travel in this step; the same on all ranks.
bool SweepSteps::pulls() {
  unexplored_ -= std::min(unexplored_, state_.active.entries());
  if (direction_ != SweepDirection::automatic) return direction_ == SweepDirection::pull;
  using enum PullRule::Choice;
  const auto choice = rule_.choose(state_.active, unexplored_, state_.graph.num_entries());
  if (choice != look || state_.ranks != nullptr) return choice != push;
  const auto may_apply = [this](VertexId v) { return state_.is_live(v) && !state_.is_done(v) && program_.cond(v); };
  return rule_.pays(state_.active, about_in_vain(state_.graph, state_.against(), state_.active.bits(), may_apply));
}

// Makes the counts and the tally of this rank those of all ranks.
Status SweepSteps::agree() {
  ActiveVertices& active = state_.active;
  // The last step's, if that has made a set on all ranks; what is known of one before it is the same on all already.
  const bool looked = active.dense() && active.in_vain();
  RIZOMA_ASSIGN(const StepCounts all,
                program_.agree({active.size(), active.entries(), looked ? *active.in_vain() : 0}));
  if (!active.all()) active.count_all(all.vertices, all.entries, looked ? all.in_vain : active.in_vain());
  return {};
}

Status SweepSteps::pull() {
  Engine& engine = state_.engine;
  ActiveVertices& active = state_.active;
  PullFrontier frontier;
  if (state_.ranks != nullptr) RIZOMA_TRY(remote_.refresh(state_, program_, pulled_));
  if (!active.all()) frontier.now = remote_.shared_bits() != nullptr ? remote_.shared_bits() : active.bits();
  if (!state_.kind.all_stay) frontier.next = active.next_bits();
  if (state_.kind.visit_once && state_.listless.universe() == 0) state_.listless = engine.make_set(state_.n);
  frontier.hubs = hubs();
  program_.begin_pull(frontier);
  const auto filter = [this](VertexRange range) { return program_.may_apply_any(range); };
  const SectionFilter needed(filter);
  RIZOMA_TRY(engine.for_pieces(
      state_.graph, state_.against(), [&](VertexRange block, unsigned thread) { program_.pull(block, thread); },
      [&](ListPiece piece, unsigned thread) { program_.pull(piece, thread); },
      state_.kind.skips() ? &needed : nullptr));
  program_.join_pieces();
  if (frontier.hubs != nullptr) {
    constexpr std::uint64_t kHubGrain = 1 << 12;
    RIZOMA_TRY(engine.for_blocks(frontier.hubs->hubs(), kHubGrain,
                                 [&](VertexRange block, unsigned thread) { program_.apply_hubs(block, thread); }));
  }
  RIZOMA_TRY(program_.end_pull());
  if (!state_.kind.all_stay) active.close_set();
  return {};
}

// The sums of hubs in this step; null if they do not pay.
HubAccumulators* SweepSteps::hubs() {
  if (!state_.kind.adds_up || !state_.active.all()) return nullptr;
  if (!hub_count_) hub_count_ = hubs_that_pay(state_.engine, state_.graph);
  if (*hub_count_ == 0) return nullptr;
  if (!hub_accumulators_) hub_accumulators_.emplace(state_.engine, std::min(*hub_count_, state_.n));
  return hub_accumulators_->begin(sum_bound_) ? &*hub_accumulators_ : nullptr;
}

Status RemoteFrontier::refresh(SweepState& sweep, BlockProgram& program, bool follows) {
  Ranks& ranks = *sweep.ranks;
  const std::size_t bytes = sweep.kind.message_bytes;
  const bool all = sweep.active.all();
  if (bytes == 0 && !all) {
    RIZOMA_ASSIGN(const bool is_shared, shared_frontier_.publish(sweep.engine, sweep.n, sweep.active.bits()));
    if (is_shared) return {};
  }
  if (!mirror_) mirror_.emplace(sweep.engine, ranks, sweep.graph, sweep.against(), bytes);
  if (bytes > 0 && sweep.kind.all_stay) {
    RIZOMA_ASSIGN(const bool much, mirror_->reads_much());
    if (all && much) {
      RIZOMA_ASSIGN(const bool is_shared, program.share_messages());
      if (is_shared) return {};
    }
  }
  if (!all) return mirror_->refresh_active(program.messages(), sweep.active.bits());
  if (bytes == 0) return {};
  return mirror_->refresh(program.messages(), follows ? program.messages_before() : nullptr);
}

// --- Push ----------------------------------------------------------------------------------------

Status SweepSteps::push() {
  const ProgramKind& kind = state_.kind;
  if (kind.claims() && (state_.ranks == nullptr || !kind.has_cond)) return claim();
  return !kind.hears_all() && state_.active.entries() <= kSparsePush ? send_few() : send();
}

namespace {

Status for_active_lists(SweepState& state, std::uint64_t grain, ListsInPieces f) {
  const auto entries = state.ranks == nullptr ? std::optional(state.active.entries()) : std::nullopt;
  return for_lists_in_pieces(state.engine, state.graph, state.degrees, state.active.list(), grain, entries, f);
}

std::uint64_t grain_of(SweepState& state) {
  return list_grain(state.active.size(), state.active.entries(), state.engine.threads());
}

}  // namespace

Status SweepSteps::claim() {
  const unsigned threads = state_.engine.threads();
  if (state_.ranks == nullptr && claims_apart_pay(state_.active.entries(), state_.n, threads)) return claim_apart();
  const std::uint64_t grain = grain_of(state_);
  const bool alone = state_.active.size() <= grain || threads == 1;
  program_.begin_claims();
  RIZOMA_TRY(for_active_lists(state_, grain, [&](auto vertices, unsigned thread, PieceOf piece_of) {
    program_.claim(vertices, thread, piece_of, alone);
  }));
  if (state_.ranks != nullptr && !state_.together) RIZOMA_TRY(program_.exchange_claims());
  state_.active.close_lists();
  return {};
}

Status SweepSteps::claim_apart() {
  program_.begin_claims_apart();
  RIZOMA_TRY(for_active_lists(state_, grain_of(state_), [&](auto vertices, unsigned thread, PieceOf piece_of) {
    program_.claim_apart(vertices, thread, piece_of);
  }));
  RIZOMA_TRY(program_.join_claims());
  state_.active.close_lists();
  return {};
}

Status SweepSteps::send_few() {
  const auto send = [&](auto vertices, unsigned, PieceOf piece_of) { program_.send_few(vertices, piece_of); };
  RIZOMA_TRY(for_active_lists(state_, state_.n + 1, send));
  RIZOMA_TRY(program_.apply_few());
  state_.active.close_lists();
  return {};
}

Status SweepSteps::send() {
  program_.begin_mail();
  const auto send = [&](auto vertices, unsigned, PieceOf piece_of) { program_.send(vertices, piece_of); };
  RIZOMA_TRY(for_active_lists(state_, grain_of(state_), send));
  if (state_.ranks != nullptr) RIZOMA_TRY(program_.exchange_mail());
  std::uint64_t* const next = state_.kind.all_stay ? nullptr : state_.active.next_bits();
  RIZOMA_TRY(state_.engine.for_vertices(
      state_.graph, [&](VertexRange block, unsigned thread) { program_.apply_mail(block, thread, next); }));
  if (!state_.kind.all_stay) state_.active.close_set();
  return {};
}

}  // namespace rizoma::engine_detail
