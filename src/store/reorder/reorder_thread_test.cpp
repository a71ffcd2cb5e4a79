// The times that the rule of reordering goes by: since the last change, and since there is a new order.
#include "store/reorder/reorder_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

TEST(ReorderThread, CountsFromTheLastChange) {
  ReorderThread thread;
  thread.note_change();
  std::this_thread::sleep_for(milliseconds(30));
  const milliseconds waited = thread.idle();
  EXPECT_GE(waited, milliseconds(30));
  EXPECT_LT(waited, std::chrono::minutes(5));
  const auto before = std::chrono::steady_clock::now();
  thread.note_change();
  EXPECT_LE(thread.idle(), std::chrono::steady_clock::now() - before) << "it counts anew";
}

TEST(ReorderThread, ANewOrderEndsWhatWasUnfinished) {
  ReorderThread thread;
  thread.ended(Error{ErrorCode::io, "full"}, false);
  thread.ended(Error{ErrorCode::io, "full"}, false);
  EXPECT_EQ(thread.state().unfinished, 2U);
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_GE(thread.state().since_last, milliseconds(30));
  const auto before = std::chrono::steady_clock::now();
  thread.renewed();
  const ReorderThread::State state = thread.state();
  EXPECT_EQ(state.unfinished, 0U);
  EXPECT_LE(state.since_last, std::chrono::steady_clock::now() - before);
}

}  // namespace
}  // namespace rizoma
