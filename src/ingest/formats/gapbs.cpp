// GAP benchmark serialized graphs (Beamer, Asanovic, Patterson, arXiv:1508.03619): little-endian
//   1 byte directed, int64 entries, int64 vertices, int64 offsets[vertices + 1], entries,
// an entry being int32 target (.sg) or int32 target, int32 weight (.wsg).  A directed graph is followed by
// the offsets and entries of its transpose, which are not read; an undirected one has each edge twice, of
// which the one from the smaller end is delivered.
//
// Offsets and entries are read side by side from two places of the file, a block at a time, so that
// memory is bounded; every size is checked against the file's before anything is allocated.
#include "base/check.h"
#include "ingest/export_rows.h"
#include "ingest/import_format.h"

#include <array>
#include <cstring>

namespace rizoma {
namespace {

constexpr std::uint64_t kHeaderBytes = 17;
constexpr std::uint64_t kBlockVertices = std::uint64_t{1} << 16;
constexpr std::uint64_t kBlockEntries = std::uint64_t{1} << 18;

struct Header {
  bool directed = false;
  std::uint64_t entries = 0;
  std::uint64_t vertices = 0;
  bool weighted = false;
  std::uint64_t bytes = 0;

  [[nodiscard]] std::uint64_t entry_bytes() const noexcept { return weighted ? 8 : 4; }
  [[nodiscard]] std::uint64_t entries_at() const noexcept { return kHeaderBytes + 8 * (vertices + 1); }
};

Error malformed(const std::filesystem::path& file, std::uint64_t byte, const std::string& what) {
  return {ErrorCode::parse, file.string() + ": byte " + std::to_string(byte) + ": " + what};
}

Result<std::uint64_t> expected_bytes(const std::filesystem::path& file, const Header& header) {
  const unsigned __int128 half = static_cast<unsigned __int128>(header.vertices + 1) * 8 +
                                 static_cast<unsigned __int128>(header.entries) * header.entry_bytes();
  const unsigned __int128 bytes = kHeaderBytes + half * (header.directed ? 2 : 1);
  if (bytes != header.bytes) {
    return malformed(file, 1,
                     "found " + std::to_string(header.vertices) + " vertices and " + std::to_string(header.entries) +
                         " entries in a file of " + std::to_string(header.bytes) +
                         " bytes, expected a size that fits them; the file is truncated, or .sg and .wsg are confused");
  }
  return static_cast<std::uint64_t>(bytes);
}

Result<Header> read_header(const std::filesystem::path& file) {
  if (without_compression(file) != file) {
    return Error{ErrorCode::unsupported, file.string() +
                                             ": a serialized graph is read at two places at once, which a compressed "
                                             "file does not allow; decompress it first"};
  }
  Header header;
  header.weighted = ending_of(file) == ".wsg";
  RIZOMA_ASSIGN(header.bytes, file_bytes(file));
  RIZOMA_ASSIGN(auto source, open_plain_source(file));
  std::array<char, kHeaderBytes> bytes{};
  RIZOMA_ASSIGN(const std::size_t got, source->read(bytes));
  if (got < bytes.size()) return malformed(file, got, "found the end of the file, expected a header of 17 bytes");
  std::int64_t entries = 0;
  std::int64_t vertices = 0;
  std::memcpy(&entries, bytes.data() + 1, 8);
  std::memcpy(&vertices, bytes.data() + 9, 8);
  if (static_cast<unsigned char>(bytes[0]) > 1)
    return malformed(file, 0, "found a byte that is neither 0 nor 1, expected the flag for a directed graph");
  if (entries < 0) return malformed(file, 1, "found " + std::to_string(entries) + " entries, expected 0 or more");
  if (vertices < 0 || vertices > std::int64_t{1} << 31) {
    return malformed(file, 9, "found " + std::to_string(vertices) + " vertices, expected 0 to 2^31");
  }
  header.directed = bytes[0] != 0;
  header.entries = static_cast<std::uint64_t>(entries);
  header.vertices = static_cast<std::uint64_t>(vertices);
  RIZOMA_TRY(expected_bytes(file, header));
  return header;
}

/// Some consecutive vertices with some of their entries.
struct Block {
  std::uint64_t first_vertex = 0;
  std::uint64_t first_entry = 0;
  std::vector<std::int64_t> ends;  ///< after the last entry of vertex first_vertex + i
  std::vector<std::int32_t> entries;
  std::uint64_t num_entries = 0;
};

/// Reads blocks in order: offsets from one stream, entries from another.
class BlockReader {
 public:
  static Result<BlockReader> open(const std::filesystem::path& file, const Header& header) {
    RIZOMA_ASSIGN(auto offsets, open_plain_source(file, kHeaderBytes));
    RIZOMA_ASSIGN(auto entries, open_plain_source(file, header.entries_at()));
    BlockReader reader(file, header, std::move(offsets), std::move(entries));
    std::int64_t first = 0;
    RIZOMA_TRY(reader.read_exactly(*reader.offsets_, {reinterpret_cast<char*>(&first), 8}));
    if (first != 0)
      return malformed(file, kHeaderBytes, "found a first offset of " + std::to_string(first) + ", expected 0");
    return reader;
  }

