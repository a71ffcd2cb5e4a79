// Bulk load against a naive oracle (a sorted multimap of entries by external id), for every schema.
#include "store/loading/bulk_load.h"

#include "base/random.h"
#include "platform/memory_medium.h"
#include "store/sections/image.h"
#include "testing/failing_medium.h"
#include "platform/pool_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace rizoma {
namespace {

using Key = std::string;  // external id as text, whatever its kind

/// Keeps what a load hands over; fails at the given put if asked to.
class MemoryTarget : public LoadTarget {
 public:
  explicit MemoryTarget(int puts_before_failure = -1) : left_(puts_before_failure) {}
  Status begin(const LoadShape& given) override {
    shape = given;
    return {};
  }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return Error{ErrorCode::out_of_space, "the device is full"};
    if (left_ > 0) --left_;
    auto verified = verify_image(image, shape.section_bits, "image");
    EXPECT_TRUE(verified) << verified.error().message;
    EXPECT_TRUE(
        images.emplace(std::pair(spec.direction, spec.section), std::vector<std::byte>(image.begin(), image.end()))
            .second);
    return {};
  }
  Status put_dictionary(std::span<const std::byte> bytes) override {
    dictionary.assign(bytes.begin(), bytes.end());
    return {};
  }
  Status publish(const LoadTotals& given) override {
    totals = given;
    published = true;
    return {};
  }
  [[nodiscard]] DictionaryView ids(IdKind kind) const {
    std::vector<Mapping> segments;
    if (!dictionary.empty()) segments.push_back({dictionary, nullptr});
    auto opened = Dictionary::open(kind, shape.num_vertices, segments, "dictionary");
    EXPECT_TRUE(opened) << opened.error().message;
    EXPECT_TRUE(opened->verify());
    return opened->view(shape.num_vertices);
  }

  LoadShape shape;
  LoadTotals totals;
  std::map<std::pair<Direction, SectionId>, std::vector<std::byte>> images;
  std::vector<std::byte> dictionary;
  bool published = false;

 private:
  std::mutex mutex_;
  int left_;
};

struct Case {
  bool directed = false;
  WeightType weights = WeightType::none;
  ParallelEdges parallel = ParallelEdges::merge;
  SelfLoops loops = SelfLoops::keep;
  IdKind ids = IdKind::dense;
  VertexOrder order = VertexOrder::given;
  std::uint64_t limit = 0;
  unsigned section_bits = 0;
  unsigned threads = 1;
  unsigned target_bytes = 4;
  bool in_edges = true;

  [[nodiscard]] GraphSchema schema() const { return {directed, weights, ids, in_edges, parallel, loops, section_bits}; }
  [[nodiscard]] std::string name() const {
    return "directed " + std::to_string(directed) + " weights " + std::to_string(int(weights)) + " parallel " +
           std::to_string(int(parallel)) + " loops " + std::to_string(int(loops)) + " ids " + std::to_string(int(ids)) +
           " order " + std::to_string(int(order)) + " limit " + std::to_string(limit) + " bits " +
           std::to_string(section_bits) + " threads " + std::to_string(threads) + " width " +
           std::to_string(target_bytes);
  }
};

struct Input {
  std::vector<std::int64_t> sources, targets;
  std::vector<double> weights;
  std::int64_t extra_vertex = 0;
};

/// Skewed random edges with many repetitions and loops.
Input random_input(std::size_t edges, std::uint64_t vertices, std::uint64_t seed) {
  Random random(seed);
  Input input;
  for (std::size_t i = 0; i < edges; ++i) {
    input.sources.push_back(static_cast<std::int64_t>(random.below(random.below(vertices) + 1)));
    input.targets.push_back(static_cast<std::int64_t>(
        random.below(8) == 0 ? static_cast<std::uint64_t>(input.sources.back()) : random.below(vertices)));
    input.weights.push_back(static_cast<double>(random.below(1000)) - 500);
  }
  input.extra_vertex = static_cast<std::int64_t>(vertices) + 3;
  return input;
}

