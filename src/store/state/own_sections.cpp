#include "store/state/own_sections.h"

#include "graph/section_proof.h"
#include "platform/pool_executor.h"
#include "platform/reading.h"
#include "store/messages.h"
#include "store/sections/image_head.h"
#include "store/space/data_files.h"
#include "store/state/section_loading.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// What keeps the bytes of the view.
struct SectionsOwner {
  std::shared_ptr<const StoreSnapshot> state;
  std::vector<std::uint32_t> no_edges;  ///< offsets of a section without edges
  MergeArena merged;                    ///< sections with changes
  std::mutex mutex;
  std::vector<std::shared_ptr<const void>> mappings;  ///< of images; no two in a row the same
  void keep(std::shared_ptr<const void> mapping) {
    const std::lock_guard guard(mutex);
    if (mappings.empty() || mappings.back() != mapping) mappings.push_back(std::move(mapping));
  }
};

/// The head of an image that could serve as it lies; nothing if the section must be loaded whole.
Result<std::optional<SectionBytes>> head_of(const SectionVersion& version, const GraphSchema& schema,
                                            SectionsOwner& owner) {
  const auto& parts = version.parts();
  if (parts.image == nullptr || version.num_changes() > 0) return std::optional<SectionBytes>();
  const SectionContext& context = *version.context();
  const Extent extent = parts.image->extent();
  RIZOMA_ASSIGN(Mapping mapping, context.data->view(extent));
  const std::string where = context.data->where(extent.location) + " at byte " + std::to_string(extent.offset) +
                            ": the image of section " + std::to_string(parts.section);
  RIZOMA_ASSIGN(const ImageSpec spec, check_image_head(mapping.bytes, context.section_bits, where));
  const SectionFacts facts{.section = parts.section,
                           .direction = context.direction,
                           .num_vertices = parts.num_vertices,
                           .graph_vertices = parts.target_bound,
                           .target_bytes = parts.target_bytes,
                           .weights = context.weights,
                           .rows = context.rows,
                           .self_loops = context.self_loops};
  const NamedExtent named{parts.image->id(), parts.image->num_entries(), parts.image->num_self_loops()};
  RIZOMA_TRY(validate(spec, mapping.bytes, named, facts, where));
  leave_to_cache(mapping.bytes.subspan(image_layout(spec).targets));
  const bool fits = spec.num_vertices == parts.num_vertices && spec.target_bytes == parts.target_bytes &&
                    spec.weights == entry_weights(schema);
  if (!fits) return std::optional<SectionBytes>();
  owner.keep(std::move(mapping.owner));
  return std::optional(SectionBytes{spec, mapping.bytes});
}

struct Totals {
  EdgeCount num_entries = 0;
  EdgeCount num_self_loops = 0;
  std::uint64_t lengths = 0;  ///< sum of the sections' hashes
};

