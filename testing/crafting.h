// Crafting: checkpoints whose states were changed, as an attacker who knows the format could.
#pragma once

#include <rizoma/detail/checkpoints.h>

#include <functional>
#include <utility>

namespace rizoma::testing {

/// Keeps a state that `craft` has changed, and ends the job.
class Crafting final : public Checkpoints {
 public:
  using Craft = std::function<void(const IterationState&)>;
  Crafting(Checkpoints& kept, Craft craft) : kept_(kept), craft_(std::move(craft)) {}
  Result<bool> resume(const IterationState& state) override { return kept_.resume(state); }
  Result<bool> due() override { return kept_.due(); }
  Status keep(const IterationState& state) override {
    craft_(state);
    RIZOMA_TRY(kept_.keep(state));
    return Error{ErrorCode::io, "killed"};
  }
  Status finish() override { return kept_.finish(); }

 private:
  Checkpoints& kept_;
  Craft craft_;
};

}  // namespace rizoma::testing
