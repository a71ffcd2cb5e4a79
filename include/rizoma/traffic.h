// Traffic: the work of threads by home, and the messages between ranks.  Module: engine.
//
// The engine counts every loop over vertices or lists, for any kernel, when it hands out a block.  A kernel that stops
// during a list (a bottom-up search) reads fewer entries than it is charged for.  Kernels with loops of their own
// (shortest paths, triangles, searches from many sources) count their lists by ListCounter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma {

struct WorkCount {
  std::uint64_t blocks = 0;  ///< calls of a loop's body
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  ///< entries of their lists; 0 for loops that read vertex state only
  std::uint64_t bytes = 0;  ///< of the lists: offsets and targets

  WorkCount& operator+=(const WorkCount& other) noexcept {
    blocks += other.blocks;
    vertices += other.vertices;
    edges += other.edges;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const WorkCount&, const WorkCount&) = default;
};

/// One loop: work on sections of the thread's own home, and of others.
struct SweepCount {
  WorkCount local;
  WorkCount remote;
};

/// All loops of an engine since it began to count.
struct Traffic {
  static constexpr std::size_t kSweepsKept = 1024;

  unsigned homes = 1;
  std::uint64_t num_sweeps = 0;
  std::vector<WorkCount> between;  ///< [home of the thread * homes + home of the section]
  std::vector<SweepCount> sweeps;  ///< the first kSweepsKept of them, in order

  [[nodiscard]] SweepCount total() const noexcept {
    SweepCount sum;
    for (std::size_t i = 0; i < between.size(); ++i) {
      (i / homes == i % homes ? sum.local : sum.remote) += between[i];
    }
    return sum;
  }
  /// The local share of the entries (of the vertices, if there are no entries); 1 without work.
  [[nodiscard]] double local_share() const noexcept {
    const SweepCount all = total();
    const bool edges = all.local.edges + all.remote.edges > 0;
    const auto local = static_cast<double>(edges ? all.local.edges : all.local.vertices);
    const auto remote = static_cast<double>(edges ? all.remote.edges : all.remote.vertices);
    return local + remote > 0 ? local / (local + remote) : 1;
  }
};

// RankTraffic: messages and remote reads between the ranks of a run.

/// Messages from one rank to another, and their bytes.
struct RankCount {
  std::uint64_t bytes = 0;
  std::uint64_t batches = 0;

  RankCount& operator+=(const RankCount& other) noexcept {
    bytes += other.bytes;
    batches += other.batches;
    return *this;
  }
  friend bool operator==(const RankCount&, const RankCount&) = default;
};

/// Bytes of messages: of those that one thread of a rank made or applied for all, and of those that all threads share
/// in pieces; one piece, and few bytes, go to one of them.  Sums do not count, nor what a round says of itself.
struct PackCount {
  std::uint64_t alone = 0;
  std::uint64_t by_all = 0;

  PackCount& operator+=(const PackCount& other) noexcept {
    alone += other.alone;
    by_all += other.by_all;
    return *this;
  }
  friend bool operator==(const PackCount&, const PackCount&) = default;
};

/// All messages of a call; a remote read counts as sent by the rank that owns the memory.  Messages of a rank to itself
/// and the network's own headers do not count.
struct RankTraffic {
  unsigned ranks = 1;
  std::uint64_t rounds = 0;             ///< collective operations
  std::vector<RankCount> between;       ///< [from * ranks + to]
  std::vector<std::uint64_t> migrated;  ///< blocks of `from` that `to` stole: [from * ranks + to]
  PackCount packed;                     ///< values, lists and messages as their senders made them, on all ranks
  PackCount unpacked;                   ///< the same as their receivers applied them

  [[nodiscard]] RankCount total() const noexcept {
    RankCount sum;
    for (const RankCount& count : between) sum += count;
    return sum;
  }
};

}  // namespace rizoma
