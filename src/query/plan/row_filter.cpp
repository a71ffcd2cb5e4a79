#include "query/plan/row_filter.h"

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
constexpr std::uint64_t kOneEach = 0x0102040810204080;  // gathers the lowest bits of eight bytes in the highest byte

/// Reads and tests blocks of rows.  For one thread.
class RowTester {
 public:
  RowTester(std::span<const Filter> filters, const EdgeRows& rows) : filters_(filters), rows_(rows) {}

  /// Leaves those bytes of `keep` that are 1, and for whose rows, from `begin` on, all filters hold.
  Status test(std::uint64_t begin, std::span<std::uint8_t> keep) {
    values_.clear();
    for (const Filter& filter : filters_) {
      for (const predicate::Slot& slot : filter.program->slots) {
        if (known(slot.column) != nullptr) continue;
        RIZOMA_ASSIGN(ColumnValues read, rows_.values(slot.column, begin, begin + keep.size()));
        values_.emplace_back(slot.column, std::move(read));
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
  const EdgeRows& rows_;
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
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(bits[i / 8] >> (i % 8) & 1);
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

std::uint64_t RowBits::count() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint8_t byte : bits_) sum += static_cast<std::uint64_t>(std::popcount(byte));
  return sum;
}

Result<RowBits> kept_rows(Engine& engine, std::span<const Filter> filters, const EdgeRows& rows, const RowBits& among) {
  static_assert(std::endian::native == std::endian::little && kRowsAtOnce % 8 == 0);
  std::vector<std::uint8_t> bits((rows.size() + 7) / 8);
  FirstFailure failure;
  RIZOMA_TRY(engine.for_blocks(rows.size(), kRowsAtOnce, [&](VertexRange block, unsigned) {
    if (failure.failed()) return;
    const std::span<const std::uint8_t> mine =
        std::span(among.bytes()).subspan(block.begin / 8, (block.size() + 7) / 8);
    if (std::all_of(mine.begin(), mine.end(), [](std::uint8_t byte) { return byte == 0; })) return;
    std::vector<std::uint8_t> keep(block.size());
    unpack_bits(mine.data(), keep);
    failure.note(RowTester(filters, rows).test(block.begin, keep));
    pack_bits(keep, bits.data() + block.begin / 8);
  }));
  RIZOMA_TRY(failure.status());
  return RowBits(std::move(bits));
}

}  // namespace rizoma::query
