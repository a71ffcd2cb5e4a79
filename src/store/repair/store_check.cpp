#include "store/repair/store_check.h"

#include "base/utf8.h"
#include "store/messages.h"
#include "store/repair/repair_dictionary.h"
#include "store/manifest/close_records.h"
#include "store/manifest/manifest_copies.h"
#include "store/manifest/superblock.h"
#include "store/space/data_files.h"
#include "store/space/distinct_extents.h"
#include "store/space/extent_allocator.h"
#include "store/validation/cross_validation.h"

#include <rizoma/detail/column_types.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A part that is missing, or that the device cannot read, is damage too: that there is a store was found before.
/// What a later release wrote (unsupported) is not: this release cannot judge it.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::corrupt || error.code == ErrorCode::not_found || error.code == ErrorCode::io;
}

constexpr const char* kNoPlace = "store";  // of a finding whose message names none

/// Collects findings from many threads.
class Findings {
 public:
  explicit Findings(CheckReport& report) noexcept : report_(report) {}
  /// Damage becomes a finding; any other Error is passed on.
  Status add(const Error& error, std::string loss) {
    if (!is_damage(error)) return error;
    const std::lock_guard guard(mutex_);
    const std::size_t split = error.message.find(": ");
    const bool named = split != std::string::npos;
    report_.findings.push_back({named ? error.message.substr(0, split) : kNoPlace,
                                named ? error.message.substr(split + 2) : error.message, std::move(loss)});
    return {};
  }
  /// A finding that prevents no other check; of several equal ones the first.
  void set_aside(CheckFinding finding) {
    const std::lock_guard guard(mutex_);
    const bool known = std::any_of(report_.findings.begin(), report_.findings.end(),
                                   [&](const CheckFinding& other) { return other.what == finding.what; });
    if (known) return;
    report_.findings.push_back(std::move(finding));
    ++aside_;
  }
  /// Whether a finding prevents the following checks.
  [[nodiscard]] bool hinder() const { return report_.findings.size() > aside_; }

 private:
  std::mutex mutex_;
  CheckReport& report_;
  std::size_t aside_ = 0;
};

/// A writer may be writing one of the slots now: damage is found each time.
Result<SuperblockSlots> read_settled_superblock(Medium& medium) {
  constexpr int kMost = 4;
  for (int attempt = 1;; ++attempt) {
    auto slots = read_superblock(medium);
    const bool whole = slots && std::all_of(slots->slots.begin(), slots->slots.end(),
                                            [](const auto& slot) { return slot.has_value(); });
    if (whole || attempt == kMost) return slots;
    std::this_thread::yield();
  }
}

Status check_superblock(Medium& medium, Findings& findings) {
  const auto slots = read_settled_superblock(medium);
  if (!slots) return findings.add(slots.error(), "the whole graph, unless the superblock is restored");
  for (std::size_t i = 0; i < slots->slots.size(); ++i) {
    if (slots->slots[i]) continue;
    findings.set_aside({std::string(kSuperblockName) + " at byte " + std::to_string(i * format::kPage),
                        "one of its two copies is damaged", "nothing: the other copy is intact"});
  }
  return {};
}

std::string loss_of(const SectionVersion::Parts& section, unsigned bits, Direction direction) {
  const VertexId first = section.section << bits;
  const EdgeCount entries =
      (section.image ? section.image->num_entries() : 0) + (section.delta ? section.delta->num_entries() : 0);
  return std::to_string(entries) + (direction == Direction::out ? " edges from" : " edges to") + " vertices " +
         std::to_string(first) + ".." + std::to_string(first + section.num_vertices - 1) + " (internal ids)";
}

std::string loss_of(const DictionaryDamage& damage) {
  if (damage.lost == 0) return "nothing: a repair rebuilds the index from the ids";
  return "the ids of " + std::to_string(damage.lost) + " of the vertices " + std::to_string(damage.vertices.begin) +
         ".." + std::to_string(damage.vertices.end - 1) + " (internal ids)";
}

/// Sections by the bytes that hold them: a tagged state shares with others what did not change since.
class CheckedSections {
 public:
  /// Those of `versions` that are met for the first time.
  StoreSnapshot::Versions take_new(const StoreSnapshot::Versions& versions, Direction direction) {
    StoreSnapshot::Versions fresh;
    for (const auto& version : versions) {
      if (version == nullptr) continue;
      const SectionVersion::Parts& parts = version->parts();
      Key key{direction == Direction::out, parts.section, parts.target_bound};
      if (parts.image) note(key, 3, parts.image->extent(), parts.image->id());
      if (parts.delta) note(key, 6, parts.delta->extent(), parts.delta->id());
      if (known_.insert(key).second || parts.pending_count > 0) fresh.push_back(version);
    }
    return fresh;
  }

