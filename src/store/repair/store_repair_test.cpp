// Repair: what redundancy can restore is restored, what is lost is said, and the damaged bytes stay.
#include "store/repair/store_repair.h"

#include "store/repair/store_check.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/repair/repair_dictionary.h"
#include "testing/failing_allocation.h"
#include "testing/heap_medium.h"
#include "testing/ids_below.h"
#include "testing/int64_column.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

class Damaged {
 public:
  explicit Damaged(const GraphSchema& schema, const std::string& script = "aacaacaaR")
      : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema)),
        medium_(make_heap_medium()),
        history_(medium_, nullptr, options_, 3) {
    EXPECT_TRUE(history_.create());
    const Status status = history_.run(script);
    EXPECT_TRUE(status) << status.error().message;
    history_.drop();
    files = read_files(*medium_);
  }
  [[nodiscard]] const StoreModel& model() const { return history_.model(); }

  FileContents files;
  RepairReport report;

  /// The repaired store; nothing if there is none.
  std::unique_ptr<Store> repair() {
    const auto damaged = medium_of(files);
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    SerialExecutor serial;
    auto done = repair_store(damaged, fresh, serial);
    EXPECT_EQ(read_files(*damaged), files) << "repairing changed the damaged store";
    if (!done) {
      error = done.error().message;
      return nullptr;
    }
    report = *std::move(done);
    const auto checked = check_store(fresh, serial);
    EXPECT_TRUE(checked && checked->findings.empty());
    return *Store::open(fresh, options_);
  }
  std::string error;

 private:
  StoreOptions options_;
  std::shared_ptr<Medium> medium_;
  StoreHistory history_;
};

void expect_all(Damaged& damaged) {
  const auto store = damaged.repair();
  ASSERT_NE(store, nullptr) << damaged.error;
  EXPECT_TRUE(damaged.report.lost.empty()) << damaged.report.lost[0];
  const auto same = equals(**store->snapshot(), damaged.model());
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same);
}

/// Flips a bit of the byte that is `from` bytes after the first `magic` from `begin` on.
void damage_behind(std::vector<std::byte>& bytes, std::uint32_t magic, std::size_t from, std::size_t begin = 0) {
  for (std::size_t at = begin; at + from < bytes.size(); at += 64) {
    std::uint32_t found = 0;
    std::memcpy(&found, bytes.data() + at, sizeof found);
    if (found != magic) continue;
    bytes[at + from] ^= std::byte{1};
    return;
  }
  FAIL() << "nothing to damage";
}

TEST(Repair, RestoresALostSuperblock) {
  Damaged damaged(schema_number(0));
  damaged.files.erase("superblock");
  expect_all(damaged);
  EXPECT_FALSE(damaged.report.restored.empty());
}

TEST(Repair, RestoresSectionsFromTheirOtherEnds) {
  for (const std::uint64_t number : {0, 2, 9, 13, 17, 21}) {
    SCOPED_TRACE("schema " + std::to_string(number));
    GraphSchema schema = schema_number(number);
    schema.in_edges = true;
    schema.self_loops = SelfLoops::drop;
    Damaged damaged(schema, "aaac");
    damage_behind(damaged.files["data"], format::kImageMagic, 70);
    const auto store = damaged.repair();
    ASSERT_NE(store, nullptr) << damaged.error;
    EXPECT_FALSE(damaged.report.restored.empty());
    const auto lists = lists_of(**store->snapshot(), Direction::out);
    ASSERT_TRUE(lists) << lists.error().message;
    const auto expected = damaged.model().lists(Direction::out);
    if (schema.directed) {
      EXPECT_TRUE(damaged.report.lost.empty());
      EXPECT_EQ(*lists, expected);
      continue;
    }
    // Of an undirected graph the edges within the section are lost, and it says so.
    EXPECT_EQ(damaged.report.lost.size(), 1u);
    std::size_t missing = 0;
    for (const auto& [vertex, list] : expected) {
      ASSERT_TRUE(lists->contains(vertex));
      EXPECT_TRUE(std::includes(list.begin(), list.end(), lists->at(vertex).begin(), lists->at(vertex).end()));
      missing += list.size() - lists->at(vertex).size();
    }
    EXPECT_LE(missing, 32u);
  }
}

