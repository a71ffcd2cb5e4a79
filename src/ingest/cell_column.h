// CellColumn: the values of one column of a piece of a file, appended field by field; and the texts of ids.
//
// Its arrays are larger than what they hold, so that most appends are a store and no call; `take` cuts them to size.
// Cost: O(bytes) an append; up to twice the bytes of the values in memory.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/columns.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rizoma {

/// Bytes one after another.  Bytes: std::string or std::vector<std::byte>.
template <class Bytes>
class ByteAppender {
 public:
  /// Takes over memory to write to.
  explicit ByteAppender(Bytes spare = {}) : bytes_(std::move(spare)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void cut(std::size_t size) noexcept { size_ = size; }

  void append(const void* from, std::size_t count) {
    if (count > 0) std::memcpy(room(count), from, count);
    size_ += count;
  }
  /// The same of bytes with TextChunk::kPadding readable ones after them: short ones are copied without a loop.
  void append_padded(const char* from, std::size_t count) {
    auto* const to = room(count + kStep);
    if (count <= kStep) {
      std::memcpy(to, from, kStep);
    } else {
      std::memcpy(to, from, count);
    }
    size_ += count;
  }
  /// Zeros.
  void append_zeros(std::size_t count) {
    if (count > 0) std::memset(room(count), 0, count);
    size_ += count;
  }
  [[nodiscard]] const auto* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] Bytes take() {
    bytes_.resize(size_);
    return std::move(bytes_);
  }
  void reserve(std::size_t size) {
    if (bytes_.size() < size) bytes_.resize(size);
  }

 private:
  static constexpr std::size_t kStep = 16;

  [[nodiscard]] auto* room(std::size_t count) {
    if (bytes_.size() - size_ < count) bytes_.resize(std::max(2 * bytes_.size(), size_ + count + 4096));
    return bytes_.data() + size_;
  }

  Bytes bytes_;
  std::size_t size_ = 0;
};

class CellColumn {
 public:
  /// For about this many rows, in the memory of `spare`.
  CellColumn(std::string name, ColumnType type, std::size_t rows, ColumnValues spare)
      : name_(std::move(name)),
        type_(type),
        width_(column_width(type)),
        values_(std::move(spare.values)),
        ends_(std::move(spare.ends)),
        valid_(std::move(spare.valid)) {
    ends_.clear();
    valid_.clear();
    values_.reserve(rows * std::max(width_, 8U) + 64);
    if (width_ == 0) ends_.reserve(rows);
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] ColumnType type() const noexcept { return type_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }

  /// A number of the column's width.
  template <class T>
  void push(T value) {
    values_.append(&value, sizeof value);
    end_row(true);
  }
  /// A text that TextChunk::kPadding readable bytes follow.
  void push_padded(std::string_view text) {
    values_.append_padded(text.data(), text.size());
    end_row(true);
  }
  void push_null() {
    values_.append_zeros(width_);
    if (valid_.empty()) valid_.assign(rows_, 1);
    end_row(false);
  }
  /// The only row of `from`.
  void push_row(const ColumnValues& from) {
    if (!from.is_valid(0)) return push_null();
    values_.append(from.values.data(), from.values.size());
    end_row(true);
  }
  /// The last row once more.
  void repeat_last() {
    if (!valid_.empty() && valid_.back() == 0) return push_null();
    const std::size_t begin = width_ != 0 ? values_.size() - width_ : rows_ > 1 ? ends_[rows_ - 2] : 0;
    const std::vector<std::byte> last(values_.data() + begin, values_.data() + values_.size());
    values_.append(last.data(), last.size());
    end_row(true);
  }
  /// The last row is a whole number that the type rounds.
  void note_rounded() noexcept { first_rounded_ = std::min(first_rounded_, rows_ - 1); }
  /// Whether some row is.
  [[nodiscard]] bool is_rounded() const noexcept { return first_rounded_ < rows_; }
  /// Removes the rows from `rows` on.
  void cut(std::size_t rows);
  [[nodiscard]] ColumnValues take();

 private:
  void end_row(bool valid) {
    ++rows_;
    if (!valid_.empty() || !valid) valid_.push_back(valid ? 1 : 0);
    if (width_ == 0) ends_.push_back(values_.size());
  }

  std::string name_;
  ColumnType type_;
  unsigned width_;
  std::size_t rows_ = 0;
  std::size_t first_rounded_ = std::numeric_limits<std::size_t>::max();
  ByteAppender<std::vector<std::byte>> values_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint8_t> valid_;
};

/// Integer ids.
class IntegerIdColumn {
 public:
  /// For this many rows, in the memory of `spare`.
  IntegerIdColumn(std::size_t rows, IdColumn&& spare) {
    if (auto* const ids = std::get_if<std::vector<std::int64_t>>(&spare)) ids_ = std::move(*ids);
    ids_.clear();
    ids_.reserve(rows);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] std::int64_t back() const noexcept { return ids_.back(); }
  [[nodiscard]] std::int64_t copy_of_back() const noexcept { return ids_.back(); }
  void push(std::int64_t id) { ids_.push_back(id); }
  void cut(std::size_t rows) {
    if (ids_.size() > rows) ids_.resize(rows);
  }
  [[nodiscard]] IdColumn take() { return std::move(ids_); }

 private:
  std::vector<std::int64_t> ids_;
};

/// Ids that are texts.
class TextIdColumn {
 public:
  /// For about this many rows, in the memory of `spare`.
  TextIdColumn(std::size_t rows, IdColumn&& spare) {
    if (auto* const texts = std::get_if<StringColumn>(&spare)) {
      offsets_ = std::move(texts->offsets);
      bytes_ = ByteAppender<std::string>(std::move(texts->bytes));
    }
    offsets_.clear();
    offsets_.reserve(rows + 1);
    offsets_.push_back(0);
  }
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }
  [[nodiscard]] std::string_view back() const noexcept {
    const std::uint64_t begin = offsets_[offsets_.size() - 2];
    return {bytes_.data() + begin, bytes_.size() - begin};
  }
  [[nodiscard]] std::string copy_of_back() const { return std::string(back()); }
  void push(std::string_view id) {
    bytes_.append(id.data(), id.size());
    offsets_.push_back(bytes_.size());
  }
  /// A text that TextChunk::kPadding readable bytes follow.
  void push_padded(std::string_view id) {
    bytes_.append_padded(id.data(), id.size());
    offsets_.push_back(bytes_.size());
  }
  void cut(std::size_t rows) {
    if (size() <= rows) return;
    offsets_.resize(rows + 1);
    bytes_.cut(offsets_.back());
  }
  [[nodiscard]] IdColumn take() { return StringColumn{std::move(offsets_), bytes_.take()}; }

 private:
  std::vector<std::uint64_t> offsets_;
  ByteAppender<std::string> bytes_;
};

}  // namespace rizoma
