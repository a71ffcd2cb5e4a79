// Rewriter: settles the kind of ids, of an empty graph, and of a dense one that gets ids with gaps.
#include "store/rewrite/rewriter.h"

#include "store/dictionary/dictionary_segment.h"
#include "store/space/data_files.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {

Result<IdKind> Rewriter::settle_ids(IdKind kind, bool for_good) {
  RIZOMA_TRY(publisher_.access.check());
  const auto settled = [&] {
    return publisher_.contents.schema.ids_fixed || publisher_.contents.num_vertices != 0 ||
           (publisher_.contents.schema.ids == kind && !for_good);
  };
  {
    const MutexLock guard(publisher_.contents.mutex);
    if (settled()) return publisher_.contents.schema.ids;
  }
  RIZOMA_ASSIGN(const TimedLock publishing, publisher_.acquire());
  publishing.holds(publisher_.mutex);
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  ManifestState state;
  {
    const MutexLock guard(publisher_.contents.mutex);
    if (settled()) return publisher_.contents.schema.ids;
    state = publisher_.contents.manifest_state();
  }
  state.schema.ids = kind;
  state.schema.ids_fixed = for_good;
  auto removed = std::make_shared<const RemovedVertices>(state.schema.section_bits);
  RIZOMA_TRY(publisher_.install({{}, std::move(state), std::make_shared<Dictionary>(kind), std::move(removed)}));
  return kind;
}

Status Rewriter::use_integer_ids() {
  return checkpointer_.with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    publisher_.mutex.assume_held();
    publisher_.writer.mutex.assume_held();
    if (state.schema.ids != IdKind::dense) return {};  // another thread was first
    Contents& contents = publisher_.contents;
    const VertexId vertices = contents.num_vertices;
    std::vector<Mapping> segments;
    durable.dictionary.clear();
    if (vertices > 0) {
      RIZOMA_ASSIGN(const IdColumn ids, contents.dictionary->view(vertices).ids(VertexRange{0, vertices}));
      const std::vector<std::byte> segment = encode_integers(0, std::get<std::vector<std::int64_t>>(ids));
      RIZOMA_ASSIGN(auto lease, publisher_.space.write(segment));
      RIZOMA_ASSIGN(Mapping mapping, publisher_.space.data()->view(lease->extent()));
      durable.dictionary.push_back({std::move(lease), segment_id(segment)});
      segments.push_back(std::move(mapping));
    }
    RIZOMA_ASSIGN(Dictionary integers, contents.dictionary->as_integers(std::move(segments)));
    state.schema.ids = IdKind::integer;
    return publisher_.install(
        {std::move(durable), std::move(state), std::make_shared<Dictionary>(std::move(integers)), contents.removed});
  });
}

}  // namespace rizoma
