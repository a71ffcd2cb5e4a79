// Images, deltas and operations of the log against what the graph is: each fact that does not agree is refused by
// itself, and what just fits is taken.
#include "store/validation/validation.h"

#include "store/columns/column_rules.h"
#include "store/disk_format.h"
#include "store/sections/delta.h"
#include "store/sections/image.h"
#include "store/sections/removed_vertices.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

void expect_refused(const Status& status, std::string_view says, std::string_view name) {
  SCOPED_TRACE(name);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
  EXPECT_NE(status.error().message.find(says), std::string::npos) << status.error().message;
}

/// What a section is, and what the manifest names.
struct Expected {
  SectionFacts facts;
  NamedExtent named;
};

struct Case {
  const char* name;
  std::function<void(Expected&)> change;
  const char* says;
};

// ---- images ----

/// Section 2 of 4 vertices: the vertex 8 has the neighbours 8 and 9, with weights.
struct Image {
  ImageSpec spec{.section = 2,
                 .weights = WeightType::float64,
                 .num_vertices = 4,
                 .num_entries = 2,
                 .num_self_loops = 1,
                 .target_bound = 10};
  std::vector<std::byte> bytes;
  Expected fits;

  Image() {
    const ImageLayout layout = image_layout(spec);
    bytes.resize(layout.bytes);
    const std::array<std::uint32_t, 5> offsets{0, 2, 2, 2, 2};
    const std::array<std::uint32_t, 2> targets{8, 9};
    const std::array<double, 2> weights{0.5, 2};
    std::memcpy(bytes.data() + layout.offsets, offsets.data(), sizeof offsets);
    std::memcpy(bytes.data() + layout.targets, targets.data(), sizeof targets);
    std::memcpy(bytes.data() + layout.weights, weights.data(), sizeof weights);
    fits.named = {seal_image(spec, bytes), 2, 1};
    fits.facts = {.section = 2, .num_vertices = 4, .graph_vertices = 10, .weights = WeightType::float64};
  }
  [[nodiscard]] Status outcome(const Expected& expected) const {
    return validate(spec, bytes, expected.named, expected.facts, "image");
  }
};

TEST(ValidatedParts, AnImageFitsTheManifestAndTheGraph) {
  const Image image;
  EXPECT_TRUE(image.outcome(image.fits));
  Expected wider = image.fits;
  wider.facts.num_vertices = 5;
  wider.facts.graph_vertices = 11;
  wider.facts.target_bytes = 8;
  EXPECT_TRUE(image.outcome(wider)) << "vertices came later, and targets are wider now";
  constexpr const char* kOther = "is not the one that the manifest names";
  const std::vector<Case> cases = {
      {"id", [](Expected& it) { ++it.named.id; }, kOther},
      {"section", [](Expected& it) { it.facts.section = 1; }, kOther},
      {"direction", [](Expected& it) { it.facts.direction = Direction::in; }, kOther},
      {"entries", [](Expected& it) { it.named.num_entries = 3; }, kOther},
      {"self-loops", [](Expected& it) { it.named.num_self_loops = 0; }, kOther},
      {"weights of a graph without", [](Expected& it) { it.facts.weights = WeightType::none; },
       "does not fit the graph"},
      {"weights of another type", [](Expected& it) { it.facts.weights = WeightType::float32; },
       "does not fit the graph"},
      {"fewer vertices of the section", [](Expected& it) { it.facts.num_vertices = 3; }, "names vertices"},
      {"fewer vertices of the graph", [](Expected& it) { it.facts.graph_vertices = 9; }, "names vertices"},
      {"a self-loop of a graph without", [](Expected& it) { it.facts.self_loops = SelfLoops::drop; },
       "holds self-loops"},
      {"weights that are no rows", [](Expected& it) { it.facts.rows = true; }, "impossible row numbers"}};
  for (const Case& each : cases) {
    Expected expected = image.fits;
    each.change(expected);
    expect_refused(image.outcome(expected), each.says, each.name);
  }
}

TEST(ValidatedParts, AnImageOfWideTargetsDoesNotFitAGraphOfNarrowOnes) {
  ImageSpec spec{.target_bytes = 8, .num_vertices = 1, .num_entries = 0, .target_bound = 0};
  std::vector<std::byte> bytes(image_layout(spec).bytes);
  const NamedExtent named{seal_image(spec, bytes), 0, 0};
  SectionFacts facts{.num_vertices = 1, .graph_vertices = 1, .target_bytes = 8};
  EXPECT_TRUE(validate(spec, bytes, named, facts, "image"));
  facts.target_bytes = 4;
  expect_refused(validate(spec, bytes, named, facts, "image"), "does not fit the graph", "narrow");
}

// ---- deltas ----

/// Of section 2 the vertex 8 gets the neighbours 8 and 9.
struct Delta {
  DeltaSpec spec{.section = 2, .weighted = true, .num_entries = 2, .target_bound = 10};
  std::vector<std::byte> bytes;
  Expected fits;

