// When a graph gets its inner order anew: the rule, without a clock.
#include "store/publishing/healing_policy.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

/// Of a graph that is due.
HealingFacts grown() {
  HealingFacts facts;
  facts.entries = 4'000'000;
  facts.ordered = 2'000'000;
  facts.idle = milliseconds(60'000);
  return facts;
}

HealingSettings switched_on() {
  HealingSettings settings;
  settings.on = true;
  return settings;
}

TEST(HealingPolicy, BeginsWhenEnoughHasArrivedAndNothingChanges) {
  const HealingSettings settings = switched_on();
  EXPECT_EQ(judge_healing(settings, grown()).reason, HealingReason::due);
  HealingFacts facts = grown();
  facts.ordered = 3'000'001;
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::in_order);
  EXPECT_FALSE(judge_healing(settings, facts).again);
  facts.ordered = 3'000'000;
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::due);
  facts.ordered = 5'000'000;  // it has shrunk
  EXPECT_EQ(arrived_entries(facts), 0u);
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::in_order);
}

TEST(HealingPolicy, LeavesSmallGraphsAndNumbersThatWereAskedFor) {
  HealingFacts facts = grown();
  facts.given_for_good = true;
  EXPECT_EQ(judge_healing(switched_on(), facts).reason, HealingReason::given_for_good);
  facts = grown();
  facts.entries = (1 << 20) - 1;
  facts.ordered = 0;
  EXPECT_EQ(judge_healing(switched_on(), facts).reason, HealingReason::small);
  facts.entries = 0;
  HealingSettings any_size = switched_on();
  any_size.least_entries = 0;
  EXPECT_EQ(judge_healing(any_size, facts).reason, HealingReason::in_order);
}

TEST(HealingPolicy, DoesNothingUnaskedWhereItIsOffOrNothingMayBeWritten) {
  HealingSettings off = switched_on();
  off.on = false;
  EXPECT_EQ(judge_healing(off, grown()).reason, HealingReason::off);
  HealingFacts facts = grown();
  facts.read_only = true;
  EXPECT_EQ(judge_healing(switched_on(), facts).reason, HealingReason::read_only);
  facts.ordered = facts.entries;
  EXPECT_EQ(judge_healing(switched_on(), facts).reason, HealingReason::read_only) << "nor will anything come";
  facts = grown();
  facts.tagged = true;
  EXPECT_EQ(judge_healing(switched_on(), facts).reason, HealingReason::tagged);
  EXPECT_FALSE(judge_healing(switched_on(), facts).again) << "whoever takes the last tag away has it looked at";
  facts = grown();
  facts.needed = 1000;
  facts.allowed = 999;
  const HealingVerdict verdict = judge_healing(switched_on(), facts);
  EXPECT_EQ(verdict.reason, HealingReason::short_of_memory);
  EXPECT_TRUE(verdict.again) << "memory may come";
}

TEST(HealingPolicy, WaitsForAPauseUnlessMostOfTheGraphIsNew) {
  const HealingSettings settings = switched_on();
  HealingFacts facts = grown();
  facts.idle = milliseconds(1'500);
  facts.since_last = settings.rest;
  HealingVerdict verdict = judge_healing(settings, facts);
  EXPECT_EQ(verdict.reason, HealingReason::changing);
  EXPECT_EQ(verdict.again, settings.idle - milliseconds(1'500));
  facts.ordered = 1'000'000;
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::due);
  facts.since_last = settings.rest - milliseconds(20);
  verdict = judge_healing(settings, facts);
  EXPECT_EQ(verdict.reason, HealingReason::changing) << "the graph may just be being filled";
  EXPECT_EQ(verdict.again, milliseconds(20));
  facts.unfinished = 3;
  facts.since_last = 4 * settings.rest - milliseconds(20);
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::rests) << "those who change were in the way";
  facts.since_last = 4 * settings.rest;
  EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::due) << "it is faster now";
}

TEST(HealingPolicy, RestsLongerEachTimeAfterItDidNotComeToItsEnd) {
  const HealingSettings settings = switched_on();
  HealingFacts facts = grown();
  milliseconds before{0};
  for (facts.unfinished = 1; facts.unfinished < 8; ++facts.unfinished) {
    facts.since_last = milliseconds(0);
    const HealingVerdict verdict = judge_healing(settings, facts);
    ASSERT_EQ(verdict.reason, HealingReason::rests);
    EXPECT_EQ(*verdict.again, facts.unfinished == 1 ? settings.rest : 2 * before);
    before = *verdict.again;
    facts.since_last = before;
    EXPECT_EQ(judge_healing(settings, facts).reason, HealingReason::due);
  }
  HealingSettings stubborn = settings;
  stubborn.most_unfinished = 2'000'000;
  facts.unfinished = 1'000'000;
  facts.since_last = milliseconds(0);
  EXPECT_EQ(judge_healing(stubborn, facts).again, before) << "an hour or so at most";
}

TEST(HealingPolicy, IsFasterEachTimeAndGivesUpInTheEnd) {
  const HealingSettings settings = switched_on();
  for (unsigned unfinished = 1; unfinished < settings.most_unfinished; ++unfinished) {
    EXPECT_GE(healing_pace(settings, unfinished), healing_pace(settings, unfinished - 1));
  }
  EXPECT_EQ(healing_pace(settings, 0), settings.bytes_per_second);
  EXPECT_EQ(healing_pace(settings, 2), 4 * settings.bytes_per_second);
  HealingSettings unbounded = settings;
  unbounded.bytes_per_second = 0;
  EXPECT_EQ(healing_pace(unbounded, 3), 0u);
  HealingFacts facts = grown();
  facts.unfinished = settings.most_unfinished;
  facts.since_last = 1'000 * settings.rest;
  const HealingVerdict verdict = judge_healing(settings, facts);
  EXPECT_EQ(verdict.reason, HealingReason::gave_up);
  EXPECT_FALSE(verdict.again);
  EXPECT_NE(describe_healing(settings, facts).find("reorder"), std::string::npos);
}

TEST(HealingPolicy, SaysWhatComesNext) {
  HealingFacts facts = grown();
  EXPECT_NE(describe_healing(switched_on(), facts).find("50%"), std::string::npos);
  HealingSettings off = switched_on();
  off.on = false;
  EXPECT_NE(describe_healing(off, facts).find("reorder"), std::string::npos);
  facts.unfinished = 1;
  EXPECT_NE(describe_healing(switched_on(), facts).find("60 s"), std::string::npos);
}

}  // namespace
}  // namespace rizoma
