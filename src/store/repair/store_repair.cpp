#include "store/repair/store_repair.h"

#include "store/loading/bulk_load.h"
#include "store/sections/merge_arena.h"
#include "store/messages.h"
#include "store/repair/store_check.h"
#include "store/repair/repair_dictionary.h"
#include "store/repair/repair_root.h"
#include "store/repair/salvage_medium.h"
#include "store/store.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {
namespace {

constexpr std::size_t kBatch = 1u << 16;  // edges, or vertices, at a time

void append_id(IdColumn& to, const IdColumn& from, std::size_t i) {
  if (auto* integers = std::get_if<std::vector<std::int64_t>>(&to)) {
    integers->push_back(std::get<std::vector<std::int64_t>>(from)[i]);
  } else {
    std::get<StringColumn>(to).push_back(std::get<StringColumn>(from)[i]);
  }
}

/// The external id of each internal id.  Where they are the same, nothing is kept: a store may claim vertices that it
/// has nothing of.
class ExternalIds {
 public:
  explicit ExternalIds(const StoreSnapshot& damaged)
      : own_numbers_(damaged.ids().is_identity()), none_(empty_column(damaged)), all_(none_) {}
  [[nodiscard]] bool own_numbers() const noexcept { return own_numbers_; }
  [[nodiscard]] IdColumn& all() noexcept { return all_; }
  template <class Vertices>
  [[nodiscard]] IdColumn of(const Vertices& vertices) const {
    IdColumn column = none_;
    for (const VertexId v : vertices) append(column, v);
    return column;
  }
  void append(IdColumn& column, VertexId v) const {
    if (own_numbers_) {
      std::get<std::vector<std::int64_t>>(column).push_back(static_cast<std::int64_t>(v));
    } else {
      append_id(column, all_, v);
    }
  }

 private:
  static IdColumn empty_column(const StoreSnapshot& damaged) {
    return damaged.schema().ids == IdKind::string ? IdColumn(StringColumn()) : IdColumn(std::vector<std::int64_t>());
  }
  bool own_numbers_;
  IdColumn none_;
  IdColumn all_;  ///< empty if `own_numbers_`
};

/// Takes entries by internal id and hands them to a load as edges by external id.
class EdgeWriter {
 public:
  /// `rows_end`: of a graph whose weights are numbers of rows; others, which it has none of, become 0.
  EdgeWriter(const ExternalIds& ids, bool weighted, std::optional<std::uint64_t> rows_end, BulkLoader& loader)
      : ids_(ids), weighted_(weighted), rows_end_(rows_end), loader_(loader) {}

  Status add(VertexId source, VertexId target, double weight) {
    if (rows_end_ && weight >= static_cast<double>(*rows_end_)) {
      weight = 0;
      ++lost_rows_;
    }
    sources_.push_back(source);
    targets_.push_back(target);
    if (weighted_) weights_.push_back(weight);
    if (!std::isfinite(weight)) ++not_finite_;
    return sources_.size() < kBatch ? Status() : flush();
  }
  /// The structures that differ from the plan, once all is added.
  void report_to(std::vector<std::string>& lost) const {
    if (lost_rows_ > 0)
      lost.push_back("the values of " + std::to_string(lost_rows_) + " edges: they name rows that do not exist");
    if (not_finite_ > 0) {
      lost.push_back("the weights of " + std::to_string(not_finite_) +
                     " edges: they are not finite, and stay as they are; set them again");
    }
  }
  Status flush() {
    const EdgeBatch batch{ids_.of(sources_), ids_.of(targets_), std::exchange(weights_, {})};
    sources_.clear();
    targets_.clear();
    return batch.size() == 0 ? Status() : loader_.add(batch);
  }