/// The external id of vertex number v of the input.
std::int64_t integer_id(std::int64_t v) { return static_cast<std::int64_t>(mix64(static_cast<std::uint64_t>(v))); }
std::string string_id(std::int64_t v) {
  return v == 0 ? std::string()
                : std::string("v\0\xc3\xa9", 4) + std::to_string(v * v) +
                      std::string(static_cast<std::size_t>(v % 40), 'x');
}
Key key_of(IdKind kind, std::int64_t v) {
  return kind == IdKind::dense     ? std::to_string(v)
         : kind == IdKind::integer ? std::to_string(integer_id(v))
                                   : string_id(v);
}
IdColumn column_of(IdKind kind, std::span<const std::int64_t> vertices) {
  if (kind == IdKind::string) {
    StringColumn column;
    for (const std::int64_t v : vertices) column.push_back(string_id(v));
    return column;
  }
  std::vector<std::int64_t> column(vertices.begin(), vertices.end());
  if (kind == IdKind::integer) std::transform(column.begin(), column.end(), column.begin(), integer_id);
  return column;
}

/// Lists by external id, as (target, weight) sorted; the policies done in the plainest way.
using Lists = std::map<Key, std::vector<std::pair<Key, double>>>;
Lists expected_lists(const Case& c, const Input& input, Direction direction) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> entries;
  for (std::size_t i = 0; i < input.sources.size(); ++i) {
    auto [u, v] = std::pair(input.sources[i], input.targets[i]);
    if (u == v && c.loops == SelfLoops::drop) continue;
    if (direction == Direction::in) std::swap(u, v);
    const double weight = c.weights == WeightType::none ? 0 : input.weights[i];
    entries[{u, v}].push_back(weight);
    if (!c.directed && u != v) entries[{v, u}].push_back(weight);
  }
  Lists lists;
  for (auto& [ends, weights] : entries) {
    if (c.parallel == ParallelEdges::merge) weights = {weights.back()};
    for (const double weight : weights)
      lists[key_of(c.ids, ends.first)].emplace_back(key_of(c.ids, ends.second), weight);
  }
  for (auto& [key, list] : lists) std::sort(list.begin(), list.end());
  return lists;
}

std::vector<Key> keys_of(const DictionaryView& view) {
  auto ids = view.ids(VertexRange{0, view.size()});
  EXPECT_TRUE(ids) << ids.error().message;
  std::vector<Key> keys;
  if (const auto* strings = std::get_if<StringColumn>(&*ids)) {
    for (std::size_t i = 0; i < strings->size(); ++i) keys.emplace_back((*strings)[i]);
  } else {
    for (const std::int64_t id : std::get<std::vector<std::int64_t>>(*ids)) keys.push_back(std::to_string(id));
  }
  return keys;
}

template <class Target>
void read_section(const ImageSpec& spec, std::span<const std::byte> image, unsigned bits, const std::vector<Key>& keys,
                  Lists& lists) {
  const auto edges = view_image<Target>(spec, image);
  for (std::uint32_t i = 0; i < spec.num_vertices; ++i) {
    for (std::uint32_t e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
      double weight = 0;
      if (spec.weights == WeightType::int32) weight = static_cast<const std::int32_t*>(edges.weights)[e];
      if (spec.weights == WeightType::float32) weight = static_cast<const float*>(edges.weights)[e];
      if (spec.weights == WeightType::float64) weight = static_cast<const double*>(edges.weights)[e];
      lists[keys.at((spec.section << bits) + i)].emplace_back(keys.at(edges.targets[e]), weight);
    }
  }
}

Lists loaded_lists(const MemoryTarget& target, Direction direction, const std::vector<Key>& keys) {
  Lists lists;
  for (const auto& [name, image] : target.images) {
    if (name.first != direction) continue;
    const auto spec = verify_image(image, target.shape.section_bits, "image");
    EXPECT_TRUE(spec);
    EXPECT_EQ(spec->target_bytes, target.shape.target_bytes);
    spec->target_bytes == 4 ? read_section<std::uint32_t>(*spec, image, target.shape.section_bits, keys, lists)
                            : read_section<std::uint64_t>(*spec, image, target.shape.section_bits, keys, lists);
  }
  for (auto& [key, list] : lists) std::sort(list.begin(), list.end());
  return lists;
}

LoadSettings settings_of(const Case& c, Medium& medium) {
  return {.order = c.order, .memory_limit = c.limit, .spill = &medium, .min_target_bytes = c.target_bytes};
}

