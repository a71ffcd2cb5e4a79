// How much memory this process may still take.
#pragma once

#include <cstdint>
#include <filesystem>

namespace rizoma {

/// Bytes that can be had without swapping: what the system calls available, or what the limits of the
/// control groups (of either version) that hold this process leave of it.  0 if the system does not tell.
[[nodiscard]] std::uint64_t free_memory();

/// The same read from other directories than /proc and /sys/fs/cgroup (for tests).
[[nodiscard]] std::uint64_t free_memory(const std::filesystem::path& proc, const std::filesystem::path& cgroups);

/// Bytes of memory that are this process's own: not those of files that it has mapped.  0 if the system does not tell.
[[nodiscard]] std::uint64_t own_memory();

/// Bytes of mapped files that this process has in memory.  0 if the system does not tell.
[[nodiscard]] std::uint64_t mapped_memory();

}  // namespace rizoma
