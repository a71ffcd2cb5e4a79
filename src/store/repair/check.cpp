#include "store/repair/check.h"

#include "base/random.h"
#include "store/repair/repair_dictionary.h"
#include "store/publishing/close_records.h"
#include "store/publishing/superblock.h"

#include <atomic>
#include <bit>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A part that is missing, or that the device cannot read, is damage too: that there is a store was found before.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::corrupt || error.code == ErrorCode::unsupported ||
         error.code == ErrorCode::not_found || error.code == ErrorCode::io;
}

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
    report_.findings.push_back({named ? error.message.substr(0, split) : "store",
                                named ? error.message.substr(split + 2) : error.message, std::move(loss)});
    return {};
  }

 private:
  std::mutex mutex_;
  CheckReport& report_;
};

Status check_superblock(Medium& medium, CheckReport& report, Findings& findings) {
  const auto slots = read_superblock(medium);
  if (!slots) return findings.add(slots.error(), "the whole graph, unless the superblock is restored");
  for (std::size_t i = 0; i < slots->slots.size(); ++i) {
    if (slots->slots[i]) continue;
    report.findings.push_back({std::string(kSuperblockName) + " at byte " + std::to_string(i * format::kPage),
                               "one of its two copies is damaged", "nothing: the other copy is whole"});
  }
  return {};
}

std::string loss_of(const SectionVersion::Parts& section, unsigned bits, Direction direction) {
  const VertexId first = section.section << bits;
  const EdgeCount entries =
      (section.image ? section.image->num_entries() : 0) + (section.delta ? section.delta->num_entries() : 0);
  return std::to_string(entries) + (direction == Direction::out ? " edges from" : " edges to") + " vertices " +
         std::to_string(first) + ".." + std::to_string(first + section.num_vertices - 1) + " (inner numbers)";
}

std::string loss_of(const DictionaryDamage& damage) {
  if (damage.lost == 0) return "nothing: a repair makes their index again from the ids";
  return "the ids of " + std::to_string(damage.lost) + " of the vertices " + std::to_string(damage.vertices.begin) +
         ".." + std::to_string(damage.vertices.end - 1) + " (inner numbers)";
}

Status check_sections(const StoreSnapshot::Versions& versions, unsigned bits, Direction direction, Executor& executor,
                      CheckReport& report, Findings& findings) {
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned) {
    const auto& version = versions[block.begin];
    if (version == nullptr) return;
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

/// Every block of rows by itself.
Status check_rows(const RowState& state, CheckReport& report, Findings& findings) {
  for (const auto& stored : state.parts().stored) {
    const auto block = stored->load(*state.parts().data, state.parts().kind);
    report.bytes_checked += stored->entry().extent.bytes;
    if (block) continue;
    const bool of_edges = state.parts().kind == RowKind::edges;
    RIZOMA_TRY(findings.add(block.error(), "the values of the columns of up to " +
                                               std::to_string(stored->entry().rows) +
                                               (of_edges ? " edges" : " vertices")));
  }
  return {};
}

/// Sum of a hash of (from, to, weight) over all entries, swapped if `reversed`.
template <class Target>
Result<std::uint64_t> edge_sum(const Adjacency<Target>& edges, WeightType type, bool reversed, Executor& executor) {
  std::atomic<std::uint64_t> sum{0};
  RIZOMA_TRY(executor.for_blocks(edges.num_vertices(), 4096, [&](VertexRange block, unsigned) {
    std::uint64_t part = 0;
    for (VertexId u = block.begin; u < block.end; ++u) {
      const auto list = edges.neighbors(u);
      const auto add = [&](auto weight_at) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          const VertexId from = reversed ? list[i] : u;
          const VertexId to = reversed ? u : list[i];
          part += mix64(mix64(mix64(from) + to) ^ weight_at(i));
        }
      };
      switch (type) {
        case WeightType::none: add([](std::size_t) { return std::uint64_t{0}; }); break;
        case WeightType::int32:
          add([w = edges.template weights<std::int32_t>(u)](std::size_t i) {
            return static_cast<std::uint64_t>(w[i]);
          });
          break;
        case WeightType::float32:
          add([w = edges.template weights<float>(u)](std::size_t i) {
            return std::uint64_t{std::bit_cast<std::uint32_t>(w[i])};
          });
          break;
        case WeightType::float64:
          add([w = edges.template weights<double>(u)](std::size_t i) { return std::bit_cast<std::uint64_t>(w[i]); });
          break;
      }
    }
    sum += part;
  }));
  return sum.load();
}

