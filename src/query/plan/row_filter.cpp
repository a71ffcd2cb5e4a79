#include "query/plan/row_filter.h"

#include <rizoma/detail/function_ref.h>

#include "predicate/evaluator.h"
#include "predicate/run_source.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace rizoma::query {
namespace {

/// Whole bytes of bits; their values stay in the cache.
constexpr std::uint64_t kRowsAtOnce = std::uint64_t{1} << 14;
constexpr std::uint64_t kFewer = 4;  // rows that are fewer than one in this many of a block are read one by one
constexpr std::uint64_t kOneEach = 0x0102040810204080;     // gathers the lowest bits of eight bytes in the highest byte
constexpr std::uint64_t kOneOfSeven = 0x0002040810204081;  // puts seven bits at the lowest places of seven bytes
constexpr std::uint64_t kLowest = 0x0101010101010101;

/// Reads and tests blocks of rows.  For one thread.
class RowTester {
 public:
  explicit RowTester(std::span<const Filter> filters) : filters_(filters) {}

  /// Leaves those bytes of `keep` that are 1, and for whose rows all filters hold; `read` reads a column of them.
  Status test(std::span<std::uint8_t> keep, FunctionRef<Result<ColumnValues>(std::size_t)> read) {
    values_.clear();
    for (const Filter& filter : filters_) {
      for (const predicate::Slot& slot : filter.program->slots) {
        if (known(slot.column) != nullptr) continue;
        RIZOMA_ASSIGN(ColumnValues values, read(slot.column));
        values_.emplace_back(slot.column, std::move(values));
      }
    }
    for (const Filter& filter : filters_) {
      runs_.clear();
      for (const predicate::Slot& slot : filter.program->slots)
        runs_.push_back(run_of(*known(slot.column), 0, keep.size()));
      predicate::RunSource source(*filter.program, runs_);
      predicate::Evaluator evaluator(*filter.program);
      if (!evaluator.test(source, keep)) filter.failure->note(evaluator.error());
    }
    return {};
  }

 private:
  [[nodiscard]] const ColumnValues* known(std::size_t column) const {
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const auto& each) { return each.first == column; });
    return found == values_.end() ? nullptr : &found->second;
  }

  std::span<const Filter> filters_;
  std::vector<std::pair<std::size_t, ColumnValues>> values_;  ///< of the block, by column
  std::vector<ColumnRun> runs_;
};

/// The lowest bit of each byte, eight bytes a byte of bits.
void pack_bits(std::span<const std::uint8_t> bytes, std::uint8_t* bits) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes.data() + i, sizeof eight);
    bits[i / 8] = static_cast<std::uint8_t>((eight * kOneEach) >> 56);
  }
  for (; i < bytes.size(); ++i) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | bytes[i] << (i % 8));
}

/// A byte for each bit from a row on.
void unpack_bits(const std::uint8_t* bits, std::span<std::uint8_t> bytes) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint64_t lowest = ((bits[i / 8] & 0x7FU) * kOneOfSeven) & kLowest;
    const std::uint64_t eight = lowest | std::uint64_t{bits[i / 8] & 0x80U} << 49;
    std::memcpy(bytes.data() + i, &eight, sizeof eight);
  }
  for (; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(bits[i / 8] >> (i % 8) & 1);
}

std::uint64_t count_bits(std::span<const std::uint8_t> bytes) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    sum += static_cast<std::uint64_t>(std::popcount(eight));
  }
  return sum;
}

/// The rows from `begin` on whose bits are set, of which there are `count`, as lists name them.
std::vector<double> rows_of_bits(std::span<const std::uint8_t> bits, std::uint64_t begin, std::uint64_t count) {
  std::vector<double> rows(count);
  auto row = rows.begin();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (unsigned left = bits[i]; left != 0; left &= left - 1) {
      *row++ = static_cast<double>(begin + i * 8 + static_cast<unsigned>(std::countr_zero(left)));
    }
  }
  return rows;
}

}  // namespace

RowBits::RowBits(std::vector<std::uint8_t> bits) noexcept : bits_(std::move(bits)) {
  const auto is_set = [](std::uint8_t byte) { return byte != 0; };
  begin_ = static_cast<std::size_t>(std::find_if(bits_.begin(), bits_.end(), is_set) - bits_.begin());
  end_ = static_cast<std::size_t>(bits_.rend() - std::find_if(bits_.rbegin(), bits_.rend(), is_set));
}

RowBits::RowBits(const UsedRows& used) : bits_(used.bits), end_(bits_.size()) {
  if (bits_.empty()) return;
  bits_[0] = static_cast<std::uint8_t>((bits_[0] & ~1U) | (used.without_values != 0 ? 1U : 0U));
}

bool RowBits::is_disjoint(const RowBits& other) const noexcept {
  constexpr std::size_t kAtOnce = 4096;  // bytes: edges of types that stand among each other meet soon
  const std::size_t size = std::min(end_, other.end_);
  for (std::size_t begin = std::max(begin_, other.begin_); begin < size; begin += kAtOnce) {
    std::uint8_t both = 0;
    for (std::size_t i = begin; i < std::min(size, begin + kAtOnce); ++i) {
      both = static_cast<std::uint8_t>(both | (bits_[i] & other.bits_[i]));
    }
    if (both != 0) return false;
  }
  return true;
}

std::uint64_t RowBits::count() const noexcept { return count_bits(bits_); }

Result<RowBits> kept_rows(Engine& engine, std::span<const Filter> filters, const EdgeRows& rows, const RowBits& among) {
  static_assert(std::endian::native == std::endian::little && kRowsAtOnce % 8 == 0);
  std::vector<std::uint8_t> bits((rows.size() + 7) / 8);
  FirstFailure failure;
  RIZOMA_TRY(engine.for_blocks(rows.size(), kRowsAtOnce, [&](VertexRange block, unsigned) {
    if (failure.failed()) return;
    const std::span<const std::uint8_t> mine =
        std::span(among.bytes()).subspan(block.begin / 8, (block.size() + 7) / 8);
    const std::uint64_t set = count_bits(mine);
    if (set == 0) return;
    std::uint8_t* const kept = bits.data() + block.begin / 8;
    std::vector<std::uint8_t> keep(set * kFewer < block.size() ? set : block.size(), 1);
    if (keep.size() == block.size()) {
      const auto read = [&](std::size_t column) { return rows.values(column, block.begin, block.end); };
      unpack_bits(mine.data(), keep);
      failure.note(RowTester(filters).test(keep, read));
      pack_bits(keep, kept);
      return;
    }
    const std::vector<double> some = rows_of_bits(mine, block.begin, set);
    failure.note(RowTester(filters).test(keep, [&](std::size_t column) { return rows.values(column, some); }));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::uint64_t place = static_cast<std::uint64_t>(some[i]) - block.begin;
      kept[place / 8] = static_cast<std::uint8_t>(kept[place / 8] | keep[i] << (place % 8));
    }
  }));
  RIZOMA_TRY(failure.status());
  return RowBits(std::move(bits));
}

}  // namespace rizoma::query
