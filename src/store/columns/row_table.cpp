#include "store/columns/row_table.h"

#include "base/check.h"
#include "store/messages.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>

namespace rizoma {

// ---- StoredRows ----

Result<RowBlock> StoredRows::verified(const DataFiles& data, RowKind kind) const {
  const std::string where = data.where(entry_.extent.location) + " at byte " + std::to_string(entry_.extent.offset) +
                            ": the rows " + std::to_string(entry_.first) + ".." + std::to_string(end() - 1) +
                            (kind == RowKind::edges ? " of edges" : " of vertices");
  RIZOMA_ASSIGN(Mapping mapping, data.read(entry_.extent));
  RIZOMA_ASSIGN(RowBlock block, RowBlock::open(mapping.bytes, std::move(mapping.owner), where));
  if (block.id() != entry_.id || block.kind() != kind || block.first() != entry_.first || block.size() != entry_.rows) {
    return corrupt(where, "are not those that the manifest names");
  }
  for (std::uint64_t i = 1; kind == RowKind::vertices && i < block.size(); ++i) {
    if (block.vertex(i - 1) >= block.vertex(i)) return corrupt(where, "are not in order");
  }
  return block;
}

Result<const RowBlock*> StoredRows::load(const DataFiles& data, RowKind kind) const {
  if (!done_.load(std::memory_order_acquire)) {
    RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
    if (!done_.load(std::memory_order_relaxed)) {
      RIZOMA_ASSIGN(block_, verified(data, kind));
      done_.store(true, std::memory_order_release);
    }
  }
  return &*block_;
}

// ---- RowTail ----

namespace {

/// Chunk and place in it of block i, where chunk k holds first << k.
std::pair<std::size_t, std::size_t> chunk_of(std::size_t i, std::size_t first) noexcept {
  const auto chunk = static_cast<std::size_t>(std::bit_width(i / first + 1)) - 1;
  return {chunk, i - first * ((std::size_t{1} << chunk) - 1)};
}

}  // namespace

void RowTail::append(RowBlock block) {
  const auto [chunk, place] = chunk_of(size_, kFirst);
  RIZOMA_CHECK(chunk < kChunks);
  if (chunks_[chunk] == nullptr) chunks_[chunk] = std::make_unique<std::optional<RowBlock>[]>(kFirst << chunk);
  chunks_[chunk][place] = std::move(block);
  ++size_;
}

const RowBlock& RowTail::operator[](std::size_t i) const noexcept {
  const auto [chunk, place] = chunk_of(i, kFirst);
  return *chunks_[chunk][place];
}

// ---- RowState ----

Result<const RowBlock*> RowState::block_of(std::uint64_t row) const {
  const RowBlock* none = nullptr;
  if (row == 0) return none;
  for (auto part = parts_.tails.rbegin(); part != parts_.tails.rend(); ++part) {
    if ((*part->tail)[0].first() > row) continue;
    std::size_t low = 0, high = part->count;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      ((*part->tail)[middle].first() <= row ? low : high) = middle;
    }
    const RowBlock& block = (*part->tail)[low];
    return row < block.end() ? &block : none;
  }
  const auto after = std::upper_bound(parts_.stored.begin(), parts_.stored.end(), row,
                                      [](std::uint64_t r, const auto& stored) { return r < stored->entry().first; });
  if (after == parts_.stored.begin() || row >= (*std::prev(after))->end()) return none;
  if (!(*std::prev(after))->entry().here) return none;
  return (*std::prev(after))->load(*parts_.data, parts_.kind);
}

namespace {

Error other_type(const ColumnSchema& column) {
  return corrupt("a block of rows", "has values of a different type than column '" + column.name + "'");
}

/// The column of the block that has a row, kept from one row to the next of the same block.
class ColumnCursor {
 public:
  ColumnCursor(const RowState& state, const ColumnSchema& wanted) noexcept : state_(state), wanted_(wanted) {}