  Result<bool> next(Block& block) {
    if (ends_begin_ == ends_.size()) {
      if (vertex_ + ends_.size() == header_.vertices) return false;
      RIZOMA_TRY(read_offsets());
    }
    block.first_vertex = vertex_ + ends_begin_;
    block.first_entry = entry_;
    // Whole vertices as far as the entries fit; a greater list goes in pieces.
    const auto limit = static_cast<std::int64_t>(entry_ + kBlockEntries);
    std::size_t stop = ends_begin_;
    while (stop < ends_.size() && ends_[stop] <= limit) ++stop;
    block.ends.assign(ends_.begin() + static_cast<std::ptrdiff_t>(ends_begin_),
                      ends_.begin() + static_cast<std::ptrdiff_t>(stop));
    if (block.ends.empty()) block.ends.push_back(limit);
    block.num_entries = static_cast<std::uint64_t>(block.ends.back()) - entry_;
    RIZOMA_CHECK(block.num_entries <= kBlockEntries && entry_ + block.num_entries <= header_.entries);
    block.entries.resize(block.num_entries * (header_.weighted ? 2 : 1));
    RIZOMA_TRY(read_exactly(*entries_, {reinterpret_cast<char*>(block.entries.data()), 4 * block.entries.size()}));
    entry_ += block.num_entries;
    ends_begin_ = stop;
    return true;
  }

  [[nodiscard]] std::uint64_t consumed() const noexcept {
    return 8 * (vertex_ + ends_begin_) + entry_ * header_.entry_bytes();
  }

 private:
  BlockReader(const std::filesystem::path& file, const Header& header, std::unique_ptr<ByteSource> offsets,
              std::unique_ptr<ByteSource> entries)
      : file_(file), header_(header), offsets_(std::move(offsets)), entries_(std::move(entries)) {}

  Status read_exactly(ByteSource& source, std::span<char> out) {
    RIZOMA_ASSIGN(const std::size_t got, source.read(out));
    if (got == out.size()) return {};
    return malformed(file_, source.consumed(),
                     "found the end of the file, expected more entries; the file changed while it was read");
  }

  Status read_offsets() {
    vertex_ += ends_.size();
    const std::int64_t before = ends_.empty() ? 0 : ends_.back();
    ends_.resize(std::min(kBlockVertices, header_.vertices - vertex_));
    ends_begin_ = 0;
    RIZOMA_TRY(read_exactly(*offsets_, {reinterpret_cast<char*>(ends_.data()), 8 * ends_.size()}));
    std::int64_t last = before;
    for (std::size_t i = 0; i < ends_.size(); last = ends_[i++]) {
      if (ends_[i] >= last && static_cast<std::uint64_t>(ends_[i]) <= header_.entries) continue;
      return malformed(file_, kHeaderBytes + 8 * (vertex_ + i + 1),
                       "found offset " + std::to_string(ends_[i]) + ", expected " + std::to_string(last) + " to " +
                           std::to_string(header_.entries));
    }
    if (vertex_ + ends_.size() == header_.vertices && static_cast<std::uint64_t>(last) != header_.entries) {
      return malformed(
          file_, header_.entries_at() - 8,
          "found a last offset of " + std::to_string(last) + ", expected " + std::to_string(header_.entries));
    }
    return {};
  }

