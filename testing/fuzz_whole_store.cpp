#include "testing/fuzz_whole_store.h"

#include "base/random.h"
#include "store/disk_format.h"
#include "store/manifest/manifest.h"
#include "testing/store_exercise.h"
#include "testing/store_fields.h"
#include "testing/store_history.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace rizoma::testing {
namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

// ---- the stores to begin with ----

struct Base {
  FileContents files;
  StoreFields fields;
  bool spread = false;  ///< over several directories
};

constexpr std::string_view kScripts[] = {"ac", "arca", "lr", "aorca", "arckr", "vraoc", "sarc", "aararcar"};
constexpr std::string_view kTaggedScripts[] = {"arctr", "lrtart", "atkrt", "vratot", "artxar", "sartk"};
constexpr std::uint64_t kPlainBases = 24;
constexpr std::uint64_t kTaggedBases = 9;
constexpr std::uint64_t kSpreadBases = 3;  ///< tagged too

Base make_base(std::uint64_t number) {
  const bool tagged = number >= kPlainBases;
  const StoreCase made(number >= kPlainBases + kTaggedBases);
  StoreOptions options = made.options(schema_number(number));
  if (made.spread) options.locations = {"", "a"};
  StoreHistory history(made.store, nullptr, options, number);
  require(history.create().ok(), "a base store cannot be made");
  // A step that cannot be done to this schema ends the script, no more.
  static_cast<void>(history.run(tagged ? kTaggedScripts[number % std::size(kTaggedScripts)]
                                       : kScripts[number % std::size(kScripts)]));
  while (tagged && history.store().tags().empty()) require(history.step('t').ok(), "a base store cannot be tagged");
  require(history.store().close().ok(), "a base store cannot be closed");
  Base base{read_files(*made.whole), {}, made.spread};
  base.fields = find_fields(base.files, made.spread ? std::string(kStoreDirectory) + ":" : "");
  return base;
}

const Base& base_number(std::uint8_t number) {
  static const std::vector<Base> bases = [] {
    std::vector<Base> made;
    for (std::uint64_t i = 0; i < kPlainBases + kTaggedBases + kSpreadBases; ++i) made.push_back(make_base(i));
    return made;
  }();
  return bases[number % bases.size()];
}

// ---- edits ----

enum class Op : std::uint8_t {
  set,          ///< to the value
  set_small,    ///< to the value modulo 16
  add,          ///< the value's low byte, signed
  flip,         ///< one bit
  interesting,  ///< one of the list below
  copy,         ///< from another field of the group
  swap,         ///< with another field of the group
  copy_any,     ///< from any field
  cut,          ///< the file
  drop,         ///< the file
  mix,          ///< another file in the place of this one
  log_edges,    ///< append to the log
  log_vertices,
  log_other,  ///< rows among others, copied from a block of `data`
  repeat,     ///< a run of bytes of the file after it
  one_copy,   ///< set, in the manifest's first copy alone
};
constexpr std::uint8_t kOps = 16;

struct Edit {
  Op op;
  std::uint8_t group;
  std::uint16_t index;
  std::uint64_t value;
};

Edit edit_at(const std::uint8_t* data) {
  Edit edit{static_cast<Op>(data[0] % kOps), data[1], 0, 0};
  std::memcpy(&edit.index, data + 2, sizeof edit.index);
  std::memcpy(&edit.value, data + 4, sizeof edit.value);
  return edit;
}

std::uint64_t interesting(const StoreFields& fields, std::uint64_t which) {
  const std::uint64_t n = fields.num_vertices;
  const std::uint64_t values[] = {0,
                                  1,
                                  2,
                                  n - 1,
                                  n,
                                  n + 1,
                                  (std::uint64_t{1} << fields.section_bits) - 1,
                                  std::uint64_t{1} << fields.section_bits,
                                  0xff,
                                  0xffff,
                                  INT32_MAX,
                                  std::uint64_t{INT32_MAX} + 1,
                                  UINT32_MAX - 1,
                                  UINT32_MAX,
                                  std::uint64_t{1} << 32,
                                  (std::uint64_t{1} << 40) - 1,
                                  std::uint64_t{1} << 40,
                                  std::uint64_t{1} << 56,
                                  std::uint64_t{1} << 62,
                                  INT64_MAX,
                                  std::uint64_t{INT64_MAX} + 1,
                                  UINT64_MAX - 1,
                                  UINT64_MAX,
                                  std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()),
                                  std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
                                  std::bit_cast<std::uint64_t>(1e300),
                                  std::bit_cast<std::uint64_t>(-1.5),
                                  std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()),
                                  4096,
                                  8192};
  return values[which % std::size(values)];
}