  /// True if the row has a value, which is then at `place` of `column`.
  Result<bool> seek(std::uint64_t row) {
    if (!is_in_block(row)) RIZOMA_TRY(enter(row));
    return seek_in_block(row);
  }
  /// The same in two steps, of which the second cannot fail.
  [[nodiscard]] bool is_in_block(std::uint64_t row) const noexcept {
    return block_ != nullptr && row >= block_->first() && row < block_->end();
  }
  Status enter(std::uint64_t row) {
    RIZOMA_ASSIGN(block_, state_.block_of(row));
    column_ = block_ == nullptr ? std::nullopt : block_->column(wanted_.id);
    return column_ && column_->type() != wanted_.type ? Status(other_type(wanted_)) : Status();
  }
  [[nodiscard]] bool seek_in_block(std::uint64_t row) noexcept {
    if (!column_) return false;
    place_ = row - block_->first();
    return !column_->is_null(place_, block_->size());
  }
  /// Of the block that was entered.
  [[nodiscard]] bool has_column() const noexcept { return column_.has_value(); }
  [[nodiscard]] std::uint64_t place_of(std::uint64_t row) const noexcept { return row - block_->first(); }
  /// Whether any of rows [begin, end) has none.
  [[nodiscard]] bool has_nulls(std::uint64_t begin, std::uint64_t end) const noexcept {
    return column_->has_nulls(place_of(begin), place_of(end), block_->size());
  }
  [[nodiscard]] const BlockColumn& column() const noexcept { return *column_; }
  [[nodiscard]] std::uint64_t place() const noexcept { return place_; }

 private:
  const RowState& state_;
  const ColumnSchema& wanted_;
  const RowBlock* block_ = nullptr;
  std::optional<BlockColumn> column_;
  std::uint64_t place_ = 0;
};

}  // namespace

namespace {

constexpr std::size_t kPickedTogether = 1024;  // rows whose values are sought in one part of a block
constexpr std::uint64_t kDecodedForOne = 8;    // values of such a part, for each that is asked for, at most

/// From the first to the last of some rows, without row 0, which has no values.
struct RowSpan {
  std::uint64_t first = UINT64_MAX;
  std::uint64_t past = 0;
  bool has_row_0 = false;

  explicit RowSpan(std::span<const std::uint64_t> rows) noexcept {
    for (const std::uint64_t row : rows) {
      first = std::min(first, row == 0 ? UINT64_MAX : row);
      past = std::max(past, row + 1);
      has_row_0 = has_row_0 || row == 0;
    }
  }
  /// False if there is none.
  [[nodiscard]] bool is_within(std::uint64_t most) const noexcept { return first < past && past - first <= most; }
};

void set_null(ColumnValues& out, std::size_t i, std::size_t size) {
  if (out.valid.empty()) out.valid.assign(size, 1);
  out.valid[i] = 0;
}

/// Reads values of fixed width, some rows at a time: of rows that lie near each other all values from the first to the
/// last, of which it picks those that are asked for.
template <class T>
class NumberReader {
 public:
  NumberReader(ColumnCursor& cursor, std::span<const std::uint64_t> rows, ColumnValues& out)
      : cursor_(cursor), rows_(rows), out_(out) {
    out.values.resize(rows.size() * sizeof(T));
    values_ = reinterpret_cast<T*>(out.values.data());
  }

  Status read() {
    for (std::size_t begin = 0; begin < rows_.size(); begin += kPickedTogether) {
      const std::size_t end = std::min(rows_.size(), begin + kPickedTogether);
      const RowSpan span(rows_.subspan(begin, end - begin));
      RIZOMA_ASSIGN(const bool together, is_together(span, kDecodedForOne * (end - begin)));
      if (together) pick(begin, end, span);
      else RIZOMA_TRY(read_each(begin, end));
    }
    return {};
  }

 private:
  Result<bool> is_together(const RowSpan& span, std::uint64_t most) {
    if (!span.is_within(most)) return false;
    if (!cursor_.is_in_block(span.first)) RIZOMA_TRY(cursor_.enter(span.first));
    return cursor_.is_in_block(span.first) && cursor_.is_in_block(span.past - 1) && cursor_.has_column();
  }

