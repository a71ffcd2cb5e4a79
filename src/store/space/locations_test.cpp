// A store over several locations: sections lie where their homes say, through crashes, moves and losses.
#include "store/store.h"

#include "base/random.h"
#include "platform/memory_medium.h"
#include "store/disk_format.h"
#include "store/file_names.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/store_model.h"
#include "testing/directory_medium.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_seal.h"
#include "testing/unreadable_medium.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace rizoma {
namespace {

using testing::HasSubstr;

using Directory = DirectoryMedium;

/// Options for a store whose directories are names in `whole`; `moved` leads from old names to new ones.
StoreOptions options_in(Medium& whole, std::vector<std::string> locations,
                        std::map<std::string, std::string> moved = {}) {
  StoreOptions options;
  options.schema.section_bits = 2;
  options.log_limit = 900;
  options.close_limit = 400;
  options.locations = std::move(locations);
  options.open_location = [&whole, moved](const std::string& path, bool create) -> Result<std::shared_ptr<Medium>> {
    const auto gone = moved.find(path);
    if (gone != moved.end()) return Error{ErrorCode::not_found, path + " is gone"};
    for (const auto& [from, to] : moved) {
      if (path == to) return std::shared_ptr<Medium>(std::make_shared<Directory>(whole, from));
    }
    if (!create && Directory(whole, path).list()->empty()) return Error{ErrorCode::not_found, path + " is not there"};
    return std::shared_ptr<Medium>(std::make_shared<Directory>(whole, path));
  };
  return options;
}

std::shared_ptr<Medium> home_of(Medium& whole) { return std::make_shared<Directory>(whole, "store"); }

/// Edges i -> (7 i + k) mod n, so that every section has some.
std::vector<StoreModel::Added> edges_of(int k, int n = 40) {
  std::vector<StoreModel::Added> added;
  for (int i = 0; i < n; ++i) added.push_back({{i, (7 * i + k) % n}, 0});
  return added;
}

void add(Store& store, StoreModel& model, int k) {
  const auto added = edges_of(k);
  for (const auto& one : added) model.add(one);
  const auto status = store.add_edges(model.batch(added));
  ASSERT_TRUE(status) << status.error().message;
}

std::vector<unsigned> locations_of_images(Store& store) {
  std::vector<unsigned> found;
  const auto snapshot = *store.snapshot();
  for (const auto& version : snapshot->parts().out) {
    if (version != nullptr && version->parts().image) found.push_back(version->parts().image->extent().location);
  }
  return found;
}

void expect_equal(Store& store, const StoreModel& model) {
  const auto same = equals(**store.snapshot(), model);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_TRUE(*same);
}

TEST(StoreLocations, SectionsLieInTurnInTheLocations) {
  const auto whole = make_memory_medium();
  const StoreOptions options = options_in(*whole, {"a", "b"});
  StoreModel model(options.schema);
  {
    auto store = Store::create(home_of(*whole), options);
    ASSERT_TRUE(store) << store.error().message;
    add(**store, model, 1);
    ASSERT_TRUE((*store)->checkpoint());
    EXPECT_EQ(locations_of_images(**store), (std::vector<unsigned>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
    EXPECT_LE(*(*Directory(*whole, "store").open("data", FileMode::read))->size(), 2 * format::kPage)
        << "the manifest, and the place of the one before it";
    EXPECT_GT(*(*Directory(*whole, "b").open("data", FileMode::read))->size(), 0u);
  }
  auto store = Store::open(home_of(*whole), options_in(*whole, {}));  // it remembers where they are
  ASSERT_TRUE(store) << store.error().message;
  expect_equal(**store, model);
  add(**store, model, 2);
  ASSERT_TRUE((*store)->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
  EXPECT_EQ(locations_of_images(**store), (std::vector<unsigned>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  expect_equal(**store, model);
}

TEST(StoreLocations, TheStoresOwnDirectoryMayBeAHome) {
  const auto whole = make_memory_medium();
  auto store = Store::create(home_of(*whole), options_in(*whole, {"", "b"}));
  ASSERT_TRUE(store) << store.error().message;
  StoreModel model({.section_bits = 2});
  add(**store, model, 1);
  ASSERT_TRUE((*store)->checkpoint());
  EXPECT_EQ(locations_of_images(**store), (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(StoreLocations, TheStoreNamesTheFilesInAllOfThem) {
  const auto whole = make_memory_medium();
  const auto store = *Store::create(home_of(*whole), options_in(*whole, {"", "b"}));
  StoreModel model({.section_bits = 2});
  add(*store, model, 1);
  ASSERT_TRUE(store->checkpoint());
  const auto info = store->info();
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->locations, (std::vector<std::string>{home_of(*whole)->describe(), "b"}));
  std::set<std::string> named;
  std::uint64_t on_disk = 0;
  for (const auto& file : info->files) {
    named.insert(file.name);
    on_disk += file.allocated;
    const auto slash = file.name.find('/');
    const Directory directory(*whole, slash == std::string::npos ? "store" : file.name.substr(0, slash));
    const auto there = Directory(directory).open(file.name.substr(slash + 1), FileMode::read);
    ASSERT_TRUE(there) << file.name;
    EXPECT_EQ(file.bytes, *(*there)->size()) << file.name;
  }
  EXPECT_EQ(info->bytes_on_disk, on_disk);
  for (const char* name : {"data", "b/data", "superblock"}) EXPECT_TRUE(named.contains(name)) << name;
}

TEST(StoreLocations, PlacingMovesSectionsUnderAReader) {
  const auto whole = make_memory_medium();
  auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b", "c"}));
  StoreModel model({.section_bits = 2});
  add(*store, model, 1);
  ASSERT_TRUE(store->checkpoint());
  const auto held = *store->snapshot();
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const auto same = equals(**store->snapshot(), model);
      ASSERT_TRUE(same) << same.error().message;
      ASSERT_TRUE(*same);
    }
  });
  for (unsigned round = 0; round < 30; ++round) {
    std::vector<unsigned> homes;
    for (unsigned s = 0; s < 10; ++s) homes.push_back((s * s + round) % 3);
    const auto status = store->place(homes);
    ASSERT_TRUE(status) << status.error().message;
    for (unsigned s = 0; s < 10; ++s) homes[s] += 1;
    EXPECT_EQ(locations_of_images(*store), homes);
  }
  done = true;
  reader.join();
  const auto same = equals(*held, model);
  EXPECT_TRUE(same && *same) << "a snapshot of before the moves";
  const auto bytes = (*Directory(*whole, "a").open("data", FileMode::read))->size();
  // 100 sections came here, each of a page; the reader, which may be slow, holds those of one round at a time.
  EXPECT_LT(*bytes, 60u * 4096) << "space of what moved away is used again";
}

TEST(StoreLocations, EverySectionNeedsAHome) {
  const auto whole = make_memory_medium();
  auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
  StoreModel model({.section_bits = 2});
  add(*store, model, 1);
  for (const std::size_t homes : {0u, 1u, 9u, 11u}) {
    const auto status = store->place(std::vector<unsigned>(homes));
    ASSERT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(status.error().message, HasSubstr(std::to_string(homes) + " entries, but the graph has 10 sections"));
  }
  EXPECT_TRUE(store->place(std::vector<unsigned>(10)));
}

TEST(StoreLocations, OneLocationHasNowhereToMoveTo) {
  const auto whole = make_memory_medium();
  auto store = *Store::create(home_of(*whole), options_in(*whole, {}));
  EXPECT_EQ(store->place({0}).error().code, ErrorCode::invalid_argument);
}

TEST(StoreLocations, HomesCanBeChangedAndOldOnesGivenUp) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {}));
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  {
    auto store = *Store::open(home_of(*whole), options_in(*whole, {"a", "b"}));
    expect_equal(*store, model);
    ASSERT_TRUE(store->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
    EXPECT_EQ(locations_of_images(*store), (std::vector<unsigned>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  }
  {
    auto store = *Store::open(home_of(*whole), options_in(*whole, {"c", ""}));
    ASSERT_TRUE(store->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
    EXPECT_EQ(locations_of_images(*store), (std::vector<unsigned>{3, 0, 3, 0, 3, 0, 3, 0, 3, 0}));
    EXPECT_THAT(*Directory(*whole, "a").list(), testing::IsEmpty());
    expect_equal(*store, model);
  }
  auto store = Store::open(home_of(*whole), options_in(*whole, {}));
  ASSERT_TRUE(store) << store.error().message;
  expect_equal(**store, model);
}

TEST(StoreLocations, ThereAreSixtyFourAtMost) {
  std::vector<std::string> names;
  for (int i = 0; i < 63; ++i) names.push_back("d" + std::to_string(i));  // and the store's own directory
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, names));
    for (int k = 1; k < 8; ++k) {
      const auto added = edges_of(k, 260);
      for (const auto& one : added) model.add(one);
      ASSERT_TRUE(store->add_edges(model.batch(added)));
    }
    ASSERT_TRUE(store->checkpoint());
    const std::vector<unsigned> found = locations_of_images(*store);
    EXPECT_EQ(*std::max_element(found.begin(), found.end()), 63U);
  }
  expect_equal(**Store::open(home_of(*whole), options_in(*whole, {})), model);
  names.emplace_back("one more");
  const auto other = make_memory_medium();
  const auto refused = Store::create(home_of(*other), options_in(*other, names));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("at most 64 locations"));
}

/// Other homes are for what is written; only a compaction or `place` moves what is there.
TEST(StoreLocations, ACheckpointMovesNoSectionToItsNewHome) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {}));
    add(*store, model, 1);
    add(*store, model, 2);
    ASSERT_TRUE(store->checkpoint());
  }
  auto store = *Store::open(home_of(*whole), options_in(*whole, {"a", "b"}));
  const std::vector<StoreModel::Added> one{{{0, 5}, 0}};
  ASSERT_TRUE(store->add_edges(model.batch(one)));
  model.add(one[0]);
  ASSERT_TRUE(store->checkpoint());
  EXPECT_EQ(locations_of_images(*store), std::vector<unsigned>(10, 0));
  expect_equal(*store, model);
}