 private:
  using Key = std::array<std::uint64_t, 9>;
  static void note(Key& key, std::size_t at, const Extent& extent, std::uint64_t id) {
    key[at] = extent.location;
    key[at + 1] = extent.offset;
    key[at + 2] = id;
  }
  std::set<Key> known_;
};

Status check_sections(const StoreSnapshot::Versions& all, unsigned bits, Direction direction, CheckedSections& checked,
                      Executor& executor, CheckReport& report, Findings& findings) {
  const StoreSnapshot::Versions versions = checked.take_new(all, direction);
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned) {
    const auto& version = versions[block.begin];
    const auto& parts = version->parts();
    const Status verified = version->verify();
    const Status noted = verified ? Status() : findings.add(verified.error(), loss_of(parts, bits, direction));
    const std::lock_guard guard(mutex);
    if (!noted) failure = noted;
    report.sections_checked += 1;
    report.bytes_checked +=
        (parts.image ? parts.image->extent().bytes : 0) + (parts.delta ? parts.delta->extent().bytes : 0);
  }));
  return failure;
}

/// Checks every block of rows by itself, and its owners.
Status check_rows(const RowState& state, VertexId vertices, CheckReport& report, Findings& findings) {
  for (const auto& stored : state.parts().stored) {
    auto block = stored->load(*state.parts().data, state.parts().kind);
    report.bytes_checked += stored->entry().extent.bytes;
    const bool of_edges = state.parts().kind == RowKind::edges;
    if (block && !of_edges && (*block)->vertex((*block)->size() - 1) >= vertices) {
      block = corrupt("a block of rows", "has values of vertices that the graph does not have");
    }
    if (block) continue;
    RIZOMA_TRY(findings.add(block.error(), "the values of the columns of up to " +
                                               std::to_string(stored->entry().rows) +
                                               (of_edges ? " edges" : " vertices")));
  }
  return {};
}

/// No edge may leave or reach a removed vertex.
Status check_removed(const GraphView& view, Executor& executor, CheckReport& report) {
  RIZOMA_ASSIGN(const EdgeCount wrong, entries_of_removed(view, executor));
  if (wrong > 0) {
    report.findings.push_back({"sections", std::to_string(wrong) + " edges of removed vertices", "nothing"});
  }
  return {};
}

Status check_weights(const GraphView& view, Executor& executor, CheckReport& report) {
  RIZOMA_ASSIGN(const EdgeCount wrong, weights_not_finite(view, executor));
  if (wrong > 0) {
    report.findings.push_back({"sections", std::to_string(wrong) + " weights that are not finite", "nothing"});
  }
  return {};
}

Status check_directions(const GraphView& view, Executor& executor, CheckReport& report) {
  RIZOMA_ASSIGN(const bool agree, directions_agree(view, executor));
  if (!agree) {
    report.findings.push_back(
        {"sections", view.directed() ? "edges and in-edges differ" : "some edges are in the list of one end only",
         "unknown: answers may differ by direction"});
  }
  return {};
}

constexpr const char* kOnlyNotShown = "nothing, but Python cannot show it";

/// Older stores, and crafted ones, may have such ids and values: Python can show neither.
void check_texts(const StringColumn& ids, VertexId first, Findings& findings) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (is_utf8(ids[i])) continue;
    findings.set_aside({"dictionary",
                        "the id of vertex " + std::to_string(first + i) + " (internal id) is not UTF-8 text",
                        kOnlyNotShown});
    return;
  }
}

/// False after the first value of the block that is none.
bool check_texts(const RowBlock& block, const ColumnSchema& column, Findings& findings) {
  const auto held = block.column(column.id);
  if (!held || column_kind(column.type) != ColumnKind::text) return true;
  constexpr std::size_t kLong = 64;
  std::set<const std::byte*> seen;  // a text may be that of many rows
  for (std::uint64_t row = 0; row < block.size(); ++row) {
    if (held->is_null(row, block.size())) continue;
    const auto bytes = held->bytes(row);
    if (bytes.size() > kLong && !seen.insert(bytes.data()).second) continue;
    if (is_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) continue;
    findings.set_aside({"a block of rows",
                        "the value of column '" + column.name + "' in row " + std::to_string(block.first() + row) +
                            " is not UTF-8 text",
                        kOnlyNotShown});
    return false;
  }
  return true;
}

