// DataFiles, extents and a store in a child made by fork, while a thread of the parent is at them.
#include "store/space/data_files.h"

#include "platform/file_medium.h"
#include "store/store.h"
#include "testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// What the child returned; nothing if it had to be ended.
template <class InChild>
std::optional<int> run_forked(InChild&& in_child) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(600);
    ::_exit(in_child());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

/// A file whose mapping takes until the test lets it go on.
class SlowFile final : public MediumFile {
 public:
  SlowFile(std::promise<void>& reached, std::shared_future<void> go) : reached_(reached), go_(std::move(go)) {}
  [[nodiscard]] Result<std::uint64_t> size() const override { return std::uint64_t{4096}; }
  Status read(std::uint64_t, std::span<std::byte>) const override { return {}; }
  Status write(std::uint64_t, std::span<const std::byte>) override { return {}; }
  Status sync() override { return {}; }
  Status resize(std::uint64_t) override { return {}; }
  Status discard(std::uint64_t, std::uint64_t) override { return {}; }
  [[nodiscard]] Result<Mapping> map(std::uint64_t, std::uint64_t size) const override {
    reached_.set_value();
    go_.wait();
    auto bytes = std::make_shared<std::vector<std::byte>>(size);
    return Mapping{*bytes, bytes};
  }

 private:
  std::promise<void>& reached_;
  std::shared_future<void> go_;
};

/// A file that is there, and of which nothing can be mapped.
class UnmappableFile final : public MediumFile {
 public:
  [[nodiscard]] Result<std::uint64_t> size() const override {
    if (++asked_ > 10) return Error{ErrorCode::cancelled, "asked again and again"};
    return std::uint64_t{4096};
  }
  Status read(std::uint64_t, std::span<std::byte>) const override { return {}; }
  Status write(std::uint64_t, std::span<const std::byte>) override { return {}; }
  Status sync() override { return {}; }
  Status resize(std::uint64_t) override { return {}; }
  Status discard(std::uint64_t, std::uint64_t) override { return {}; }
  [[nodiscard]] Result<Mapping> map(std::uint64_t, std::uint64_t) const override {
    return Error{ErrorCode::io, "cannot be mapped"};
  }

 private:
  mutable int asked_ = 0;
};

TEST(DataFiles, OneThatCannotBeMappedIsAnErrorAtOnce) {
  DataFiles data;
  data.add(0, std::make_shared<UnmappableFile>(), "data");
  const auto bytes = data.view({0, 100, 0});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::io) << bytes.error().message;
}

TEST(DataFiles, AForkedChildIsToldThatItCannotRead) {
  std::promise<void> reached, go;
  DataFiles data;
  data.add(0, std::make_shared<SlowFile>(reached, go.get_future().share()), "data");
  std::thread reader([&] { EXPECT_TRUE(data.read({0, 100, 0})); });
  reached.get_future().wait();
  const auto told = run_forked([&] {
    const auto bytes = data.read({0, 100, 0});
    return bytes ? 1 : bytes.error().code == ErrorCode::closed ? 0 : 2;
  });
  EXPECT_EQ(told, 0) << "it waited for a thread that it does not have";
  go.set_value();
  reader.join();
  EXPECT_TRUE(data.read({0, 100, 0}));
}

TEST(ExtentLease, AForkedChildLetsGoWhateverItsParentDoes) {
  const auto extents = std::make_shared<ExtentAllocator>();
  auto lease = std::make_unique<ExtentLease>(extents, 100, 0U);
  std::atomic<bool> enough{false};
  std::thread busy([&] {
    while (!enough) static_cast<void>(extents->in_use());
  });
  for (int round = 0; round < 50 && !HasFailure(); ++round) {
    const auto ended = run_forked([&] {
      lease = nullptr;
      return 0;
    });
    EXPECT_EQ(ended, 0) << "it waited for a thread that it does not have, in round " << round;
  }
  enough = true;
  busy.join();
  EXPECT_EQ(extents->in_use(), 4096U);
}

/// Its destructor neither waits for threads that the child lacks nor writes beside its parent.
TEST(ForkedStore, AForkedChildLetsGoWhateverItsParentDoes) {
  const testing::TemporaryDirectory directory;
  StoreOptions options;
  options.background = true;
  options.schema.ids = IdKind::integer;
  auto store = *Store::create(*open_file_medium(directory.path() / "g", true), options);
  std::atomic<bool> enough{false};
  std::atomic<std::uint64_t> added{0};
  std::vector<std::thread> busy;  // that wait for each other's syncs
  for (std::int64_t first : {0, 100'000, 200'000, 300'000}) {
    busy.emplace_back([&, first] {
      for (std::int64_t v = first; !enough; ++v) {
        const bool done = store->add_edges({std::vector<std::int64_t>{v}, std::vector<std::int64_t>{v + 1}, {}}).ok();
        EXPECT_TRUE(done);
        added += done ? 1 : 0;
      }
    });
  }
  for (int round = 0; round < 10 && !HasFailure(); ++round) {
    const auto ended = run_forked([&] {
      store.reset();
      return 0;
    });
    EXPECT_EQ(ended, 0) << "in round " << round;
  }
  enough = true;
  for (std::thread& each : busy) each.join();
  ASSERT_TRUE(store->close());
  store.reset();
  const auto again = Store::open(*open_file_medium(directory.path() / "g"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->info()->num_edges, added.load());
}

}  // namespace
}  // namespace rizoma