Status load(const Case& c, const Input& input, BulkLoader& loader, Executor& executor, std::size_t batch) {
  for (std::size_t begin = 0; begin < input.sources.size(); begin += batch) {
    const std::size_t size = std::min(batch, input.sources.size() - begin);
    EdgeBatch edges{column_of(c.ids, std::span(input.sources).subspan(begin, size)),
                    column_of(c.ids, std::span(input.targets).subspan(begin, size)),
                    {}};
    if (c.weights != WeightType::none)
      edges.weights.assign(input.weights.begin() + std::ptrdiff_t(begin),
                           input.weights.begin() + std::ptrdiff_t(begin + size));
    RIZOMA_TRY(loader.add(edges));
  }
  RIZOMA_TRY(loader.add_vertices(column_of(c.ids, std::vector{input.extra_vertex})));
  return loader.finish(executor);
}

void check_degree_order(const MemoryTarget& target, const Lists& out, const Lists& in, bool directed,
                        const std::vector<Key>& keys) {
  const auto degree = [&](const Key& key) {
    const auto o = out.find(key);
    const auto i = in.find(key);
    return (o == out.end() ? 0 : o->second.size()) + (directed && i != in.end() ? i->second.size() : 0);
  };
  ASSERT_EQ(target.shape.order, VertexOrder::degree);
  for (std::size_t v = 1; v < keys.size(); ++v) ASSERT_GE(degree(keys[v - 1]), degree(keys[v]));
}

void run_case(const Case& c, const Input& input, std::size_t batch) {
  SCOPED_TRACE(c.name());
  auto medium = make_memory_medium();
  PoolExecutor executor(c.threads);
  MemoryTarget target;
  {
    BulkLoader loader(c.schema(), settings_of(c, *medium), target);
    const Status status = load(c, input, loader, executor, batch);
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(loader.spilled_bytes() > 0, c.limit > 0) << "the limit is there to make it spill";
  }
  ASSERT_TRUE(target.published);
  EXPECT_TRUE(medium->list()->empty());  // no spill files stay
  const std::vector<Key> keys = keys_of(target.ids(target.shape.ids));
  EXPECT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), keys.size());
  std::set<Key> named{key_of(c.ids, input.extra_vertex)};
  for (const auto* ends : {&input.sources, &input.targets}) {
    for (const auto v : *ends) named.insert(key_of(c.ids, v));
  }
  EXPECT_EQ(std::set<Key>(keys.begin(), keys.end()), named) << "no vertex that nothing names";
  const Lists out = loaded_lists(target, Direction::out, keys);
  EXPECT_EQ(out, expected_lists(c, input, Direction::out));
  const Lists in = loaded_lists(target, Direction::in, keys);
  EXPECT_EQ(in, c.directed && c.in_edges ? expected_lists(c, input, Direction::in) : Lists{});
  EdgeCount entries = 0, loops = 0;
  for (const auto& [key, list] : out) {
    entries += list.size();
    for (const auto& [neighbour, weight] : list) loops += neighbour == key;
  }
  EXPECT_EQ(target.totals.num_entries, entries);
  EXPECT_EQ(target.totals.num_self_loops, loops);
  if (c.order == VertexOrder::degree && c.parallel == ParallelEdges::keep && c.in_edges)
    check_degree_order(target, out, in, c.directed, keys);
}

TEST(BulkLoad, EverySchemaAgreesWithTheOracle) {
  const Input input = random_input(3000, 400, 1);
  unsigned turn = 0;
  for (const bool directed : {false, true})
    for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64})
      for (const ParallelEdges parallel : {ParallelEdges::merge, ParallelEdges::keep})
        for (const SelfLoops loops : {SelfLoops::keep, SelfLoops::drop})
          for (const IdKind ids : {IdKind::dense, IdKind::integer, IdKind::string})
            for (const VertexOrder order : {VertexOrder::given, VertexOrder::degree, VertexOrder::locality})
              for (const unsigned target_bytes : {4u, 8u}) {
                Case c{directed, weights, parallel, loops, ids, order, 0, 2 + turn % 8, 1 + turn % 3, target_bytes};
                c.in_edges = turn % 5 != 0;
                ++turn;
                run_case(c, input, 700);
              }
}