  std::filesystem::path file_;
  Header header_;
  std::unique_ptr<ByteSource> offsets_;
  std::unique_ptr<ByteSource> entries_;
  std::vector<std::int64_t> ends_;  ///< of vertices vertex_, vertex_ + 1, ...
  std::size_t ends_begin_ = 0;      ///< those before are done
  std::uint64_t vertex_ = 0;
  std::uint64_t entry_ = 0;
};

Status parse_block(const std::filesystem::path& file, const Header& header, bool directed, const Block& block,
                   IntegerEdges& out) {
  out.reserve(block.num_entries, header.weighted);
  const unsigned stride = header.weighted ? 2 : 1;
  RIZOMA_CHECK(block.entries.size() == block.num_entries * stride && !block.ends.empty());
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < block.ends.size(); ++i) {
    const auto source = static_cast<std::int64_t>(block.first_vertex + i);
    for (const std::uint64_t end = static_cast<std::uint64_t>(block.ends[i]) - block.first_entry; place < end;
         ++place) {
      const std::int64_t target = block.entries[place * stride];
      if (target < 0 || static_cast<std::uint64_t>(target) >= header.vertices) {
        return malformed(
            file, header.entries_at() + (block.first_entry + place) * header.entry_bytes(),
            "found target " + std::to_string(target) + ", expected 0 to " + std::to_string(header.vertices - 1));
      }
      if (!directed && target < source) continue;
      out.add(source, target);
      if (header.weighted) out.weights.push_back(block.entries[place * stride + 1]);
    }
  }
  return {};
}

Result<FileSummary> inspect_gapbs(const ReadRequest& request) {
  RIZOMA_ASSIGN(const Header header, read_header(request.file));
  if (request.options.directed == false && header.directed) {
    return Error{ErrorCode::invalid_argument,
                 request.file.string() + ": the file says that the graph is directed; it cannot be read as undirected"};
  }
  FileSummary summary{.directed = request.options.directed.value_or(header.directed)};
  summary.weights = header.weighted ? WeightType::int32 : WeightType::none;
  RIZOMA_TRY(expect_weights(request, header.weighted, header.entries > 0));
  RIZOMA_ASSIGN(summary.ids, row_ids(request));
  summary.bytes = header.bytes;
  summary.num_vertices = header.vertices;
  return summary;
}

Status read_gapbs(const ReadRequest& request, const FileSummary& summary, Executor& executor, BatchSink& sink) {
  RIZOMA_ASSIGN(const Header header, read_header(request.file));
  if (header.vertices == 0) return {};
  RIZOMA_ASSIGN(BlockReader reader, BlockReader::open(request.file, header));
  const auto total = static_cast<double>(8 * header.vertices + header.entries * header.entry_bytes());
  RIZOMA_TRY((run_ordered<Block, IntegerEdges>(
      executor, "read", [&] { return static_cast<double>(reader.consumed()); }, total,
      [&](Block& block) { return reader.next(block); },
      [&](const Block& block, IntegerEdges& edges) {
        return parse_block(request.file, header, summary.directed, block, edges);
      },
      [&](IntegerEdges&& edges) { return deliver_edges(sink, std::move(edges).take()); })));
  return deliver_rows(0, header.vertices, sink);
}

Status write_gapbs_half(const GraphView& view, const GraphView::AnyAdjacency& adjacency, const NumberedRows& rows,
                        ReplacingFile& out, Executor& executor) {
  std::string offsets;
  std::int64_t offset = 0;
  EntryRow row;
  for (std::uint64_t r = 0; r < rows.size(); ++r) {
    append_bytes(offsets, offset);
    rows.read(adjacency, r, row);
    offset += static_cast<std::int64_t>(row.size());
    if (offsets.size() < std::size_t{1} << 20) continue;
    RIZOMA_TRY(out.write(offsets));
    offsets.clear();
  }
  append_bytes(offsets, offset);
  RIZOMA_TRY(out.write(offsets));
  return write_rows(rows.size(), out, executor, [&](std::uint64_t r, EntryRow& entries, std::string& bytes) -> Status {
    rows.read(adjacency, r, entries);
    for (const RowEntry& entry : entries) {
      append_bytes(bytes, static_cast<std::int32_t>(entry.target));
      if (view.weight_type() != WeightType::none) append_bytes(bytes, static_cast<std::int32_t>(entry.weight));
    }
    return {};
  });
}

Status write_gapbs(const WriteRequest& request, ReplacingFile& out, Executor& executor) {
  const GraphView& view = request.view;
  const bool weighted = ending_of(request.file) == ".wsg";
  if (without_compression(request.file) != request.file)
    return cannot_carry(request.file, "serialized GAP graphs are not compressed; drop the second ending");
  if (view.weight_type() == WeightType::none ? weighted : !weighted) {
    return cannot_carry(request.file, "serialized GAP graphs with weights end in .wsg, those without in .sg");
  }
  if (weighted && view.weight_type() != WeightType::int32)
    return cannot_carry(request.file,
                        ".wsg holds 32-bit integer weights, but this graph has others; write .mtx instead");
  if (!view.has_in_edges())
    return cannot_carry(
        request.file,
        "a directed serialized GAP graph holds in-edges too, but this graph does not store them; write .mtx instead");
  RIZOMA_ASSIGN(const NumberedRows rows, NumberedRows::create(request));
  if (rows.size() > std::uint64_t{1} << 31)
    return cannot_carry(request.file, ".sg holds at most 2^31 vertices; write .el instead");
  std::string header(1, view.directed() ? '\1' : '\0');
  append_bytes(header, static_cast<std::int64_t>(view.num_entries()));
  append_bytes(header, static_cast<std::int64_t>(rows.size()));
  RIZOMA_TRY(out.write(header));
  RIZOMA_TRY(write_gapbs_half(view, view.parts().out, rows, out, executor));
  if (view.directed()) RIZOMA_TRY(write_gapbs_half(view, *view.parts().in, rows, out, executor));
  return {};
}

constexpr std::array<std::string_view, 2> kEndings = {".sg", ".wsg"};

}  // namespace

namespace formats {

extern const Format gapbs;
constinit const Format gapbs{
    .name = "gapbs",
    .endings = kEndings,
    .inspect = inspect_gapbs,
    .read = read_gapbs,
    .write = write_gapbs,
};

}  // namespace formats
}  // namespace rizoma
