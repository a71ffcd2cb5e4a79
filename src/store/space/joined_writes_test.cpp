#include "store/space/joined_writes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kPiece = JoinedWrites::kPiece;

/// Keeps what is written, and where; a write that begins at `broken` or after it fails.
class NotingFile final : public MediumFile {
 public:
  [[nodiscard]] Result<std::uint64_t> size() const override { return bytes_.size(); }
  Status read(std::uint64_t, std::span<std::byte>) const override { return {}; }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset >= broken) return Error{ErrorCode::io, "the device is full"};
    writes.emplace_back(offset, bytes.size());
    if (bytes_.size() < offset + bytes.size()) bytes_.resize(offset + bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  Status sync() override { return {}; }
  Status resize(std::uint64_t size) override {
    bytes_.resize(size);
    return {};
  }
  Status discard(std::uint64_t, std::uint64_t) override { return {}; }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return Mapping{std::span(bytes_).subspan(offset, size), nullptr};
  }

  std::vector<std::pair<std::uint64_t, std::size_t>> writes;
  std::uint64_t broken = UINT64_MAX;

 private:
  std::vector<std::byte> bytes_;
};

class JoinedWritesTest : public testing::Test {
 protected:
  JoinedWritesTest() {
    for (unsigned location = 0; location < 2; ++location) {
      files.push_back(std::make_shared<NotingFile>());
      data->add(location, files.back(), "data");
    }
    EXPECT_TRUE(extents->reset({}, {FoundSpace{}, FoundSpace{}}, 1));
  }
  /// Writes this many bytes, and keeps them to compare.
  void write(std::size_t size, unsigned location = 0) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    auto lease = joined.write(bytes, location);
    ASSERT_TRUE(lease);
    written.emplace_back(*std::move(lease), std::move(bytes));
  }
  void expect_all_there() {
    ASSERT_TRUE(joined.finish());
    for (const auto& [lease, bytes] : written) {
      const auto mapping = data->read(lease->extent());
      ASSERT_TRUE(mapping);
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), mapping->bytes.begin()));
    }
  }

  std::mt19937_64 random{5};
  std::vector<std::shared_ptr<NotingFile>> files;
  std::shared_ptr<DataFiles> data = std::make_shared<DataFiles>();
  std::shared_ptr<ExtentAllocator> extents = std::make_shared<ExtentAllocator>();
  JoinedWrites joined{data, extents};
  std::vector<std::pair<std::shared_ptr<const ExtentLease>, std::vector<std::byte>>> written;
};

TEST_F(JoinedWritesTest, BytesThatFollowEachOtherAreWrittenAtOnce) {
  for (int i = 0; i < 100; ++i) write(100000);
  expect_all_there();
  const auto& writes = files[0]->writes;
  ASSERT_EQ(writes.size(), 5U);
  for (std::size_t i = 0; i + 1 < writes.size(); ++i) {
    EXPECT_EQ(writes[i], (std::pair<std::uint64_t, std::size_t>(i * kPiece, kPiece)));
  }
}

TEST_F(JoinedWritesTest, WhatIsLongIsWrittenFromItsPlace) {
  write(5000);
  write(5 * kPiece + 17);
  write(1);
  expect_all_there();
  EXPECT_EQ(files[0]->writes.size(), 3U);  // to the first border, the pieces, the rest
}

TEST_F(JoinedWritesTest, WhatBeginsWithinAPieceIsWrittenToItsBorderFirst) {
  const auto before = std::make_shared<const ExtentLease>(extents, 4096, 0);
  write(3 * kPiece);
  expect_all_there();
  const auto& writes = files[0]->writes;
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_EQ(writes[0], (std::pair<std::uint64_t, std::size_t>(4096, kPiece - 4096)));
  EXPECT_EQ(writes[1], (std::pair<std::uint64_t, std::size_t>(kPiece, 2 * kPiece)));
  EXPECT_EQ(writes[2], (std::pair<std::uint64_t, std::size_t>(3 * kPiece, 4096)));
}