TEST(BulkLoad, AutomaticPutsScatteredNeighboursNearForEveryThreadCount) {
  constexpr std::int64_t kSide = 80;
  const auto number = [](std::int64_t v) { return v * 2741 % (kSide * kSide); };
  Input grid;
  for (std::int64_t v = 0; v < kSide * kSide; ++v) {
    for (const std::int64_t next : {(v + 1) % kSide == 0 ? v : v + 1, v + kSide}) {
      if (next == v || next >= kSide * kSide) continue;
      grid.sources.push_back(number(v));
      grid.targets.push_back(number(next));
      grid.weights.push_back(1);
    }
  }
  grid.extra_vertex = kSide * kSide - 1;
  for (const bool directed : {false, true}) {
    std::vector<std::byte> first;
    for (const unsigned threads : {1u, 2u, 3u}) {
      auto medium = make_memory_medium();
      PoolExecutor executor(threads);
      MemoryTarget target;
      const Case c{.directed = directed, .order = VertexOrder::automatic, .threads = threads};
      LoadSettings settings = settings_of(c, *medium);
      settings.may_search = true;
      BulkLoader loader(c.schema(), settings, target);
      ASSERT_TRUE(load(c, grid, loader, executor, 1000));
      EXPECT_EQ(target.shape.order, VertexOrder::locality);
      EXPECT_GT(target.shape.order_reason.hubs, 0);
      if (first.empty()) first = target.dictionary;
      EXPECT_EQ(target.dictionary, first);
    }
  }
}

TEST(BulkLoad, NearNeedsAllEdgesInMemory) {
  const Input input = random_input(60000, 3000, 2);
  auto medium = make_memory_medium();
  PoolExecutor executor(1);
  MemoryTarget target;
  const Case c{.order = VertexOrder::locality, .limit = 1 << 19};
  BulkLoader loader(c.schema(), settings_of(c, *medium), target);
  const Status status = load(c, input, loader, executor, 9973);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::out_of_memory);
  EXPECT_NE(status.error().message.find("memory limit"), std::string::npos);
}

TEST(BulkLoad, TinyMemoryLimitSpillsInManyParts) {
  const Input input = random_input(60000, 3000, 2);
  unsigned turn = 0;
  for (const bool directed : {false, true})
    for (const WeightType weights : {WeightType::none, WeightType::float64})
      for (const IdKind ids : {IdKind::dense, IdKind::string})
        for (const unsigned bits : {0u, 4u}) {
          Case c{directed, weights, ParallelEdges::merge, SelfLoops::keep,        ids, VertexOrder::degree,
                 1 << 19,  bits,    1 + turn % 4,         turn % 2 == 0 ? 4u : 8u};
          ++turn;
          run_case(c, input, 9973);
        }
}

/// Bytes that were written to spill files and not given back.
struct Held {
  std::atomic<std::uint64_t> now{0};
  std::atomic<std::uint64_t> most{0};
};

/// A file in memory that tells `held` what it takes.
class HeldFile final : public MediumFile, public MemoryFile {
 public:
  explicit HeldFile(Held& held) : held_(held) {}
  [[nodiscard]] std::unique_ptr<MediumFile> open(std::string /*where*/, bool /*writable*/) override {
    return std::make_unique<HeldFile>(held_);
  }
  [[nodiscard]] Result<std::uint64_t> size() const override {
    const std::lock_guard lock(mutex_);
    return bytes_.size();
  }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::lock_guard lock(mutex_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
  }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    bytes_.resize(std::max<std::size_t>(bytes_.size(), offset + bytes.size()));
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    held_.now += bytes.size();
    held_.most = std::max(held_.most.load(), held_.now.load());
    return {};
  }
  Status sync() override { return {}; }
  Status resize(std::uint64_t size) override {
    const std::lock_guard lock(mutex_);
    bytes_.resize(size);
    return {};
  }
  Status discard(std::uint64_t offset, std::uint64_t size) override {
    const std::lock_guard lock(mutex_);
    EXPECT_LE(offset + size, bytes_.size());
    held_.now -= size;
    return {};
  }
  [[nodiscard]] Result<Mapping> map(std::uint64_t, std::uint64_t) const override { return Mapping{}; }

 private:
  Held& held_;
  mutable std::mutex mutex_;
  std::vector<std::byte> bytes_;
};

