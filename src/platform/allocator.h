// Settings of the C library's allocator, for the whole process.
#pragma once

namespace rizoma {

/// Returns each large block to the system when it is freed.  By itself glibc keeps blocks in the heap that are smaller
/// than the largest that was ever freed (up to 32 MiB), where only arrays that fit can use them.  Other libraries:
/// nothing.
void return_large_blocks() noexcept;

}  // namespace rizoma
