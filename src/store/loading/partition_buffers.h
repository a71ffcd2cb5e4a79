// PartitionBuffers: the edges of a load with their final numbers, in cells (partition_map.h), so that each round of the
// building reads the edges that have entries in it and no others.
//
// How. Threads take consecutive shares of the edges, give them their final numbers, and fill a block of their own for
//   each cell.  Full blocks stay in memory or, if the edges were spilled, are written, packed (packed_edges.h).  The
//   blocks of a cell are put in the order of the edges, so that parallel edges stay in that in which they were added.
// Cost. Two random reads an edge for its numbers, one write of 8 bytes (packed 1 to 8), one read for each round that
//   needs it.
// Memory. Blocks that are being filled, and a chunk of edges for each thread, which bound the number of threads; edges
//   that were in memory stay there, but for what they were in before, which is freed as they are taken.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>

#include "base/first_failure.h"
#include "store/loading/bulk_load_edges.h"
#include "store/loading/partition_map.h"
#include "store/loading/packed_edges.h"
#include "store/loading/spill.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// Bytes.  Smaller ones would make reads at random, lists of blocks that no limit covers, and holes of no page.
inline constexpr std::size_t kSmallestBlockInFile = std::size_t{1} << 16;
inline constexpr std::size_t kSmallestBlockInMemory = 4096;
/// The last block of a cell is not full, and a process may have some 65,000 areas of memory.
inline constexpr std::size_t kLargestBlockInMemory = std::size_t{1} << 18;
inline constexpr std::size_t kMostBlocksInMemory = std::size_t{1} << 15;

/// The least content of a block.
[[nodiscard]] constexpr std::size_t smallest_block(bool in_memory) noexcept {
  return in_memory ? kSmallestBlockInMemory : kSmallestBlockInFile;
}

/// Of threads that stop before all edges are read: a later call of Executor::stopping may say otherwise.
[[nodiscard]] inline Error load_cancelled() {
  return {ErrorCode::cancelled, "the load was cancelled; nothing was stored"};
}

template <class Record>
class PartitionBuffers {
 public:
  using Number = typename Record::Number;

  /// `file`: where cells are written; null: they stay in memory.  `memory`: bytes for blocks that are being filled.
  PartitionBuffers(PartitionMap map, std::unique_ptr<SpillFile> file, std::size_t memory)
      : map_(std::move(map)), file_(std::move(file)), memory_(memory), cells_(map_.size()) {
    for (std::size_t c = 0; c < cells_.size(); ++c) cells_[c].readers = map_.readers(c);
  }

  /// Moves all edges of `buffer` here; spills them if there is a file, otherwise keeps them in memory.  Reports the
  /// phase "sort" in edges.
  Status take(EdgeBuffer<Record>& buffer, std::span<const Number> rank, Executor& executor);

  /// The edges of a round, in runs.
  class RoundEdges {
   public:
    [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
    Result<std::span<const Record>> load(std::size_t run, PageArray<Record>& buffer) const {
      return cells_->load(runs_[run].cell, runs_[run].block, buffer);
    }
    /// Frees edges that no other round reads, after reading them.
    Status let_go(std::size_t run) const {
      return runs_[run].last ? cells_->let_go(runs_[run].cell, runs_[run].block) : Status{};
    }

   private:
    friend class PartitionBuffers;
    struct Run {
      std::size_t cell;
      std::size_t block;
      bool last;  ///< no round reads it afterwards
    };
    PartitionBuffers* cells_ = nullptr;
    std::vector<Run> runs_;
  };
  /// To be called once for each round of each end; these are read in the same order.
  [[nodiscard]] RoundEdges edges_of(EdgeEnd end, std::size_t round) {
    RoundEdges edges;
    edges.cells_ = this;
    for (const std::size_t c : map_.of_round(end, round)) {
      const bool last = --cells_[c].readers == 0;
      for (std::size_t b = 0; b < cells_[c].blocks.size(); ++b) edges.runs_.push_back({c, b, last});
    }
    return edges;
  }