class Editor {
 public:
  Editor(const StoreFields& fields, FileContents& files) : fields_(fields), files_(files) {}

  void apply(const Edit& edit) {
    const auto& group = fields_.groups[edit.group % fields_.groups.size()];
    if (group.empty()) return;
    const Field& field = group[edit.index % group.size()];
    const std::uint64_t now = read(field);
    switch (edit.op) {
      case Op::set: return write(field, edit.value);
      case Op::set_small: return write(field, edit.value % 16);
      case Op::add: return write(field, now + static_cast<std::uint64_t>(static_cast<std::int8_t>(edit.value)));
      case Op::flip: return write(field, now ^ std::uint64_t{1} << edit.value % (8 * field.width));
      case Op::interesting: return write(field, interesting(fields_, edit.value));
      case Op::copy: return write(field, read(group[edit.value % group.size()]));
      case Op::swap: return swap(field, group[edit.value % group.size()]);
      case Op::copy_any: return write(field, read(any(edit.value)));
      case Op::one_copy: return write_one(field, field.file, edit.value);
      default: return change_file(edit, field.file);
    }
  }

 private:
  const Field& any(std::uint64_t value) const {
    const auto& group = fields_.groups[value % fields_.groups.size()];
    return group.empty() ? fields_.groups.front().front() : group[value / 256 % group.size()];
  }
  std::byte* place(const Field& field, const std::string& file) {
    const auto found = files_.find(file);
    if (found == files_.end() || field.at + field.width > found->second.size()) return nullptr;
    return found->second.data() + field.at;
  }
  std::uint64_t read(const Field& field) {
    std::uint64_t value = 0;
    if (const std::byte* at = place(field, field.file)) std::memcpy(&value, at, field.width);
    return value;
  }
  void write_one(const Field& field, const std::string& file, std::uint64_t value) {
    if (std::byte* at = place(field, file)) std::memcpy(at, &value, field.width);
  }
  /// Both copies of the manifest say the same.
  void write(const Field& field, std::uint64_t value) {
    write_one(field, field.file, value);
    if (field.file == fields_.manifest) write_one(field, fields_.manifest_copy, value);
  }
  void swap(const Field& a, const Field& b) {
    const std::uint64_t kept = read(a);
    write(a, read(b));
    write(b, kept);
  }

  void change_file(const Edit& edit, const std::string& name) {
    const auto found = files_.find(name);
    if (found == files_.end()) return;
    std::vector<std::byte>& bytes = found->second;
    switch (edit.op) {
      case Op::cut: bytes.resize(bytes.empty() ? 0 : edit.value % bytes.size()); break;
      case Op::drop: files_.erase(found); break;
      case Op::mix:
        bytes = std::next(files_.begin(), static_cast<std::ptrdiff_t>(edit.value % files_.size()))->second;
        break;
      case Op::repeat: {
        const std::uint64_t size = std::min<std::uint64_t>(edit.value % 4096, bytes.size());
        const std::vector<std::byte> tail(bytes.end() - static_cast<std::ptrdiff_t>(size), bytes.end());
        bytes.insert(bytes.end(), tail.begin(), tail.end());
        break;
      }
      default: append_to_log(edit); break;
    }
  }

