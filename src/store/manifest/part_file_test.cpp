// The file `part` beside a superblock and a state: it is of them, or refused.
#include "store/manifest/part_file.h"

#include "testing/heap_medium.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::HasSubstr;

/// A part of a graph of five sections and four blocks of rows.
struct DistributedPart {
  Part part{{7, 8}, 5, 1, 3, 2, {0, 1, 2, 1, 0}, {11, 12, 13, 14, 15}, {}, {false, true, false, true}};
  format::Superblock block;
  ManifestState state;
  std::size_t cut = 0;  ///< bytes that the file lacks

  DistributedPart() {
    block.store = part.store;
    block.generation = part.generation;
    state.schema.section_bits = 2;
    state.num_vertices = 18;
    state.edge_rows.resize(4);
  }

  Result<std::shared_ptr<const Part>> read() {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    std::vector<std::byte> bytes = encode_part(part);
    bytes.resize(bytes.size() - cut);
    EXPECT_TRUE((*medium->open(kPartName, FileMode::create))->write(0, bytes));
    EXPECT_FALSE(expect_whole_store(*medium));
    return read_part(*medium, block, state);
  }
};

TEST(PartBesideItsStore, MarksTheBlocksThatOtherPartsHave) {
  DistributedPart whole;
  const auto read = whole.read();
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_NE(*read, nullptr);
  EXPECT_EQ((*read)->owners, whole.part.owners);
  for (std::size_t b = 0; b < 4; ++b) EXPECT_EQ(whole.state.edge_rows[b].here, b % 2 == 1) << b;
  const std::shared_ptr<Medium> none = make_heap_medium();
  EXPECT_EQ(*read_part(*none, whole.block, whole.state), nullptr);
  EXPECT_TRUE(expect_whole_store(*none));
}

TEST(PartBesideItsStore, OfAnotherStateIsRefused) {
  const std::string another = "belongs to another state of the graph",
                    sections = "belongs to a graph with another number of sections";
  const std::vector<std::pair<std::function<void(DistributedPart&)>, std::string>> changes = {
      {[](auto& each) { each.block.store.low = 9; }, another},
      {[](auto& each) { each.block.store.high = 9; }, another},
      {[](auto& each) { each.block.generation = 4; }, another},
      {[](auto& each) { each.block.generation = 6; }, another},
      {[](auto& each) { each.state.edge_rows.resize(3); }, "lists other blocks of rows than the manifest"},
      {[](auto& each) { each.state.edge_rows.resize(5); }, "lists other blocks of rows than the manifest"},
      {[](auto& each) { each.state.num_vertices = 16; }, sections},
      {[](auto& each) { each.state.num_vertices = 21; }, sections},
      {[](auto& each) { each.cut = 8; }, "has impossible sizes"},
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    DistributedPart each;
    changes[i].first(each);
    const auto read = each.read();
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr(changes[i].second));
  }
}

}  // namespace
}  // namespace rizoma