 private:
  struct Block {
    PageArray<Record> memory;
    std::uint64_t place = 0;  ///< in the file, if there is one
    std::size_t size = 0;     ///< edges
  };
  struct Cell {
    std::vector<Block> blocks;  ///< in the order of the edges
    unsigned readers = 0;       ///< rounds that have yet to read it
  };
  class Writer;

  [[nodiscard]] PackedEdges<Record> packing(std::size_t cell) const { return PackedEdges<Record>(map_.ranges(cell)); }
  Result<std::span<const Record>> load(std::size_t cell, std::size_t block, PageArray<Record>& buffer) const {
    const Block& from = cells_[cell].blocks[block];
    if (file_ == nullptr) return std::span<const Record>(from.memory.data(), from.size);
    if (buffer.size() <= from.size) buffer = PageArray<Record>(from.size + 1);
    const std::span<Record> room = buffer.span().first(from.size + 1);
    const PackedEdges<Record> packed = packing(cell);
    RIZOMA_TRY(file_->read(from.place, packed.place(room)));
    return packed.unpack(room);
  }
  Status let_go(std::size_t cell, std::size_t block) {
    Block& gone = cells_[cell].blocks[block];
    gone.memory = {};
    return file_ == nullptr ? Status{} : file_->let_go(gone.place, gone.size * packing(cell).width());
  }
  [[nodiscard]] std::vector<Writer> writers_for(const EdgeBuffer<Record>& buffer, unsigned threads) const;
  /// The writers' shares of the chunks [begin, end).
  Status take_chunks(EdgeBuffer<Record>& buffer, std::size_t begin, std::size_t end, std::span<const Number> rank,
                     std::vector<Writer>& writers, Executor& executor);

  PartitionMap map_;
  std::unique_ptr<SpillFile> file_;
  std::size_t memory_;
  std::vector<Cell> cells_;
};

/// What one thread fills.
template <class Record>
class PartitionBuffers<Record>::Writer {
 public:
  Writer(const PartitionBuffers& cells, std::size_t block_bytes)
      : to_(&cells), block_(block_bytes / sizeof(Record)), open_(cells.map_.size()), full_(cells.map_.size()) {}

  [[nodiscard]] std::size_t block_bytes() const noexcept { return block_ * sizeof(Record); }
  /// Edges by provisional number; their final numbers replace these in place.
  Status add(std::span<Record> edges, std::span<const Number> rank) {
    // Reads at random by themselves, so that many of them are under way at a time.
    for (std::size_t i = 0; i < edges.size() && !rank.empty(); ++i) {
      edges[i].source = rank[edges[i].source];
      edges[i].target = rank[edges[i].target];
    }
    for (const Record& edge : edges) {
      to_->map_.place(edge, [this](std::size_t cell, const Record& record) {
        Open& open = open_[cell];
        if (open.next == open.end) refill(cell, open);
        *open.next++ = record;
      });
    }
    return status_;
  }
  /// Delivers the blocks filled since the last call.
  Status finish(std::vector<Cell>& cells) {
    for (std::size_t c = 0; c < open_.size(); ++c) {
      close(c, open_[c]);
      std::move(full_[c].begin(), full_[c].end(), std::back_inserter(cells[c].blocks));
      full_[c].clear();
    }
    return status_;
  }

 private:
  struct Open {
    Record* next = nullptr;
    Record* end = nullptr;
    PageArray<Record> memory;
  };
  void refill(std::size_t cell, Open& open) {
    close(cell, open);
    if (open.memory.size() == 0) open.memory = PageArray<Record>(block_);
    open.next = open.memory.data();
    open.end = open.next + block_;
  }
  /// Keeps or writes the block; writes nothing after a failure.
  void close(std::size_t cell, Open& open) {
    const std::span<Record> edges(open.memory.data(), static_cast<std::size_t>(open.next - open.memory.data()));
    open.next = open.end = open.memory.data();
    if (edges.empty() || !status_) return;
    if (to_->file_ == nullptr) {
      full_[cell].push_back({std::move(open.memory), 0, edges.size()});
      open = {};
      return;
    }
    const Result<std::uint64_t> place = to_->file_->append(to_->packing(cell).pack(edges));
    if (place) {
      full_[cell].push_back({{}, *place, edges.size()});
    } else {
      status_ = place.error();
    }
  }

