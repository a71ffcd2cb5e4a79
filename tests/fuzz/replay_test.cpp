// Replays the fuzz corpus and the format examples: whole, cut anywhere, and with random changes.
#include "base/random.h"
#include "testing/environment.h"
#include "testing/fuzz_ingest.h"
#include "testing/fuzz_match.h"
#include "testing/fuzz_predicate.h"
#include "testing/fuzz_store.h"
#include "testing/fuzz_whole_store.h"
#include "testing/ingest_support.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rizoma::testing {
namespace {

constexpr std::string_view kWholeStore = "store";

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

bool of_store(const std::string& reader) {
  return std::find(std::begin(kStoreReaders), std::end(kStoreReaders), reader) != std::end(kStoreReaders);
}

void replay(const std::string& reader, std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (reader == kWholeStore) {
    EXPECT_NO_THROW(fuzz_whole_store(data, bytes.size()));
  } else if (of_store(reader)) {
    EXPECT_NO_THROW(fuzz_store(reader, data, bytes.size())) << reader;
  } else if (reader == "pattern") {
    EXPECT_NO_THROW(fuzz_match(data, bytes.size())) << bytes;
  } else if (reader == "predicate") {
    EXPECT_NO_THROW(fuzz_predicate(data, bytes.size())) << bytes;
  } else {
    EXPECT_NO_THROW(fuzz_read("case." + reader, data, bytes.size())) << reader;
  }
}

struct Case {
  std::string reader;
  std::string bytes;
};

/// A corpus file is called READER-anything, READER being a structure of the store, the ending of a file, or "store".
std::vector<Case> corpus() {
  std::vector<Case> cases;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(__FILE__).parent_path() / "corpus")) {
    const std::string name = entry.path().filename().string();
    cases.push_back({name.substr(0, name.find('-')), bytes_of(entry.path())});
  }
  return cases;
}

TEST(FuzzReplay, Corpus) {
  for (const Case& each : corpus()) replay(each.reader, each.bytes);
  for (const std::string_view reader : kStoreReaders) {
    const auto all = corpus();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Case& each) { return each.reader == reader; })) << reader;
  }
}

/// Programs of edits grow as the fuzzer's do, without its eye for what is new.  More of them: RIZOMA_FUZZ_PROGRAMS,
/// from RIZOMA_FUZZ_SEED on.
TEST(FuzzReplay, WholeStoresOfEveryKindWithEdits) {
  const auto first = static_cast<std::uint32_t>(from_environment("RIZOMA_FUZZ_SEED", 0));
  const auto programs = static_cast<std::uint32_t>(from_environment("RIZOMA_FUZZ_PROGRAMS", 600));
  for (std::uint32_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
    std::string program(kFuzzHeadBytes + kFuzzMostEdits * kFuzzEditBytes, '\0');
    auto* data = reinterpret_cast<std::uint8_t*>(program.data());
    std::size_t size = 0;
    for (std::uint32_t step = 0; step < 12; ++step) {
      size = mutate_whole_store(data, size, program.size(), 1000 * seed + step);
    }
    SCOPED_TRACE(seed);
    replay(std::string(kWholeStore), std::string_view(program).substr(0, size));
  }
}

TEST(FuzzReplay, ExamplesCutAnywhere) {
  for (const auto& entry : std::filesystem::directory_iterator(format_example(""))) {
    const std::string bytes = bytes_of(entry.path());
    const std::string name = entry.path().filename().string();
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      replay(name.substr(name.find('.') + 1), std::string_view(bytes).substr(0, size));
    }
  }
}

TEST(FuzzReplay, StructuresOfTheStoreCutAnywhereAndChanged) {
  Random random(1);
  for (const Case& each : corpus()) {
    if (!of_store(each.reader)) continue;
    for (std::size_t size = 0; size <= each.bytes.size(); size += 1 + random.below(7)) {
      replay(each.reader, std::string_view(each.bytes).substr(0, size));
    }
    for (int i = 0; i < 3000 && !HasFailure() && !each.bytes.empty(); ++i) {
      std::string bytes = each.bytes;
      for (std::uint64_t change = 0; change <= random.below(4); ++change) {
        const std::size_t at =
            random.below(random.below(2) == 0 ? std::min<std::size_t>(bytes.size(), 256) : bytes.size());
        bytes[at] = static_cast<char>(random.below(3) == 0 ? 0xff : random.next());
      }
      replay(each.reader, bytes);
    }
  }
}

/// Texts of a language, cut anywhere and with characters of it changed.
void replay_texts(std::string_view reader, std::string_view characters) {
  Random random(2);
  bool any = false;
  for (const Case& each : corpus()) {
    if (each.reader != reader) continue;
    any = true;
    for (std::size_t size = 0; size <= each.bytes.size(); ++size) {
      replay(each.reader, std::string_view(each.bytes).substr(0, size));
    }
    for (int i = 0; i < 2000 && !::testing::Test::HasFailure(); ++i) {
      std::string bytes = each.bytes;
      for (std::uint64_t change = 0; change <= random.below(4); ++change) {
        const char other = characters[random.below(characters.size())];
        const std::size_t at = random.below(bytes.size());
        if (random.below(2) == 0) bytes[at] = other;
        else bytes.insert(at, 1, other);
      }
      replay(each.reader, bytes);
    }
  }
  EXPECT_TRUE(any);
}

TEST(FuzzReplay, PatternsCutAnywhereAndChanged) { replay_texts("pattern", "()[]{}-<>:;,!*.|'`\"=a b1\n"); }

TEST(FuzzReplay, PredicatesCutAnywhereAndChanged) { replay_texts("predicate", "()[],.<>=+-*/%'`\"!xi u1\n"); }

}  // namespace
}  // namespace rizoma::testing
