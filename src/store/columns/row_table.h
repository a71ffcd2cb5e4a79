// RowTable: all rows of edges, or of vertices, of a store: blocks in extents, and after them those that only the log
// has.
//
// One writer stages blocks, batch by batch; readers, who take an immutable RowState, see a batch once it is
// published.  Batches are published in order, or taken back.  A checkpoint freezes what is published, writes it as one
// block with the small ones before it, and puts the written blocks in its place.
// Calls of the writer need its lock; all others need the store's state lock.
// Cost: a value is found by a binary search among the blocks.
#pragma once

#include <rizoma/columns.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/mutex.h"
#include "platform/process.h"
#include "store/columns/row_block.h"
#include "store/space/extent_allocator.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rizoma {

class DataFiles;

/// The manifest's entry of a block of rows.
struct RowsEntry {
  Extent extent;
  std::uint64_t id = 0;  ///< rows_id of its bytes
  std::uint64_t first = 0;
  std::uint64_t rows = 0;
  bool here = true;  ///< false: another partition of a distributed graph has it
};

/// A block in an extent, verified once, when first touched.  Any thread.
class StoredRows {
 public:
  StoredRows(std::shared_ptr<const ExtentLease> lease, const RowsEntry& entry) noexcept
      : lease_(std::move(lease)), entry_(entry) {}
  [[nodiscard]] const RowsEntry& entry() const noexcept { return entry_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return entry_.first + entry_.rows; }
  /// Errors: corrupt, io, unsupported.
  Result<const RowBlock*> load(const DataFiles& data, RowKind kind) const;

 private:
  Result<RowBlock> verified(const DataFiles& data, RowKind kind) const;

  std::shared_ptr<const ExtentLease> lease_;
  RowsEntry entry_;
  const std::int64_t process_ = process_id();
  mutable Mutex mutex_{LockLevel::stored};
  mutable std::atomic<bool> done_{false};
  mutable std::optional<RowBlock> block_;
};

using RowParts = std::vector<std::shared_ptr<const StoredRows>>;

/// Blocks in memory.  Append-only, in chunks that never move: readers read the first ones while more are appended.
class RowTail {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }  ///< the writer's
  void append(RowBlock block);
  void truncate(std::size_t size) noexcept { size_ = size; }
  [[nodiscard]] const RowBlock& operator[](std::size_t i) const noexcept;

 private:
  static constexpr std::size_t kFirst = 16;  ///< blocks in chunk 0; chunk k holds kFirst << k
  static constexpr std::size_t kChunks = 40;
  std::array<std::unique_ptr<std::optional<RowBlock>[]>, kChunks> chunks_;
  std::size_t size_ = 0;
};

/// The first `count` blocks of a tail, one at least.
struct RowTailPart {
  std::shared_ptr<const RowTail> tail;
  std::size_t count = 0;
};

/// One state of all rows; immutable.  Any thread.
class RowState {
 public:
  struct Parts {
    RowKind kind = RowKind::edges;
    std::shared_ptr<const DataFiles> data;
    RowParts stored;
    std::vector<RowTailPart> tails;
    std::uint64_t end = 1;  ///< rows are below this
  };
  explicit RowState(Parts parts) noexcept : parts_(std::move(parts)) {}

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return parts_.end; }

  /// The block that has the row; null for row 0 and for rows of other parts.  Errors: those of loading.
  Result<const RowBlock*> block_of(std::uint64_t row) const;
  /// The values that the rows have in the column, in their order.  Errors: those of loading.
  Result<ColumnValues> values(const ColumnSchema& column, std::span<const std::uint64_t> rows) const;
  /// The values of rows [begin, end), one block after the other.
  Result<ColumnValues> values_between(const ColumnSchema& column, std::uint64_t begin, std::uint64_t end) const;
  /// Those of `rows`, as numbers of type Out: of a column of numbers, or a date or timestamp.  Errors: also
  /// invalid_argument, if one is null.
  template <class Out>
  Status numbers(const ColumnSchema& column, std::span<const double> rows, Out* out) const;
  /// Of vertices: the row of each of `some`; 0 for one without.  Cost: a few are searched for (blocks in memory
  /// are read, those in extents are searched by halves), until that has cost as much as finding those of all, once.
  Result<std::vector<std::uint64_t>> rows_of_vertices(std::span<const VertexId> some, VertexId vertices) const;
  /// Reads and verifies all blocks.
  Status verify() const;
  /// Calls visit(block) for all blocks in order, until one gives an Error.
  template <class Visit>
  Status for_blocks(Visit&& visit) const;

 private:
  Status find_all(VertexId vertices) const RIZOMA_REQUIRES(mutex_);
  Result<std::vector<std::uint64_t>> find_some(std::span<const VertexId> some) const;

  Parts parts_;
  const std::int64_t process_ = process_id();
  mutable Mutex mutex_{LockLevel::section};
  /// What searching has cost, in vertices whose rows could have been found.
  mutable std::uint64_t searched_ RIZOMA_GUARDED_BY(mutex_) = 0;
  mutable std::optional<std::vector<std::uint64_t>> latest_ RIZOMA_GUARDED_BY(mutex_);
};