  const PartitionBuffers* to_;
  std::size_t block_;  ///< edges
  std::vector<Open> open_;
  std::vector<std::vector<Block>> full_;  ///< by cell
  Status status_;
};

template <class Record>
std::vector<typename PartitionBuffers<Record>::Writer> PartitionBuffers<Record>::writers_for(
    const EdgeBuffer<Record>& buffer, unsigned threads) const {
  const std::size_t cells = std::max<std::size_t>(map_.used(), 1);
  const bool in_memory = file_ == nullptr;
  const std::size_t chunks_held = in_memory ? threads : memory_ / buffer.chunk_bytes();
  const std::size_t smallest = smallest_block(in_memory);
  const std::size_t number = std::clamp<std::size_t>(std::min(chunks_held, memory_ / cells / smallest), 1, threads);
  const std::size_t largest =
      in_memory ? std::max(kLargestBlockInMemory, buffer.memory_bytes() / kMostBlocksInMemory) : buffer.chunk_bytes();
  // Where the memory given has no place for the smallest blocks, smaller ones keep to it.
  const std::size_t block = std::clamp(memory_ / cells / number, kSmallestBlockInMemory, std::max(largest, smallest));
  std::vector<Writer> writers;
  for (std::size_t t = 0; t < number; ++t) writers.emplace_back(*this, block);
  return writers;
}

template <class Record>
Status PartitionBuffers<Record>::take_chunks(EdgeBuffer<Record>& buffer, std::size_t begin, std::size_t end,
                                             std::span<const Number> rank, std::vector<Writer>& writers,
                                             Executor& executor) {
  std::vector<EdgeChunk<Record>>& chunks = buffer.chunks();
  FirstFailure failure;
  executor.parallel([&](unsigned thread) {
    if (thread >= writers.size()) return;
    PageArray<Record> read;
    const std::size_t share_end = begin + (end - begin) * (thread + 1) / writers.size();
    for (std::size_t c = begin + (end - begin) * thread / writers.size(); c < share_end; ++c) {
      if (failure.failed()) return;
      if (executor.stopping()) return failure.note(load_cancelled());
      const Result<std::span<Record>> edges = buffer.load_to_change(chunks[c], read);
      failure.note(edges ? writers[thread].add(*edges, rank) : Status(edges.error()));
      failure.note(buffer.let_go(chunks[c]));  // so that the edges are never held twice
    }
  });
  for (Writer& writer : writers) failure.note(writer.finish(cells_));
  return failure.status();
}

template <class Record>
Status PartitionBuffers<Record>::take(EdgeBuffer<Record>& buffer, std::span<const Number> rank, Executor& executor) {
  RIZOMA_CHECK(buffer.spilled() == (file_ != nullptr));
  const std::vector<EdgeChunk<Record>>& chunks = buffer.chunks();
  std::vector<Writer> writers = writers_for(buffer, executor.threads());
  // Some chunks at a time, so that progress is reported; enough of them to fill most blocks.
  const std::size_t blocks = writers.size() * writers.front().block_bytes() * std::max<std::size_t>(map_.used(), 1);
  const std::size_t step = std::max<std::size_t>(4 * blocks / buffer.chunk_bytes(), writers.size());
  EdgeCount done = 0;
  for (std::size_t begin = 0; begin < chunks.size(); begin += step) {
    RIZOMA_TRY(executor.report("sort", static_cast<double>(done), static_cast<double>(buffer.size())));
    const std::size_t end = std::min(begin + step, chunks.size());
    RIZOMA_TRY(take_chunks(buffer, begin, end, rank, writers, executor));
    for (std::size_t c = begin; c < end; ++c) done += chunks[c].size;
  }
  return executor.report("sort", static_cast<double>(done), static_cast<double>(buffer.size()));
}

}  // namespace rizoma::bulk