  void pick(std::size_t begin, std::size_t end, const RowSpan& span) {
    if (decoded_ == nullptr) decoded_ = std::make_unique_for_overwrite<T[]>(kDecodedForOne * kPickedTogether);
    cursor_.column().numbers(cursor_.place_of(span.first), cursor_.place_of(span.past), decoded_.get());
    if (!span.has_row_0 && !cursor_.has_nulls(span.first, span.past)) {
      for (std::size_t i = begin; i < end; ++i) values_[i] = decoded_[rows_[i] - span.first];
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t row = rows_[i];
      if (row != 0 && cursor_.seek_in_block(row)) values_[i] = decoded_[row - span.first];
      else set_null(out_, i, rows_.size());
    }
  }

  Status read_each(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      RIZOMA_ASSIGN(const bool there, cursor_.seek(rows_[i]));
      if (there) values_[i] = cursor_.column().template number<T>(cursor_.place());
      else set_null(out_, i, rows_.size());
    }
    return {};
  }

  ColumnCursor& cursor_;
  std::span<const std::uint64_t> rows_;
  ColumnValues& out_;
  T* values_;
  std::unique_ptr<T[]> decoded_;
};

Status read_texts(ColumnCursor& cursor, std::span<const std::uint64_t> rows, ColumnValues& out) {
  out.values.reserve(rows.size() * column_width(out.type));
  for (const std::uint64_t row : rows) {
    RIZOMA_ASSIGN(const bool there, cursor.seek(row));
    if (there) out.push(cursor.column().bytes(cursor.place()));
    else out.push_null();
  }
  return {};
}

}  // namespace

Result<ColumnValues> RowState::values(const ColumnSchema& column, std::span<const std::uint64_t> rows) const {
  ColumnValues out{column.name, column.type, {}, {}, {}};
  ColumnCursor cursor(*this, column);
  RIZOMA_TRY(visit_column(column.type, [&]<class T>(ColumnTag<T>) -> Status {
    if constexpr (!std::is_arithmetic_v<T>) return read_texts(cursor, rows, out);
    else return NumberReader<T>(cursor, rows, out).read();
  }));
  return out;
}

Result<ColumnValues> RowState::values_between(const ColumnSchema& column, std::uint64_t begin,
                                              std::uint64_t end) const {
  return visit_column(column.type, [&]<class T>(ColumnTag<T>) -> Result<ColumnValues> {
    if constexpr (!std::is_arithmetic_v<T>) {
      std::vector<std::uint64_t> rows(end - begin);
      std::iota(rows.begin(), rows.end(), begin);
      return values(column, rows);
    } else {
      ColumnValues out{column.name, column.type, {}, {}, {}};
      out.values.resize((end - begin) * sizeof(T));
      out.valid.resize(end - begin);
      std::uint64_t nulls = 0;
      for (std::uint64_t row = begin; row < end;) {
        RIZOMA_ASSIGN(const RowBlock* block, block_of(row));
        const std::uint64_t past = block == nullptr ? row + 1 : std::min(end, block->end());
        const auto found = block == nullptr ? std::nullopt : block->column(column.id);
        if (found && found->type() != column.type) return other_type(column);
        if (found) {
          T* const values = reinterpret_cast<T*>(out.values.data()) + (row - begin);
          found->numbers(row - block->first(), past - block->first(), values);
          if (!found->has_nulls(row - block->first(), past - block->first(), block->size())) {
            std::fill_n(out.valid.begin() + static_cast<std::ptrdiff_t>(row - begin), past - row, std::uint8_t{1});
            row = past;
          }
        }
        for (; row < past; ++row) {
          const bool there = found && !found->is_null(row - block->first(), block->size());
          nulls += there ? 0 : 1;
          if (there) {
            out.valid[row - begin] = 1;
          } else {
            std::memset(out.values.data() + (row - begin) * sizeof(T), 0, sizeof(T));
          }
        }
      }
      if (nulls == 0) out.valid.clear();
      return out;
    }
  });
}