 private:
  const ExternalIds& ids_;
  bool weighted_;
  std::optional<std::uint64_t> rows_end_;
  EdgeCount lost_rows_ = 0;
  EdgeCount not_finite_ = 0;
  BulkLoader& loader_;
  std::vector<VertexId> sources_;
  std::vector<VertexId> targets_;
  std::vector<double> weights_;
};

double weight_at(const void* weights, WeightType type, std::size_t i) {
  switch (type) {
    case WeightType::none: break;
    case WeightType::int32: return static_cast<const std::int32_t*>(weights)[i];
    case WeightType::float32: return static_cast<const float*>(weights)[i];
    case WeightType::float64: return static_cast<const double*>(weights)[i];
  }
  return 1;
}

/// Calls entry(vertex, neighbour, weight) -> Status for all entries of a section.
template <class Target, class Entry>
Status for_entries(const SectionBytes& section, VertexId first, Entry& entry) {
  const auto edges = view_image<Target>(section.spec, section.bytes);
  const RowNumbers rows(section.spec, section.bytes);
  const bool packed = section.spec.row_bits != 0;
  for (std::uint32_t place = 0; place < section.spec.num_vertices; ++place) {
    for (std::uint32_t i = edges.offsets[place]; i < edges.offsets[place + 1]; ++i) {
      const double weight = packed ? rows[i] : weight_at(edges.weights, section.spec.weights, i);
      RIZOMA_TRY(entry(first + place, VertexId{edges.targets[i]}, weight));
    }
  }
  return {};
}

/// Whether lists are left from which others can be made.
bool any_whole(const StoreSnapshot::Versions& versions, const std::set<SectionId>& bad) {
  for (SectionId s = 0; s < versions.size(); ++s)
    if (versions[s] != nullptr && !bad.contains(s)) return true;
  return false;
}

class Repairer {
 public:
  Repairer(const StoreSnapshot& damaged, const DictionaryMender& mender, RepairReport& report)
      : damaged_(damaged), mender_(mender), report_(report), bits_(damaged.schema().section_bits), ids_(damaged) {}

  Status fill(Store& fresh, VertexOrder order, Executor& executor) {
    RIZOMA_TRY(read_ids());
    RIZOMA_ASSIGN(const auto target, fresh.load_target(fresh.schema().ids));
    LoadSettings settings;
    settings.order = order;
    settings.stored_weights = true;
    BulkLoader loader(fresh.load_schema(), settings, *target);
    RIZOMA_TRY(add_vertices(loader));
    EdgeWriter writer(ids_, entry_weights(damaged_.schema()) != WeightType::none, rows_end(), loader);
    find_damage();
    RIZOMA_TRY(damaged_.schema().directed ? directed_edges(writer) : undirected_edges(writer));
    RIZOMA_TRY(writer.flush());
    RIZOMA_TRY(loader.finish(executor));
    say_what_is_lost();
    writer.report_to(report_.lost);
    RIZOMA_TRY(carry_values(fresh));
    return remove_vertices(fresh);
  }

 private:
  [[nodiscard]] SectionId section_of(VertexId v) const noexcept { return v >> bits_; }

  [[nodiscard]] std::optional<std::uint64_t> rows_end() const {
    if (!damaged_.schema().rows) return std::nullopt;
    return damaged_.parts().edge_rows->end();
  }

  /// Sections whose bytes cannot be used.
  void find_damage() {
    for (const auto& [versions, bad] :
         {std::pair(&damaged_.parts().out, &bad_out_), std::pair(&damaged_.parts().in, &bad_in_)}) {
      for (SectionId s = 0; s < versions->size(); ++s) {
        if ((*versions)[s] != nullptr && !(*versions)[s]->verify()) bad->insert(s);
      }
    }
  }

  template <class Entry>
  Status for_whole_sections(const StoreSnapshot::Versions& versions, const std::set<SectionId>& bad, Entry entry) {
    for (SectionId s = 0; s < versions.size(); ++s) {
      if (versions[s] == nullptr || bad.contains(s)) continue;
      MergeArena memory;
      RIZOMA_ASSIGN(const SectionBytes section, versions[s]->load(memory));
      if (section.bytes.empty()) continue;
      RIZOMA_TRY(section.spec.target_bytes == 4 ? for_entries<std::uint32_t>(section, s << bits_, entry)
                                                : for_entries<std::uint64_t>(section, s << bits_, entry));
    }
    return {};
  }

  Status directed_edges(EdgeWriter& writer) {
    RIZOMA_TRY(for_whole_sections(damaged_.parts().out, bad_out_,
                                  [&](VertexId u, VertexId v, double weight) { return writer.add(u, v, weight); }));
    if (bad_out_.empty()) return {};
    return for_whole_sections(damaged_.parts().in, bad_in_, [&](VertexId v, VertexId u, double weight) {
      return bad_out_.contains(section_of(u)) ? writer.add(u, v, weight) : Status();
    });
  }

  /// Of each edge the entry at the lower end, or at the other one if the lower end's section is damaged.
  Status undirected_edges(EdgeWriter& writer) {
    return for_whole_sections(damaged_.parts().out, bad_out_, [&](VertexId u, VertexId v, double weight) {
      return u <= v || bad_out_.contains(section_of(v)) ? writer.add(u, v, weight) : Status();
    });
  }

