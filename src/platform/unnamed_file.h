// Files without a name: their bytes live as long as the mapping, and never stay behind.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace rizoma {

/// Copies of `parts`, one after another, in a file of `directory` (empty: the one for temporary files, $TMPDIR or
/// /tmp), mapped for reading; the file is gone with the last copy of the pointer.  At least one byte.  Errors: those of
/// the file system (not_found, out_of_space, io).
[[nodiscard]] Result<std::shared_ptr<const std::byte>> map_unnamed_file(
    const std::string& directory, std::span<const std::span<const std::byte>> parts);

/// So many zeros in a file of `directory`, mapped for reading and writing: the disk has room for all of them.  At least
/// one byte; for unmap_zeros.  Errors: as above.
[[nodiscard]] Result<std::byte*> map_zeros(const std::string& directory, std::size_t bytes);

/// Unmaps the result of map_zeros(bytes) and thereby removes the file.
void unmap_zeros(void* data, std::size_t bytes) noexcept;

/// Releases the memory of mapped bytes of a file; reading maps them again.
void let_pages_go(std::span<const std::byte> mapped) noexcept;

}  // namespace rizoma
