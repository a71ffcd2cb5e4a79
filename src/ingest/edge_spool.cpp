#include <rizoma/ingest.h>

#include "base/checksum.h"
#include "ingest/ordered_pipeline.h"
#include "platform/file_medium.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kMagic = 0x3130'4c4f'4f50'5345;  // "ESPOOL01"
constexpr std::uint64_t kLongest = std::uint64_t{1} << 40;

// Flags of a batch.
constexpr std::uint64_t kVertices = 1;
constexpr std::uint64_t kText = 2;
constexpr std::uint64_t kNarrow = 4;
constexpr std::uint64_t kWeighted = 8;
constexpr std::uint64_t kColumns = 16;

/// Before each batch.
struct Head {
  std::uint64_t magic = kMagic;
  std::uint64_t flags = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of what follows
  std::uint64_t checksum = 0;
};

void put(Bytes& out, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

bool fits_narrow(const IdColumn& ids) {
  const auto* const numbers = std::get_if<std::vector<std::int64_t>>(&ids);
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return numbers != nullptr && std::ranges::all_of(*numbers, [](std::int64_t id) { return id >= 0 && id <= kMost; });
}

void put_ids(Bytes& out, const IdColumn& ids, bool narrow) {
  if (const auto* const text = std::get_if<StringColumn>(&ids)) {
    const std::uint64_t bytes = text->bytes.size();
    put(out, &bytes, sizeof(bytes));
    put(out, text->offsets.data(), text->offsets.size() * sizeof(std::uint64_t));
    put(out, text->bytes.data(), text->bytes.size());
    return;
  }
  const auto& numbers = std::get<std::vector<std::int64_t>>(ids);
  if (!narrow) return put(out, numbers.data(), numbers.size() * sizeof(std::int64_t));
  const std::vector<std::uint32_t> narrowed(numbers.begin(), numbers.end());
  put(out, narrowed.data(), narrowed.size() * sizeof(std::uint32_t));
}

template <class T>
void put_sized(Bytes& out, const std::vector<T>& values) {
  const std::uint64_t count = values.size();
  put(out, &count, sizeof(count));
  put(out, values.data(), count * sizeof(T));
}

/// Other columns than ids and weights.
void put_columns(Bytes& out, const ColumnTable& table) {
  const std::uint64_t count = table.columns.size();
  put(out, &count, sizeof(count));
  for (const ColumnValues& column : table.columns) {
    put_sized(out, std::vector<char>(column.name.begin(), column.name.end()));
    const auto type = static_cast<std::uint64_t>(column.type);
    put(out, &type, sizeof(type));
    put_sized(out, column.values);
    put_sized(out, column.ends);
    put_sized(out, column.valid);
    put_sized(out, column.given);
  }
}

/// Removes columns from the front of a batch's bytes; false if a spool does not write such bytes.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const Head& head) : rest_(bytes), head_(head) {}

  bool ids(IdColumn& out) {
    if ((head_.flags & kText) != 0) return text(out.emplace<StringColumn>());
    auto& numbers = out.emplace<std::vector<std::int64_t>>();
    if ((head_.flags & kNarrow) == 0) return column(numbers, head_.rows);
    std::vector<std::uint32_t> narrow;
    if (!column(narrow, head_.rows)) return false;
    numbers.assign(narrow.begin(), narrow.end());
    return true;
  }
  template <class T>
  bool column(std::vector<T>& out, std::uint64_t rows) {
    if (rows > rest_.size() / sizeof(T)) return false;
    out.resize(rows);
    if (rows > 0) std::memcpy(out.data(), rest_.data(), rows * sizeof(T));
    rest_ = rest_.subspan(rows * sizeof(T));
    return true;
  }
  bool columns(ColumnTable& out) {
    std::vector<std::uint64_t> count;
    if (!column(count, 1)) return false;
    for (std::uint64_t i = 0; i < count[0]; ++i) {
      if (!named_column(out.columns.emplace_back())) return false;
    }
    return true;
  }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

 private:
  template <class T>
  bool sized(std::vector<T>& out) {
    std::vector<std::uint64_t> count;
    return column(count, 1) && column(out, count[0]);
  }

  bool named_column(ColumnValues& out) {
    std::vector<char> name;
    std::vector<std::uint64_t> type;
    if (!sized(name) || !column(type, 1) || type[0] > 255 || !is_column_type(static_cast<unsigned>(type[0])))
      return false;
    out.name.assign(name.begin(), name.end());
    out.type = static_cast<ColumnType>(type[0]);
    if (!sized(out.values) || !sized(out.ends) || !sized(out.valid) || !sized(out.given)) return false;
    const unsigned width = column_width(out.type);
    const bool whole = width != 0 ? out.ends.empty() && out.values.size() == head_.rows * width
                                  : out.ends.size() == head_.rows && std::ranges::is_sorted(out.ends) &&
                                        (out.ends.empty() ? 0 : out.ends.back()) == out.values.size();
    const auto flags = [&](const std::vector<std::uint8_t>& all) { return all.empty() || all.size() == head_.rows; };
    return whole && flags(out.valid) && flags(out.given);
  }

  bool text(StringColumn& out) {
    std::vector<std::uint64_t> size;
    if (!column(size, 1) || !column(out.offsets, head_.rows + 1) || size[0] > rest_.size()) return false;
    if (out.offsets.front() != 0 || out.offsets.back() != size[0] || !std::ranges::is_sorted(out.offsets)) return false;
    out.bytes.assign(reinterpret_cast<const char*>(rest_.data()), size[0]);
    rest_ = rest_.subspan(size[0]);
    return true;
  }

  std::span<const std::byte> rest_;
  const Head& head_;
};

