// Ranks that make a load together against a bulk load of all their edges: the same images, dictionary and sums.
#include "store/loading/share_loader.h"

#include "base/random.h"
#include "platform/memory_medium.h"
#include "store/loading/share_file.h"
#include "testing/failing_medium.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

class OneThread final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view, double, double) override { return {}; }
  void parallel(FunctionRef<void(unsigned)> body) override { body(0); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    for (std::uint64_t begin = 0; begin < size; begin += grain) body({begin, std::min(begin + grain, size)}, 0);
    return {};
  }
};

/// Keeps what a load hands over.
class KeepingTarget final : public LoadTarget {
 public:
  Status begin(const LoadShape& given) override {
    shape = given;
    return {};
  }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override {
    std::vector<std::byte> copy(image.begin(), image.end());
    EXPECT_TRUE(images.emplace(std::pair(spec.direction, spec.section), std::move(copy)).second);
    return {};
  }
  Status put_dictionary(std::span<const std::byte> bytes) override {
    dictionary.assign(bytes.begin(), bytes.end());
    return {};
  }
  Status publish(const LoadTotals& given) override {
    totals = given;
    return {};
  }

  LoadShape shape;
  LoadTotals totals;
  std::map<std::pair<Direction, SectionId>, std::vector<std::byte>> images;
  std::vector<std::byte> dictionary;
};

struct Case {
  GraphSchema schema;
  VertexOrder order = VertexOrder::automatic;
  unsigned ranks = 1;
  std::uint64_t limit = 0;
};

/// Batches of edges with many repetitions and loops.
std::vector<EdgeBatch> random_batches(const GraphSchema& schema, std::size_t batches, std::uint64_t seed) {
  Random random(seed);
  std::vector<EdgeBatch> made(batches);
  for (EdgeBatch& batch : made) {
    std::vector<std::int64_t> sources, targets;
    for (std::uint64_t i = random.below(900); i > 0; --i) {
      sources.push_back(static_cast<std::int64_t>(random.below(random.below(700) + 1)));
      targets.push_back(static_cast<std::int64_t>(random.below(8) == 0 ? static_cast<std::uint64_t>(sources.back())
                                                                       : random.below(700)));
      if (schema.weights != WeightType::none) batch.weights.push_back(static_cast<double>(random.below(1000)));
    }
    const auto column = [&](const std::vector<std::int64_t>& ids) -> IdColumn {
      if (schema.ids != IdKind::string) return ids;
      StringColumn texts;
      for (const std::int64_t id : ids) texts.push_back("v" + std::to_string(id * id));
      return texts;
    };
    batch.sources = column(sources);
    batch.targets = column(targets);
  }
  return made;
}

IdColumn alone(IdKind kind) {
  if (kind != IdKind::string) return std::vector<std::int64_t>{705, 701};
  StringColumn texts;
  texts.push_back("nobody's neighbour");
  return texts;
}

void expect_ok(const Status& status) { ASSERT_TRUE(status) << status.error().message; }

KeepingTarget made_by_one(const Case& each, const std::vector<EdgeBatch>& batches) {
  KeepingTarget target;
  OneThread executor;
  LoadSettings settings;
  settings.order = each.order;
  BulkLoader loader(each.schema, settings, target);
  for (const EdgeBatch& batch : batches) expect_ok(loader.add(batch));
  expect_ok(loader.add_vertices(alone(each.schema.ids)));
  expect_ok(loader.finish(executor));
  return target;
}

using Loaders = std::vector<std::unique_ptr<ShareLoader>>;

Loaders loaders_with(const Case& each, const std::vector<EdgeBatch>& batches, Medium& folder) {
  Loaders loaders;
  for (unsigned r = 0; r < each.ranks; ++r) {
    auto loader = ShareLoader::create(each.schema, {&folder, r, each.ranks, each.limit});
    EXPECT_TRUE(loader);
    const std::size_t end = (r + 1) * batches.size() / each.ranks;
    for (std::size_t b = r * batches.size() / each.ranks; b < end; ++b) expect_ok((*loader)->add(batches[b]));
    if (r + 1 == each.ranks) expect_ok((*loader)->add_vertices(alone(each.schema.ids)));
    expect_ok((*loader)->end());
    loaders.push_back(*std::move(loader));
  }
  return loaders;
}

KeepingTarget made_by_ranks(const Case& each, const std::vector<EdgeBatch>& batches) {
  KeepingTarget target;
  OneThread executor;
  const auto folder = make_memory_medium();
  LoadSettings settings;
  settings.order = each.order;
  BulkLoader whole(each.schema, settings, target);
  const Loaders loaders = loaders_with(each, batches, *folder);
  expect_ok(loaders[0]->merge(whole));
  for (const auto& loader : loaders) expect_ok(loader->count());
  expect_ok(loaders[0]->plan(whole, executor));
  for (const auto& loader : loaders) expect_ok(loader->send());
  for (const auto& loader : loaders) expect_ok(loader->build(executor));
  expect_ok(loaders[0]->publish(target));
  const std::vector<std::string> left = *folder->list();
  for (const std::string& name : left) EXPECT_FALSE(name.ends_with(".images")) << name << " is left behind";
  return target;
}

