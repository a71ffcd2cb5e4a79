// Replays the fuzz corpus and the format examples, whole and cut anywhere.
#include "testing/fuzz_ingest.h"

#include "testing/ingest_support.h"

#include <gtest/gtest.h>

namespace rizoma::testing {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

void replay(const std::string& name, std::string_view bytes) {
  EXPECT_NO_THROW(fuzz_read(name, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

/// A corpus file is called FORMAT-anything, FORMAT being the ending of the file it stands for.
TEST(FuzzReplay, Corpus) {
  const auto corpus = std::filesystem::path(__FILE__).parent_path() / "corpus";
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const std::string name = entry.path().filename().string();
    replay("case." + name.substr(0, name.find('-')), bytes_of(entry.path()));
    ++cases;
  }
  EXPECT_GT(cases, 0u);
}

TEST(FuzzReplay, ExamplesCutAnywhere) {
  for (const auto& entry : std::filesystem::directory_iterator(format_example(""))) {
    const std::string bytes = bytes_of(entry.path());
    const std::string name = entry.path().filename().string();
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      replay("case" + name.substr(name.find('.')), std::string_view(bytes).substr(0, size));
    }
  }
}

}  // namespace
}  // namespace rizoma::testing