/// Where in which file the manifest of a tag is.
std::pair<std::string, std::uint64_t> place_of_tag(Medium& whole) {
  for (const auto& [name, bytes] : read_files(whole)) {
    if (!name.ends_with(kDataName)) continue;
    for (std::uint64_t at = 0; at + sizeof(std::uint32_t) <= bytes.size(); at += format::kPage) {
      std::uint32_t magic = 0;
      std::memcpy(&magic, bytes.data() + at, sizeof magic);
      if (magic == format::kManifestMagic) return {name, at};
    }
  }
  ADD_FAILURE() << "no file has a tag";
  return {};
}

TEST(StoreLocations, OneThatAnUnreadableTagMayNeedIsKept) {
  const std::shared_ptr<Medium> whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    ASSERT_TRUE(store) << store.error().message;
    add(**store, model, 1);
    ASSERT_TRUE((*store)->tag("t"));
    ASSERT_TRUE((*store)->close());
  }
  const StoreModel tagged = model;
  const auto [name, at] = place_of_tag(*whole);
  const auto unreadable = make_unreadable_medium(whole, {{name, at, at + 512}});
  for (int round = 2; round < 4; ++round) {
    auto store = Store::open(home_of(*unreadable), options_in(*unreadable, {"a"}));
    ASSERT_TRUE(store) << store.error().message;
    add(**store, model, round);
    ASSERT_TRUE((*store)->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
    ASSERT_TRUE((*store)->close());
  }
  StoreOptions options = options_in(*whole, {});
  options.at = "t";
  const auto store = Store::open_read_only(home_of(*whole), options);
  ASSERT_TRUE(store) << store.error().message;
  expect_equal(**store, tagged);
}