  explicit Delta(std::array<double, 2> weights = {0.5, 2}) {
    const std::array<std::uint64_t, 2> words{change_word(ChangeKind::add, 0, 8), change_word(ChangeKind::add, 0, 9)};
    const ChangeRun run{words, weights.data()};
    bytes = encode_delta(spec, {&run, 1});
    fits.named = {delta_id(bytes), 2, 0};
    fits.facts = {.section = 2, .num_vertices = 4, .graph_vertices = 10, .weights = WeightType::float64};
  }
  [[nodiscard]] Status outcome(const Expected& expected) const {
    return validate(spec, bytes, expected.named, expected.facts, "delta");
  }
};

TEST(ValidatedParts, ADeltaFitsTheManifestAndTheGraph) {
  const Delta delta;
  EXPECT_TRUE(delta.outcome(delta.fits));
  constexpr const char* kOther = "is not the one that the manifest names";
  const std::vector<Case> cases = {
      {"id", [](Expected& it) { ++it.named.id; }, kOther},
      {"section", [](Expected& it) { it.facts.section = 1; }, kOther},
      {"direction", [](Expected& it) { it.facts.direction = Direction::in; }, kOther},
      {"entries", [](Expected& it) { it.named.num_entries = 3; }, kOther},
      {"weights of a graph without", [](Expected& it) { it.facts.weights = WeightType::none; },
       "does not fit the graph"},
      {"fewer vertices of the graph", [](Expected& it) { it.facts.graph_vertices = 9; }, "names vertices"},
      {"weights that are not whole", [](Expected& it) { it.facts.weights = WeightType::int32; }, "holds weights"},
      {"weights that are no rows", [](Expected& it) { it.facts.rows = true; }, "holds weights"}};
  for (const Case& each : cases) {
    Expected expected = delta.fits;
    each.change(expected);
    expect_refused(delta.outcome(expected), each.says, each.name);
  }
}

/// Only changes that name no rows may go without weights, and only where rows are what they would name.
TEST(ValidatedParts, ADeltaWithoutWeightsFitsAGraphWithRows) {
  Delta delta;
  delta.spec.weighted = false;
  const std::array<std::uint64_t, 2> words{change_word(ChangeKind::add, 0, 8), change_word(ChangeKind::add, 0, 9)};
  const ChangeRun run{words, nullptr};
  delta.bytes = encode_delta(delta.spec, {&run, 1});
  delta.fits.named.id = delta_id(delta.bytes);
  expect_refused(delta.outcome(delta.fits), "does not fit the graph", "weights");
  delta.fits.facts.rows = true;
  EXPECT_TRUE(delta.outcome(delta.fits));
  delta.fits.facts.weights = WeightType::none;
  EXPECT_TRUE(delta.outcome(delta.fits)) << "columns, none of them the weight";
  Delta weighted;
  weighted.fits.facts.rows = true;
  weighted.fits.facts.weights = WeightType::none;
  expect_refused(weighted.outcome(weighted.fits), "does not fit the graph", "weights that the graph has not");
}

/// Of several runs each has its own weights, or none: those are 0.
TEST(ValidatedParts, ADeltaHasTheWeightsOfEachRun) {
  const DeltaSpec spec{.section = 2, .weighted = true, .num_entries = 4, .target_bound = 10};
  const std::array<std::uint64_t, 2> words{change_word(ChangeKind::add, 0, 8), change_word(ChangeKind::add, 0, 9)};
  const std::array<double, 2> weights{0.5, 2};
  const std::array<ChangeRun, 2> runs{ChangeRun{words, nullptr}, ChangeRun{words, weights.data()}};
  const std::vector<std::byte> bytes = encode_delta(spec, runs);
  const ChangeRun found = view_delta(spec, bytes);
  EXPECT_EQ(std::vector<double>(found.weights, found.weights + 4), (std::vector<double>{0, 0, 0.5, 2}));
  const DeltaSpec without{.section = 2, .weighted = false, .num_entries = 4, .target_bound = 10};
  EXPECT_EQ(encode_delta(without, runs).size(), sizeof(format::DeltaHeader) + 4 * 8)
      << "weights that nothing asks for are left out";
}

/// Older releases took infinite weights.
TEST(ValidatedParts, WeightsOfADeltaAreNumbersOfTheirType) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Delta infinite({kInfinite, -kInfinite});
  EXPECT_TRUE(infinite.outcome(infinite.fits));
  Expected whole = infinite.fits;
  whole.facts.weights = WeightType::int32;
  expect_refused(infinite.outcome(whole), "holds weights", "infinite whole numbers");
  const Delta none({1, std::numeric_limits<double>::quiet_NaN()});
  expect_refused(none.outcome(none.fits), "holds weights", "no number");
  const auto of_rows = [](double row) {
    const Delta delta({0, row});
    Expected expected = delta.fits;
    expected.facts.rows = true;
    return delta.outcome(expected);
  };
  EXPECT_TRUE(of_rows(static_cast<double>(kMostRows) - 1));
  expect_refused(of_rows(static_cast<double>(kMostRows)), "holds weights", "a row behind the last");
  expect_refused(of_rows(-1), "holds weights", "a row before the first");
}

