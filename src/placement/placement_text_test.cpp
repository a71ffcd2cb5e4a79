#include <rizoma/placement.h>

#include "base/random.h"

#include <gmock/gmock.h>

namespace rizoma {
namespace {

using ::testing::HasSubstr;

Placement example() {
  Placement placement{.policy = PlacementPolicy::round_robin,
                      .homes = 2,
                      .node_of_home = {0, 2},
                      .home_of_section = {0, 1, 0, 1, 0},
                      .home_of_thread = {0, 1},
                      .processor_of_thread = {0, 4}};
  placement.tiers[Structure::sections] = {MemoryTier::slow, NodeChoice::interleave};
  placement.tiers[Structure::vertex_state] = {MemoryTier::dram};
  return placement;
}

TEST(PlacementText, SaysWhatEachHomeHas) {
  EXPECT_EQ(to_text(example()),
            "placement round_robin over 2 homes\n"
            "  home 0 (node 0): 3 sections, 1 thread bound\n"
            "  home 1 (node 2): 2 sections, 1 thread bound\n"
            "  tiers: sections=slow:interleave,vertex_state=dram");
  EXPECT_EQ(to_text(Placement{}), "placement in_place over 1 home\n  home 0");
}

TEST(PlacementText, NamesGoBackAndForth) {
  for (const std::string_view name : placement_policy_names()) EXPECT_EQ(name_of(*parse_policy(name)), name);
  const auto wrong = parse_policy("thirds");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message,
              HasSubstr("choose one of in_place, interleave, halves, round_robin, chunk, adaptive"));
}

TEST(PlacementText, TiersGoBackAndForth) {
  const std::string text = "sections=slow:interleave,vertex_state=dram,rr_sets=slow:bind";
  EXPECT_EQ(to_text(*parse_tiers(text)), text);
  EXPECT_EQ(*parse_tiers(""), Tiers{});
  EXPECT_EQ((*parse_tiers("frontiers=dram:all"))[Structure::frontiers],
            (TierChoice{MemoryTier::dram, NodeChoice::all}));
  for (const char* wrong : {"sections", "sections=", "images=dram", "sections=tape", "sections=slow:maybe"}) {
    EXPECT_FALSE(parse_tiers(wrong)) << wrong;
  }
}

TEST(PlacementJson, ReadsWhatItWrites) {
  EXPECT_EQ(*placement_from_json(to_json(example())), example());
  EXPECT_EQ(*placement_from_json(to_json(Placement{})), Placement{});
  EXPECT_EQ(*placement_from_json(" { \"homes\" : 3 ,\n\"home_of_section\":[ 2,0 , 1 ] } "),
            (Placement{.homes = 3, .home_of_section = {2, 0, 1}}));
  EXPECT_EQ(*placement_from_json("{}"), Placement{});
}

TEST(PlacementJson, RefusesWhatIsNotAPlacement) {
  for (const char* wrong : {"", "{", "[]", "{\"homes\": -1}", "{\"homes\": 2,}", "{\"home\": 2}", "{\"policy\": 3}",
                            "{\"homes\": 99999999999}", "{\"home_of_section\": [0 1]}", "{\"policy\": \"chunk\"} x",
                            "{\"format\": \"rizoma-placement-2\"}"}) {
    const auto read = placement_from_json(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().code, ErrorCode::parse) << wrong;
  }
  for (const char* wrong : {"{\"homes\": 0}", "{\"home_of_section\": [1]}", "{\"home_of_thread\": [7], \"homes\": 2}",
                            "{\"node_of_home\": [0, 1]}", "{\"policy\": \"thirds\"}", "{\"tiers\": \"x=y\"}"}) {
    const auto read = placement_from_json(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().code, ErrorCode::invalid_argument) << wrong;
  }
}

TEST(PlacementJson, SurvivesDamage) {
  const std::string json = to_json(example());
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = json;
    damaged[random.below(damaged.size())] = static_cast<char>(random.below(128));
    // What can be read has a meaning that can be written and read again; the rest says why not.
    const auto read = placement_from_json(damaged);
    if (read) {
      const auto again = placement_from_json(to_json(*read));
      ASSERT_TRUE(again) << damaged << ": " << again.error().message;
      EXPECT_EQ(*again, *read) << damaged;
    } else {
      EXPECT_TRUE(read.error().code == ErrorCode::parse || read.error().code == ErrorCode::invalid_argument) << damaged;
      EXPECT_FALSE(read.error().message.empty());
    }
    const auto cut = placement_from_json(json.substr(0, random.below(json.size())));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::parse);
  }
}

}  // namespace
}  // namespace rizoma