TEST(StoreLocations, AMissingOrMovedLocationIsFoundOrNamed) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  const std::map<std::string, std::string> moved{{"b", "elsewhere"}};
  const auto missing = Store::open(home_of(*whole), options_in(*whole, {}, moved));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("location 2"));
  EXPECT_THAT(missing.error().message, HasSubstr("looked for in b"));
  {
    auto store = Store::open(home_of(*whole), options_in(*whole, {"a", "elsewhere"}, moved));
    ASSERT_TRUE(store) << store.error().message;
    expect_equal(**store, model);
    ASSERT_TRUE((*store)->checkpoint());
  }
  auto store = Store::open(home_of(*whole), options_in(*whole, {}, moved));
  ASSERT_TRUE(store) << "the new place is remembered; " << store.error().message;
  expect_equal(**store, model);
}

TEST(StoreLocations, ADirectoryNamedTwiceIsRefused) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  EXPECT_EQ(Store::create(home_of(*whole), options_in(*whole, {"a", "a"})).error().code, ErrorCode::invalid_argument);
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  StoreOptions options = options_in(*whole, {"a", "alias"});
  options.open_location = [&](const std::string& path, bool) {
    return Result<std::shared_ptr<Medium>>(std::make_shared<Directory>(*whole, path == "alias" ? "b" : path));
  };
  auto store = Store::open(home_of(*whole), options);
  ASSERT_TRUE(store) << store.error().message;
  expect_equal(**store, model);  // the alias did not empty it
}