/// No edge may leave or reach a removed vertex.
Status check_removed(const GraphView& view, Executor& executor, CheckReport& report) {
  if (view.num_live() == view.num_vertices()) return {};
  std::atomic<EdgeCount> wrong{0};
  RIZOMA_TRY(view.with_out([&](const auto& out) {
    return executor.for_blocks(view.num_vertices(), 4096, [&](VertexRange block, unsigned) {
      EdgeCount found = 0;
      for (VertexId v = block.begin; v < block.end; ++v) {
        for (const auto target : out.neighbors(v)) found += view.is_live(v) && view.is_live(target) ? 0 : 1;
      }
      wrong += found;
    });
  }));
  if (wrong > 0) {
    report.findings.push_back({"sections", std::to_string(wrong) + " edges of removed vertices", "nothing"});
  }
  return {};
}

Status check_transpose(const StoreSnapshot& snapshot, const GraphView& view, Executor& executor, CheckReport& report) {
  if (!snapshot.has_in()) return {};
  RIZOMA_ASSIGN(const bool agree, view.with_both([&](const auto& out, const auto& in) -> Result<bool> {
    RIZOMA_ASSIGN(const std::uint64_t forward, edge_sum(out, view.weight_type(), false, executor));
    RIZOMA_ASSIGN(const std::uint64_t backward, edge_sum(in, view.weight_type(), true, executor));
    return forward == backward;
  }));
  if (!agree) {
    report.findings.push_back(
        {"sections",
         view.directed() ? "edges and their transpose disagree" : "edges are not the same from both of their ends",
         "unknown: answers may differ by direction"});
  }
  return {};
}

/// Every vertex has an id by which it, and no other, is found.
Status check_names(const DictionaryView& ids, Executor& executor, Findings& findings) {
  if (ids.is_identity()) return {};
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(ids.size(), 1u << 16, [&](VertexRange block, unsigned) {
    const auto agrees = [&]() -> Result<bool> {
      RIZOMA_ASSIGN(const IdColumn names, ids.ids(block));
      RIZOMA_ASSIGN(const std::vector<VertexId> found, ids.find(names));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] != block.begin + i) return false;
      }
      return true;
    };
    const std::string which = "ids of vertices " + std::to_string(block.begin) + ".." + std::to_string(block.end - 1);
    Result<bool> agree = agrees();
    if (agree && !*agree) agree = Error{ErrorCode::corrupt, "dictionary: the " + which + " lead to other vertices"};
    if (agree) return;
    const Status noted = findings.add(agree.error(), "unknown: " + which + " (inner numbers) may be mixed up");
    const std::lock_guard guard(mutex);
    if (!noted) failure = noted;
  }));
  return failure;
}

Status check_edges(const StoreSnapshot& snapshot, Executor& executor, CheckReport& report) {
  RIZOMA_ASSIGN(const GraphView view, snapshot.entry_view(executor));
  RIZOMA_TRY(check_removed(view, executor, report));
  return check_transpose(snapshot, view, executor, report);
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
  RIZOMA_TRY(check_superblock(*medium, report, findings));
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
  mended.mend_dictionary = [&mender](Mapping segment, const std::string& where) {
    return mender.mend(std::move(segment), where);
  };
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
    report.findings.push_back({"manifest", damage->message, "nothing: its other copy is whole"});
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
  RIZOMA_TRY(check_sections(snapshot->parts().out, bits, Direction::out, executor, report, findings));
  RIZOMA_TRY(check_sections(snapshot->parts().in, bits, Direction::in, executor, report, findings));
  for (const auto* rows : {&snapshot->parts().edge_rows, &snapshot->parts().vertex_rows}) {
    RIZOMA_TRY(check_rows(**rows, report, findings));
  }
  for (const DictionaryDamage& damage : mender.damage()) RIZOMA_TRY(findings.add(damage.error, loss_of(damage)));
  if (!report.findings.empty()) return report;
  RIZOMA_TRY(check_names(snapshot->ids(), executor, findings));
  if (const Status agree = check_edges(*snapshot, executor, report); !agree) {
    RIZOMA_TRY(findings.add(agree.error(), "unknown"));
  }
  return report;
}

}  // namespace rizoma
