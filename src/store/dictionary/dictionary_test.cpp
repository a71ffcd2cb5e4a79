// Dictionary against std::map models: growth, checkpoints, reopening, collisions, damage, readers
// beside a writer.
#include "store/dictionary/dictionary.h"

#include "base/random.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/dictionary/dictionary_tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

using Integers = std::vector<std::int64_t>;

Mapping mapping_of(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  return {*owner, owner};
}

StringColumn strings_of(const std::vector<std::string>& texts) {
  StringColumn column;
  for (const std::string& text : texts) column.push_back(text);
  return column;
}

/// The ids of a column as text, for comparison.
std::vector<std::string> texts_of(const IdColumn& column) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < size(column); ++i) {
    const auto* strings = std::get_if<StringColumn>(&column);
    texts.push_back(strings != nullptr ? std::string((*strings)[i]) : std::to_string(std::get<Integers>(column)[i]));
  }
  return texts;
}

/// A dictionary with its durable segments, checkpointed and reopened as a store does.
struct Stored {
  explicit Stored(IdKind id_kind) : kind(id_kind), dictionary(id_kind) {}
  void checkpoint() {
    const auto plan = dictionary.plan();
    if (!plan) return;
    auto bytes = dictionary.encode(*plan);
    ASSERT_TRUE(bytes) << bytes.error().message;
    segments.resize(segments.size() - plan->replaced);
    segments.push_back(mapping_of(std::move(*bytes)));
    auto next = dictionary.with(*plan, segments.back());
    ASSERT_TRUE(next) << next.error().message;
    dictionary.publish(*next);
  }
  void reopen() {
    checkpoint();
    auto opened = Dictionary::open(kind, dictionary.size(), segments, "store");
    ASSERT_TRUE(opened) << opened.error().message;
    dictionary = std::move(*opened);
    ASSERT_TRUE(dictionary.verify());
  }
  IdKind kind;
  Dictionary dictionary;
  std::vector<Mapping> segments;
};

/// Adds random ids in batches with checkpoints and reopenings between, and compares with a map.
template <class Id, class MakeColumn, class Draw>
void run_model(IdKind kind, MakeColumn&& column, Draw&& draw, int batches, std::size_t batch) {
  Stored stored(kind);
  std::map<Id, VertexId> model;
  std::vector<Id> in_order;
  Random random(7);
  for (int b = 0; b < batches; ++b) {
    std::vector<Id> ids;
    for (std::size_t i = 0; i < batch; ++i) ids.push_back(draw(random));
    std::vector<VertexId> expected;
    const VertexId before = model.size();
    for (const Id& id : ids) {
      const auto [place, is_new] = model.emplace(id, model.size());
      if (is_new) in_order.push_back(id);
      expected.push_back(place->second);
    }
    auto numbers = stored.dictionary.find_or_add(column(ids));
    ASSERT_TRUE(numbers) << numbers.error().message;
    ASSERT_EQ(*numbers, expected);
    auto added = stored.dictionary.added_since(before);
    ASSERT_TRUE(added);
    ASSERT_EQ(texts_of(*added),
              texts_of(column(std::vector<Id>(in_order.begin() + std::ptrdiff_t(before), in_order.end()))));
    if (b % 3 == 1) stored.checkpoint();
    if (b % 5 == 4) stored.reopen();
  }
  ASSERT_EQ(stored.dictionary.size(), model.size());
  EXPECT_LE(stored.segments.size(), 8u);  // logarithmic, not one a checkpoint
  const DictionaryView all = stored.dictionary.view(model.size());
  auto ids = all.ids(VertexRange{0, model.size()});
  ASSERT_TRUE(ids);
  EXPECT_EQ(texts_of(*ids), texts_of(column(in_order)));
  // A view sees the numbers below its limit only.
  const DictionaryView half = stored.dictionary.view(model.size() / 2);
  auto found = half.find(column(in_order));
  ASSERT_TRUE(found);
  for (VertexId v = 0; v < model.size(); ++v) ASSERT_EQ((*found)[v], v < model.size() / 2 ? v : kNoVertex);
}

TEST(Dictionary, IntegersAgreeWithAMap) {
  const auto column = [](const Integers& ids) { return ids; };
  run_model<std::int64_t>(
      IdKind::integer, column, [](Random& r) { return static_cast<std::int64_t>(r.below(5000)) - 2500; }, 40, 500);
  run_model<std::int64_t>(
      IdKind::integer, column, [](Random& r) { return static_cast<std::int64_t>(r.next()); }, 20, 3000);
}