  /// All of them, in the order of their numbers.
  Status add_vertices(BulkLoader& loader) {
    const VertexId count = damaged_.num_vertices();
    if (count == 0) return {};
    if (!ids_.own_numbers()) return loader.add_vertices(ids_.all());
    return loader.add_all_below(count);
  }

  Status read_ids() {
    if (ids_.own_numbers()) return {};
    IdColumn& ids = ids_.all();
    IdColumn none = ids;
    std::holds_alternative<StringColumn>(none) ? std::get<StringColumn>(none).push_back("")
                                               : std::get<std::vector<std::int64_t>>(none).push_back(0);
    for (VertexId begin = 0; begin < damaged_.num_vertices(); begin += kBatch) {
      const VertexId end = std::min<VertexId>(begin + kBatch, damaged_.num_vertices());
      const auto block = damaged_.ids().ids(VertexRange{begin, end});
      for (VertexId v = begin; v < end; ++v) {
        if (block) {
          append_id(ids, *block, v - begin);
          continue;
        }
        // Mostly of a reordered dense graph: others have been mended, unless they were made to look whole.
        const auto one = damaged_.ids().ids(VertexRange{v, v + 1});
        if (!one) lost_ids_.insert(v);
        append_id(ids, one ? *one : none, 0);
      }
    }
    if (lost_ids_.empty()) {
      for (const DictionaryDamage& damage : mender_.damage()) {
        report_.restored.push_back("the ids of vertices " + std::to_string(damage.vertices.begin) + ".." +
                                   std::to_string(damage.vertices.end - 1) +
                                   " (internal ids) and their index, each from the other");
      }
    }
    lost_ids_.insert(mender_.lost().begin(), mender_.lost().end());
    return replace_lost_ids();
  }

  /// The ids of a reordered dense graph, from the numbers that they map to; others get new names.
  Status replace_lost_ids() {
    if (lost_ids_.empty()) return {};
    if (damaged_.schema().ids == IdKind::dense) return invert_permutation();
    if (auto* integers = std::get_if<std::vector<std::int64_t>>(&ids_.all())) {
      std::int64_t next = INT64_MIN;
      const std::set<std::int64_t> taken(integers->begin(), integers->end());
      for (const VertexId v : lost_ids_) {
        while (taken.contains(next)) ++next;
        (*integers)[v] = next++;
      }
    } else {
      rename_lost_strings();
    }
    report_.lost.push_back(
        "the ids of " + std::to_string(lost_ids_.size()) + " vertices (internal ids from " +
        std::to_string(*lost_ids_.begin()) + " on); they have new ones: " +
        (damaged_.schema().ids == IdKind::string ? "\"(lost id N)\"" : "from the least 64-bit integer on"));
    return {};
  }

  void rename_lost_strings() {
    constexpr std::string_view kName = "(lost id ";
    const StringColumn& strings = std::get<StringColumn>(ids_.all());
    std::set<std::string_view> taken;  // by an earlier repair
    for (VertexId v = 0; v < strings.size(); ++v) {
      if (strings[v].starts_with(kName)) taken.insert(strings[v]);
    }
    StringColumn renamed;
    for (VertexId v = 0; v < strings.size(); ++v) {
      std::string name = std::string(kName) + std::to_string(v) + ")";
      while (taken.contains(name)) name += "'";
      renamed.push_back(lost_ids_.contains(v) ? std::string_view(name) : strings[v]);
    }
    ids_.all() = std::move(renamed);
  }

  Status invert_permutation() {
    auto& ids = std::get<std::vector<std::int64_t>>(ids_.all());
    std::vector<bool> known(ids.size());
    for (VertexId v = 0; v < ids.size(); ++v) {
      if (!lost_ids_.contains(v)) known[static_cast<std::size_t>(ids[v])] = true;
    }
    for (std::size_t id = 0; id < ids.size(); ++id) {
      if (known[id]) continue;
      RIZOMA_ASSIGN(const VertexId v, damaged_.ids().find(static_cast<std::int64_t>(id)));
      if (!lost_ids_.contains(v))
        return corrupt("dictionary", "is damaged in both of its directions; restore the store from a backup");
      ids[v] = static_cast<std::int64_t>(id);
    }
    report_.restored.push_back("the ids of " + std::to_string(lost_ids_.size()) +
                               " vertices, from the dictionary's other direction");
    return {};
  }

  Status carry_values(Store& fresh) {
    RIZOMA_ASSIGN(const auto filled, fresh.snapshot());
    const auto renamed = [&](std::span<const VertexId> vertices) { return filled->ids().find(ids_.of(vertices)); };
    return fresh.take_values(damaged_, renamed, report_.lost);
  }