/// Every vertex has an id by which it, and no other, is found.
Status check_names(const DictionaryView& ids, Executor& executor, Findings& findings) {
  if (ids.is_identity()) return {};
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(ids.stored(), 1u << 16, [&](VertexRange block, unsigned) {
    const std::string which = "ids of vertices " + std::to_string(block.begin) + ".." + std::to_string(block.end - 1);
    const auto agrees = [&]() -> Result<bool> {
      RIZOMA_ASSIGN(const IdColumn names, ids.ids(block));
      if (const auto* texts = std::get_if<StringColumn>(&names)) check_texts(*texts, block.begin, findings);
      RIZOMA_ASSIGN(const std::vector<VertexId> found, ids.find(names));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] != block.begin + i) return false;
      }
      return true;
    };
    Result<bool> agree = agrees();
    if (agree && !*agree) agree = Error{ErrorCode::corrupt, "dictionary: the " + which + " lead to other vertices"};
    if (agree) return;
    const Status noted = findings.add(agree.error(), "unknown: " + which + " (internal ids) may be mixed up");
    const std::lock_guard guard(mutex);
    if (!noted) failure = noted;
  }));
  return failure;
}

/// Blocks hold the columns with the types that the graph has them.
Status check_types(const RowState& rows, const std::vector<ColumnSchema>& columns) {
  return rows.for_blocks([&](const RowBlock& block) -> Status {
    for (const ColumnSchema& column : columns) {
      const auto held = block.column(column.id);
      if (held && held->type() != column.type) {
        return corrupt("a block of rows", "has values of another type than column '" + column.name + "'");
      }
    }
    return {};
  });
}

/// Names the first value of each column that is no text.
Status check_all_texts(const RowState& rows, const std::vector<ColumnSchema>& columns, Findings& findings) {
  std::set<std::uint32_t> named;
  return rows.for_blocks([&](const RowBlock& block) -> Status {
    for (const ColumnSchema& column : columns) {
      if (!named.contains(column.id) && !check_texts(block, column, findings)) named.insert(column.id);
    }
    return {};
  });
}

/// Edges that name rows which do not exist.
EdgeCount without_rows(const GraphView& entries, std::uint64_t end) {
  return entries.with_out([&](const auto& edges) {
    EdgeCount found = 0;
    for (SectionId s = 0; s < edges.num_sections(); ++s) {
      const std::span rows(static_cast<const double*>(edges.section(s).weights), edges.section_size(s));
      found += static_cast<EdgeCount>(std::count_if(
          rows.begin(), rows.end(), [&](double row) { return !(row >= 0 && row < static_cast<double>(end)); }));
    }
    return found;
  });
}

/// What edges name of the columns.
Status check_columns(const StoreSnapshot& snapshot, const GraphView& entries, Findings& findings) {
  const GraphSchema& schema = snapshot.schema();
  const auto& parts = snapshot.parts();
  const auto both = {std::pair(parts.edge_rows.get(), &schema.edge_columns),
                     std::pair(parts.vertex_rows.get(), &schema.vertex_columns)};
  for (const auto& [rows, columns] : both) {
    const Status typed = check_types(*rows, *columns);
    if (!typed) return findings.add(typed.error(), "the values of the column");
  }
  if (const EdgeCount wrong = schema.rows ? without_rows(entries, parts.edge_rows->end()) : 0; wrong > 0) {
    RIZOMA_TRY(findings.add(corrupt("sections", std::to_string(wrong) + " edges name rows that do not exist"),
                            "the values of these edges"));
  }
  for (const auto& [rows, columns] : both) {
    RIZOMA_TRY(check_all_texts(*rows, *columns, findings));
  }
  return {};
}

Status check_edges(const StoreSnapshot& snapshot, Executor& executor, CheckReport& report, Findings& findings) {
  RIZOMA_ASSIGN(const GraphView view, snapshot.unvalidated_view(executor));
  RIZOMA_TRY(check_columns(snapshot, view, findings));
  RIZOMA_TRY(check_removed(view, executor, report));
  RIZOMA_TRY(check_weights(view, executor, report));
  return check_directions(view, executor, report);
}

/// Compares the parts of a state, each of which is whole, with one another.
Status check_state(const StoreSnapshot& snapshot, Executor& executor, CheckReport& report, Findings& findings) {
  RIZOMA_TRY(check_names(snapshot.ids(), executor, findings));
  const Status agree = check_edges(snapshot, executor, report, findings);
  return agree ? Status() : findings.add(agree.error(), "unknown");
}