TEST(BulkLoad, GivesBackWhatItHasSpilledAsItIsRead) {
  const Input input = random_input(60'000, 3000, 2);
  for (const bool directed : {false, true}) {
    const Case c{directed,
                 WeightType::none,
                 ParallelEdges::keep,
                 SelfLoops::keep,
                 IdKind::dense,
                 VertexOrder::degree,
                 1 << 18,
                 0,
                 2,
                 4};
    Held held;
    const auto medium = make_memory_medium(512, [&held](const std::string&) -> Result<std::shared_ptr<MemoryFile>> {
      return std::shared_ptr<MemoryFile>(std::make_shared<HeldFile>(held));
    });
    PoolExecutor executor(c.threads);
    MemoryTarget target;
    BulkLoader loader(c.schema(), settings_of(c, *medium), target);
    const Status status = load(c, input, loader, executor, 9973);
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(held.now.load(), 0U);
    const std::uint64_t edges = input.sources.size() * 8;
    EXPECT_GE(held.most.load(), edges);
    EXPECT_LE(held.most.load(), edges + (std::uint64_t{1} << 16)) << "what has gone to cells is given back";
  }
}

TEST(BulkLoad, EverySectionSizeAndThreadCount) {
  const Input input = random_input(20000, 5000, 3);
  for (unsigned bits = 2; bits <= 16; ++bits) {
    run_case(
        {.weights = WeightType::int32, .order = VertexOrder::degree, .section_bits = bits, .threads = 1 + bits % 4},
        input, 20000);
  }
}

TEST(BulkLoad, ManyPiecesInOneSection) {
  // More entries than a piece holds, in one section, with parallel edges merged across all of it.
  const Input input = random_input(300000, 2000, 4);
  run_case({.directed = true, .weights = WeightType::int32, .section_bits = 12, .threads = 4}, input, 100000);
  run_case({.order = VertexOrder::degree, .section_bits = 12, .threads = 2}, input, 100000);
}

/// Stops a load as it says that it writes, and has not written all.
class StoppedAsItWrites final : public Executor {
 public:
  [[nodiscard]] unsigned threads() const noexcept override { return 1; }
  [[nodiscard]] bool stopping() const noexcept override { return false; }
  Status report(std::string_view phase, double done, double total) override {
    EXPECT_LE(done, total);
    return phase == "write" && done < total ? Error{ErrorCode::cancelled, "stopped"} : Status();
  }
  void parallel(FunctionRef<void(unsigned thread)> body) override { serial_.parallel(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain,
                    FunctionRef<void(VertexRange block, unsigned thread)> body) override {
    return serial_.for_blocks(size, grain, body);
  }

 private:
  SerialExecutor serial_;
};

TEST(BulkLoad, SaysThatItWritesAndCanBeStoppedThere) {
  const Input input = random_input(20'000, 2'000, 5);
  const Case c{.directed = true};
  const auto medium = make_memory_medium();
  StoppedAsItWrites executor;
  MemoryTarget target;
  BulkLoader loader(c.schema(), settings_of(c, *medium), target);
  const Status status = load(c, input, loader, executor, 4'096);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(target.published);
}

TEST(BulkLoad, EmptyGraphAndVerticesOnly) {
  for (const IdKind ids : {IdKind::dense, IdKind::integer, IdKind::string}) {
    MemoryTarget target;
    SerialExecutor executor;
    BulkLoader loader({.ids = ids}, {}, target);
    ASSERT_TRUE(loader.finish(executor));
    EXPECT_TRUE(target.published);
    EXPECT_EQ(target.shape.num_vertices, 0u);
    Case c{.ids = ids};
    Input input;
    input.extra_vertex = 7;
    run_case(c, input, 1);
  }
}

Error error_of_add(const GraphSchema& schema, const EdgeBatch& edges) {
  MemoryTarget target;
  BulkLoader loader(schema, {}, target);
  const Status status = loader.add(edges);
  EXPECT_FALSE(status);
  return status ? Error{} : status.error();
}

TEST(BulkLoad, RefusesWhatDoesNotFitTheSchema) {
  using Ids = std::vector<std::int64_t>;
  StringColumn texts;
  texts.push_back("a");
  EXPECT_EQ(error_of_add({}, {texts, texts, {}}).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_add({.ids = IdKind::string}, {Ids{1}, Ids{2}, {}}).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_add({}, {Ids{1}, Ids{2, 3}, {}}).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_add({}, {Ids{1}, Ids{2}, {1.0}}).code, ErrorCode::invalid_argument);
  const GraphSchema int32{.weights = WeightType::int32};
  EXPECT_EQ(error_of_add(int32, {Ids{1}, Ids{2}, {}}).code, ErrorCode::invalid_argument);
  EXPECT_NE(error_of_add(int32, {Ids{1, 1}, Ids{2, 2}, {1, 0.5}}).message.find("edge 1 "), std::string::npos);
  EXPECT_EQ(error_of_add(int32, {Ids{1}, Ids{2}, {3e9}}).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_add(int32, {Ids{1}, Ids{2}, {std::nan("")}}).code, ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_add({.weights = WeightType::float32}, {Ids{1}, Ids{2}, {1e300}}).code,
            ErrorCode::invalid_argument);
}

/// Whichever end of an edge has it, and alone as a vertex, the sentence names the id and how to load it.
TEST(BulkLoad, RefusesIdsThatNoDenseGraphHas) {
  using Ids = std::vector<std::int64_t>;
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  struct Refusal {
    std::int64_t id;
    const char* of_an_edge;
    const char* of_a_vertex;
  };
  const Refusal cases[] = {{-5, ": dense ids cannot be negative", "-5 is negative"},
                           {kFar, ": dense ids end at 2^40", "1099511627776 is too large for dense ids"}};
  const auto has = [](const Error& error, const std::string& text) {
    EXPECT_EQ(error.code, ErrorCode::invalid_argument);
    EXPECT_NE(error.message.find(text), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("ids=\"integer\""), std::string::npos) << error.message;
  };
  LoadSettings settings;
  settings.stays_dense = true;  // as for ranks, which cannot change the kind of ids on the way
  const auto refused = [&](const EdgeBatch& edges) {
    MemoryTarget target;
    BulkLoader loader({}, settings, target);
    const Status status = loader.add(edges);
    EXPECT_FALSE(status);
    return status ? Error{} : status.error();
  };
  for (const Refusal& one : cases) {
    const std::string named = "edge 1 (counted from 0) names the vertex " + std::to_string(one.id);
    has(refused({Ids{1, one.id}, Ids{2, 3}, {}}), named + one.of_an_edge);
    has(refused({Ids{1, 3}, Ids{2, one.id}, {}}), named + one.of_an_edge);
    MemoryTarget target;
    BulkLoader loader({}, settings, target);
    const Status alone = loader.add_vertices(Ids{1, one.id});
    ASSERT_FALSE(alone);
    has(alone.error(), one.of_a_vertex);
  }
  MemoryTarget target;
  BulkLoader loader({}, settings, target);
  EXPECT_TRUE(loader.add({Ids{}, Ids{}, {}}));
  StringColumn texts;
  texts.push_back("a");
  const Status other_kind = loader.add_vertices(texts);
  ASSERT_FALSE(other_kind);
  EXPECT_NE(other_kind.error().message.find("not of the kind"), std::string::npos);
  EXPECT_TRUE(loader.add_vertices(StringColumn())) << "none of either kind";
}

TEST(BulkLoad, AnEdgeToAnIdFarAwayDoesNotSizeTheMemory) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  SerialExecutor serial;
  MemoryTarget target;
  BulkLoader loader({}, {}, target);
  ASSERT_TRUE(loader.add({std::vector<std::int64_t>{0}, std::vector<std::int64_t>{kFar}, {}}));
  ASSERT_TRUE(loader.finish(serial));
  EXPECT_EQ(target.shape.num_vertices, 2U);
  EXPECT_EQ(target.shape.ids, IdKind::integer);
}

TEST(BulkLoad, CancelledOrFailedLoadsPublishNothing) {
  const Input input = random_input(50000, 3000, 5);
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1} << 17}) {
    const Case c{.directed = true, .order = VertexOrder::degree, .limit = limit, .section_bits = 5, .threads = 2};
    for (int stop = 0; stop < 6; ++stop) {
      auto medium = make_memory_medium();
      MemoryTarget target;
      PoolExecutor executor(c.threads, stop);
      {
        BulkLoader loader(c.schema(), settings_of(c, *medium), target);
        const Status status = load(c, input, loader, executor, 10000);
        if (!target.published) {
          ASSERT_FALSE(status);
          EXPECT_EQ(status.error().code, ErrorCode::cancelled);
        }
      }
      EXPECT_TRUE(medium->list()->empty());
    }
    for (const int fail : {0, 1, 20, 90}) {
      auto medium = make_memory_medium();
      MemoryTarget target(fail);
      PoolExecutor executor(c.threads);
      {
        BulkLoader loader(c.schema(), settings_of(c, *medium), target);
        const Status status = load(c, input, loader, executor, 10000);
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ErrorCode::out_of_space);
      }
      EXPECT_FALSE(target.published);
      EXPECT_TRUE(medium->list()->empty());
    }
  }
}

