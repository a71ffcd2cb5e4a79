#include "transport/network_timing.h"

#include "testing/simulated_transport.h"
#include "transport/local_transport.h"

#include <gtest/gtest.h>

#include <string>

namespace rizoma {
namespace {

class NetworkTiming : public testing::TestWithParam<std::string> {};

TEST_P(NetworkTiming, EveryRankTakesPartAndTheFirstHasTheTimes) {
  const NetworkOperation operation = *parse_network_operation(GetParam());
  for (const Rank ranks : {2U, 3U}) {
    for (const bool computes : {false, true}) {
      if (computes && operation == NetworkOperation::round) continue;
      run_simulated_cluster(ranks, 3, [&](Transport& transport) {
        const auto times = time_network(transport, {operation, 64, 0.001, computes});
        ASSERT_TRUE(times) << times.error().message;
        EXPECT_EQ(times->seconds.empty(), transport.rank() != 0);
        for (const double each : times->seconds) EXPECT_GT(each, 0);
        EXPECT_GE(times->processor_seconds, 0);
        ASSERT_TRUE(transport.barrier());
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, NetworkTiming, testing::Values("read", "write", "fetch_add", "message", "round"),
                         [](const auto& instance) { return instance.param; });

TEST(NetworkTimingRefusals, NameWhatIsWrong) {
  const auto alone = make_local_transport();
  EXPECT_EQ(time_network(*alone, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_NE(parse_network_operation("ping").error().message.find("there are read, write, fetch_add, message, round"),
            std::string::npos);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    EXPECT_EQ(time_network(transport, {NetworkOperation::read, 0}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(time_network(transport, {NetworkOperation::round, 8, 0.001, true}).error().code,
              ErrorCode::invalid_argument);
  });
}

}  // namespace
}  // namespace rizoma
