// Damaged stores: whatever byte is changed, wherever a file is cut, whichever file is lost or comes
// from another store: an Error that says where, or the right answer; never a wrong one, never a crash.
#include "store/repair/store_check.h"
#include "testing/environment.h"
#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

namespace rizoma {
namespace {

/// A tiny store with images, deltas, a dictionary segment, a closed log with changes, and its content.
class StoreDamage : public testing::TestWithParam<std::uint64_t> {
 protected:
  StoreDamage() : options_(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(GetParam()))) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options_, GetParam());
    EXPECT_TRUE(history.create());
    run(history, "arcaac");
    for (int tries = 0; tries < 40 && !has_every_kind(*medium); ++tries) run(history, "rrc");
    run(history, "R");
    history.drop();
    EXPECT_TRUE(has_every_kind(*medium));
    files_ = read_files(*medium);
    model_ = history.model();
  }
  void run(StoreHistory& history, std::string_view script) {
    script_ += script;
    const auto status = history.run(script);
    ASSERT_TRUE(status) << status.error().message;
  }

  /// So that no kind of extent escapes damage.
  [[nodiscard]] bool has_every_kind(Medium& medium) const {
    std::set<std::uint32_t> kinds;
    const FileContents files = read_files(medium);
    const std::vector<std::byte>& data = files.at("data");
    for (std::size_t at = 0; at + 4 <= data.size(); at += format::kPage) {
      std::uint32_t magic = 0;
      std::memcpy(&magic, data.data() + at, sizeof magic);
      kinds.insert(magic);
    }
    constexpr std::uint32_t kSegmentMagic = 0x49445a52;  // of the dictionary (dictionary_segment.cpp)
    return kinds.contains(format::kImageMagic) && kinds.contains(format::kDeltaMagic) &&
           kinds.contains(format::kRemovedMagic) &&
           (options_.schema.ids == IdKind::dense || kinds.contains(kSegmentMagic));
  }

  /// Opens what is left; counts what is refused, at opening or at reading.
  void expect_error_or_right_answer(const FileContents& files, const std::string& what) {
    auto store = Store::open(medium_of(files), options_);
    if (!store) return note(store.error(), what);
    const auto same = equals(**(*store)->snapshot(), *model_);
    if (!same) return note(same.error(), what);
    EXPECT_TRUE(*same) << "a wrong answer after " << what;
    ++harmless_;
  }
  void note(const Error& error, const std::string& what) {
    ++refused_;
    const bool named = error.code == ErrorCode::not_found || error.message.find(":memory:") != std::string::npos ||
                       error.message.find("data") != std::string::npos;
    EXPECT_TRUE(named) << "after " << what << ", a message that does not say where: " << error.message;
  }

  StoreOptions options_;
  std::string script_;  ///< of the history
  FileContents files_;
  std::optional<StoreModel> model_;
  std::size_t refused_ = 0;
  std::size_t harmless_ = 0;
};

TEST_P(StoreDamage, OfAnyByte) {
  constexpr std::size_t kHead = 2048;  // of each file; what follows is divided into shares, as crash points are
  const CrashShare share;
  for (const auto& [name, bytes] : files_) {
    for (std::size_t at = 0; at < bytes.size() && !HasFailure(); ++at) {
      if (at >= kHead && at % share.shares != share.number) continue;
      FileContents files = files_;
      files[name][at] ^= std::byte{static_cast<unsigned char>(1u << at % 8)};
      expect_error_or_right_answer(files, "damage to byte " + std::to_string(at) + " of " + name);
    }
  }
  EXPECT_GT(refused_, share.shares == 1 ? 1000u : 400u);
}

/// Whatever becomes of one copy of the manifest, the other one is enough, also for changing and closing.
TEST_P(StoreDamage, OfOneCopyOfTheManifestCostsNothing) {
  for (const std::string prefix : {"manifest.", "manifest-copy."}) {
    const auto [name, bytes] = *files_.lower_bound(prefix);
    ASSERT_TRUE(name.starts_with(prefix)) << name;
    for (std::size_t at = 0; at <= bytes.size() && !HasFailure(); ++at) {
      SCOPED_TRACE(name + " byte " + std::to_string(at));
      FileContents files = files_;
      if (at < bytes.size()) {
        files[name][at] ^= std::byte{static_cast<unsigned char>(1u << at % 8)};
      } else {
        files.erase(name);
      }
      const auto medium = medium_of(files);
      for (int opening = 0; opening < 2; ++opening) {
        auto store = Store::open(medium, options_);
        ASSERT_TRUE(store) << store.error().message;
        const auto same = equals(**(*store)->snapshot(), *model_);
        ASSERT_TRUE(same) << same.error().message;
        EXPECT_TRUE(*same);
        if (opening == 1) {
          ASSERT_TRUE((*store)->checkpoint());
        }
        ASSERT_TRUE((*store)->close());
      }
      SerialExecutor serial;
      const auto report = check_store(medium, serial);
      ASSERT_TRUE(report) << report.error().message;
      EXPECT_TRUE(report->findings.empty()) << "a checkpoint makes both copies anew";
    }
  }
}

