// StoreFields: the numbers that a store's files are made of, found by the grammar of docs/internals/format.md, so
// that they can be changed one by one, and all checksums made right again.
#pragma once

#include "testing/store_files.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma::testing {

/// A number in a file.
struct Field {
  std::string file;
  std::uint64_t at = 0;
  unsigned width = 8;
};

/// An extent, and where manifests have its id: that of the present state, those of tagged states.
struct SealedExtent {
  std::string structure;  ///< as in fuzz_store.h; a tagged state is a manifest
  std::string file;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::vector<Field> ids;
};

struct StoreFields {
  std::vector<std::vector<Field>> groups;  ///< by structure
  std::vector<SealedExtent> extents;       ///< tagged states after what they name
  std::string manifest;
  std::string manifest_copy;
  std::uint64_t num_vertices = 0;
  unsigned section_bits = 0;
};

/// The name of a file within its directory: what follows the colon in names of several directories
/// (testing/directory_medium.h).
[[nodiscard]] std::string_view name_in_directory(std::string_view name);

/// Of a whole store whose own files have names that begin with `prefix`.
[[nodiscard]] StoreFields find_fields(const FileContents& files, const std::string& prefix = "");

/// Makes every checksum right, and every id that the manifest has of an extent.  What `fields` does not know any
/// more, because a file is shorter or gone, stays as it is.
void seal_store(const StoreFields& fields, FileContents& files);

}  // namespace rizoma::testing