/// A hash of the lengths of a section's lists.
template <class Target>
std::uint64_t hash_of_lengths(const SectionEdges<Target>& section, SectionId number, VertexId vertices) {
  std::uint64_t hash = number + 1;
  for (VertexId place = 0; place < vertices; ++place) {
    hash = (hash ^ section.size(place)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

Result<SectionView> section_by_head(const SectionVersion& version, const GraphSchema& schema, SectionsOwner& owner) {
  RIZOMA_ASSIGN(const std::optional<SectionBytes> head, head_of(version, schema, owner));
  if (head) return SectionView{*head, nullptr, head->spec.num_entries, head->spec.num_self_loops};
  return version.view(owner.merged);
}

template <class Target>
Result<Adjacency<Target>> lists_by_heads(const StoreSnapshot::Versions& versions, const StoreSnapshot::Parts& parts,
                                         SectionsOwner& owner, Executor& executor, Totals& totals) {
  constexpr std::uint64_t kSectionsAtOnce = 16;
  std::vector<SectionEdges<Target>> sections(versions.size(), {owner.no_edges.data(), nullptr, nullptr});
  std::mutex mutex;
  Status failure;
  RIZOMA_TRY(executor.for_blocks(versions.size(), kSectionsAtOnce, [&](VertexRange block, unsigned) {
    for (SectionId s = block.begin; s < block.end; ++s) {
      if (versions[s] == nullptr) continue;
      const auto section = section_by_head(*versions[s], parts.schema, owner);
      std::uint64_t lengths = 0;
      if (section && !section->base.bytes.empty()) {
        sections[s] = section_edges<Target>(*section, nullptr);
        // A section whose edges all were removed is none in a copy that was compacted.
        if (section->num_entries > 0) lengths = hash_of_lengths(sections[s], s, versions[s]->parts().num_vertices);
      }
      const std::lock_guard guard(mutex);
      if (!section) {
        failure = section.error();
        return;
      }
      if (section->base.bytes.empty()) continue;
      totals.lengths += lengths;
      totals.num_entries += section->num_entries;
      totals.num_self_loops += section->num_self_loops;
    }
  }));
  RIZOMA_TRY(failure);
  return Adjacency<Target>(parts.schema.section_bits, parts.num_vertices, std::move(sections));
}

template <class Target>
Result<GraphView::Parts> parts_by_heads(const StoreSnapshot& state, SectionsOwner& owner, Executor& executor,
                                        std::uint64_t& lengths) {
  const StoreSnapshot::Parts& parts = state.parts();
  const GraphSchema& schema = state.schema();
  GraphView::Parts view;
  Totals out;
  Totals in;
  RIZOMA_ASSIGN(view.out, lists_by_heads<Target>(parts.out, parts, owner, executor, out));
  if (schema.directed && schema.in_edges) {
    RIZOMA_ASSIGN(view.in, lists_by_heads<Target>(parts.in, parts, owner, executor, in));
    if (in.num_entries != out.num_entries) {
      return Error{ErrorCode::corrupt, "the graph has " + std::to_string(out.num_entries) + " edges but " +
                                           std::to_string(in.num_entries) + " in-edges; run `rizoma check`"};
    }
  }
  lengths = out.lengths + 3 * in.lengths;
  view.directed = schema.directed;
  view.weight_type = entry_weights(schema);
  view.num_entries = out.num_entries;
  view.num_self_loops = out.num_self_loops;
  view.removed = parts.removed->to_set(state.num_vertices());
  view.may_have_parallel_edges = schema.parallel_edges == ParallelEdges::keep;
  view.ordered_by_degree = parts.ordered_by_degree;
  return view;
}

/// The proof of a view of these parts.
class ProofOfSections final : public SectionProof {
 public:
  ProofOfSections(std::shared_ptr<const StoreSnapshot> state, GraphView view, unsigned threads)
      : state_(std::move(state)), view_(std::move(view)), threads_(threads) {}

  [[nodiscard]] Keys draw_keys() const override {
    const EdgeKeys keys = EdgeKeys::random();
    return {keys.vertex_add, keys.vertex_factor, keys.weight_add, keys.weight_factor};
  }

  Result<Found> prove(std::span<const unsigned> owners, unsigned rank, const Keys& keys) override {
    const OwnSections own{owners, rank};
    const Loading loading{.with_sum = state_->has_in(), .keys = {keys[0], keys[1], keys[2], keys[3]}};
    PoolExecutor executor(threads_);
    Found found;
    RIZOMA_ASSIGN(found.out, verify(state_->parts().out, own, loading, executor));
    RIZOMA_ASSIGN(found.in, verify(state_->parts().in, own, loading, executor));
    RIZOMA_ASSIGN(found.of_removed, entries_of_removed(view_, executor, own));
    RIZOMA_ASSIGN(found.not_finite, weights_not_finite(view_, executor, own));
    return found;
  }

  [[nodiscard]] Status judge(const Found& all) const override {
    return judge_edges({all.out, all.in}, all.of_removed, all.not_finite, view_.directed());
  }

  Status prove_all() override {
    if (all_proved_) return {};
    PoolExecutor executor(threads_);
    RIZOMA_TRY(state_->validate(executor));
    const Loading loading;  // a state that was validated before may be an older one, of other sections
    for (const auto* const versions : {&state_->parts().out, &state_->parts().in})
      if (const auto done = verify(*versions, {}, loading, executor); !done) return done.error();
    all_proved_ = true;
    return {};
  }

 private:
  /// Verifies sections; the sum of their edges.
  Result<std::uint64_t> verify(const StoreSnapshot::Versions& versions, const OwnSections& own, const Loading& loading,
                               Executor& executor) {
    return state_->parts().target_bytes == 4 ? verify_lists<std::uint32_t>(versions, own, loading, executor)
                                             : verify_lists<std::uint64_t>(versions, own, loading, executor);
  }

  template <class Target>
  Result<std::uint64_t> verify_lists(const StoreSnapshot::Versions& versions, const OwnSections& own,
                                     const Loading& loading, Executor& executor) {
    std::mutex mutex;
    Status failure;
    std::uint64_t sum = 0;
    MergeArena memory;
    RIZOMA_TRY(executor.for_blocks(versions.size(), 1, [&](VertexRange block, unsigned) {
      const SectionId s = block.begin;
      if (versions[s] == nullptr || !own.has(s)) return;
      const auto section = load_one<Target>(*versions[s], state_->schema(), loading, memory);
      const std::lock_guard guard(mutex);
      if (section) sum += section->edge_sum;
      else failure = section.error();
    }));
    RIZOMA_TRY(failure);
    return sum;
  }

  std::shared_ptr<const StoreSnapshot> state_;
  GraphView view_;
  unsigned threads_;
  bool all_proved_ = false;
};

}  // namespace

bool may_be_read_by_sections(const StoreSnapshot& state) {
  if (state.schema().rows || state.part() != nullptr) return false;
  const auto lies_still = [](const auto& version) {
    return version == nullptr || version->parts().image == nullptr || !version->context()->data->overwritable();
  };
  const StoreSnapshot::Versions& sections = state.parts().out;
  return std::all_of(sections.begin(), sections.end(), lies_still);
}

Result<GraphView> own_sections_view(std::shared_ptr<const StoreSnapshot> state, Executor& executor) {
  auto owner = std::make_shared<SectionsOwner>();
  owner->state = state;
  owner->no_edges.resize((std::size_t{1} << state->schema().section_bits) + 1);
  std::uint64_t lengths = 0;
  RIZOMA_ASSIGN(GraphView::Parts parts, state->parts().target_bytes == 4
                                            ? parts_by_heads<std::uint32_t>(*state, *owner, executor, lengths)
                                            : parts_by_heads<std::uint64_t>(*state, *owner, executor, lengths));
  parts.owner = std::move(owner);
  auto proof = std::make_shared<ProofOfSections>(std::move(state), GraphView(parts), executor.threads());
  proof->lengths = lengths;
  parts.owner = owner_with(std::move(proof), parts.owner);
  return GraphView(std::move(parts));
}

}  // namespace rizoma