  /// One more record, of one operation whose columns are made of the value's bytes.
  void append_to_log(const Edit& edit) {
    auto last = files_.end();
    for (auto file = files_.begin(); file != files_.end(); ++file) {
      if (name_in_directory(file->first).starts_with("log.")) last = file;
    }
    if (last == files_.end()) return;
    using format::LogKind;
    std::uint64_t kind = 1 + edit.index % 12;
    if (edit.op == Op::log_other && kind == 12 && log_rows(edit, last->second)) return;
    if (edit.op == Op::log_edges) kind = 4 + edit.index % 6;
    if (edit.op == Op::log_vertices) kind = edit.index % 2 == 0 ? 10 : 11;
    const bool weighted = kind == 5 || kind == 8 || kind == 9;
    const std::uint64_t count = kind == 1 ? 1 : 1 + edit.group % 3;
    const std::uint64_t columns = kind >= 4 && kind <= 9 ? (weighted ? 3 : 2) : 1;
    std::vector<std::uint64_t> words{kind, count, columns * count * 8};
    for (std::uint64_t i = 0; i < columns * count; ++i) {
      const std::uint64_t value = edit.value >> 8 * (i % 8) & 0xff;
      const bool weight = weighted && i >= 2 * count;
      words.push_back(weight ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : value % 64);
    }
    append_record(std::as_bytes(std::span(words)), last->second);
  }

  static void append_record(std::span<const std::byte> payload, std::vector<std::byte>& bytes) {
    format::LogRecord record;
    record.payload_bytes = payload.size();
    const auto header = std::as_bytes(std::span(&record, 1));
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), payload.begin(), payload.end());
  }

  /// A record with one of the store's blocks of rows, under other numbers.  False if there is none.
  [[nodiscard]] bool log_rows(const Edit& edit, std::vector<std::byte>& log) {
    std::size_t skipped = edit.group % 4;
    for (const SealedExtent& extent : fields_.extents) {
      const auto data = files_.find(extent.file);
      const bool there = data != files_.end() && extent.at + extent.bytes <= data->second.size();
      if (extent.structure != "rows" || !there || extent.bytes % 8 != 0) continue;
      if (skipped-- > 0) continue;
      format::LogOperation operation;
      operation.kind = format::LogKind::rows;
      operation.count = 1 + (edit.value >> 8 & 0xff);
      operation.body_bytes = extent.bytes;
      const auto header = std::as_bytes(std::span(&operation, 1));
      std::vector<std::byte> payload(header.begin(), header.end());
      const auto block = data->second.begin() + static_cast<std::ptrdiff_t>(extent.at);
      payload.insert(payload.end(), block, block + static_cast<std::ptrdiff_t>(extent.bytes));
      const std::uint64_t first = edit.value & 0xff;
      std::memcpy(payload.data() + sizeof operation + offsetof(format::RowsHeader, first_row), &first, sizeof first);
      append_record(payload, log);
      return true;
    }
    return false;
  }

  const StoreFields& fields_;
  FileContents& files_;
};

// ---- what a store claims ----

constexpr VertexId kMostClaimed = VertexId{1} << 20;
constexpr SectionId kMostSections = 1 << 10;

/// Vertices and sections that manifests and logs claim.
struct Claims {
  VertexId vertices = 0;
  SectionId sections = 0;

  void add(VertexId count, unsigned section_bits) {
    vertices = std::max(vertices, count);
    sections = std::max(sections, count >> section_bits);
  }
};

/// What a manifest claims, if there is one: of the present state, or in `data` of a tagged one.
std::optional<GraphSchema> claim_of_manifest(std::span<const std::byte> bytes, Claims& claims) {
  format::ManifestHeader header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != format::kManifestMagic) return std::nullopt;
  const auto file = decode_manifest(bytes, header.store, header.number, "case");
  if (!file) return std::nullopt;
  claims.add(file->state.num_vertices, file->state.schema.section_bits);
  return file->state.schema;
}