/// A load's result as a view, for rebuilding.
GraphView view_of(const Case& c, const MemoryTarget& target) {
  std::vector<SectionEdges<std::uint32_t>> sections;
  static const std::vector<std::uint32_t> no_edges((1 << 16) + 1, 0);
  const VertexId n = target.shape.num_vertices;
  for (SectionId s = 0; s << target.shape.section_bits < n; ++s) {
    const auto image = target.images.find({Direction::out, s});
    if (image == target.images.end()) {
      sections.push_back({no_edges.data(), nullptr, nullptr});
    } else {
      sections.push_back(
          view_image<std::uint32_t>(*verify_image(image->second, target.shape.section_bits, "image"), image->second));
    }
  }
  GraphView::Parts parts;
  parts.directed = c.directed;
  parts.weight_type = c.weights;
  parts.out = Adjacency<std::uint32_t>(target.shape.section_bits, n, std::move(sections));
  parts.num_entries = target.totals.num_entries;
  return GraphView(std::move(parts));
}

TEST(BulkLoad, RebuildKeepsTheGraphWhateverTheOrder) {
  const Input input = random_input(5000, 500, 6);
  for (const bool directed : {false, true})
    for (const IdKind ids : {IdKind::dense, IdKind::integer, IdKind::string})
      for (const ParallelEdges parallel : {ParallelEdges::merge, ParallelEdges::keep}) {
        Case c{.directed = directed,
               .weights = WeightType::float32,
               .parallel = parallel,
               .ids = ids,
               .order = VertexOrder::degree,
               .section_bits = 5};
        SCOPED_TRACE(c.name());
        auto medium = make_memory_medium();
        SerialExecutor executor;
        MemoryTarget first;
        BulkLoader loader(c.schema(), settings_of(c, *medium), first);
        ASSERT_TRUE(load(c, input, loader, executor, 1000));
        MemoryTarget second;
        GraphSchema schema = c.schema();
        schema.ids = first.shape.ids;  // dense ones that have gaps are integers
        schema.section_bits = 7;
        const Status status =
            rebuild(schema, view_of(c, first), first.ids(schema.ids), {.order = VertexOrder::given}, executor, second);
        ASSERT_TRUE(status) << status.error().message;
        const std::vector<Key> keys = keys_of(second.ids(schema.ids));
        EXPECT_EQ(loaded_lists(second, Direction::out, keys), expected_lists(c, input, Direction::out));
        EXPECT_EQ(second.ids(schema.ids).is_identity(), schema.ids == IdKind::dense);
        EXPECT_EQ(loaded_lists(second, Direction::in, keys),
                  directed ? expected_lists(c, input, Direction::in) : Lists{});
      }
}

