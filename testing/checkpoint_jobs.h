// Jobs that keep checkpoints, die, and are started again, alone and on simulated ranks.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include "api/medium_checkpoints.h"
#include "platform/medium.h"
#include "testing/dying_transport.h"
#include "testing/simulated_transport.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace rizoma::testing {

inline constexpr const char* kJobName = "job";

/// Ends the job after `limit` saved states.
class Dying final : public Checkpoints {
 public:
  Dying(Checkpoints& kept, int states) : kept_(kept), left_(states) {}
  Result<bool> resume(const IterationState& state) override { return kept_.resume(state); }
  Result<bool> due() override { return kept_.due(); }
  Status keep(const IterationState& state) override {
    RIZOMA_TRY(kept_.keep(state));
    if (--left_ == 0) return Error{ErrorCode::io, "killed"};
    return {};
  }
  Status finish() override { return kept_.finish(); }

 private:
  Checkpoints& kept_;
  int left_;
};

/// A job on some ranks.
struct Job {
  std::shared_ptr<Medium> medium;
  GraphView graph;
  unsigned ranks = 1;
  int dies_after = 0;  ///< states kept; 0: it does not die then
  bool resume = true;
  std::string text = "a job";
  std::uint64_t killed_after = 0;  ///< messages of the last rank; 0: it is not killed
};

/// Runs kernel(engine) with checkpoints, and returns what the first rank got.
template <class Kernel>
auto run_job(const Job& job, Kernel kernel) {
  using R = decltype(kernel(std::declval<Engine&>()));
  const auto on_one = [&](Engine& engine) -> R {
    const bool first = engine.ranks() == nullptr || engine.ranks()->rank() == 0;
    const CheckpointOptions options{.name = kJobName, .job = job.text, .every = 0, .resume = job.resume};
    RIZOMA_ASSIGN(const auto kept, checkpoints_in(first ? job.medium : nullptr, engine, job.graph, options));
    Dying dying(*kept, job.dies_after);
    engine.set_checkpoints(&dying);
    R result = kernel(engine);
    engine.set_checkpoints(nullptr);
    if (result) RIZOMA_TRY(kept->finish());
    return result;
  };
  std::optional<R> answer;
  if (job.ranks == 1) {
    Engine engine({.threads = 2});
    return on_one(engine);
  }
  run_simulated_cluster(job.ranks, job.ranks, [&](Transport& simulated) {
    const bool dies = job.killed_after > 0 && simulated.rank() + 1 == job.ranks;
    DyingTransport dying(simulated, dies ? job.killed_after : 0);
    Ranks ranks(dying);
    Engine engine({.threads = 1, .ranks = &ranks});
    R result = on_one(engine);
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    if (ranks.rank() == 0) answer.emplace(status ? std::move(result) : R(status.error()));
  });
  return std::move(*answer);
}

}  // namespace rizoma::testing