/// Encodes and decodes a batch.
struct Packed {
  Head head;
  Bytes bytes;
};
using Unpacked = std::variant<EdgeBatch, IdColumn>;

bool unpack(const Packed& packed, Unpacked& out) {
  if (packed.head.checksum != checksum(packed.bytes, packed.head.rows ^ packed.head.flags)) return false;
  Reader reader(packed.bytes, packed.head);
  if ((packed.head.flags & kVertices) != 0) return reader.ids(out.emplace<IdColumn>()) && reader.at_end();
  auto& batch = out.emplace<EdgeBatch>();
  if (!reader.ids(batch.sources) || !reader.ids(batch.targets)) return false;
  const std::uint64_t weights = (packed.head.flags & kWeighted) != 0 ? packed.head.rows : 0;
  if (!reader.column(batch.weights, weights)) return false;
  if ((packed.head.flags & kColumns) != 0 && !reader.columns(batch.columns)) return false;
  return reader.at_end();
}

Status append(MediumFile& file, std::uint64_t& end, std::uint64_t flags, std::uint64_t rows, Bytes bytes) {
  const Head head{kMagic, flags, rows, bytes.size() - sizeof(Head),
                  checksum(std::span(bytes).subspan(sizeof(Head)), rows ^ flags)};
  std::memcpy(bytes.data(), &head, sizeof(head));
  RIZOMA_TRY(file.write(end, bytes));
  end += bytes.size();
  return {};
}

}  // namespace

EdgeSpool::EdgeSpool(std::unique_ptr<MediumFile> file, bool weighted) : file_(std::move(file)), weighted_(weighted) {}
EdgeSpool::EdgeSpool(EdgeSpool&&) noexcept = default;
EdgeSpool& EdgeSpool::operator=(EdgeSpool&&) noexcept = default;
EdgeSpool::~EdgeSpool() = default;

Result<EdgeSpool> EdgeSpool::create(const std::filesystem::path& file, bool weighted) {
  RIZOMA_ASSIGN(const auto directory, open_file_medium(file.parent_path()));
  RIZOMA_ASSIGN(auto made, directory->open(file.filename().string(), FileMode::create));
  return EdgeSpool(std::move(made), weighted);
}

Status EdgeSpool::edges(EdgeBatch&& batch) {
  const bool text = std::holds_alternative<StringColumn>(batch.sources);
  const bool narrow = fits_narrow(batch.sources) && fits_narrow(batch.targets);
  if (!weighted_) batch.weights.clear();
  Bytes bytes(sizeof(Head));
  put_ids(bytes, batch.sources, narrow);
  put_ids(bytes, batch.targets, narrow);
  put(bytes, batch.weights.data(), batch.weights.size() * sizeof(double));
  if (!batch.columns.empty()) put_columns(bytes, batch.columns);
  const std::uint64_t flags = (text ? kText : 0) | (narrow ? kNarrow : 0) | (batch.weights.empty() ? 0 : kWeighted) |
                              (batch.columns.empty() ? 0 : kColumns);
  rows_ += batch.size();
  return append(*file_, end_, flags, batch.size(), std::move(bytes));
}

Status EdgeSpool::vertices(IdColumn&& ids) {
  const bool narrow = fits_narrow(ids);
  Bytes bytes(sizeof(Head));
  put_ids(bytes, ids, narrow);
  const std::uint64_t kind = std::holds_alternative<StringColumn>(ids) ? kText : (narrow ? kNarrow : 0);
  return append(*file_, end_, kVertices | kind, size(ids), std::move(bytes));
}

void EdgeSpool::left_out(const LeftOut& lines) { not_read_ += lines; }

Status read_spool(const std::filesystem::path& file, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(const auto directory, open_file_medium_read_only(file.parent_path()));
  RIZOMA_ASSIGN(const auto opened, directory->open(file.filename().string(), FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t end, opened->size());
  const Error damaged{ErrorCode::corrupt, file.string() + " is not a spool of edges, or is damaged; import again"};
  std::uint64_t at = 0;
  auto next = [&](Packed& packed) -> Result<bool> {
    if (at == end) return false;
    if (end - at < sizeof(Head)) return damaged;
    RIZOMA_TRY(opened->read(at, std::as_writable_bytes(std::span(&packed.head, 1))));
    at += sizeof(Head);
    if (packed.head.magic != kMagic || packed.head.bytes > end - at || packed.head.rows > kLongest) return damaged;
    packed.bytes.resize(packed.head.bytes);
    RIZOMA_TRY(opened->read(at, packed.bytes));
    at += packed.bytes.size();
    return true;
  };
  auto transform = [&](Packed& packed, Unpacked& out) -> Status { return unpack(packed, out) ? Status() : damaged; };
  auto deliver = [&](Unpacked&& out) -> Status {
    if (auto* const ids = std::get_if<IdColumn>(&out)) return sink.vertices(std::move(*ids));
    return sink.edges(std::move(std::get<EdgeBatch>(out)));
  };
  OrderedPipeline<Packed, Unpacked, decltype(next), decltype(transform), decltype(deliver)> pipeline(
      executor, next, transform, deliver);
  return pipeline.run("import", [&] { return static_cast<double>(at); }, static_cast<double>(end));
}

}  // namespace rizoma