TEST(Dictionary, StringsAgreeWithAMap) {
  const auto draw = [](Random& r) {
    switch (r.below(7)) {
      case 0: return std::string();
      case 1: return std::string("a\0b", 3) + std::to_string(r.below(50));
      case 2: return std::string(r.below(3) == 0 ? 200000 : 100, 'x') + std::to_string(r.below(3));
      case 3: return std::string("\xc3\xbc\xe2\x82\xac") + std::to_string(r.below(500));
      case 4: return std::string(r.below(5) + 10, 'y') + std::to_string(r.below(3));  // within a slot, or beyond it
      default: return std::to_string(r.below(4000));
    }
  };
  run_model<std::string>(IdKind::string, strings_of, draw, 30, 300);
}

std::uint64_t unmix64(std::uint64_t x) {
  // The inverse of mix64's steps, last first.
  const auto unshift = [](std::uint64_t y, unsigned s) {
    std::uint64_t value = y;
    for (unsigned done = s; done < 64; done += s) value = y ^ (value >> s);
    return value;
  };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t result = odd;
    for (int i = 0; i < 6; ++i) result *= 2 - odd * result;
    return result;
  };
  x = unshift(x, 31) * inverse(0x94D049BB133111EBull);
  x = unshift(x, 27) * inverse(0xBF58476D1CE4E5B9ull);
  return unshift(x, 30) - 0x9E3779B97F4A7C15ull;
}

TEST(Dictionary, IdsOfOneSlotAndFingerprint) {
  // mix64 is a bijection: ids are made to order whose hashes agree in the upper 24 and the lower 24 bits.
  Integers ids;
  for (std::uint64_t i = 0; i < 3000; ++i)
    ids.push_back(static_cast<std::int64_t>(unmix64((0xABCDEFull << 40) | (i << 24) | 0x123456)));
  ASSERT_EQ(mix64(static_cast<std::uint64_t>(ids[5])) & 0xFFFFFF, 0x123456u);
  Stored stored(IdKind::integer);
  ASSERT_TRUE(stored.dictionary.find_or_add(Integers(ids.begin(), ids.begin() + 2000)));
  for (int pass = 0; pass < 2; ++pass) {
    auto found = stored.dictionary.view(2000).find(IdColumn(ids));
    ASSERT_TRUE(found);
    for (VertexId v = 0; v < ids.size(); ++v) ASSERT_EQ((*found)[v], v < 2000 ? v : kNoVertex);
    stored.reopen();
  }
}

/// A checkpoint merges a segment that is at most twice what comes after it.
TEST(Dictionary, AGreatSegmentStaysAsItIs) {
  for (const std::int64_t first : {3, 4, 5, 8}) {
    Stored stored(IdKind::integer);
    Integers ids;
    for (std::int64_t id = 0; id < first; ++id) ids.push_back(100 + id);
    ASSERT_TRUE(stored.dictionary.find_or_add(ids));
    stored.checkpoint();
    ASSERT_TRUE(stored.dictionary.find_or_add(Integers{7, 8}));
    const auto plan = stored.dictionary.plan();
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->replaced, first <= 4 ? 1U : 0U) << first;
  }
}

TEST(Dictionary, RollbackForgetsTheLatestOnly) {
  Stored stored(IdKind::integer);
  Integers ids(5000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i * i);
  ASSERT_TRUE(stored.dictionary.find_or_add(Integers(ids.begin(), ids.begin() + 100)));
  stored.checkpoint();
  ASSERT_TRUE(stored.dictionary.find_or_add(ids));
  for (const VertexId size : {4999u, 2000u, 101u, 100u}) {
    stored.dictionary.rollback(size);
    auto found = stored.dictionary.view(size).find(IdColumn(ids));
    ASSERT_TRUE(found);
    for (VertexId v = 0; v < ids.size(); ++v) ASSERT_EQ((*found)[v], v < size ? v : kNoVertex);
  }
  auto again = stored.dictionary.find_or_add(Integers{-1, ids[4000], ids[50]});
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, (std::vector<VertexId>{100, 101, 50}));
}

TEST(Dictionary, ViewsOfOneDictionaryContinueEachOther) {
  Stored stored(IdKind::integer);
  ASSERT_TRUE(stored.dictionary.find_or_add(Integers{5, 7, 9}));
  const DictionaryView early = stored.dictionary.view(3);
  EXPECT_TRUE(early.continues(early));
  ASSERT_TRUE(stored.dictionary.find_or_add(Integers{11}));
  stored.checkpoint();
  const DictionaryView late = stored.dictionary.view(4);
  EXPECT_TRUE(late.continues(early));
  EXPECT_FALSE(early.continues(late));  // it lacks a vertex
  stored.reopen();
  EXPECT_FALSE(stored.dictionary.view(4).continues(early));  // another one: nothing is known
}