/// Numbers the rows of edges on, from the one after `last`.
class RowTarget final : public MemoryTarget {
 public:
  explicit RowTarget(std::uint64_t last = 0) : last_(last) {}
  Result<std::vector<double>> put_rows(const EdgeBatch& batch) override {
    std::vector<double> rows(batch.size());
    for (double& row : rows) row = static_cast<double>(++last_);
    return rows;
  }

 private:
  std::uint64_t last_;
};

/// Edges of vertex 0 have rows of edges of these ends, numbered from the one after `before`.
void expect_rows_of_edges(const std::vector<std::byte>& image, const Input& input, bool directed,
                          std::uint64_t before) {
  const auto spec = verify_image(image, 8, "image");
  ASSERT_TRUE(spec);
  const auto edges = view_image<std::uint32_t>(*spec, image);
  const RowNumbers rows(*spec, image);
  for (std::uint32_t e = edges.offsets[0]; e < edges.offsets[1]; ++e) {
    const std::uint64_t row = static_cast<std::uint64_t>(rows[e]) - before - 1;
    ASSERT_LT(row, input.sources.size());
    const auto target = static_cast<std::int64_t>(edges.targets[e]);
    EXPECT_TRUE((input.sources[row] == 0 && input.targets[row] == target) ||
                (!directed && input.sources[row] == target && input.targets[row] == 0));
  }
}

