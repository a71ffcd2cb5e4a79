// What a rebuild writes becomes durable piece by piece.
#include "store/rewrite/throttled_target.h"

#include "platform/memory_medium.h"
#include "testing/filtered_medium.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

class CountingTarget final : public LoadTarget {
 public:
  Status begin(const LoadShape&) override { return {}; }
  Status put(const ImageSpec&, std::span<const std::byte> image) override {
    bytes += image.size();
    return {};
  }
  Status put_dictionary(std::span<const std::byte> segment) override {
    bytes += segment.size();
    return {};
  }
  Status publish(const LoadTotals&) override { return {}; }
  std::uint64_t bytes = 0;
};

/// A target over a file whose syncs are counted, as fast as it can.
struct CountedSyncs {
  CountedSyncs() {
    const auto count = [this](OperationKind kind, std::string_view, const std::function<Status()>& operation) {
      syncs += kind == OperationKind::sync ? 1 : 0;
      return operation();
    };
    medium = make_filtered_medium(*below, count);
    data.add(0, *medium->open("data", FileMode::create), "data");
  }
  std::shared_ptr<Medium> below = make_memory_medium();
  std::shared_ptr<Medium> medium;
  int syncs = 0;
  DataFiles data;
  CountingTarget target;
  SerialExecutor serial;
  ThrottledTarget paced{target, data, serial, 0};
};

TEST(ThrottledTarget, SyncsEveryFewMegabytes) {
  CountedSyncs counted;
  const std::vector<std::byte> image(std::size_t{3} << 18);
  ASSERT_TRUE(counted.paced.put_dictionary(image));
  for (SectionId section = 0; section < 7; ++section) {
    ASSERT_TRUE(counted.paced.put({.section = section}, image));
  }
  EXPECT_EQ(counted.target.bytes, 8 * image.size());
  EXPECT_EQ(counted.syncs, 2) << "after 2.25 MiB each";
}

TEST(ThrottledTarget, SyncsOnceTwoMegabytesAreThere) {
  CountedSyncs counted;
  ASSERT_TRUE(counted.paced.put({}, std::vector<std::byte>((std::size_t{2} << 20) - 1)));
  EXPECT_EQ(counted.syncs, 0);
  ASSERT_TRUE(counted.paced.put({}, std::vector<std::byte>(1)));
  EXPECT_EQ(counted.syncs, 1);
}

/// Runs nothing: its caller has cancelled it.
class StoppingExecutor final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return true; }
  Status report(std::string_view, double, double) override { return {}; }
  void parallel(FunctionRef<void(unsigned thread)>) override {}
  Status for_blocks(std::uint64_t, std::uint64_t, FunctionRef<void(VertexRange block, unsigned thread)>) override {
    return {};
  }
};

TEST(ThrottledTarget, EndsItsWaitOnceTheCallerCancels) {
  const auto medium = make_memory_medium();
  DataFiles data;
  data.add(0, *medium->open("data", FileMode::create), "data");
  CountingTarget target;
  const StoppingExecutor stopping;
  constexpr std::uint64_t kBytesInAnHour = 3600;
  ThrottledTarget paced(target, data, stopping, 1);
  const std::vector<std::byte> image((std::size_t{2} << 20) + kBytesInAnHour);
  const Status status = paced.put({}, image);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace rizoma