TEST(Repair, KeepsTheChangesBeforeADamagedRecord) {
  Damaged damaged(schema_number(0), "aaaaaa");
  auto& log =
      damaged.files.rbegin()->first.starts_with("log") ? damaged.files.rbegin()->second : damaged.files["log.1"];
  ASSERT_GT(log.size(), 400u);
  log[log.size() / 2] ^= std::byte{1};
  const auto store = damaged.repair();
  ASSERT_NE(store, nullptr) << damaged.error;
  ASSERT_EQ(damaged.report.lost.size(), 1u);
  EXPECT_NE(damaged.report.lost[0].find("from batch"), std::string::npos);
  const EdgeCount edges = *(*store->snapshot())->num_edges();
  EXPECT_GT(edges, 0u);
  EXPECT_LT(edges, damaged.model().num_edges());
}

TEST(Repair, GivesNewNamesToVerticesThatLostThem) {
  for (const std::uint64_t number : {8, 16}) {
    Damaged damaged(schema_number(number), "aac");
    damage_behind(damaged.files["data"], 0x49445a52, 130);  // the first ids of the dictionary segment
    const auto store = damaged.repair();
    ASSERT_NE(store, nullptr) << damaged.error;
    EXPECT_EQ(damaged.report.lost.size(), 1u);
    EXPECT_EQ(*(*store->snapshot())->num_edges(), damaged.model().num_edges());
  }
}

/// Where the first dictionary segment of `data` begins, and its header.
std::pair<std::size_t, DictionarySegmentHeader> first_segment(const std::vector<std::byte>& data) {
  DictionarySegmentHeader header;
  for (std::size_t at = 0; at + sizeof header <= data.size(); at += format::kPage) {
    std::memcpy(&header, data.data() + at, sizeof header);
    if (static_cast<std::uint32_t>(header.magic) == 0x49445a52) return {at, header};
  }
  ADD_FAILURE() << "there is no dictionary";
  return {};
}

GraphSchema schema_with(IdKind ids) {
  GraphSchema schema = schema_number(0);
  schema.ids = ids;
  return schema;
}

/// Changes that wait in the log name vertices by ids, which replay looks up.
TEST(Repair, MakesADamagedIndexOfIdsAgainBeforeItReplaysTheLog) {
  for (const IdKind ids : {IdKind::integer, IdKind::string}) {
    Damaged damaged(schema_with(ids), "aacaa");
    const auto [at, header] = first_segment(damaged.files["data"]);
    for (std::size_t i = header.index_at; i < header.index_at + 8 * header.slots; i += 3) {
      damaged.files["data"][at + i] ^= std::byte{0x55};
    }
    SerialExecutor serial;
    const auto checked = check_store(medium_of(damaged.files), serial);
    ASSERT_TRUE(checked) << checked.error().message;
    ASSERT_EQ(checked->findings.size(), 1u);
    EXPECT_TRUE(checked->findings[0].loss.starts_with("nothing")) << checked->findings[0].loss;
    expect_all(damaged);
    ASSERT_EQ(damaged.report.restored.size(), 1u);
    EXPECT_NE(damaged.report.restored[0].find("index"), std::string::npos) << damaged.report.restored[0];
  }
}