TEST(BulkLoad, NumbersOfRowsOfAnyWidthMakeTheSameImages) {
  const Input input = random_input(30'000, 2'000, 5);
  for (const bool directed : {false, true}) {
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{512} << 10}) {
      Case c{.directed = directed, .limit = limit, .section_bits = 8};
      GraphSchema schema = c.schema();
      schema.rows = true;
      std::map<std::pair<Direction, SectionId>, std::vector<std::byte>> narrow;
      for (const std::uint64_t most : {std::uint64_t{UINT32_MAX}, std::uint64_t{10'000}, std::uint64_t{0}}) {
        auto medium = make_memory_medium();
        PoolExecutor executor(2);
        RowTarget target;
        LoadSettings settings = settings_of(c, *medium);
        settings.most_narrow_rows = most;
        BulkLoader loader(schema, settings, target);
        ASSERT_TRUE(load(c, input, loader, executor, 4'096));
        EXPECT_EQ(loader.spilled_bytes() > 0, limit > 0);
        if (narrow.empty()) narrow = target.images;
        EXPECT_EQ(target.images == narrow, true) << "directed " << directed << " limit " << limit << " most " << most;
      }
      // The last row of each pair stays, and the image has it.
      expect_rows_of_edges(narrow.begin()->second, input, directed, 0);
    }
  }
}

TEST(BulkLoad, RowsBeyond32BitsKeepTheirNumbers) {
  const Input input = random_input(30'000, 2'000, 5);
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{512} << 10}) {
    const Case c{.directed = true, .limit = limit, .section_bits = 8};
    GraphSchema schema = c.schema();
    schema.rows = true;
    const auto medium = make_memory_medium();
    SerialExecutor executor;
    const std::uint64_t before = (std::uint64_t{1} << 32) - 20'000;
    RowTarget target(before);
    BulkLoader loader(schema, settings_of(c, *medium), target);
    ASSERT_TRUE(load(c, input, loader, executor, 4'096));
    expect_rows_of_edges(target.images.begin()->second, input, true, before);
  }
}

/// Rows that need 64 bits come when some edges with narrow ones have been spilled: these are read, and spilled again.
TEST(BulkLoad, GivesBackWhatItHasSpilledBeforeRowsWereWide) {
  const Input input = random_input(60'000, 3'000, 2);
  const Case c{.parallel = ParallelEdges::keep, .limit = 1 << 18, .threads = 2};
  GraphSchema schema = c.schema();
  schema.rows = true;
  Held held;
  const auto medium = make_memory_medium(512, [&held](const std::string&) -> Result<std::shared_ptr<MemoryFile>> {
    return std::shared_ptr<MemoryFile>(std::make_shared<HeldFile>(held));
  });
  PoolExecutor executor(c.threads);
  RowTarget target;
  LoadSettings settings = settings_of(c, *medium);
  settings.most_narrow_rows = 40'000;
  BulkLoader loader(schema, settings, target);
  const Status status = load(c, input, loader, executor, 9'973);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(held.now.load(), 0U);
  const std::uint64_t edges = input.sources.size() * 16;
  EXPECT_GE(held.most.load(), edges);
  EXPECT_LE(held.most.load(), edges + edges / 4) << "narrow edges are given back as wide ones are written";
}

TEST(BulkLoad, AFailureOfItsFilesIsToldOrDoesNoHarm) {
  const Input input = random_input(30'000, 2'000, 5);
  const Case c{.limit = 512 << 10, .section_bits = 8};
  GraphSchema schema = c.schema();
  schema.rows = true;
  FailingCalls calls;
  std::map<std::pair<Direction, SectionId>, std::vector<std::byte>> whole;
  bool failed = true;
  std::uint64_t told = 0;
  for (std::uint64_t nth = 0; failed && !::testing::Test::HasFailure(); ++nth) {  // first, none fails
    const auto medium = make_failing_medium(make_memory_medium(), calls);
    SerialExecutor executor;
    RowTarget target;
    LoadSettings settings = settings_of(c, *medium);
    settings.most_narrow_rows = 20'000;
    calls.fail(nth);
    BulkLoader loader(schema, settings, target);
    const Status status = load(c, input, loader, executor, 4'096);
    failed = nth == 0 || calls.failed();
    calls.fail(0);
    if (nth == 0) whole = target.images;
    EXPECT_TRUE(!status || target.images == whole) << "call " << nth;
    told += status ? 0 : 1;
  }
  EXPECT_GT(told, 10U);
}

}  // namespace
}  // namespace rizoma
