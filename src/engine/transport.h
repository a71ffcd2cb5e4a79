// Transport: the seam between the engine and other machines.  One-sided reads and counters are all
// that work grabbing and migration need.  Real: transport/local (one process), transport/mpi.
// Fake: testing/simulated_transport (many ranks in one process, with reordering).
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace rizoma {

/// Number of a process of a run, 0..size-1.
using Rank = unsigned;
/// A region of memory that a rank has exposed to the others.
using WindowId = unsigned;

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual Rank rank() const noexcept = 0;
  [[nodiscard]] virtual Rank size() const noexcept = 0;

  /// Exposes `bytes` to all ranks.  Collective; windows are numbered in the order of these calls.
  [[nodiscard]] virtual Result<WindowId> expose(std::span<std::byte> bytes) = 0;
  /// Copies out.size() bytes from `offset` of the window of `target` without its help.
  virtual Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Copies bytes into the window of `target` without its help; visible there after barrier().
  virtual Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Adds to the 8-byte counter at `offset` and returns its value before.
  [[nodiscard]] virtual Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                        std::uint64_t amount) = 0;
  /// Returns when every rank has called it and all writes are visible.
  virtual Status barrier() = 0;
};

}  // namespace rizoma