/// In a reordered dense graph ids and numbers are written in both directions, each in blocks of its own.
TEST(Repair, TellsWhatAReorderedGraphsIdsLose) {
  std::vector<std::uint32_t> external(40'000);
  for (std::uint32_t i = 0; i < external.size(); ++i) external[i] = i ^ 1u;
  const std::vector<std::byte> whole = encode_permutation(external);
  DictionarySegmentHeader header;
  std::memcpy(&header, whole.data(), sizeof header);
  const auto lost_by = [&](std::initializer_list<std::uint64_t> places) {
    std::vector<std::byte> bytes = whole;
    for (const std::uint64_t at : places) bytes[at] ^= std::byte{1};
    DictionaryMender mender;
    static_cast<void>(mender.mend({bytes, nullptr}, "test"));
    EXPECT_EQ(mender.damage().size(), places.size() == 0 ? 0u : 1u);
    return mender.damage().empty() ? 0 : mender.damage()[0].lost;
  };
  EXPECT_EQ(lost_by({}), 0u);
  EXPECT_EQ(lost_by({header.ids_at}), 0u);
  EXPECT_EQ(lost_by({header.sums_at - 8}), 0u);
  EXPECT_GT(lost_by({header.ids_at, header.index_at}), 0u) << "the same ids in both directions";
  EXPECT_EQ(lost_by({header.ids_at, header.sums_at - 8}), 0u) << "other ids in each direction";
}

/// As many equal ids as zeroed blocks show would take an index made of them hours.
TEST(Repair, OfZeroedIdsEndsSoon) {
  std::vector<std::int64_t> ids(std::size_t{1} << 17);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(3 * i + 1);
  std::vector<std::byte> bytes = encode_integers(0, ids);
  DictionarySegmentHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(header.ids_at), 8 * ids.size(), std::byte{0});
  DictionaryMender mender;
  static_cast<void>(mender.mend({bytes, nullptr}, "test"));
  ASSERT_EQ(mender.damage().size(), 1u);
  EXPECT_EQ(mender.damage()[0].lost, ids.size());
}

/// Infinite weights are refused now, but stores of before may have some, until they are set again.
TEST(Repair, AndReorderingTakeWeightsAsTheyAre) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.weights = WeightType::float64;
  SerialExecutor serial;
  {
    const auto store = *Store::create(medium, options);
    const auto target = *store->load_target(store->schema().ids);
    LoadSettings settings;
    settings.stored_weights = true;
    BulkLoader loader(store->load_schema(), settings, *target);
    ASSERT_TRUE(loader.add({std::vector<std::int64_t>{0, 1}, std::vector<std::int64_t>{1, 2}, {infinite, 2.0}}));
    ASSERT_TRUE(loader.finish(serial));
    const auto ordered = store->compact(serial, VertexOrder::degree);
    ASSERT_TRUE(ordered) << ordered.error().message;
  }
  const std::shared_ptr<Medium> fresh = make_heap_medium();
  const auto report = repair_store(medium, fresh, serial);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->lost, std::vector<std::string>{
                              "the weights of 1 edges: they are not finite, and stay as they are; set them again"});
  const auto store = *Store::open(fresh);
  const auto snapshot = *store->snapshot();
  const auto list = snapshot->neighbors(Direction::out, *snapshot->find(std::int64_t{0}));
  ASSERT_TRUE(list);
  EXPECT_EQ(list->weights(), std::vector<double>{infinite});
  const auto refused = (*store->snapshot())->view(serial);
  ASSERT_FALSE(refused) << "no kernel means anything with it";
  EXPECT_NE(refused.error().message.find("not finite; set them again"), std::string::npos) << refused.error().message;
  Batch batch;
  batch.set_weights({std::vector<std::int64_t>{0}, std::vector<std::int64_t>{1}, {3.0}});
  ASSERT_TRUE(store->apply(batch));
  EXPECT_TRUE((*store->snapshot())->view(serial));
}