/// A directory that says it is a part of this graph, which the manifest does not name: it was given up, or made by an
/// opening that came to nothing.
TEST(StoreLocations, ADirectoryThatWasLeftByTheGraphBecomesALocationAgain) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  const FileContents before = read_files(*whole);
  {
    auto store = *Store::open(home_of(*whole), options_in(*whole, {"a"}));
    ASSERT_TRUE(store->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
  }
  for (const auto& [name, bytes] : before) {  // as if it could not be removed then
    if (!name.starts_with("b:")) continue;
    ASSERT_TRUE((*whole->open(name, FileMode::create))->write(0, bytes));
  }
  auto store = Store::open(home_of(*whole), options_in(*whole, {"a", "b"}));
  ASSERT_TRUE(store) << store.error().message;
  add(**store, model, 2);
  ASSERT_TRUE((*store)->place({0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(locations_of_images(**store), (std::vector<unsigned>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  expect_equal(**store, model);
}

TEST(StoreLocations, ForeignDirectoriesAreRefused) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  const auto other = Store::create(std::make_shared<Directory>(*whole, "other"), options_in(*whole, {"a"}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::already_exists);
  EXPECT_THAT(other.error().message, HasSubstr("a part of another graph"));
  ASSERT_TRUE(Directory(*whole, "mine").open("diary", FileMode::create));
  const auto files = Store::create(std::make_shared<Directory>(*whole, "third"), options_in(*whole, {"mine"}));
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("other files"));
  // Nothing is left of either, also where the first location had been made before the second was refused.
  const auto late = Store::create(std::make_shared<Directory>(*whole, "fourth"), options_in(*whole, {"new", "mine"}));
  ASSERT_FALSE(late);
  for (const char* name : {"other", "third", "fourth", "new"}) {
    EXPECT_TRUE(Directory(*whole, name).list()->empty()) << name;
  }
}

TEST(StoreLocations, ADiscardedStoreTakesItsFilesAndNoOthers) {
  const auto whole = make_memory_medium();
  auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", ""}));
  StoreModel model({.section_bits = 2});
  add(*store, model, 1);
  ASSERT_TRUE(store->checkpoint());
  const std::vector<std::string> others = {"a:notes", "store:data.txt", "store:log.01", "store:log.txt",
                                           "store:manifest.json"};
  for (const std::string& name : others) ASSERT_TRUE(whole->open(name, FileMode::create));
  const auto snapshot = *store->snapshot();
  ASSERT_TRUE(store->discard());
  auto left = *whole->list();
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, others);
  EXPECT_TRUE(*equals(*snapshot, model));
  EXPECT_EQ(store->add_vertices(std::vector<std::int64_t>{1}).error().code, ErrorCode::closed);
  EXPECT_TRUE(store->close());
}

TEST(StoreLocations, DamageInALocationIsNamedByItsPath) {
  const auto whole = make_memory_medium();
  StoreModel model({.section_bits = 2});
  const StoreOptions options = options_in(*whole, {"a", "b"});
  {
    auto store = *Store::create(home_of(*whole), options);
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  const std::byte bad{0xff};
  ASSERT_TRUE((*Directory(*whole, "b").open("data", FileMode::write))->write(100, std::span(&bad, 1)));
  SerialExecutor serial;
  const auto report = check_store(home_of(*whole), serial, options);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_THAT(report->findings[0].where, HasSubstr("b/data"));
}

TEST(StoreLocations, AMarkOfALaterReleaseIsRefused) {
  const auto whole = make_memory_medium();
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
  }
  std::vector<std::byte> mark(sizeof(format::LocationHeader));
  const auto file = *Directory(*whole, "b").open("location", FileMode::write);
  ASSERT_TRUE(file->read(0, mark));
  seal<format::LocationHeader>(mark, 0, format::kSeedLocation, [](auto& header) { header.version = 99; });
  ASSERT_TRUE(file->write(0, mark));
  const auto store = Store::open(home_of(*whole), options_in(*whole, {}));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::unsupported) << store.error().message;
  EXPECT_THAT(store.error().message, HasSubstr("b/location has format version 99"));
}

TEST(StoreLocations, RepairReadsAllOfThem) {
  const auto whole = make_heap_medium();
  GraphSchema schema{.directed = true, .in_edges = true, .section_bits = 2};
  StoreModel model(schema);
  {
    StoreOptions options = options_in(*whole, {"a", "b"});
    options.schema = schema;
    auto store = *Store::create(home_of(*whole), options);
    add(*store, model, 1);
    ASSERT_TRUE(store->checkpoint());
  }
  const FileContents files = read_files(*whole);
  const auto repaired = [&](const FileContents& damaged, RepairReport& report) {
    const auto medium = medium_of(damaged);
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    SerialExecutor serial;
    auto done = repair_store(home_of(*medium), fresh, serial, options_in(*medium, {}));
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(read_files(*medium), damaged) << "repairing changed the damaged store";
    report = *std::move(done);
    EXPECT_TRUE(report.lost.empty()) << report.lost[0];
    EXPECT_EQ(report.kept_locations, (std::vector<std::filesystem::path>{"a", "b"}));
    expect_equal(**Store::open(fresh), model);
  };
  RepairReport report;
  repaired(files, report);
  EXPECT_TRUE(report.restored.empty());
  FileContents damaged = files;
  damaged["b:data"][100] ^= std::byte{1};
  repaired(damaged, report);
  ASSERT_EQ(report.restored.size(), 1u);
  EXPECT_THAT(report.restored[0], HasSubstr("from their other ends"));
  damaged["a:location"][20] ^= std::byte{1};
  repaired(damaged, report);
  ASSERT_EQ(report.restored.size(), 2u);
  EXPECT_THAT(report.restored[0], HasSubstr("the mark of location 1 (a)"));
  damaged.erase("b:location");
  damaged.erase("b:data");
  const auto medium = medium_of(damaged);
  SerialExecutor serial;
  const auto refused = repair_store(home_of(*medium), make_heap_medium(), serial, options_in(*medium, {}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_THAT(refused.error().message, HasSubstr("location 2"));
}

/// Whatever bytes of a location's files are damaged, and wherever they are cut.
TEST(StoreLocations, DamageGivesAnErrorOrTheRightAnswer) {
  const auto whole = make_heap_medium();
  StoreModel model({.section_bits = 2});
  {
    auto store = *Store::create(home_of(*whole), options_in(*whole, {"a", "b"}));
    for (int k = 1; k < 4; ++k) {
      add(*store, model, k);
      ASSERT_TRUE(store->checkpoint());
    }
  }
  const FileContents files = read_files(*whole);
  Random random(7);
  std::size_t refused = 0;
  const auto expect_error_or_right = [&](const FileContents& damaged, const std::string& what) {
    const auto medium = medium_of(damaged);
    const auto store = Store::open(home_of(*medium), options_in(*medium, {}));
    if (!store) return void(++refused);
    const auto same = equals(**(*store)->snapshot(), model);
    if (!same) return void(++refused);
    EXPECT_TRUE(*same) << "a wrong answer after " << what;
  };
  for (const auto& [name, bytes] : files) {
    if (name.starts_with("store:")) continue;  // StoreDamage has these
    for (int i = 0; i < 400 && !HasFailure(); ++i) {
      const std::size_t at = random.below(bytes.size());
      const std::string what = name + " from byte " + std::to_string(at) + " on";
      FileContents damaged = files;
      auto& target = damaged[name];
      if (i % 4 == 0) {
        target.resize(at);
      } else {
        const std::size_t end = i % 4 == 1 ? at + 1 : std::min(target.size(), at + 1 + random.below(300));
        for (std::size_t k = at; k < end; ++k) target[k] = i % 4 == 3 ? std::byte{0} : target[k] ^ std::byte{0x55};
      }
      expect_error_or_right(damaged, what);
    }
  }
  EXPECT_GT(refused, 400u);
}

void copy_directory(Medium& whole, const std::string& from, const std::string& to) {
  Directory source(whole, from), target(whole, to);
  const auto names = source.list();
  for (const std::string& name : *names) {
    const auto file = source.open(name, FileMode::read);
    std::vector<std::byte> bytes(*(*file)->size());
    ASSERT_TRUE((*file)->read(0, bytes));
    ASSERT_TRUE((*target.open(name, FileMode::create))->write(0, bytes));
  }
}

void remove_directory(Medium& whole, const std::string& name) {
  Directory directory(whole, name);
  const auto names = directory.list();
  for (const std::string& file : *names) ASSERT_TRUE(directory.remove(file));
}

/// A store in the directory `path`.
Result<std::unique_ptr<Store>> open_at(Medium& whole, const std::string& path, std::vector<std::string> locations) {
  StoreOptions options = options_in(whole, std::move(locations));
  options.path = path;
  auto medium = std::make_shared<Directory>(whole, path);
  RIZOMA_ASSIGN(const bool found, Store::exists(*medium));
  return found ? Store::open(medium, options) : Store::create(medium, options);
}

class CopiedStore : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = open_at(*whole, "store", {"a", "b"});
    ASSERT_TRUE(store) << store.error().message;
    add(**store, model, 1);
    ASSERT_TRUE((*store)->checkpoint());
  }
  void expect_opens(const std::string& path, std::vector<std::string> locations) {
    SCOPED_TRACE(path);
    const auto store = open_at(*whole, path, std::move(locations));
    ASSERT_TRUE(store) << store.error().message;
    expect_equal(**store, model);
  }
  const std::unique_ptr<Medium> whole = make_memory_medium();
  StoreModel model{{.section_bits = 2}};
};

TEST_F(CopiedStore, ACopyWithoutItsLocationsIsRefused) {
  copy_directory(*whole, "store", "copy");
  for (const auto& named : {std::vector<std::string>{}, std::vector<std::string>{"a", "b"}}) {
    const auto copy = open_at(*whole, "copy", named);
    ASSERT_FALSE(copy);
    EXPECT_EQ(copy.error().code, ErrorCode::not_found);
    EXPECT_THAT(copy.error().message, HasSubstr("belong to the graph at store, of which this is a copy"));
  }
  expect_opens("store", {});
}

TEST_F(CopiedStore, ACopyWithItsLocationsIsAStoreOfItsOwn) {
  copy_directory(*whole, "store", "copy");
  copy_directory(*whole, "a", "a2");
  copy_directory(*whole, "b", "b2");
  {
    StoreModel changed = model;
    const auto copy = open_at(*whole, "copy", {"a2", "b2"});
    ASSERT_TRUE(copy) << copy.error().message;
    for (int k = 2; k < 6; ++k) {
      add(**copy, changed, k);
      ASSERT_TRUE((*copy)->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
    }
    expect_equal(**copy, changed);
  }
  expect_opens("store", {});
}

TEST_F(CopiedStore, AStoreThatMovedTakesItsLocationsAlong) {
  copy_directory(*whole, "store", "moved");
  remove_directory(*whole, "store");
  expect_opens("moved", {});
  copy_directory(*whole, "moved", "again");
  EXPECT_FALSE(open_at(*whole, "again", {})) << "the locations are those of `moved` by now";
}

TEST_F(CopiedStore, AnUnchangedStoreRemembersWhereItsLocationsWent) {
  copy_directory(*whole, "a", "new");
  remove_directory(*whole, "a");
  expect_opens("store", {"new", "b"});
  expect_opens("store", {});
}

/// A history over two locations, with moves, a changed set of homes and a clean close.
std::vector<std::pair<std::uint64_t, StoreModel>> run_history(FaultMedium& medium) {
  std::vector<std::pair<std::uint64_t, StoreModel>> acknowledged;
  StoreModel model({.section_bits = 2});
  auto store = Store::create(home_of(medium), options_in(medium, {"a", "b"}));
  EXPECT_TRUE(store) << store.error().message;
  const auto batch = [&](int k) {
    add(**store, model, k);
    acknowledged.emplace_back(medium.position(), model);
  };
  acknowledged.emplace_back(medium.position(), model);
  batch(1);
  EXPECT_TRUE((*store)->checkpoint());
  batch(2);
  EXPECT_TRUE((*store)->place({1, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
  batch(3);
  EXPECT_TRUE((*store)->close());
  store = Store::open(home_of(medium), options_in(medium, {"b", "c"}));
  EXPECT_TRUE(store) << store.error().message;
  batch(4);
  EXPECT_TRUE((*store)->compact(*std::make_unique<SerialExecutor>(), std::nullopt));
  batch(5);
  return acknowledged;
}

TEST(StoreLocations, ACrashAtAnyPointLosesNothingAcknowledged) {
  FaultMedium medium(512);
  const auto acknowledged = run_history(medium);
  std::uint64_t states = 0;
  for (const CrashState& state : medium.crash_states({.systematic = 6, .random = 2})) {
    SCOPED_TRACE(state.describe());
    const auto left = state.materialize();
    auto store = Store::open(home_of(*left), options_in(*left, {}));
    if (!store && store.error().code == ErrorCode::not_found && state.position() < acknowledged[0].first) continue;
    ASSERT_TRUE(store) << store.error().message;
    ++states;
    bool known = false;
    for (std::size_t k = 0; k < acknowledged.size() && !known; ++k) {
      const bool needed = k + 1 < acknowledged.size() && acknowledged[k + 1].first <= state.position();
      const auto same = needed ? Result<bool>(false) : equals(**(*store)->snapshot(), acknowledged[k].second);
      ASSERT_TRUE(same) << same.error().message;
      known = *same;
    }
    ASSERT_TRUE(known) << "a content that never was, or something acknowledged is lost";
  }
  EXPECT_GT(states, 300u);
}

}  // namespace
}  // namespace rizoma