TEST(Dictionary, AppendRestoresALogAndRefusesKnownIds) {
  Dictionary dictionary(IdKind::string);
  ASSERT_TRUE(dictionary.append(strings_of({"a", "", "c"})));
  EXPECT_EQ(dictionary.size(), 3u);
  const Status status = dictionary.append(strings_of({"d", "a"}));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
  EXPECT_EQ(dictionary.size(), 3u);
  EXPECT_EQ(*dictionary.view(3).find(std::string_view("")), 1u);
}

TEST(Dictionary, DenseIdsAreTheirOwnNumbers) {
  Dictionary dictionary(IdKind::dense);
  EXPECT_TRUE(dictionary.view(0).is_identity());
  auto numbers = dictionary.find_or_add(Integers{5, 2, 5});
  ASSERT_TRUE(numbers);
  EXPECT_EQ(*numbers, (std::vector<VertexId>{5, 2, 5}));
  EXPECT_EQ(dictionary.size(), 6u);
  EXPECT_FALSE(dictionary.plan());
  const DictionaryView view = dictionary.view(6);
  EXPECT_EQ(*view.find(std::int64_t{4}), 4u);
  EXPECT_EQ(view.find(std::int64_t{6}).error().code, ErrorCode::not_found);
  EXPECT_EQ(view.find(std::int64_t{-1}).error().code, ErrorCode::not_found);
  EXPECT_EQ(view.find(std::string_view("4")).error().code, ErrorCode::invalid_argument);
  for (const std::int64_t bad : {std::int64_t{-3}, kMaxDenseId, INT64_MAX, INT64_MIN}) {
    const auto refused = dictionary.find_or_add(Integers{0, bad});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(refused.error().message.find(std::to_string(bad)), std::string::npos);
    EXPECT_NE(refused.error().message.find(bad < 0 ? " is negative" : " is too large"), std::string::npos);
    EXPECT_NE(refused.error().message.find("ids=\"integer\""), std::string::npos);
    EXPECT_EQ(dictionary.size(), 6u);
  }
  dictionary.grow(10);
  EXPECT_EQ(dictionary.size(), 10u);
  EXPECT_EQ(dictionary.view(10).ids(VertexRange{3, 11}).error().code, ErrorCode::invalid_argument);
}

TEST(Dictionary, NoIdsAreOfTheKindOfTheOthers) {
  for (const IdKind kind : {IdKind::dense, IdKind::integer, IdKind::string}) {
    const auto none = Dictionary(kind).view(0).ids(VertexRange{0, 0});
    ASSERT_TRUE(none);
    EXPECT_EQ(size(*none), 0U);
    EXPECT_EQ(std::holds_alternative<StringColumn>(*none), kind == IdKind::string);
  }
}

template <class Number>
void check_permutation(std::size_t count) {
  std::vector<Number> external(count);
  for (std::size_t i = 0; i < count; ++i) external[i] = static_cast<Number>(i);
  Random random(3);
  for (std::size_t i = count; i > 1; --i) std::swap(external[i - 1], external[random.below(i)]);
  auto opened = Dictionary::open(IdKind::dense, count + 5,
                                 {mapping_of(encode_permutation(std::span<const Number>(external)))}, "store");
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_TRUE(opened->find_or_add(Integers{static_cast<std::int64_t>(count + 7)}));
  const DictionaryView view = opened->view(count + 8);
  EXPECT_FALSE(view.is_identity());
  EXPECT_EQ(view.stored(), count) << "later ones are their own numbers";
  EXPECT_EQ(opened->view(count / 2).stored(), count / 2);
  auto ids = view.ids(VertexRange{0, count + 8});
  ASSERT_TRUE(ids);
  for (std::size_t i = 0; i < count + 8; ++i) {
    const auto id = std::get<Integers>(*ids)[i];
    ASSERT_EQ(id, static_cast<std::int64_t>(i < count ? external[i] : i));
    ASSERT_EQ(*view.find(id), i);
  }
}

TEST(Dictionary, PermutedDenseIds) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{50000}}) {
    check_permutation<std::uint32_t>(count);
    check_permutation<std::uint64_t>(count);
  }
}