/// The values of a damaged block are lost, which is said, and those of no other.
TEST(Repair, LeavesOutTheValuesOfADamagedBlock) {
  const std::shared_ptr<Medium> medium = make_heap_medium();
  StoreOptions options;
  options.schema.directed = true;
  options.schema.edge_columns = {{0, ColumnType::int64, true, "since"}};
  std::vector<std::uint64_t> blocks;  // where those of the first and the second checkpoint lie
  {
    const auto store = *Store::create(medium, options);
    for (const std::size_t edges : {16U, 4U, 1U}) {  // a block that is large beside the next one stays
      const std::vector<std::int64_t> sources(edges, static_cast<std::int64_t>(edges)), since(edges, 10);
      ASSERT_TRUE(store->add_edges(
          {sources, ids_below(static_cast<std::int64_t>(edges)), {}, testing::int64_column("since", since)}));
      ASSERT_TRUE(store->checkpoint());
      const auto stored = (*store->snapshot())->parts().edge_rows->parts().stored;
      ASSERT_EQ(stored.size(), blocks.size() + 1);
      blocks.push_back(stored.back()->entry().extent.offset);
    }
    ASSERT_TRUE(store->close());
  }
  FileContents files = read_files(*medium);
  for (const std::uint64_t at : {blocks[0], blocks[1]}) files.at("data")[at + 1] ^= std::byte{1};
  const std::shared_ptr<Medium> fresh = make_heap_medium();
  SerialExecutor serial;
  const auto report = repair_store(medium_of(files), fresh, serial);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_GE(report->lost.size(), 2U);
  EXPECT_EQ(report->lost[0], "the values of up to 16 edges: their rows are damaged");
  EXPECT_EQ(report->lost[1], "the values of up to 4 edges: their rows are damaged");
  const auto store = *Store::open(fresh);
  const auto snapshot = *store->snapshot();
  const auto view = snapshot->unvalidated_view(serial);
  ASSERT_TRUE(view) << view.error().message;
  std::vector<double> rows;  // which the view has in the place of weights
  view->with_out([&](const auto& out) {
    for (VertexId v = 0; v < out.num_vertices(); ++v) {
      for (const double row : out.template weights<double>(v)) rows.push_back(row);
    }
  });
  EXPECT_EQ(rows.size(), 21U) << "no edge is lost";
  const auto values = snapshot->edge_values("since", rows);
  ASSERT_TRUE(values) << values.error().message;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) kept += values->is_valid(i) ? 1 : 0;
  EXPECT_EQ(kept, 1U) << "the value that was whole";
}

/// One damaged byte costs no more than one id, and no edge.
TEST(Repair, OfAnyByteOfADictionaryLosesOneIdAtMost) {
  for (const IdKind ids : {IdKind::integer, IdKind::string}) {
    const Damaged whole(schema_with(ids), "aacaa");
    const auto [at, header] = first_segment(whole.files.at("data"));
    std::size_t restored = 0;
    for (std::size_t i = sizeof header; i < header.bytes && !HasFailure(); i += 3) {
      SCOPED_TRACE("byte " + std::to_string(i));
      FileContents files = whole.files;
      files["data"][at + i] ^= std::byte{0x10};
      const std::shared_ptr<Medium> fresh = make_heap_medium();
      SerialExecutor serial;
      const auto report = repair_store(medium_of(files), fresh, serial);
      ASSERT_TRUE(report) << report.error().message;
      const auto store = *Store::open(fresh);
      EXPECT_EQ(*(*store->snapshot())->num_edges(), whole.model().num_edges());
      if (!report->lost.empty()) {
        EXPECT_EQ(report->lost.size(), 1u);
        EXPECT_NE(report->lost[0].find("the ids of "), std::string::npos) << report->lost[0];
        continue;
      }
      ++restored;
      EXPECT_EQ(report->restored.size(), 1u) << "nothing was said";
      const auto same = equals(**store->snapshot(), whole.model());
      ASSERT_TRUE(same) << same.error().message;
      EXPECT_TRUE(*same);
    }
    EXPECT_GT(restored, 8 * header.slots / 3 - 2) << "damage to the index alone loses nothing";
  }
}

TEST(Repair, TakesTheOtherCopyOfAManifest) {
  for (const char* prefix : {"manifest.", "manifest-copy."}) {
    for (const bool gone : {false, true}) {
      SCOPED_TRACE(std::string(prefix) + (gone ? " gone" : " damaged"));
      Damaged damaged(schema_number(0));
      const auto name = damaged.files.lower_bound(prefix)->first;
      ASSERT_TRUE(name.starts_with(prefix)) << name;
      if (gone) {
        damaged.files.erase(name);
      } else {
        damaged.files[name][100] ^= std::byte{1};
      }
      SerialExecutor serial;
      const auto checked = check_store(medium_of(damaged.files), serial);
      ASSERT_TRUE(checked) << checked.error().message;
      ASSERT_EQ(checked->findings.size(), 1u);
      EXPECT_NE(checked->findings[0].what.find(name), std::string::npos) << checked->findings[0].what;
      EXPECT_TRUE(checked->findings[0].loss.starts_with("nothing")) << checked->findings[0].loss;
      expect_all(damaged);
      ASSERT_EQ(damaged.report.restored.size(), 1u);
      EXPECT_NE(damaged.report.restored[0].find(name), std::string::npos) << damaged.report.restored[0];
    }
  }
}