template <class Out>
Status RowState::numbers(const ColumnSchema& column, std::span<const double> rows, Out* out) const {
  const auto most = static_cast<double>(end());
  ColumnCursor cursor(*this, column);
  return visit_column(column.type, [&]<class T>(ColumnTag<T>) -> Status {
    if constexpr (!std::is_arithmetic_v<T>) {
      return Error{ErrorCode::invalid_argument,
                   "column '" + column.name + "' does not hold numbers; name a column of numbers"};
    } else {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!(rows[i] >= 0 && rows[i] < most)) return corrupt("an edge", "names a row that does not exist");
        RIZOMA_ASSIGN(const bool there, cursor.seek(static_cast<std::uint64_t>(rows[i])));
        if (!there) {
          return Error{ErrorCode::invalid_argument, "column '" + column.name +
                                                        "' has no value for some edges; give each a value, or leave "
                                                        "these edges out, before you use the column as weight"};
        }
        out[i] = static_cast<Out>(cursor.column().template number<T>(cursor.place()));
        if constexpr (std::is_floating_point_v<T>) {
          if (!std::isfinite(out[i])) {
            return Error{
                ErrorCode::invalid_argument,
                "column '" + column.name + "' has values that are not finite, which cannot be weights; correct them"};
          }
        }
      }
      return {};
    }
  });
}

template Status RowState::numbers(const ColumnSchema&, std::span<const double>, std::int32_t*) const;
template Status RowState::numbers(const ColumnSchema&, std::span<const double>, float*) const;
template Status RowState::numbers(const ColumnSchema&, std::span<const double>, double*) const;

namespace {

/// The row of `v` in extents, of which the last that names it counts; 0 if none does.
Result<std::uint64_t> stored_row_of(VertexId v, const RowParts& blocks, const DataFiles& data, RowKind kind) {
  for (auto stored = blocks.rbegin(); stored != blocks.rend(); ++stored) {
    RIZOMA_ASSIGN(const RowBlock* block, (*stored)->load(data, kind));
    std::uint64_t low = 0, high = block->size();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      block->vertex(middle) < v ? low = middle + 1 : high = middle;
    }
    if (low < block->size() && block->vertex(low) == v) return block->first() + low;
  }
  return std::uint64_t{0};
}

}  // namespace

/// Fills latest_; needs its lock.
Status RowState::find_all(VertexId vertices) const {
  std::vector<std::uint64_t> latest(vertices);
  RIZOMA_TRY(for_blocks([&](const RowBlock& block) -> Status {
    for (std::uint64_t i = 0; i < block.size(); ++i) {
      const VertexId v = block.vertex(i);
      if (v >= vertices) return corrupt("a block of rows", "names vertices that do not exist");
      latest[v] = block.first() + i;
    }
    return {};
  }));
  latest_ = std::move(latest);
  return {};
}

Result<std::vector<std::uint64_t>> RowState::find_some(std::span<const VertexId> some) const {
  std::unordered_map<VertexId, std::uint64_t> in_memory;
  for (const VertexId v : some) in_memory.emplace(v, 0);
  for (const RowTailPart& part : parts_.tails) {
    for (std::size_t i = 0; i < part.count; ++i) {
      const RowBlock& block = (*part.tail)[i];
      for (std::uint64_t k = 0; k < block.size(); ++k) {
        if (const auto found = in_memory.find(block.vertex(k)); found != in_memory.end())
          found->second = block.first() + k;
      }
    }
  }
  std::vector<std::uint64_t> rows;
  for (const VertexId v : some) {
    rows.push_back(in_memory[v]);
    if (rows.back() != 0) continue;
    RIZOMA_ASSIGN(rows.back(), stored_row_of(v, parts_.stored, *parts_.data, parts_.kind));
  }
  return rows;
}

Result<std::vector<std::uint64_t>> RowState::rows_of_vertices(std::span<const VertexId> some, VertexId vertices) const {
  constexpr std::uint64_t kSearch = 64;  // vertices whose rows are found in the time of one search
  {
    RIZOMA_ASSIGN(const auto guard, lock_in(process_, mutex_));
    guard.holds(mutex_);
    if (!latest_) searched_ += some.size() * kSearch + (parts_.end - rows_end(parts_.stored));
    if (!latest_ && searched_ >= vertices) RIZOMA_TRY(find_all(vertices));
    if (latest_) {
      std::vector<std::uint64_t> rows(some.size());
      std::transform(some.begin(), some.end(), rows.begin(),
                     [&latest = *latest_](VertexId v) { return v < latest.size() ? latest[v] : std::uint64_t{0}; });
      return rows;
    }
  }
  return find_some(some);
}