TEST_P(StoreDamage, OfBothCopiesOfTheManifestIsSaid) {
  for (std::size_t at = 0; at < sizeof(format::ManifestHeader) + sizeof(format::ManifestBody) && !HasFailure(); ++at) {
    FileContents files = files_;
    for (auto& [name, bytes] : files) {
      if (name.starts_with("manifest")) bytes[at] ^= std::byte{0x10};
    }
    const auto store = Store::open(medium_of(files), options_);
    ASSERT_FALSE(store) << "byte " << at;
    EXPECT_EQ(store.error().code, ErrorCode::corrupt);
    EXPECT_NE(store.error().message.find("manifest-copy."), std::string::npos) << store.error().message;
  }
}

TEST_P(StoreDamage, OfAnyLength) {
  for (const auto& [name, bytes] : files_) {
    for (std::size_t size = 0; size < bytes.size() && !HasFailure(); ++size) {
      FileContents files = files_;
      files[name].resize(size);
      expect_error_or_right_answer(files, "cutting " + name + " to " + std::to_string(size) + " bytes");
    }
  }
  EXPECT_GT(refused_, 1000u);
}

/// Runs of bytes: zeroed, inverted, filled with noise, exchanged with another part of the file, or taken out.
TEST_P(StoreDamage, OfAnyRange) {
  Random random(GetParam());
  for (const auto& [name, bytes] : files_) {
    for (int i = 0; i < 500 && !HasFailure(); ++i) {
      FileContents files = files_;
      std::vector<std::byte>& target = files[name];
      const std::size_t begin = random.below(bytes.size());
      const std::size_t length = std::min<std::size_t>(bytes.size() - begin, 2 + random.below(i % 2 == 0 ? 32 : 5'000));
      const auto range = std::span(target).subspan(begin, length);
      const std::size_t other = random.below(bytes.size() - length + 1);
      switch (i % 5) {
        case 0: std::fill(range.begin(), range.end(), std::byte{0}); break;
        case 1: std::for_each(range.begin(), range.end(), [](std::byte& each) { each ^= std::byte{0xff}; }); break;
        case 2:
          std::for_each(range.begin(), range.end(),
                        [&](std::byte& each) { each = static_cast<std::byte>(random.below(256)); });
          break;
        case 3: std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(other), length, range.begin()); break;
        default:
          target.erase(target.begin() + static_cast<std::ptrdiff_t>(begin),
                       target.begin() + static_cast<std::ptrdiff_t>(begin + length));
      }
      expect_error_or_right_answer(files, "damage " + std::to_string(i % 5) + " to " + std::to_string(length) +
                                              " bytes from " + std::to_string(begin) + " on of " + name);
    }
  }
  EXPECT_GT(refused_, 500u);
}

TEST_P(StoreDamage, OfWholeFiles) {
  const std::shared_ptr<Medium> other_medium = make_heap_medium();
  StoreHistory other(other_medium, nullptr, options_, GetParam() + 1);
  ASSERT_TRUE(other.create());
  ASSERT_TRUE(other.run(script_));
  other.drop();
  const FileContents other_files = read_files(*other_medium);
  for (const auto& [name, bytes] : files_) {
    FileContents files = files_;
    files.erase(name);
    expect_error_or_right_answer(files, "the loss of " + name);
    files[name] = {};
    expect_error_or_right_answer(files, "emptying " + name);
    files[name] = std::vector<std::byte>(bytes.size());
    expect_error_or_right_answer(files, "zeroing " + name);
    files[name] = other_files.at(name);
    expect_error_or_right_answer(files, "another store's " + name);
  }
  EXPECT_GE(refused_, 4 * (files_.size() - 2));
  EXPECT_GE(harmless_, 8u) << "one copy of the manifest is enough";
}

TEST_P(StoreDamage, IsFoundByCheck) {
  SerialExecutor serial;
  const auto whole = check_store(medium_of(files_), serial);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(whole->findings.empty());
  for (const auto& [name, bytes] : files_) {
    for (std::size_t at = 0; at < bytes.size() && !HasFailure(); at += 7) {
      FileContents files = files_;
      files[name][at] ^= std::byte{0x40};
      const auto report = check_store(medium_of(files), serial);
      ASSERT_TRUE(report) << report.error().message;
      if (!report->findings.empty()) continue;
      // What check does not find must be without meaning.
      auto store = Store::open(medium_of(files), options_);
      ASSERT_TRUE(store) << name << " byte " << at << ": " << store.error().message;
      const auto same = equals(**(*store)->snapshot(), *model_);
      EXPECT_TRUE(same && *same) << name << " byte " << at;
    }
    FileContents files = files_;
    files.erase(name);
    const auto report = check_store(medium_of(files), serial);
    ASSERT_TRUE(report) << "without " << name << ": " << report.error().message;
    EXPECT_FALSE(report->findings.empty()) << "without " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemas, StoreDamage, testing::Values(2, 13, 20));

}  // namespace
}  // namespace rizoma
