// When a graph gets its inner order again: the rule, without a clock.
#include "store/reorder/reordering_policy.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

using std::chrono::milliseconds;

/// Of a graph that is due.
ReorderFacts grown() {
  ReorderFacts facts;
  facts.entries = 4'000'000;
  facts.ordered = 2'000'000;
  facts.idle = milliseconds(60'000);
  return facts;
}

ReorderSettings switched_on() {
  ReorderSettings settings;
  settings.on = true;
  return settings;
}

TEST(ReorderPolicy, BeginsWhenEnoughHasArrivedAndNothingChanges) {
  const ReorderSettings settings = switched_on();
  EXPECT_EQ(judge_reordering(settings, grown()).reason, ReorderReason::due);
  ReorderFacts facts = grown();
  facts.ordered = 3'000'001;
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::in_order);
  EXPECT_FALSE(judge_reordering(settings, facts).again);
  facts.ordered = 3'000'000;
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::due);
  facts.ordered = 5'000'000;  // it has shrunk
  EXPECT_EQ(arrived_entries(facts), 0u);
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::in_order);
}

TEST(ReorderPolicy, LeavesSmallGraphsAndNumbersThatWereAskedFor) {
  ReorderFacts facts = grown();
  facts.given_for_good = true;
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::given_for_good);
  facts = grown();
  facts.entries = (1 << 20) - 1;
  facts.ordered = 0;
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::small);
  EXPECT_FALSE(has_grown(switched_on(), facts));
  facts.entries = 1 << 20;
  EXPECT_TRUE(has_grown(switched_on(), facts)) << "from here on it matters";
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::due);
  facts.entries = 0;
  ReorderSettings any_size = switched_on();
  any_size.least_entries = 0;
  EXPECT_EQ(judge_reordering(any_size, facts).reason, ReorderReason::in_order);
}

TEST(ReorderPolicy, DoesNothingUnaskedWhereItIsOffOrNothingMayBeWritten) {
  ReorderSettings off = switched_on();
  off.on = false;
  EXPECT_EQ(judge_reordering(off, grown()).reason, ReorderReason::off);
  ReorderFacts facts = grown();
  facts.read_only = true;
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::read_only);
  facts.ordered = facts.entries;
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::read_only) << "nor will anything come";
  facts = grown();
  facts.tagged = true;
  EXPECT_EQ(judge_reordering(switched_on(), facts).reason, ReorderReason::tagged);
  EXPECT_FALSE(judge_reordering(switched_on(), facts).again) << "the call that removes the last tag has it looked at";
  facts = grown();
  facts.needed = 1000;
  facts.allowed = 999;
  const ReorderVerdict verdict = judge_reordering(switched_on(), facts);
  EXPECT_EQ(verdict.reason, ReorderReason::short_of_memory);
  EXPECT_TRUE(verdict.again) << "memory may come";
}

TEST(ReorderPolicy, WaitsForAPauseUnlessMostOfTheGraphIsNew) {
  const ReorderSettings settings = switched_on();
  ReorderFacts facts = grown();
  facts.idle = milliseconds(1'500);
  facts.since_last = settings.rest;
  ReorderVerdict verdict = judge_reordering(settings, facts);
  EXPECT_EQ(verdict.reason, ReorderReason::changing);
  EXPECT_EQ(verdict.again, settings.idle - milliseconds(1'500));
  facts.ordered = 1'000'000;
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::due);
  facts.since_last = settings.rest - milliseconds(20);
  verdict = judge_reordering(settings, facts);
  EXPECT_EQ(verdict.reason, ReorderReason::changing) << "the graph may just be being filled";
  EXPECT_EQ(verdict.again, milliseconds(20));
  facts.unfinished = 3;
  facts.since_last = 4 * settings.rest - milliseconds(20);
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::rests) << "those who change were in the way";
  facts.since_last = 4 * settings.rest;
  EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::due) << "it is faster now";
}

TEST(ReorderPolicy, RestsLongerEachTimeAfterItDidNotComeToItsEnd) {
  const ReorderSettings settings = switched_on();
  ReorderFacts facts = grown();
  milliseconds before{0};
  for (facts.unfinished = 1; facts.unfinished < 8; ++facts.unfinished) {
    facts.since_last = milliseconds(0);
    const ReorderVerdict verdict = judge_reordering(settings, facts);
    ASSERT_EQ(verdict.reason, ReorderReason::rests);
    EXPECT_EQ(*verdict.again, facts.unfinished == 1 ? settings.rest : 2 * before);
    before = *verdict.again;
    facts.since_last = before;
    EXPECT_EQ(judge_reordering(settings, facts).reason, ReorderReason::due);
  }
  ReorderSettings stubborn = settings;
  stubborn.most_unfinished = 2'000'000;
  facts.unfinished = 1'000'000;
  facts.since_last = milliseconds(0);
  EXPECT_EQ(judge_reordering(stubborn, facts).again, before) << "an hour or so at most";
}

TEST(ReorderPolicy, IsFasterEachTimeAndGivesUpInTheEnd) {
  const ReorderSettings settings = switched_on();
  for (unsigned unfinished = 1; unfinished < settings.most_unfinished; ++unfinished) {
    EXPECT_GE(reordering_pace(settings, unfinished), reordering_pace(settings, unfinished - 1));
  }
  EXPECT_EQ(reordering_pace(settings, 0), settings.bytes_per_second);
  EXPECT_EQ(reordering_pace(settings, 2), 4 * settings.bytes_per_second);
  ReorderSettings unbounded = settings;
  unbounded.bytes_per_second = 0;
  EXPECT_EQ(reordering_pace(unbounded, 3), 0u);
  ReorderFacts facts = grown();
  facts.unfinished = settings.most_unfinished;
  facts.since_last = 1'000 * settings.rest;
  const ReorderVerdict verdict = judge_reordering(settings, facts);
  EXPECT_EQ(verdict.reason, ReorderReason::gave_up);
  EXPECT_FALSE(verdict.again);
  EXPECT_NE(describe_reordering(settings, facts).find("reorder"), std::string::npos);
}

TEST(ReorderPolicy, ItsMemoryGrowsWithVerticesAndTheirIds) {
  const auto grows_by = [](IdKind ids) { return reordering_memory(ids, 1000) - reordering_memory(ids, 0); };
  EXPECT_EQ(grows_by(IdKind::dense), 64'000U) << "degrees, order, ranks and new numbers, and as much for edges";
  EXPECT_EQ(grows_by(IdKind::integer), 64'000U + 96'000U);
  EXPECT_EQ(grows_by(IdKind::string), 64'000U + 192'000U);
}

TEST(ReorderPolicy, SaysWhatComesNext) {
  ReorderFacts facts = grown();
  EXPECT_NE(describe_reordering(switched_on(), facts).find("50%"), std::string::npos);
  ReorderSettings off = switched_on();
  off.on = false;
  EXPECT_NE(describe_reordering(off, facts).find("reorder"), std::string::npos);
  facts.unfinished = 1;
  EXPECT_NE(describe_reordering(switched_on(), facts).find("60 s"), std::string::npos);
}

}  // namespace
}  // namespace rizoma
