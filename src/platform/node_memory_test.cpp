// On one node everything may be asked for that exists; where pages lie is for the laboratory.
#include "platform/node_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rizoma {
namespace {

TEST(NodeMemory, EveryPolicyGivesZeroedUsableMemory) {
  const NodeMemory memory;
  std::vector<unsigned> nodes;
  for (const TopologyNode& node : machine_topology().nodes) nodes.push_back(node.id);
  using Use = MemoryNodes::Use;
  for (const Use use : {Use::first_touch, Use::preferred, Use::bind, Use::interleave}) {
    const MemoryNodes where{use, use == Use::first_touch ? std::vector<unsigned>() : nodes};
    const auto pages = memory.allocate(3 << 20, where);
    if (!pages && pages.error().code == ErrorCode::unsupported) GTEST_SKIP() << pages.error().message;
    ASSERT_TRUE(pages) << pages.error().message;
    EXPECT_EQ((*pages).get()[(3 << 20) - 1], std::byte{0});
    std::memset(pages->get(), 1, 3 << 20);
  }
}

TEST(NodeMemory, ANodeThatIsNotThereIsRefused) {
  const NodeMemory memory;
  const auto pages = memory.allocate(4096, {MemoryNodes::Use::bind, {4000}});
  ASSERT_FALSE(pages);
  EXPECT_EQ(pages.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace rizoma
