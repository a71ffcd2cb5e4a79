#include "testing/fuzz_store.h"

#include "base/checksum.h"
#include "store/sections/delta.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/columns/row_block.h"
#include "store/disk_format.h"
#include "store/sections/image.h"
#include "store/log/log.h"
#include "store/manifest/manifest.h"
#include "store/sections/removed_vertices.h"
#include "store/repair/repair_dictionary.h"
#include "store/manifest/superblock.h"
#include "store/space/locations.h"
#include "testing/heap_medium.h"
#include "testing/store_seal.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace rizoma::testing {
namespace {

using Words = std::vector<std::uint64_t>;  // readers expect bytes aligned to 8 at least

constexpr unsigned kSectionBits = 4;

std::span<std::byte> bytes_of(Words& words, std::size_t size) {
  return std::as_writable_bytes(std::span(words)).first(size);
}

void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// ---- superblock ----

void seal_superblock(std::span<std::byte> bytes) {
  for (const std::size_t at : {std::size_t{0}, static_cast<std::size_t>(format::kPage)}) {
    seal<format::Superblock>(bytes, at, format::kSeedSuperblock,
                             [](auto& block) { block.magic = format::kSuperblockMagic; });
  }
}

void read_superblock_case(std::span<const std::byte> bytes) {
  const auto medium = make_heap_medium();
  require((*medium->open(kSuperblockName, FileMode::create))->write(0, bytes).ok(), "no file");
  const auto slots = read_superblock(*medium);
  if (slots) require(slots->newest() != nullptr, "a superblock without a slot");
}

// ---- manifest ----

void seal_manifest(std::span<std::byte> bytes) {
  constexpr std::size_t kHeader = sizeof(format::ManifestHeader);
  if (bytes.size() < kHeader) return;
  std::size_t end = 0;
  seal<format::ManifestHeader>(bytes, 0, format::kSeedManifestHeader, [&](format::ManifestHeader& header) {
    header.magic = format::kManifestMagic;
    header.body_bytes = std::min<std::uint64_t>(header.body_bytes, bytes.size() - kHeader);
    end = kHeader + header.body_bytes;
    header.body_checksum = checksum(bytes.subspan(kHeader, header.body_bytes), format::kSeedManifestBody);
  });
  for (; end < bytes.size(); end += sizeof(format::PublishRecord)) {
    seal<format::PublishRecord>(bytes, end, format::kSeedPublish,
                                [](auto& record) { record.magic = format::kPublishMagic; });
  }
}

void read_manifest_case(std::span<const std::byte> bytes) {
  format::ManifestHeader header;
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  const auto file = decode_manifest(bytes, header.store, header.number, "case");
  if (!file) return;
  static_cast<void>(file->state.extents());
  // What was read can be written, and read again.
  const auto again = encode_manifest(file->state, header.store, header.number);
  require(decode_manifest(again, header.store, header.number, "case").ok(), "a manifest that cannot be read twice");
}

// ---- log ----

class Collector final : public LogVisitor {
 public:
  Status vertices(VertexId) override { return {}; }
  Status ids(const IdColumn& ids) override {
    if (const auto* strings = std::get_if<StringColumn>(&ids)) {
      for (std::size_t i = 0; i < strings->size(); ++i) sum += (*strings)[i].size();
    }
    return {};
  }
  Status edges(ChangeKind, const EdgeColumns& edges) override {
    require(edges.sources.size() == edges.targets.size(), "columns of unequal length");
    for (const VertexId v : edges.targets) sum += v;
    return {};
  }
  Status remove_vertices(std::span<const VertexId> vertices) override {
    for (const VertexId v : vertices) sum += v;
    return {};
  }
  Status restore_vertices(std::span<const VertexId> vertices) override { return remove_vertices(vertices); }
  Status rows(std::span<const std::byte> block) override {
    const std::vector<std::byte> copy(block.begin(), block.end());
    if (const auto rows = RowBlock::open(copy, nullptr, "case")) sum += rows->size();
    return {};
  }
  std::uint64_t sum = 0;
};

// ---- rows ----

void seal_rows(std::span<std::byte> bytes) {
  seal<format::RowsHeader>(bytes, 0, format::kSeedRowsHeader, [&](format::RowsHeader& header) {
    header.magic = format::kRowsMagic;
    header.bytes = bytes.size();
    header.payload_checksum = checksum(bytes.subspan(sizeof header), format::kSeedRowsPayload);
  });
}

void read_rows_case(std::span<const std::byte> bytes) {
  const auto block = RowBlock::open(bytes, nullptr, "case");
  if (!block) return;
  std::uint64_t sum = 0;
  for (const std::uint32_t id : {1U, 2U, 3U, 4U, 5U, format::kVertexColumn}) {
    const auto column = block->column(id);
    for (std::uint64_t row = 0; column && row < block->size(); ++row) {
      if (column->is_null(row, block->size())) continue;
      sum += visit_column(column->type(), [&]<class T>(ColumnTag<T>) -> std::uint64_t {
        if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(column->number<T>(row));
        if constexpr (std::is_arithmetic_v<T>) return column->number<T>(row) > T{} ? 1 : 0;
        std::uint64_t text = 0;
        for (const std::byte byte : column->bytes(row)) text += static_cast<std::uint64_t>(byte);
        return text;
      });
    }
  }
  static_cast<void>(sum);
}

/// Blocks of rows in the operations of a record.
void seal_rows_within(std::span<std::byte> payload) {
  while (payload.size() > sizeof(format::LogOperation)) {
    format::LogOperation operation;
    std::memcpy(&operation, payload.data(), sizeof operation);
    payload = payload.subspan(sizeof operation);
    if (operation.body_bytes > payload.size()) return;
    if (operation.kind == format::LogKind::rows) seal_rows(payload.first(operation.body_bytes));
    payload = payload.subspan(std::min<std::uint64_t>(payload.size(), (operation.body_bytes + 7) / 8 * 8));
  }
}

void seal_log(std::span<std::byte> bytes) {
  std::uint64_t number = 0, sequence = 0;
  seal<format::LogHeader>(bytes, 0, format::kSeedLogHeader, [&](format::LogHeader& header) {
    header.magic = format::kLogMagic;
    number = header.number;
    sequence = header.first_sequence;
  });
  for (std::size_t at = sizeof(format::LogHeader); at + sizeof(format::LogRecord) <= bytes.size();) {
    const std::size_t room = bytes.size() - at - sizeof(format::LogRecord);
    std::uint64_t length = 0;
    seal<format::LogRecord>(bytes, at, format::kSeedLogRecord ^ (number << 24), [&](format::LogRecord& record) {
      record.magic = format::kRecordMagic;
      record.sequence = sequence++;
      if (record.payload_bytes > room) record.payload_bytes %= 512;
      length = record.payload_bytes = std::min<std::uint64_t>(record.payload_bytes, room);
      seal_rows_within(bytes.subspan(at + sizeof record, length));
      record.payload_checksum = checksum(bytes.subspan(at + sizeof record, length), format::kSeedLogPayload);
    });
    at += sizeof(format::LogRecord) + (length + 7) / 8 * 8;
  }
}

void read_log_case(std::span<const std::byte> bytes) {
  format::LogHeader header;
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  const LogExpectation expected{header.store, header.number, header.first_sequence, 0};
  Collector collector;
  const auto end = replay_log(bytes, expected, "case", collector);
  const LogEnd whole = whole_part(bytes, expected);
  require(whole.offset <= bytes.size() + 7, "a log that ends behind its file");
  if (end) require(end->offset == whole.offset, "two readings of a log disagree");
  static_cast<void>(continues_log(bytes, expected, "case"));
}

// ---- image and delta ----

void seal_image_case(std::span<std::byte> bytes) {
  seal<format::ImageHeader>(bytes, 0, format::kSeedImageHeader, [&](format::ImageHeader& header) {
    header.magic = format::kImageMagic;
    header.payload_checksum = checksum(bytes.subspan(sizeof header), format::kSeedImagePayload);
  });
}

template <class Target>
void walk(const ImageSpec& spec, std::span<const std::byte> bytes) {
  const auto edges = view_image<Target>(spec, bytes);
  for (std::uint32_t v = 0; v < spec.num_vertices; ++v) {
    require(edges.offsets[v] <= edges.offsets[v + 1] && edges.offsets[v + 1] <= spec.num_entries,
            "offsets out of range");
    for (std::uint32_t i = edges.offsets[v]; i < edges.offsets[v + 1]; ++i) {
      require(edges.targets[i] < spec.target_bound, "a target out of range");
      require(i == edges.offsets[v] || edges.targets[i - 1] <= edges.targets[i], "targets out of order");
    }
  }
}

void read_image_case(std::span<const std::byte> bytes) {
  const auto spec = verify_image(bytes, kSectionBits, "case");
  if (!spec) return;
  if (spec->target_bytes == 4) walk<std::uint32_t>(*spec, bytes);
  if (spec->target_bytes == 8) walk<std::uint64_t>(*spec, bytes);
}

void seal_delta(std::span<std::byte> bytes) {
  seal<format::DeltaHeader>(bytes, 0, format::kSeedDeltaHeader, [&](format::DeltaHeader& header) {
    header.magic = format::kDeltaMagic;
    header.payload_checksum = checksum(bytes.subspan(sizeof header), format::kSeedDeltaPayload);
  });
}

void read_delta_case(std::span<const std::byte> bytes) {
  const auto spec = verify_delta(bytes, std::uint64_t{1} << kSectionBits, "case");
  if (!spec) return;
  const ChangeRun run = view_delta(*spec, bytes);
  double sum = 0;
  for (std::size_t i = 0; i < run.words.size(); ++i) {
    require(change_place(run.words[i]) < 1u << kSectionBits, "a place out of range");
    if (run.weights != nullptr) sum += run.weights[i];
  }
  static_cast<void>(sum);
}

// ---- removed vertices ----

void seal_removed(std::span<std::byte> bytes) {
  seal<format::RemovedHeader>(bytes, 0, format::kSeedRemovedHeader, [&](format::RemovedHeader& header) {
    header.magic = format::kRemovedMagic;
    header.payload_checksum = checksum(bytes.subspan(sizeof header), format::kSeedRemovedPayload);
  });
}

void read_removed_case(std::span<const std::byte> bytes) {
  constexpr VertexId kVertices = 1'000;
  const auto removed = RemovedVertices::decode(bytes, kSectionBits, kVertices, "case");
  if (!removed) return;
  VertexId count = 0;
  for (VertexId v = 0; v < kVertices; ++v) count += removed->contains(v) ? 1 : 0;
  require(count == removed->count(), "removed vertices that are counted and not there");
}

// ---- dictionary ----

/// The seeds are those of dictionary_segment.cpp.
void seal_dictionary(std::span<std::byte> bytes) {
  constexpr std::uint64_t kSeedSums = 0x52'5a'21, kSeedBlock = 0x52'5a'22, kBlock = 1u << 16;
  seal<DictionarySegmentHeader>(bytes, 0, kSeedDictionaryHeader, [&](DictionarySegmentHeader& header) {
    const std::uint64_t begin = sizeof header;
    if (header.sums_at < begin || header.sums_at > bytes.size() || header.sums_at % 8 != 0) return;
    std::uint64_t blocks = 0;
    for (std::uint64_t at = begin; at < header.sums_at; at += kBlock, ++blocks) {
      if (header.sums_at + 8 * (blocks + 1) > bytes.size()) return;
      const std::uint64_t length = std::min(kBlock, header.sums_at - at);
      const std::uint64_t sum = checksum(bytes.subspan(at, length), kSeedBlock + blocks);
      std::memcpy(bytes.data() + header.sums_at + 8 * blocks, &sum, sizeof sum);
    }
    header.sums_checksum = checksum(bytes.subspan(header.sums_at, 8 * blocks), kSeedSums);
  });
}

void read_dictionary_case(std::span<const std::byte> bytes) {
  const auto opened = DictionarySegment::open(Mapping{bytes, nullptr}, "case");
  if (!opened) return;
  const DictionarySegment& segment = **opened;
  if (segment.kind() != SegmentKind::permutation) {
    DictionaryMender mender;
    const auto mended = DictionarySegment::open(mender.mend(Mapping{bytes, nullptr}, "case"), "case");
    require(mended && (*mended)->verify() && (*mended)->size() == segment.size(), "a mended segment that is damaged");
  } else {
    static_cast<void>(DictionaryMender().mend(Mapping{bytes, nullptr}, "case"));
  }
  const VertexId end = std::min<VertexId>(segment.end(), segment.first() + 100);
  for (VertexId v = segment.first(); v < end; ++v) {
    if (segment.kind() == SegmentKind::string) {
      if (const auto text = segment.text(v)) static_cast<void>(segment.find(*text));
    } else if (const auto id = segment.integer(v)) {
      static_cast<void>(segment.find(*id));
    }
  }
  if (segment.kind() == SegmentKind::string) {
    static_cast<void>(segment.find("no such id"));
  } else {
    for (const std::int64_t id : {INT64_MIN, std::int64_t{-1}, std::int64_t{3}, INT64_MAX})
      static_cast<void>(segment.find(id));
  }
}

// ---- the mark of a location ----

void seal_location(std::span<std::byte> bytes) {
  seal<format::LocationHeader>(bytes, 0, format::kSeedLocation, [&](format::LocationHeader& header) {
    header.magic = format::kLocationMagic;
    header.paths_checksum = checksum(bytes.subspan(sizeof header), format::kSeedLocation);
  });
}

void read_location_case(std::span<const std::byte> bytes) {
  const auto medium = make_heap_medium();
  require((*medium->open("location", FileMode::create))->write(0, bytes).ok(), "no file");
  LocationOwner owner;
  owner.path = "store";
  owner.medium = medium.get();
  owner.open = [](const std::string& path, bool) -> Result<std::shared_ptr<Medium>> {
    return Error{ErrorCode::not_found, path + " is not there"};
  };
  format::LocationHeader header;
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  owner.id = header.store;
  const auto number = location_number(*medium, "here", owner);
  require(number.ok() || !number.error().message.empty(), "an Error that says nothing");
}

struct Reader {
  void (*seal)(std::span<std::byte>);
  void (*read)(std::span<const std::byte>);
};

Reader reader_of(std::string_view name) {
  if (name == "superblock") return {seal_superblock, read_superblock_case};
  if (name == "manifest") return {seal_manifest, read_manifest_case};
  if (name == "log") return {seal_log, read_log_case};
  if (name == "image") return {seal_image_case, read_image_case};
  if (name == "delta") return {seal_delta, read_delta_case};
  if (name == "removed") return {seal_removed, read_removed_case};
  if (name == "dictionary") return {seal_dictionary, read_dictionary_case};
  if (name == "rows") return {seal_rows, read_rows_case};
  if (name == "location") return {seal_location, read_location_case};
  throw std::logic_error("no reader of this name");
}

}  // namespace

void seal_structure(std::string_view name, std::span<std::byte> bytes) { reader_of(name).seal(bytes); }

void fuzz_store(std::string_view name, const std::uint8_t* data, std::size_t size) {
  const Reader reader = reader_of(name);
  Words words((size + 7) / 8);
  const std::span<std::byte> bytes = bytes_of(words, size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  reader.read(bytes);
  reader.seal(bytes);
  reader.read(bytes);
}

}  // namespace rizoma::testing
