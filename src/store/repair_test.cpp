// Repair: what redundancy can restore is restored, what is lost is said, and the damaged bytes stay.
#include "store/repair.h"

#include "store/check.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace rizoma {
namespace {

class Damaged {
 public:
  explicit Damaged(const GraphSchema& schema, const std::string& script = "aacaacaaR")
      : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema)), medium_(make_heap_medium()),
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

/// Flips a bit of the byte that is `from` bytes behind the first `magic` from `begin` on.
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
  auto& log = damaged.files.rbegin()->first.starts_with("log") ? damaged.files.rbegin()->second : damaged.files["log.1"];
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

TEST(Repair, SaysWhenTooLittleIsLeft) {
  Damaged damaged(schema_number(0));
  for (auto& [name, bytes] : damaged.files) {
    if (name.starts_with("manifest.")) bytes[20] ^= std::byte{1};
  }
  EXPECT_EQ(damaged.repair(), nullptr);
  EXPECT_NE(damaged.error.find("no whole manifest"), std::string::npos) << damaged.error;
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
      EXPECT_EQ(*lists, all) << "something is lost, and nobody said so";
    }
  }
}

}  // namespace
}  // namespace rizoma
