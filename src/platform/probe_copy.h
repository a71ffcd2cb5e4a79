// The ways of copying or reading a file in blocks that the probe times.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace rizoma::probe {

/// Both files by descriptor; `where` names the directory in messages.
struct CopyJob {
  int source = -1;
  int target = -1;
  std::uint64_t file_bytes = 0;  ///< a multiple of block_bytes
  std::uint64_t block_bytes = 0;
  std::string_view where;
};

/// pread, block by block.
Status read_blocks(const CopyJob& job);
/// fread and fwrite, then fflush; then fsync if asked to.
Status copy_stdio(const CopyJob& job, bool durable);
/// pread and pwrite through one aligned block, for descriptors with O_DIRECT; then fsync if asked to.
Status copy_direct(const CopyJob& job, bool durable);
/// memcpy between two mappings, then msync.
Status copy_mapped(const CopyJob& job);
/// Appends one block to the target at `offset` and makes it durable by fdatasync.
Status append_block(const CopyJob& job, std::uint64_t offset);

/// Memory aligned to a page, as direct I/O needs it.
struct AlignedDeleter {
  void operator()(std::byte* data) const noexcept;
};
[[nodiscard]] std::unique_ptr<std::byte, AlignedDeleter> aligned_block(std::size_t bytes);

}  // namespace rizoma::probe
