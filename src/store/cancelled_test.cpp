// Whichever loop of a long call is the last before the caller cancels it: the call says so, and nothing is lost or half
// made; the same call made again is right.
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "store/state/filtered.h"
#include "store/state/own_sections.h"
#include "store/store.h"
#include "testing/closed_store.h"
#include "testing/heap_medium.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

/// Runs everything on the calling thread; the n-th loop is not run, nor is any after it.
class CancelledExecutor final : public Executor {
 public:
  explicit CancelledExecutor(std::uint64_t nth) : left_(nth) {}
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return left_ == 0; }
  Status report(std::string_view, double, double) override { return left_ == 0 ? cancelled() : Status(); }
  void parallel(FunctionRef<void(unsigned thread)> body) override { serial_.parallel(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    if (left_ > 0) --left_;
    return left_ == 0 ? cancelled() : serial_.for_blocks(size, grain, body);
  }

 private:
  static Status cancelled() { return Error{ErrorCode::cancelled, "cancelled"}; }
  std::uint64_t left_;
  SerialExecutor serial_;
};

struct Opened {
  std::shared_ptr<Medium> medium;
  Store& store;
};

struct Call {
  const char* name;
  std::function<Status(const Opened& opened, Executor& executor)> run;
  bool reads_only = false;  ///< beside others: a check or a repair, which open the store themselves
  std::uint64_t least = 2;  ///< loops of all stores together, so that it is cancelled at all
};

template <class T>
Status status_of(const Result<T>& result) {
  return result ? Status() : Status(result.error());
}

std::shared_ptr<const StoreSnapshot> state(const Opened& opened) { return *opened.store.snapshot(); }

const Call kCalls[] = {
    {"view", [](const Opened& in, Executor& executor) { return status_of(state(in)->view(executor)); }},
    {"entries", [](const Opened& in, Executor& executor) { return status_of(state(in)->entry_view(executor)); }},
    {"a part", [](const Opened& in, Executor& executor) { return status_of(state(in)->part_view(executor)); }},
    {"not validated",
     [](const Opened& in, Executor& executor) { return status_of(state(in)->unvalidated_view(executor)); }},
    {"validation", [](const Opened& in, Executor& executor) { return state(in)->validate(executor); }},
    {"own sections",
     [](const Opened& in, Executor& executor) {
       return may_be_read_by_sections(*state(in)) ? status_of(own_sections_view(state(in), executor)) : Status();
     },
     false, 0},  // not of every medium
    {"filter",
     [](const Opened& in, Executor& executor) {
       const std::vector<std::uint8_t> all((state(in)->num_rows() + 7) / 8, 255);
       return in.store.schema().rows ? status_of(with_rows(*state(in), all, executor)) : Status();
     }},
    {"check", [](const Opened& in, Executor& executor) { return status_of(check_store(in.medium, executor)); }, true},
    {"repair",
     [](const Opened& in, Executor& executor) {
       return status_of(repair_store(in.medium, make_heap_medium(), executor));
     },
     true},
    {"new order", [](const Opened& in, Executor& executor) { return in.store.compact(executor, VertexOrder::degree); }},
    {"purge", [](const Opened& in, Executor& executor) { return in.store.purge(executor, VertexOrder::striped); }},
};

/// How many loops the call has: at each it was cancelled, and then made again.
void try_every_loop(const Call& call, const ClosedStore& made, std::uint64_t& loops) {
  bool cancelled = true;
  for (std::uint64_t nth = 1; cancelled && !::testing::Test::HasFailure(); ++nth) {
    SCOPED_TRACE(std::string(call.name) + ", loop " + std::to_string(nth));
    const std::shared_ptr<Medium> medium = medium_of(made.files);
    const auto store =
        call.reads_only ? Store::open_read_only(medium, made.options) : Store::open(medium, made.options);
    ASSERT_TRUE(store) << store.error().message;
    CancelledExecutor executor(nth);
    const Status status = call.run({medium, **store}, executor);
    cancelled = !status;
    if (cancelled) {
      ++loops;
      EXPECT_EQ(status.error().code, ErrorCode::cancelled) << status.error().message;
    }
    SerialExecutor serial;
    const Status again = call.run({medium, **store}, serial);
    EXPECT_TRUE(again) << again.error().message;
    const auto same = equals(**(*store)->snapshot(), made.model);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_TRUE(*same);
  }
}

TEST(Cancelled, AtAnyLoopNothingIsLostAndTheNextCallIsRight) {
  std::map<std::string_view, std::uint64_t> loops;
  for (const std::uint64_t seed : {1, 2, 9, 18}) {
    const ClosedStore made(seed, "aacaraa");
    for (const Call& call : kCalls) try_every_loop(call, made, loops[call.name]);
  }
  for (const Call& call : kCalls) EXPECT_GE(loops[call.name], call.least) << call.name << " was not cancelled";
}

}  // namespace
}  // namespace rizoma