TEST(ShareLoader, RanksMakeWhatOneProcessMakes) {
  Random random(11);
  for (unsigned round = 0; round < 200; ++round) {
    Case each;
    each.schema.directed = random.below(2) == 0;
    each.schema.in_edges = random.below(4) != 0;
    each.schema.ids = static_cast<IdKind>(random.below(3));
    each.schema.weights = static_cast<WeightType>(random.below(4));
    each.schema.parallel_edges = static_cast<ParallelEdges>(random.below(2));
    each.schema.self_loops = static_cast<SelfLoops>(random.below(2));
    each.schema.section_bits = random.below(2) == 0 ? 5 : 0;
    constexpr std::array kOrders = {VertexOrder::automatic, VertexOrder::given, VertexOrder::degree,
                                    VertexOrder::striped};
    each.order = kOrders[random.below(kOrders.size())];
    each.ranks = 1 + static_cast<unsigned>(random.below(6));
    each.limit = random.below(3) == 0 ? 400'000 : 0;
    SCOPED_TRACE("round " + std::to_string(round));
    const auto batches = random_batches(each.schema, random.below(7), round);
    const KeepingTarget one = made_by_one(each, batches), many = made_by_ranks(each, batches);
    EXPECT_EQ(one.shape.num_vertices, many.shape.num_vertices);
    EXPECT_EQ(one.shape.section_bits, many.shape.section_bits);
    EXPECT_EQ(one.shape.order, many.shape.order);
    EXPECT_EQ(one.totals.num_entries, many.totals.num_entries);
    EXPECT_EQ(one.totals.num_self_loops, many.totals.num_self_loops);
    EXPECT_TRUE(one.dictionary == many.dictionary);
    EXPECT_TRUE(one.images == many.images);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ShareLoader, DenseIdsWithGapsAreRefusedBeforeMemoryIsTakenForThem) {
  const auto folder = make_memory_medium();
  KeepingTarget target;
  Case each{.schema = {}, .ranks = 2};
  EdgeBatch far{std::vector<std::int64_t>{1}, std::vector<std::int64_t>{3'000'000'000}, {}};
  BulkLoader whole(each.schema, {}, target);
  const Loaders loaders = loaders_with(each, {far, far}, *folder);
  const Status status = loaders[0]->merge(whole);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("an edge names vertex 3000000000"), std::string::npos);
}

TEST(ShareLoader, AFileThatIsNotAsItWasWrittenIsAnError) {
  const auto folder = make_memory_medium();
  KeepingTarget target;
  const Case each{.schema = {.ids = IdKind::integer}, .ranks = 2};
  BulkLoader whole(each.schema, {}, target);
  const Loaders loaders = loaders_with(each, random_batches(each.schema, 4, 3), *folder);
  auto file = folder->open("1.ids", FileMode::write);
  ASSERT_TRUE(file);
  const std::byte other{0x5a};
  ASSERT_TRUE((*file)->write(100, std::span(&other, 1)));
  const Status status = loaders[0]->merge(whole);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
}

/// The steps of all ranks, one after the other, until one gives an Error.
Status load_by_ranks(const Case& each, const std::vector<EdgeBatch>& batches, Medium& folder, KeepingTarget& target) {
  OneThread executor;
  BulkLoader whole(each.schema, {}, target);
  Loaders loaders;
  for (unsigned r = 0; r < each.ranks; ++r) {
    RIZOMA_ASSIGN(auto loader, ShareLoader::create(each.schema, {&folder, r, each.ranks, each.limit}));
    for (std::size_t b = r; b < batches.size(); b += each.ranks) RIZOMA_TRY(loader->add(batches[b]));
    RIZOMA_TRY(loader->end());
    loaders.push_back(std::move(loader));
  }
  RIZOMA_TRY(loaders[0]->merge(whole));
  for (const auto& loader : loaders) RIZOMA_TRY(loader->count());
  RIZOMA_TRY(loaders[0]->plan(whole, executor));
  for (const auto& loader : loaders) RIZOMA_TRY(loader->send());
  for (const auto& loader : loaders) RIZOMA_TRY(loader->build(executor));
  return loaders[0]->publish(target);
}

/// The entries that a rank publishes.
EdgeCount entries_of(Medium& folder, unsigned rank) {
  LoadTotals own;
  expect_ok(read_share_file(folder, std::to_string(rank) + ".totals", [&](std::span<const std::byte> block) {
    std::memcpy(&own, block.data(), sizeof own);
    return Status();
  }));
  return own.num_entries;
}

/// Each rank makes the sections of about as many entries as the others.
TEST(ShareLoader, RanksShareTheEntries) {
  const Case each{.schema = {.directed = true, .section_bits = 5}, .order = VertexOrder::given, .ranks = 4};
  std::vector<EdgeBatch> batches(each.ranks);
  for (std::int64_t v = 0; v < 1024; ++v) {
    EdgeBatch& batch = batches[static_cast<std::size_t>(v) % batches.size()];
    for (std::int64_t step = 1; step <= 4; ++step) {
      std::get<std::vector<std::int64_t>>(batch.sources).push_back(v);
      std::get<std::vector<std::int64_t>>(batch.targets).push_back((v + step) % 1024);
    }
  }
  const auto folder = make_memory_medium();
  KeepingTarget target;
  ASSERT_NO_FATAL_FAILURE(expect_ok(load_by_ranks(each, batches, *folder, target)));
  EXPECT_EQ(target.totals.num_entries, 4096U);
  for (unsigned r = 0; r < each.ranks; ++r) {
    EXPECT_NEAR(static_cast<double>(entries_of(*folder, r)), 1024.0, 256.0) << "rank " << r;
  }
}

/// One section of three lies on the border of two ranks' parts.
TEST(ShareLoader, ASectionInTheMiddleIsOfTheLaterRank) {
  const Case each{
      .schema = {.directed = true, .in_edges = false, .section_bits = 5}, .order = VertexOrder::given, .ranks = 2};
  std::vector<EdgeBatch> batches(2);
  for (std::int64_t v = 0; v < 96; ++v) {
    EdgeBatch& batch = batches[static_cast<std::size_t>(v) % 2];
    std::get<std::vector<std::int64_t>>(batch.sources).push_back(v);
    std::get<std::vector<std::int64_t>>(batch.targets).push_back((v + 1) % 96);
  }
  const auto folder = make_memory_medium();
  KeepingTarget target;
  ASSERT_NO_FATAL_FAILURE(expect_ok(load_by_ranks(each, batches, *folder, target)));
  EXPECT_EQ(entries_of(*folder, 0), 32U);
  EXPECT_EQ(entries_of(*folder, 1), 64U);
}

/// A list of 2^32 entries or more is refused, not counted anew from 0.
TEST(ShareLoader, MoreEdgesThanAListHasAreRefused) {
  const auto folder = make_memory_medium();
  KeepingTarget target;
  OneThread executor;
  const Case each{.schema = {.directed = true, .in_edges = false}, .order = VertexOrder::given, .ranks = 2};
  BulkLoader whole(each.schema, {}, target);
  const Loaders loaders = loaders_with(each, random_batches(each.schema, 2, 3), *folder);
  ASSERT_TRUE(loaders[0]->merge(whole));
  for (const auto& loader : loaders) ASSERT_TRUE(loader->count());
  std::vector<std::uint32_t> counts(whole.share().vertices, 0);
  for (const std::uint32_t first : {UINT32_MAX, std::uint32_t{1}}) {
    counts[0] = first;
    const std::string name = first == 1 ? "1.outs" : "0.outs";
    ASSERT_TRUE(folder->remove(name));
    ASSERT_TRUE(write_records<std::uint32_t>(*folder, name, counts));
  }
  const Status status = loaders[0]->plan(whole, executor);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::unsupported) << status.error().message;
}

/// An import whose folder fails ends with that error: it never publishes less than it was given.
TEST(ShareLoader, AnyCallOfTheFolderMayFail) {
  const Case cases[] = {
      {.schema = {.directed = true, .weights = WeightType::float64, .ids = IdKind::dense, .in_edges = true},
       .ranks = 2},
      {.schema = {.ids = IdKind::integer}, .ranks = 2},
      {.schema = {.directed = true, .ids = IdKind::string, .in_edges = true}, .ranks = 3}};
  for (const Case& each : cases) {
    const auto batches = random_batches(each.schema, 3, 5);
    KeepingTarget right;
    ASSERT_NO_FATAL_FAILURE(expect_ok(load_by_ranks(each, batches, *make_memory_medium(), right)));
    std::uint64_t failures = 0;
    for (std::uint64_t nth = 1; !HasFailure(); ++nth) {
      SCOPED_TRACE(nth);
      FailingCalls calls;
      const std::shared_ptr<Medium> folder = make_failing_medium(make_memory_medium(), calls);
      KeepingTarget target;
      calls.fail(nth);
      const Status status = load_by_ranks(each, batches, *folder, target);
      if (!calls.failed()) break;
      if (!status) {
        EXPECT_EQ(status.error().code, ErrorCode::io) << status.error().message;
        ++failures;
        continue;
      }
      EXPECT_TRUE(target.images == right.images) << "what was not needed failed";
      EXPECT_TRUE(target.dictionary == right.dictionary);
    }
    EXPECT_GT(failures, 50U);
  }
}

}  // namespace
}  // namespace rizoma