/// Appends the extents of a tagged state.  One that cannot be read leads nowhere, as in Publisher::to_be_kept.
void add_tagged(const MediumFile& data, std::uint64_t size, const TagEntry& tag, const format::StoreId& store,
                std::vector<Extent>& extents) {
  const Extent& extent = tag.extent;
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 30;  // no manifest is longer, and holes cost nothing
  if (extent.location != 0 || extent.bytes > kLongest) return;
  if (extent.offset > size || extent.bytes > size - extent.offset) return;
  std::vector<std::byte> bytes(extent.bytes);
  if (!data.read(extent.offset, bytes)) return;
  const auto file = decode_manifest(bytes, store, 0, "a tagged state");
  if (!file || file->checksum != tag.id) return;
  const std::vector<Extent> more = file->state.extents();
  extents.insert(extents.end(), more.begin(), more.end());
}

/// States share whole extents or none: opening for writing refuses all else.
Status check_space(Medium& medium, Findings& findings) {
  const auto slots = read_superblock(medium);
  if (!slots) return {};  // found before
  const format::Superblock& block = *slots->newest();
  const auto manifest = read_manifest(medium, block.store, block.manifest_number);
  if (!manifest) return {};  // a writer has just published another one
  const ManifestState& state = manifest->file.state;
  RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, data->size());
  std::vector<Extent> extents = state.extents();
  for (const TagEntry& tag : state.tags) add_tagged(*data, size, tag, block.store, extents);
  ExtentAllocator space;
  const Status apart = space.reset(distinct_extents(std::move(extents)), {}, state.generation);
  return apart ? Status() : findings.add(apart.error(), "nothing yet, but the graph cannot be opened for writing");
}

/// Whether a tag is still there.  If that cannot be read, it is: the check of the present state finds what keeps it
/// from being opened.
bool has_tag(const std::shared_ptr<Medium>& medium, const std::string& name, const StoreOptions& options) {
  DictionaryMender mender;  // the present ids may be damaged too
  StoreOptions mended = options;
  mended.mend_dictionary = mender.function();
  const auto store = Store::open_read_only(medium, mended);
  if (!store) return true;
  const std::vector<TagInfo> tags = (*store)->tags();
  return std::any_of(tags.begin(), tags.end(), [&](const TagInfo& tag) { return tag.name == name; });
}

/// Checks the structures of a tagged state that no other state has, and compares its parts.  Skips a tag that is gone.
Status check_tag(const std::shared_ptr<Medium>& medium, const std::string& name, Executor& executor,
                 const StoreOptions& options, CheckedSections& checked, CheckReport& report, Findings& findings) {
  DictionaryMender mender;
  StoreOptions at = options;
  at.at = name;
  at.mend_dictionary = mender.function();
  const auto store = Store::open_read_only(medium, at);
  if (!store) {
    if (!has_tag(medium, name, options)) return {};
    return findings.add(store.error(), "the tagged state '" + name + "'");
  }
  RIZOMA_ASSIGN(const auto snapshot, (*store)->snapshot());
  const unsigned bits = snapshot->schema().section_bits;
  RIZOMA_TRY(check_sections(snapshot->parts().out, bits, Direction::out, checked, executor, report, findings));
  RIZOMA_TRY(check_sections(snapshot->parts().in, bits, Direction::in, checked, executor, report, findings));
  RIZOMA_TRY(check_rows(*snapshot->parts().edge_rows, snapshot->num_vertices(), report, findings));
  RIZOMA_TRY(check_rows(*snapshot->parts().vertex_rows, snapshot->num_vertices(), report, findings));
  for (const DictionaryDamage& damage : mender.damage()) RIZOMA_TRY(findings.add(damage.error, loss_of(damage)));
  if (findings.hinder()) return {};
  const auto before = static_cast<std::ptrdiff_t>(report.findings.size());
  RIZOMA_TRY(check_state(*snapshot, executor, report, findings));
  std::for_each(report.findings.begin() + before, report.findings.end(),
                [&](CheckFinding& finding) { finding.where += " of the tagged state '" + name + "'"; });
  return {};
}

/// Sections that states share are read once, but compared for each state.
Status check_tags(const std::shared_ptr<Medium>& medium, const std::vector<TagInfo>& tags, Executor& executor,
                  const StoreOptions& options, CheckedSections& checked, CheckReport& report, Findings& findings) {
  for (const TagInfo& tag : tags) {
    RIZOMA_TRY(check_tag(medium, tag.name, executor, options, checked, report, findings));
  }
  return !findings.hinder() ? check_space(*medium, findings) : Status();
}

}  // namespace