  /// Vertices removed from the damaged store must not reappear.
  Status remove_vertices(Store& fresh) {
    IdColumn removed = ids_.of(std::span<const VertexId>());
    for (VertexId v = 0; v < damaged_.num_vertices(); ++v) {
      if (!damaged_.is_live(v)) ids_.append(removed, v);
    }
    if (size(removed) == 0) return {};
    const auto done = fresh.apply(Batch().remove_vertices(std::move(removed)));
    return done ? Status() : done.error();
  }

  [[nodiscard]] std::string vertices_of(SectionId s) const {
    const VertexId end = std::min<VertexId>((s + 1) << bits_, damaged_.num_vertices());
    return std::to_string(s << bits_) + ".." + std::to_string(end - 1);
  }

  void say_what_is_lost() {
    const bool directed = damaged_.schema().directed;
    const auto& parts = damaged_.parts();
    const bool from_ends =
        directed ? damaged_.has_in() && any_whole(parts.in, bad_in_) : any_whole(parts.out, bad_out_);
    for (const SectionId s : bad_out_) {
      if (from_ends) {
        report_.restored.push_back("the edges " + std::string(directed ? "from" : "of") + " vertices " +
                                   vertices_of(s) + " (internal ids), from their other ends");
      }
      if (directed && !damaged_.has_in()) {
        report_.lost.push_back("all edges from vertices " + vertices_of(s) + ": the graph keeps no in-edges");
      }
      for (const SectionId t : directed ? bad_in_ : bad_out_) {
        if (!directed && t < s) continue;
        report_.lost.push_back("edges " + std::string(directed ? "from" : "between") + " vertices " + vertices_of(s) +
                               (directed ? " to " : " and ") + vertices_of(t) + ": both of their copies are damaged");
      }
    }
    if (!directed || !any_whole(parts.out, bad_out_)) return;
    for (const SectionId s : bad_in_) {
      report_.restored.push_back("the in-edges of vertices " + vertices_of(s) + ", from the edges themselves");
    }
  }

  const StoreSnapshot& damaged_;
  const DictionaryMender& mender_;
  RepairReport& report_;
  const unsigned bits_;
  ExternalIds ids_;
  std::set<VertexId> lost_ids_;
  std::set<SectionId> bad_out_;
  std::set<SectionId> bad_in_;
};

/// Whole tagged states are kept; others are lost.
Status carry_tags(const Store& damaged, const std::shared_ptr<Medium>& medium, const StoreOptions& reach,
                  Executor& executor, Store& fresh, RepairReport& report) {
  const std::vector<TagInfo> tags = damaged.tags();
  const auto lose = [&](const std::string& name, const std::string& reason) {
    report.lost.push_back("the tagged state '" + name + "': " + reason);
  };
  RIZOMA_ASSIGN(const std::vector<std::string> damage, damage_of_tags(medium, tags, executor, reach));
  std::vector<std::string> whole;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    damage[i].empty() ? whole.push_back(tags[i].name) : lose(tags[i].name, damage[i]);
  }
  return fresh.take_tags(damaged, whole);
}

}  // namespace

RepairReport untouched(const CheckReport& checked) {
  RepairReport report;
  report.unproven = checked.unproven;
  return report;
}

Result<RepairReport> repair_store(std::shared_ptr<Medium> damaged, std::shared_ptr<Medium> fresh, Executor& executor,
                                  const StoreOptions& reach) {
  RepairReport report;
  RIZOMA_ASSIGN(const auto medium, SalvageMedium::over(std::move(damaged)));
  RIZOMA_ASSIGN(const StoreOptions reached, repair_root(*medium, reach, report));
  StoreOptions mended = reached;
  DictionaryMender mender;  // the log that is replayed names vertices by their ids
  mended.mend_dictionary = mender.function();
  RIZOMA_ASSIGN(const auto store, Store::open_read_only(medium, mended));
  RIZOMA_ASSIGN(const auto snapshot, store->snapshot());
  StoreOptions options;
  options.schema = store->load_schema();
  RIZOMA_ASSIGN(const auto repaired, Store::create(std::move(fresh), options));
  const VertexOrder order = snapshot->parts().ordered_by_degree ? VertexOrder::degree : VertexOrder::given;
  RIZOMA_TRY(Repairer(*snapshot, mender, report).fill(*repaired, order, executor));
  RIZOMA_TRY(carry_tags(*store, medium, reached, executor, *repaired, report));
  RIZOMA_TRY(repaired->close());
  return report;
}

}  // namespace rizoma
