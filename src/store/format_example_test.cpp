// The bytes of a tiny store are those that docs/internals/format.md shows.
#include "store/store.h"

#include "platform/memory_medium.h"
#include "store/file_names.h"
#include "testing/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kRow = 16;

/// Bytes that differ from store to store: its random id, times, and the checksums of records that hold them.
std::vector<bool> random_places(const std::string& name, const std::vector<std::byte>& bytes) {
  const std::size_t size = bytes.size();
  std::vector<bool> random(size, false);
  const auto mark = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, size); ++i) random[i] = true;
  };
  if (name == kDataName) {  // copies of manifests have the store's id, all else has nothing of it
    for (std::size_t page = 0; page + sizeof(format::ManifestHeader) <= size; page += format::kPage) {
      std::uint32_t magic = 0;
      std::memcpy(&magic, bytes.data() + page, sizeof magic);
      if (magic != format::kManifestMagic) continue;
      mark(page + offsetof(format::ManifestHeader, store), page + offsetof(format::ManifestHeader, number));
      mark(page + offsetof(format::ManifestHeader, checksum), page + sizeof(format::ManifestHeader));
    }
    return random;
  }
  const std::size_t id =
      name == kSuperblockName ? offsetof(format::Superblock, store) : offsetof(format::LogHeader, store);
  for (std::size_t slot = 0; slot < size; slot += format::kPage) {
    mark(slot + id, slot + id + sizeof(format::StoreId));
    mark(slot + offsetof(format::Superblock, checksum), slot + sizeof(format::Superblock));
  }
  if (name.starts_with(kLogPrefix)) {  // the time of the first record, and its checksum
    const std::size_t record = sizeof(format::LogHeader);
    mark(record + offsetof(format::LogRecord, time), record + offsetof(format::LogRecord, sequence));
    mark(record + offsetof(format::LogRecord, checksum), record + sizeof(format::LogRecord));
  }
  return random;
}

/// Rows of a place and 16 bytes, as the document has them; rows of zeros are left out.
std::string dump(Medium& medium, const std::string& name) {
  const auto file = medium.open(name, FileMode::read);
  EXPECT_TRUE(file) << name;
  std::vector<std::byte> bytes(*(*file)->size());
  EXPECT_TRUE((*file)->read(0, bytes));
  const std::vector<bool> random = random_places(name, bytes);
  std::string text = name + "\n";
  for (std::size_t row = 0; row < bytes.size(); row += kRow) {
    const std::size_t end = std::min(row + kRow, bytes.size());
    if (std::all_of(&bytes[row], &bytes[row] + (end - row), [](std::byte b) { return b == std::byte{0}; })) continue;
    char part[24];
    std::snprintf(part, sizeof part, "%04zx ", row);
    text += part;
    for (std::size_t i = row; i < end; ++i) {
      std::snprintf(part, sizeof part, i % 8 == 0 ? "  %02x" : " %02x", std::to_integer<unsigned>(bytes[i]));
      text += random[i] ? std::string(part).substr(0, std::string(part).size() - 2) + ".." : part;
    }
    text += "\n";
  }
  return text;
}

void expect_documented(const std::string& text) {
  std::ifstream file(rizoma::testing::source_directory() / "docs/internals/format.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(document.find("```\n" + text + "```\n"), std::string::npos) << "docs/internals/format.md should have:\n"
                                                                        << text;
}

TEST(FormatExample, IsWhatTheDocumentShows) {
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreOptions options;
  options.schema.ids = IdKind::string;
  options.schema.section_bits = 2;
  auto store = Store::create(medium, options);
  ASSERT_TRUE(store) << store.error().message;
  StringColumn sources, targets;
  for (const char* id : {"ann", "bob"}) sources.push_back(id);
  for (const char* id : {"bob", "cem"}) targets.push_back(id);
  ASSERT_TRUE((*store)->add_edges({sources, targets, {}}));
  expect_documented(dump(*medium, log_name(1)));
  ASSERT_TRUE((*store)->checkpoint());
  for (const std::string& name : {std::string(kSuperblockName), manifest_name(2), std::string(kDataName)}) {
    expect_documented(dump(*medium, name));
  }
}

}  // namespace
}  // namespace rizoma