template <class Visit>
Status RowState::for_blocks(Visit&& visit) const {
  for (const auto& stored : parts_.stored) {
    if (!stored->entry().here) continue;
    RIZOMA_ASSIGN(const RowBlock* block, stored->load(*parts_.data, parts_.kind));
    RIZOMA_TRY(visit(*block));
  }
  for (const RowTailPart& part : parts_.tails) {
    for (std::size_t i = 0; i < part.count; ++i) RIZOMA_TRY(visit((*part.tail)[i]));
  }
  return {};
}

class RowTable {
 public:
  RowTable(RowKind kind, std::shared_ptr<const DataFiles> data) : kind_(kind), data_(std::move(data)) {}

  /// Everything is in these blocks; nothing is staged.  `empty` is a new tail: making one may fail, and this may not.
  void reset(RowParts stored, std::shared_ptr<RowTail> empty) noexcept;

  // ---- the writer ----
  void begin_batch() noexcept { batch_begin_ = tail_->size(); }
  /// Number of the next row.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// Adds a block whose first row is `end`.  The bytes must be those of a block.
  void stage(RowBlock block);
  /// What is staged so far, to be published.
  [[nodiscard]] std::size_t end_batch() const noexcept { return tail_->size(); }
  void rollback() noexcept { truncate(batch_begin_); }
  void rollback_all() noexcept { truncate(published_); }
  /// With all that is staged.
  [[nodiscard]] std::shared_ptr<const RowState> staged() const { return make_state(tail_->size()); }
  /// Of vertices: the row of `v` with all that is staged; 0 if it has none.
  Result<std::uint64_t> row_of(VertexId v);

  // ---- under the state lock ----
  void publish(std::size_t blocks) noexcept { published_ = blocks; }
  [[nodiscard]] std::shared_ptr<const RowState> state() const { return make_state(published_); }
  void freeze();
  [[nodiscard]] const RowParts& parts() const noexcept { return stored_; }
  /// A checkpoint is durable: `stored` has everything that was there at the last `freeze`.
  void replace(RowParts stored);

 private:
  [[nodiscard]] std::shared_ptr<const RowState> make_state(std::size_t blocks) const;
  void truncate(std::size_t blocks) noexcept;
  void note(const RowBlock& block);
  void note_tails();
  void forget(std::size_t blocks) noexcept;

  RowKind kind_;
  std::shared_ptr<const DataFiles> data_;
  RowParts stored_;
  std::vector<RowTailPart> frozen_;
  std::shared_ptr<RowTail> tail_ = std::make_shared<RowTail>();
  std::size_t published_ = 0;
  std::size_t batch_begin_ = 0;
  std::uint64_t tail_first_ = 1;  ///< first row of the tail
  std::uint64_t end_ = 1;
  std::unordered_map<VertexId, std::uint64_t> latest_;  ///< rows of vertices that no stored block has, as far as noted
  std::size_t noted_ = 0;                               ///< blocks of the tail that are in it
  std::vector<std::pair<VertexId, std::uint64_t>> before_;  ///< the row that each row of these blocks replaced
  bool stale_ = false;                                      ///< it must be rebuilt
};

/// The first row after all blocks.
[[nodiscard]] std::uint64_t rows_end(const RowParts& stored) noexcept;

}  // namespace rizoma