// ---- the log ----

using Vertices = std::vector<VertexId>;

/// A graph of ten vertices, of which 3 was removed.
class ValidatedLog : public ::testing::Test {
 protected:
  ValidatedLog() {
    schema_.section_bits = 2;
    schema_.weights = WeightType::float64;
  }
  [[nodiscard]] ReplayedGraph graph() const { return {schema_, 10, removed_, 6}; }
  [[nodiscard]] Status edges(ChangeKind kind, const Vertices& sources, const Vertices& targets,
                             const std::vector<double>& weights) const {
    return validate(kind, EdgeColumns{sources, targets, weights}, graph(), "log");
  }
  [[nodiscard]] Status removal(const Vertices& vertices, bool removed) const {
    return validate_removal(vertices, removed, graph(), "log");
  }

  GraphSchema schema_;
  RemovedVertices removed_ = RemovedVertices(2).with(Vertices{3});
};

TEST_F(ValidatedLog, EdgesFitTheGraph) {
  EXPECT_TRUE(edges(ChangeKind::add, {0, 9}, {9, 0}, {1, 2}));
  EXPECT_TRUE(edges(ChangeKind::remove, {0, 9}, {9, 0}, {}));
  constexpr const char* kShape = "holds a change that does not fit the graph";
  expect_refused(edges(ChangeKind::add, {}, {}, {}), kShape, "no edge");
  expect_refused(edges(ChangeKind::remove, {}, {}, {}), kShape, "no edge to remove");
  expect_refused(edges(ChangeKind::add, {0, 1}, {1}, {1, 2}), kShape, "ends of two lengths");
  expect_refused(edges(ChangeKind::add, {0}, {1}, {}), kShape, "no weights");
  expect_refused(edges(ChangeKind::remove, {0}, {1}, {1}), kShape, "weights of a removal");
  expect_refused(edges(ChangeKind::add, {10}, {1}, {1}), "names vertices", "a source behind the last");
  expect_refused(edges(ChangeKind::add, {1}, {10}, {1}), "names vertices", "a target behind the last");
  expect_refused(edges(ChangeKind::add, {3}, {1}, {1}), "was removed", "a removed source");
  expect_refused(edges(ChangeKind::add, {1}, {3}, {1}), "was removed", "a removed target");
  EXPECT_TRUE(edges(ChangeKind::add, {1}, {2}, {std::numeric_limits<double>::infinity()}));
  expect_refused(edges(ChangeKind::add, {1}, {2}, {std::numeric_limits<double>::quiet_NaN()}), "holds weights", "none");
  EXPECT_TRUE(edges(ChangeKind::add, {1}, {1}, {1}));
  schema_.self_loops = SelfLoops::drop;
  EXPECT_TRUE(edges(ChangeKind::add, {1, 2}, {2, 1}, {1, 1}));
  expect_refused(edges(ChangeKind::add, {2, 1}, {1, 1}, {1, 1}), "holds self-loops", "a self-loop");
}

TEST_F(ValidatedLog, RowsOfEdgesAreThoseThatTheLogHas) {
  schema_.rows = true;
  schema_.weights = WeightType::none;
  EXPECT_TRUE(edges(ChangeKind::add, {0, 1}, {1, 2}, {0, 5}));
  expect_refused(edges(ChangeKind::add, {0}, {1}, {6}), "holds weights", "a row behind the last");
  expect_refused(edges(ChangeKind::add, {0}, {1}, {1.5}), "holds weights", "half a row");
  expect_refused(edges(ChangeKind::add, {0}, {1}, {-1}), "holds weights", "a row before the first");
}

TEST_F(ValidatedLog, VerticesAreRemovedOnceAndRestoredWhenRemoved) {
  EXPECT_TRUE(removal({9, 0}, true));
  EXPECT_TRUE(removal({3}, false));
  expect_refused(removal({10}, true), "names vertices", "behind the last");
  expect_refused(removal({3}, true), "removes a vertex twice", "removed before");
  expect_refused(removal({1, 2, 1}, true), "removes a vertex twice", "twice in one operation");
  expect_refused(removal({2}, false), "was not removed", "never removed");
}

TEST_F(ValidatedLog, AGraphGrows) {
  EXPECT_TRUE(validate_growth(10, graph(), "log"));
  EXPECT_TRUE(validate_growth((format::kMaxSections << 2) - 1, graph(), "log"));
  expect_refused(validate_growth(9, graph(), "log"), "a number of vertices", "fewer");
  expect_refused(validate_growth(format::kMaxSections << 2, graph(), "log"), "a number of vertices", "sections");
  schema_.section_bits = format::kMaxSectionBits;
  EXPECT_TRUE(validate_growth(format::kMaxVertices, graph(), "log"));
  expect_refused(validate_growth(format::kMaxVertices + 1, graph(), "log"), "a number of vertices", "the most");
  schema_.ids = IdKind::integer;
  expect_refused(validate_growth(10, graph(), "log"), "a number of vertices", "ids of a dictionary");
}

}  // namespace
}  // namespace rizoma