TEST(Repair, SaysWhenTooLittleIsLeft) {
  Damaged damaged(schema_number(0));
  for (auto& [name, bytes] : damaged.files) {
    if (name.starts_with("manifest")) bytes[20] ^= std::byte{1};
  }
  auto& data = damaged.files["data"];  // which has the manifest once more, and perhaps earlier ones
  for (std::size_t at = 20; at < data.size(); at += format::kPage) data[at] ^= std::byte{1};
  EXPECT_EQ(damaged.repair(), nullptr);
  EXPECT_NE(damaged.error.find("no intact manifest"), std::string::npos) << damaged.error;
}

TEST(Repair, OfAnyByteGivesAPartOfTheGraphOrAnError) {
  const Damaged whole(schema_number(13));
  const auto all = whole.model().lists(Direction::out);
  for (const auto& [name, bytes] : whole.files) {
    for (std::size_t at = 0; at < bytes.size() && !HasFailure(); at += 211) {
      SCOPED_TRACE(name + " byte " + std::to_string(at));
      const auto damaged = [&] {
        FileContents files = whole.files;
        files[name][at] ^= std::byte{0x10};
        return medium_of(files);
      }();
      const std::shared_ptr<Medium> fresh = make_heap_medium();
      SerialExecutor serial;
      const auto report = repair_store(damaged, fresh, serial);
      if (!report) {
        EXPECT_FALSE(report.error().message.empty());
        continue;
      }
      const auto store = Store::open(fresh);
      ASSERT_TRUE(store) << store.error().message;
      const auto lists = lists_of(**(*store)->snapshot(), Direction::out);
      ASSERT_TRUE(lists) << lists.error().message;
      if (!report->lost.empty()) continue;
      EXPECT_EQ(*lists, all) << "something is lost, and no report says so";
    }
  }
}

/// Dense ids are the vertices' own numbers: no list of them, however many vertices there are said to be.
TEST(Repair, OfDenseIdsTakesNoMemoryForThem) {
  constexpr std::int64_t kVertices = (std::int64_t{1} << 23) + 1;  // a list that grows doubles its space
  const std::shared_ptr<Medium> medium = make_heap_medium();
  {
    const auto store = *Store::create(medium, {});
    ASSERT_TRUE(store->add_vertices(ids_below(kVertices)));
    ASSERT_TRUE(store->add_edges({std::vector<std::int64_t>{0, 5}, std::vector<std::int64_t>{3, 9}, {}}));
    ASSERT_TRUE(store->apply(Batch().remove_vertices(std::vector<std::int64_t>{7})));
    ASSERT_TRUE(store->checkpoint());
    ASSERT_TRUE(store->close());
  }
  const std::shared_ptr<Medium> fresh = make_heap_medium();
  SerialExecutor serial;
  {
    const FailingAllocation failing = FailingAllocation::of_at_least(3 * kVertices * sizeof(std::int64_t) / 2);
    const auto report = repair_store(medium, fresh, serial);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->lost.empty());
  }
  const auto repaired = *Store::open_read_only(fresh);
  const auto snapshot = *repaired->snapshot();
  EXPECT_EQ(snapshot->num_vertices(), static_cast<VertexId>(kVertices));
  EXPECT_EQ(*snapshot->num_edges(), 2U);
  EXPECT_FALSE(snapshot->is_live(7));
  EXPECT_EQ((*snapshot->neighbors(Direction::out, 5))[0], 9U);
}

}  // namespace
}  // namespace rizoma
