#include <rizoma/iteration.h>

#include <algorithm>
#include <utility>

namespace rizoma {

engine_detail::StateArray::StateArray(Iteration& loop) { loop.arrays_.push_back(this); }

Iteration::Iteration(Engine& engine, const GraphView& graph, std::string_view name, Work work)
    : engine_(engine), graph_(graph), name_(name), work_(work), checkpoints_(engine.take_checkpoints()) {}

Result<bool> Iteration::begin() {
  if (Ranks* const ranks = engine_.ranks()) {
    if (work_ == Work::search) ranks->distribute();
    RIZOMA_TRY(work_ == Work::runs ? ranks->divide_into_runs(graph_, name_) : ranks->divide(graph_));
  }
  if (checkpoints_ == nullptr) return false;
  IterationState before = state();
  before.sound = [this] { return read_scalars() && (!valid_ || valid_()); };
  RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume(before));
  if (resumed) read_scalars();  // the first rank has done so
  for (engine_detail::StateArray* const array : arrays_) RIZOMA_TRY(array->leave_others());
  return resumed;
}

Result<std::vector<VertexId>> Iteration::bring_home(std::vector<VertexId> vertices) {
  Ranks* const ranks = engine_.ranks();
  if (ranks == nullptr) return vertices;
  Outbox<bool> outbox(engine_);
  std::erase_if(vertices, [&](VertexId v) {
    const bool is_here = ranks->owns(v);
    if (!is_here) outbox.add(v, true);
    return !is_here;
  });
  RIZOMA_TRY(outbox.exchange([&](VertexId v, bool) { vertices.push_back(v); }));
  return vertices;
}

Result<std::vector<std::vector<std::byte>>> Iteration::share(std::vector<std::byte> mine) {
  std::vector<std::vector<std::byte>> all;
  Ranks* const ranks = engine_.ranks();
  if (ranks != nullptr) return ranks->collective(CollectiveKind::values, {ranks->size(), mine});
  all.push_back(std::move(mine));
  return all;
}

Status Iteration::run(FunctionRef<Result<bool>()> step) {
  for (;;) {
    RIZOMA_ASSIGN(const bool goes_on, step());
    if (!goes_on) return {};
    RIZOMA_TRY(save_if_due());
  }
}

Status Iteration::save_if_due() {
  if (checkpoints_ == nullptr) return {};
  RIZOMA_ASSIGN(const bool due, checkpoints_->due());
  if (!due) return {};
  if (update_) RIZOMA_TRY(update_());
  RIZOMA_TRY(checkpoints_->keep(state()));
  for (engine_detail::StateArray* const array : arrays_) RIZOMA_TRY(array->leave_others());
  return {};
}

/// The present figures and columns, for a checkpoint.
IterationState Iteration::state() {
  std::size_t numbers = 0;
  for (const Scalar& scalar : scalars_) numbers += scalar.numbers;
  figures_.resize(numbers);
  double* next = figures_.data();
  for (const Scalar& scalar : scalars_) {
    scalar.write(scalar.value, next);
    next += scalar.numbers;
  }
  IterationState now{figures_, {}};
  for (engine_detail::StateArray* const array : arrays_) now.columns.push_back(array->column());
  return now;
}

/// Takes the scalars out of the figures; false if these are none.
bool Iteration::read_scalars() {
  const double* next = figures_.data();
  return std::ranges::all_of(scalars_, [&](const Scalar& scalar) {
    return scalar.read(scalar.value, std::exchange(next, next + scalar.numbers));
  });
}

}  // namespace rizoma