Result<CheckReport> check_store(std::shared_ptr<Medium> medium, Executor& executor, const StoreOptions& options) {
  CheckReport report;
  Findings findings(report);
  const auto found = Store::exists(*medium);
  if (!found) {
    RIZOMA_TRY(findings.add(found.error(), "the whole graph, unless the superblock is restored"));
    return report;
  }
  if (!*found) return Error{ErrorCode::not_found, "there is no graph at " + medium->describe()};
  RIZOMA_TRY(check_superblock(*medium, findings));
  // Reading all ids takes time, in which a writer may remove the logs: it is done once the store is open.  Only where
  // it does not open are they read before, so that a damaged index does not hide the rest.
  DictionaryMender mender;
  std::vector<std::pair<Mapping, std::string>> segments;
  StoreOptions kept = options;
  kept.mend_dictionary = [&segments](Mapping segment, const std::string& where) {
    segments.emplace_back(segment, where);
    return segment;
  };
  StoreOptions mended = options;
  mended.mend_dictionary = mender.function();
  auto store = Store::open_read_only(medium, kept);
  if (store) {
    for (const auto& [segment, where] : segments) static_cast<void>(mender.mend(segment, where));
  } else {
    store = Store::open_read_only(medium, mended);
  }
  if (!store) {
    RIZOMA_TRY(findings.add(store.error(), "the whole graph, or the changes since the last checkpoint"));
    return report;
  }
  if (const auto& damage = (*store)->manifest_damage()) {
    findings.set_aside({"manifest", damage->message, "nothing: the other copy is intact"});
  }
  if (const Status embedded = (*store)->check_embedded_manifest(); !embedded) {
    const std::string& what = embedded.error().message;
    findings.set_aside({std::string(kDataName), what, "nothing: the manifest itself is intact"});
  }
  const LogEvidence& evidence = (*store)->log_evidence();
  if (!evidence.complete) report.unproven = not_proven(evidence);
  RIZOMA_ASSIGN(const auto names, medium->list());
  for (const std::string& name : names) {
    const auto file = medium->open(name, FileMode::read);
    if (!file || name == kDataName) continue;
    RIZOMA_ASSIGN(const std::uint64_t bytes, (*file)->size());
    report.bytes_checked += bytes;
  }
  RIZOMA_ASSIGN(const auto snapshot, (*store)->snapshot());
  const unsigned bits = snapshot->schema().section_bits;
  CheckedSections checked;
  RIZOMA_TRY(check_sections(snapshot->parts().out, bits, Direction::out, checked, executor, report, findings));
  RIZOMA_TRY(check_sections(snapshot->parts().in, bits, Direction::in, checked, executor, report, findings));
  for (const auto* rows : {&snapshot->parts().edge_rows, &snapshot->parts().vertex_rows}) {
    RIZOMA_TRY(check_rows(**rows, snapshot->num_vertices(), report, findings));
  }
  for (const DictionaryDamage& damage : mender.damage()) RIZOMA_TRY(findings.add(damage.error, loss_of(damage)));
  if (!findings.hinder()) RIZOMA_TRY(check_state(*snapshot, executor, report, findings));
  RIZOMA_TRY(check_tags(medium, (*store)->tags(), executor, options, checked, report, findings));
  return report;
}

Result<std::vector<std::string>> damage_of_tags(const std::shared_ptr<Medium>& medium, std::span<const TagInfo> tags,
                                                Executor& executor, const StoreOptions& options) {
  std::vector<std::string> damage;
  CheckedSections whole;
  for (const TagInfo& tag : tags) {
    CheckReport report;
    Findings findings(report);
    CheckedSections checked = whole;  // damage must be reported in each tag that has it
    const Status done = check_tag(medium, tag.name, executor, options, checked, report, findings);
    // A finding that does not concern the tag is no reason to lose it.
    const auto not_its = {ErrorCode::cancelled, ErrorCode::out_of_memory, ErrorCode::unsupported};
    if (!done && std::ranges::find(not_its, done.error().code) != not_its.end()) return done.error();
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [](const CheckFinding& finding) { return finding.loss != kOnlyNotShown; });
    if (!done) {
      damage.push_back(done.error().message);
    } else if (found != report.findings.end()) {
      damage.push_back(found->where == kNoPlace ? found->what : found->where + ": " + found->what);
    } else {
      damage.emplace_back();
      whole = std::move(checked);
    }
  }
  return damage;
}

}  // namespace rizoma