TEST_F(JoinedWritesTest, BytesOfAnySizeAreThere) {
  for (int i = 0; i < 300; ++i) {
    const std::size_t most = std::vector<std::size_t>{1, 4096, 70000, kPiece, 3 * kPiece}[random() % 5];
    write(most == 1 ? 4096 * (1 + random() % 3) : 1 + random() % most);
  }
  expect_all_there();
}

/// The rest of a page behind an extent is unused, a whole page may be of another extent.
TEST_F(JoinedWritesTest, APageBetweenTwoWritesKeepsWhatAnotherHasWritten) {
  write(4096);
  const auto between = std::make_shared<const ExtentLease>(extents, 4096, 0);
  ASSERT_TRUE(data->write(between->extent(), std::vector<std::byte>(4096, std::byte{9})));
  write(4096);
  ASSERT_EQ(written[1].first->extent().offset, written[0].first->extent().offset + 2 * 4096) << "nothing lies between";
  expect_all_there();
  const auto mapping = data->read(between->extent());
  ASSERT_TRUE(mapping);
  EXPECT_EQ(std::count(mapping->bytes.begin(), mapping->bytes.begin() + 4096, std::byte{9}), 4096);
}

TEST_F(JoinedWritesTest, SpaceAnywhereAndTwoFilesWillDo) {
  for (int i = 0; i < 60; ++i) write(1 + random() % 50000, static_cast<unsigned>(i % 2));
  expect_all_there();
  for (std::size_t i = 0; i < written.size(); i += 3) written[i].first = nullptr;  // holes
  std::erase_if(written, [](const auto& each) { return each.first == nullptr; });
  extents->set_generation(2);
  extents->reclaim({});
  for (int i = 0; i < 200; ++i) write(1 + random() % 30000, static_cast<unsigned>(random() % 2));
  expect_all_there();
}

TEST_F(JoinedWritesTest, ManyThreadsMayWrite) {
  std::vector<std::jthread> threads;
  std::atomic<int> failed = 0;
  std::vector<std::vector<std::shared_ptr<const ExtentLease>>> leases(4);
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::vector<std::byte> bytes(20000, static_cast<std::byte>(t + 1));
        auto lease = joined.write(bytes, 0);
        failed += lease ? 0 : 1;
        if (lease) leases[t].push_back(*std::move(lease));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(failed, 0);
  ASSERT_TRUE(joined.finish());
  for (unsigned t = 0; t < 4; ++t) {
    for (const auto& lease : leases[t]) {
      const auto mapping = data->read(lease->extent());
      ASSERT_TRUE(mapping);
      const auto end = mapping->bytes.begin() + 20000;
      EXPECT_EQ(std::count(mapping->bytes.begin(), end, static_cast<std::byte>(t + 1)), 20000);
    }
  }
}

TEST_F(JoinedWritesTest, AnErrorOfTheDeviceIsTold) {
  files[0]->broken = kPiece;
  write(1000);
  EXPECT_TRUE(joined.finish());
  write(kPiece - 4096);
  write(1000);
  EXPECT_EQ(joined.finish().error().code, ErrorCode::io);
}

TEST_F(JoinedWritesTest, NothingIsWrittenAfterAnErrorThoughTheDeviceRecovers) {
  files[0]->broken = 0;
  write(1000);
  EXPECT_EQ(joined.finish().error().code, ErrorCode::io);
  files[0]->broken = UINT64_MAX;
  const std::vector<std::byte> more(1000);
  EXPECT_FALSE(joined.write(more, 0));
  EXPECT_EQ(joined.finish().error().code, ErrorCode::io);
  EXPECT_TRUE(files[0]->writes.empty()) << "the extent that failed may have another owner by now";
}

}  // namespace
}  // namespace rizoma