Claims claims_of(const FileContents& files) {
  Claims claims;
  unsigned bits = format::kMaxSectionBits;
  for (const auto& [name, bytes] : files) {
    const std::string_view local = name_in_directory(name);
    if (!local.starts_with("manifest") && local != "data") continue;
    for (std::size_t at = 0; at < bytes.size(); at += local == "data" ? format::kPage : bytes.size()) {
      const auto schema = claim_of_manifest(std::span(bytes).subspan(at), claims);
      if (schema) bits = std::min(bits, schema->section_bits);
    }
  }
  for (const auto& [name, bytes] : files) {
    if (!name_in_directory(name).starts_with("log.")) continue;
    for (std::size_t at = 0; at + 32 <= bytes.size(); at += 8) {
      std::uint64_t words[4];
      std::memcpy(words, bytes.data() + at, sizeof words);
      const bool growth = static_cast<std::uint32_t>(words[0]) == 1 && words[2] == 8;
      if (growth && words[3] <= format::kMaxVertices) claims.add(words[3], bits);
    }
  }
  return claims;
}

/// A store may claim vertices that nothing is stored of, which costs memory by their number: tables of sections,
/// and whatever is done for each vertex.  Too slow to be fuzzed.
bool is_small(const Claims& claims) { return claims.vertices <= kMostClaimed && claims.sections <= kMostSections; }

}  // namespace

FileContents files_of_case(const std::uint8_t* data, std::size_t size) {
  if (size < kFuzzHeadBytes) return {};
  const Base& base = base_number(data[0]);
  FileContents files = base.files;
  Editor editor(base.fields, files);
  std::size_t edits = 0;
  for (std::size_t at = kFuzzHeadBytes; at + kFuzzEditBytes <= size && edits < kFuzzMostEdits; at += kFuzzEditBytes) {
    editor.apply(edit_at(data + at));
    ++edits;
  }
  seal_store(base.fields, files);
  return files;
}

void fuzz_whole_store(const std::uint8_t* data, std::size_t size) {
  FileContents files = files_of_case(data, size);
  if (files.empty()) return;
  const Claims claims = claims_of(files);
  if (!is_small(claims)) return;
  const Base& base = base_number(data[0]);
  exercise_store(files, base.spread, data[1], claims.vertices <= kMostExercised);
}

std::size_t mutate_whole_store(std::uint8_t* data, std::size_t size, std::size_t most, std::uint32_t seed) {
  Random random(seed);
  if (size < kFuzzHeadBytes) {
    std::fill(data, data + std::min(most, kFuzzHeadBytes), std::uint8_t{0});
    size = std::min(most, kFuzzHeadBytes);
  }
  std::size_t edits = (size - kFuzzHeadBytes) / kFuzzEditBytes;
  const auto edit = [&](std::size_t i) { return data + kFuzzHeadBytes + i * kFuzzEditBytes; };
  const auto fill = [&](std::uint8_t* at) {
    for (std::size_t i = 0; i < kFuzzEditBytes; ++i) at[i] = static_cast<std::uint8_t>(random.next());
    if (random.below(2) == 0) std::fill(at + 5, at + kFuzzEditBytes, std::uint8_t{0});  // small values
  };
  const bool room = edits < kFuzzMostEdits && kFuzzHeadBytes + (edits + 1) * kFuzzEditBytes <= most;
  switch (random.below(8)) {
    case 0: data[0] = static_cast<std::uint8_t>(random.next()); break;
    case 1: data[1] = static_cast<std::uint8_t>(random.next()); break;
    case 2:
      if (edits > 0) {
        const std::size_t gone = random.below(edits);
        std::copy(edit(gone + 1), edit(edits), edit(gone));
        --edits;
      }
      break;
    case 3:
    case 4:
      if (room) fill(edit(edits++));
      break;
    default:
      if (edits == 0) break;
      std::uint8_t* at = edit(random.below(edits));
      const std::size_t part = random.below(4);
      if (part == 0) at[0] = static_cast<std::uint8_t>(random.next());
      if (part == 1) at[1] = static_cast<std::uint8_t>(random.next());
      if (part == 2) at[2] = static_cast<std::uint8_t>(random.next());
      if (part == 3) at[4 + random.below(8)] = static_cast<std::uint8_t>(random.next());
  }
  return kFuzzHeadBytes + edits * kFuzzEditBytes;
}

}  // namespace rizoma::testing