TEST(Dictionary, DamageIsFoundWhereverItIs) {
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back("vertex number " + std::to_string(i));
  std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<std::byte> whole = encode_strings(0, views);
  Random random(11);
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<std::byte> damaged = whole;
    const std::size_t at = trial < 128 ? std::size_t(trial) : random.below(whole.size());
    damaged[at] ^= std::byte{static_cast<unsigned char>(1 + random.below(255))};
    auto opened = Dictionary::open(IdKind::string, 3000, {mapping_of(damaged)}, "store");
    if (!opened) continue;
    const Status verified = opened->verify();
    ASSERT_FALSE(verified) << "byte " << at;
    EXPECT_EQ(verified.error().code, ErrorCode::corrupt);
    // Look-ups give the right answer or an error, never a wrong one.
    const DictionaryView view = opened->view(3000);
    for (VertexId v = 0; v < 3000; v += 97) {
      const auto found = view.find(std::string_view(texts[v]));
      ASSERT_TRUE(found ? *found == v : found.error().code == ErrorCode::corrupt);
    }
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{128}, whole.size() - 1}) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(Dictionary::open(IdKind::string, 3000, {mapping_of(cut)}, "store"));
  }
  EXPECT_FALSE(Dictionary::open(IdKind::integer, 3000, {mapping_of(whole)}, "store"));
  EXPECT_FALSE(Dictionary::open(IdKind::string, 2999, {mapping_of(whole)}, "store"));
}

/// Of long texts, whose blocks the numbers of their places do not share.
TEST(Dictionary, ATextOfADamagedBlockIsNotGiven) {
  std::vector<std::string> texts;
  for (std::size_t v = 0; v < 1000; ++v) texts.push_back(std::to_string(v) + std::string(300, '.'));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<std::byte> whole = encode_strings(0, views);
  Random random(5);
  std::size_t refused = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<std::byte> damaged = whole;
    damaged[whole.size() / 4 + random.below(whole.size() / 2)] ^= std::byte{1};
    const auto opened = *Dictionary::open(IdKind::string, texts.size(), {mapping_of(damaged)}, "store");
    const DictionaryView view = opened.view(texts.size());
    for (VertexId v = 0; v < texts.size(); v += 7) {
      const auto ids = view.ids(VertexRange{v, v + 1});
      refused += ids ? 0 : 1;
      if (ids) ASSERT_EQ(std::get<StringColumn>(*ids)[0], texts[v]);
      else ASSERT_EQ(ids.error().code, ErrorCode::corrupt);
    }
  }
  EXPECT_GT(refused, 20U) << "all texts of a block";
}

TEST(Dictionary, BytesADiskVertex) {
  Integers ids(100000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(mix64(i));
  EXPECT_LE(encode_integers(0, ids).size(), ids.size() * 20 + 4096);
  std::vector<std::uint32_t> identity(100000);
  for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<std::uint32_t>(i);
  EXPECT_LE(encode_permutation(std::span<const std::uint32_t>(identity)).size(), identity.size() * 8 + 4096);
}

TEST(Dictionary, ReadersBesideAWriterSeeTheirLimit) {
  Dictionary dictionary(IdKind::integer);
  constexpr std::size_t kIds = 40000;
  const auto id_of = [](std::size_t i) { return static_cast<std::int64_t>(mix64(i)); };
  std::atomic<VertexId> published{0};
  std::atomic<bool> wrong{false};
  std::thread reader([&] {
    Random random(5);
    while (published.load() < kIds) {
      const VertexId limit = published.load();
      const DictionaryView view = dictionary.view(limit);
      for (int i = 0; i < 100; ++i) {
        const std::size_t v = random.below(kIds);
        const auto found = view.find(id_of(v));
        if (found.ok() != (v < limit) || (found && *found != v)) wrong = true;
      }
    }
  });
  for (std::size_t i = 0; i < kIds; i += 100) {
    Integers batch;
    for (std::size_t j = i; j < i + 100; ++j) batch.push_back(id_of(j));
    ASSERT_TRUE(dictionary.find_or_add(batch));
    if (i % 5000 == 1000) {
      const auto plan = dictionary.plan();
      auto bytes = dictionary.encode(*plan);
      ASSERT_TRUE(bytes);
      auto next = dictionary.with(*plan, mapping_of(std::move(*bytes)));
      ASSERT_TRUE(next);
      dictionary.publish(*next);
    }
    published = i + 100;
  }
  reader.join();
  EXPECT_FALSE(wrong);
}

/// Whoever looks again at a segment that was whole sees what has happened to it since, and to which part of it.
TEST(DictionarySegments, AreVerifiedAnewEachTime) {
  Dictionary dictionary(IdKind::integer);
  ASSERT_TRUE(dictionary.find_or_add(Integers{70, 50, 60}));
  auto bytes = std::make_shared<std::vector<std::byte>>(*dictionary.encode(*dictionary.plan()));
  const auto segment = *DictionarySegment::open({*bytes, bytes}, "store");
  ASSERT_TRUE(segment->verify());
  bytes->back() ^= std::byte{1};
  const Status sums = segment->verify();
  ASSERT_FALSE(sums);
  EXPECT_NE(sums.error().message.find("damaged list of checksums"), std::string::npos) << sums.error().message;
  bytes->back() ^= std::byte{1};
  EXPECT_TRUE(segment->verify());
}

}  // namespace
}  // namespace rizoma
