// Transport: the seam between the engine and other machines: collective rounds of bytes, one-sided reads
// and counters, and the news that a rank is lost.  Real: transport/local (one process), transport/mpi.
// Fake: testing/simulated_transport (many ranks in one process, with delays and reordering).
//
// Once a rank is lost, every call of every other rank returns the same kind of Error, which names it;
// none waits for it for ever.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "base/check.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// Number of a process of a run, 0..size-1.
using Rank = unsigned;
/// Does a little other work while waiting for others; false if none is left.
using Meanwhile = FunctionRef<bool()>;
/// A region of memory that a rank has exposed to the others.
using WindowId = unsigned;
using Bytes = std::vector<std::byte>;
/// Bytes on their way to a rank, and a place for bytes of one.
struct Outgoing {
  Rank to;
  std::span<const std::byte> bytes;
};
struct Incoming {
  Rank from;
  std::span<std::byte> place;
};

/// A window whose memory the transport has made: this rank's part of it.
struct Allocated {
  WindowId window;
  std::span<std::byte> bytes;  ///< zeros to begin with, aligned for any value
};
/// Memory of all ranks, which each sees as its own.
struct SharedBytes {
  WindowId window;
  std::span<std::byte> bytes;
};
/// Bytes wanted from a window.
struct Wanted {
  std::uint64_t offset;
  std::span<std::byte> place;
};

/// A message of one rank to another, outside of rounds.
struct PeerMessage {
  Rank from;
  Bytes bytes;
};

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual Rank rank() const noexcept = 0;
  [[nodiscard]] virtual Rank size() const noexcept = 0;
  /// What a person calls a rank: "rank 2 (process 815 on mercury)".
  [[nodiscard]] virtual std::string name_of(Rank rank) const = 0;

  /// Exposes `bytes` to all ranks.  Collective; windows are numbered in the order of these calls.
  [[nodiscard]] virtual Result<WindowId> expose(std::span<std::byte> bytes) = 0;
  /// Allocates `bytes` bytes on this rank and exposes them.  Others may read them, and count in them, while this one
  /// does something else, if the transport is one_sided; of a window of `expose` that is not sure.  None, on all ranks:
  /// some lack the memory.  Collective, as `expose`.
  [[nodiscard]] virtual Result<std::optional<Allocated>> allocate(std::size_t bytes) = 0;
  /// Allocates `bytes` bytes, the same number on all ranks, that they share as threads do: what one has written before
  /// a round, others see after it, and atomics at once.  None, on all ranks: they do not share memory, or lack it.
  /// Collective, as `expose`.
  [[nodiscard]] virtual Result<std::optional<SharedBytes>> share(std::size_t /*bytes*/) {
    return std::optional<SharedBytes>();
  }
  /// Frees an allocated or shared window, which no rank reads any more.  Collective.
  virtual Status release(WindowId window) = 0;
  /// Whether ranks may read others' allocated memory while those compute.  If not, a read may wait until its target
  /// calls the transport, and messages are better.  The same on all ranks.
  [[nodiscard]] virtual bool one_sided() const noexcept { return true; }
  /// Copies out.size() bytes from `offset` of the window of `target` without its help.
  virtual Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) = 0;
  /// The same many times; the others need not wait for the first.
  virtual Status read_all(Rank target, WindowId window, std::span<const Wanted> wanted) {
    for (const Wanted& some : wanted) RIZOMA_TRY(read(target, window, some.offset, some.place));
    return {};
  }
  /// Copies bytes into the window of `target` without its help; visible there after barrier().
  virtual Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Adds to the 8-byte counter at `offset` and returns its value before.
  [[nodiscard]] virtual Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                        std::uint64_t amount) = 0;
  /// Returns when every rank has called it and all writes are visible.
  virtual Status barrier() = 0;

  /// One round: sends to[r] to each rank r, and returns what each rank has sent to this one, by rank, its
  /// own included.  Collective; `to` has one entry a rank.  Not from two threads at once.
  /// `meanwhile` is called any number of times before it returns; it calls nothing here, and does not throw.
  [[nodiscard]] virtual Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                            Meanwhile meanwhile) = 0;
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to) {
    return exchange(to, [] { return false; });
  }

  /// Moves bytes between places whose sizes both sides know: what goes from one rank to another are the same sizes in
  /// the same order on both.  Collective; none is for the rank itself.  Afterwards the places of this rank are filled.
  virtual Status move(std::span<const Outgoing> out, std::span<const Incoming> in) {
    std::vector<Bytes> boxes(size());
    for (const Outgoing& some : out) boxes[some.to].insert(boxes[some.to].end(), some.bytes.begin(), some.bytes.end());
    const std::vector<std::span<const std::byte>> to(boxes.begin(), boxes.end());
    RIZOMA_ASSIGN(const std::vector<Bytes> received, exchange(to));
    std::vector<std::size_t> taken(size(), 0);
    for (const Incoming& some : in) {
      RIZOMA_CHECK(some.place.size() <= received[some.from].size() - taken[some.from]);
      std::copy_n(received[some.from].data() + taken[some.from], some.place.size(), some.place.data());
      taken[some.from] += some.place.size();
    }
    return {};
  }

  /// Sends bytes to another rank, which receives them when it polls, in the order of sending.  Does not wait: the bytes
  /// travel while this rank calls the transport.  For one thread at a time.
  virtual Status send(Rank target, Bytes bytes) = 0;
  /// Bytes of messages to a rank that have not left yet, as far as is known without asking.
  [[nodiscard]] virtual std::uint64_t on_the_way(Rank target) const noexcept = 0;
  /// The next message to this rank; nullopt if none arrives within this time.  For one thread at a time.
  [[nodiscard]] virtual Result<std::optional<PeerMessage>> receive(std::chrono::microseconds patience) = 0;

  /// Ok as long as no rank is known to be lost.  From any thread.
  [[nodiscard]] virtual Status health() const = 0;
  /// Ends the run: the calls of all ranks then fail with an Error that names this one and the cause.
  virtual void abort(const Error& why) noexcept = 0;
};

}  // namespace rizoma