Status RowState::verify() const {
  return for_blocks([](const RowBlock&) { return Status(); });
}

// ---- RowTable ----

std::uint64_t rows_end(const RowParts& stored) noexcept { return stored.empty() ? 1 : stored.back()->end(); }

void RowTable::reset(RowParts stored, std::shared_ptr<RowTail> empty) noexcept {
  stored_ = std::move(stored);
  frozen_.clear();
  tail_ = std::move(empty);
  published_ = batch_begin_ = 0;
  tail_first_ = end_ = rows_end(stored_);
  stale_ = true;
}

void RowTable::note(const RowBlock& block) {
  for (std::uint64_t i = 0; i < block.size(); ++i) latest_[block.vertex(i)] = block.first() + i;
}

/// Takes the blocks of the tail from `blocks` on out of `latest_` again.
void RowTable::forget(std::size_t blocks) noexcept {
  for (; noted_ > blocks; --noted_) {
    for (std::uint64_t left = (*tail_)[noted_ - 1].size(); left > 0; --left) {
      const auto [vertex, row] = before_.back();
      before_.pop_back();
      row == 0 ? static_cast<void>(latest_.erase(vertex)) : static_cast<void>(latest_.find(vertex)->second = row);
    }
  }
}

/// Brings `latest_` up to date.
void RowTable::note_tails() {
  if (stale_) {
    latest_.clear();
    before_.clear();
    noted_ = 0;
    for (const RowTailPart& part : frozen_) {
      for (std::size_t i = 0; i < part.count; ++i) note((*part.tail)[i]);
    }
  }
  stale_ = true;  // unless all of it succeeds
  for (; noted_ < tail_->size(); ++noted_) {
    const RowBlock& block = (*tail_)[noted_];
    for (std::uint64_t i = 0; i < block.size(); ++i) {
      const auto found = latest_.find(block.vertex(i));
      before_.emplace_back(block.vertex(i), found == latest_.end() ? 0 : found->second);
    }
    note(block);
  }
  stale_ = false;
}

void RowTable::stage(RowBlock block) {
  RIZOMA_CHECK(block.first() >= end_);
  const std::uint64_t end = block.end();
  tail_->append(std::move(block));
  end_ = end;
}

void RowTable::truncate(std::size_t blocks) noexcept {
  if (tail_->size() == blocks) return;
  if (!stale_) forget(blocks);
  tail_->truncate(blocks);
  end_ = blocks == 0 ? tail_first_ : (*tail_)[blocks - 1].end();
}

Result<std::uint64_t> RowTable::row_of(VertexId v) {
  note_tails();
  if (const auto found = latest_.find(v); found != latest_.end()) return found->second;
  return stored_row_of(v, stored_, *data_, kind_);
}

void RowTable::freeze() {
  RIZOMA_CHECK(tail_->size() == published_);
  if (published_ == 0) return;
  frozen_.push_back({tail_, published_});
  stale_ = true;
  tail_ = std::make_shared<RowTail>();
  published_ = batch_begin_ = 0;
  tail_first_ = end_;
}

void RowTable::replace(RowParts stored) {
  stored_ = std::move(stored);
  frozen_.clear();
  stale_ = true;
}

std::shared_ptr<const RowState> RowTable::make_state(std::size_t blocks) const {
  RowState::Parts parts{kind_, data_, stored_, frozen_, 1};
  if (blocks > 0) parts.tails.push_back({tail_, blocks});
  parts.end = rows_end(stored_);
  for (const RowTailPart& part : parts.tails) parts.end = std::max(parts.end, (*part.tail)[part.count - 1].end());
  return std::make_shared<const RowState>(std::move(parts));
}

}  // namespace rizoma
