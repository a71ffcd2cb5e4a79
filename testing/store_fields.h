// StoreFields: the numbers that a store's files are made of, found by the grammar of docs/internals/format.md, so
// that they can be changed one by one, and all checksums made right again.
#pragma once

#include "testing/store_files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rizoma::testing {

/// A number in a file.
struct Field {
  std::string file;
  std::uint64_t at = 0;
  unsigned width = 8;
};

/// An extent of `data`, and where the manifest has its id; 0: it has none.
struct SealedExtent {
  std::string structure;  ///< as in fuzz_store.h
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint64_t id_in_manifest = 0;
};

struct StoreFields {
  std::vector<std::vector<Field>> groups;  ///< by structure
  std::vector<SealedExtent> extents;
  std::string manifest;
  std::string manifest_copy;
  std::uint64_t num_vertices = 0;
  unsigned section_bits = 0;
};

/// Of a whole store without locations.
[[nodiscard]] StoreFields find_fields(const FileContents& files);

/// Makes every checksum right, and every id that the manifest has of an extent.  What `fields` does not know any
/// more, because a file is shorter or gone, stays as it is.
void seal_store(const StoreFields& fields, FileContents& files);

}  // namespace rizoma::testing
