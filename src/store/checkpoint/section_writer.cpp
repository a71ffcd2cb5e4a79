#include "store/checkpoint/section_writer.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

/// Where an image lies, if there is one.
std::optional<unsigned> location_of(const StoredImage* image) {
  return image == nullptr ? std::nullopt : std::optional(image->extent().location);
}

}  // namespace

Result<SectionExtents> SectionWriter::write_image(const SectionVersion& version, const SectionContext& context,
                                                  MergeArena& arena) {
  SectionExtents extents;
  const auto& present = version.parts().image;
  // A scratch version keeps the merged section only as long as this call; the version itself would keep it as long as
  // a snapshot has it.
  const SectionVersion scratch(std::make_shared<const SectionContext>(context), version.parts());
  RIZOMA_ASSIGN(const SectionBytes section, scratch.load(arena));
  // Sealing makes an image of merged bytes; a mapped image without changes is copied.
  std::vector<std::byte> image(section.bytes.begin(), section.bytes.end());
  ImageSpec spec = section.spec;
  if (context.rows && spec.weights != WeightType::none && spec.row_bits == 0) spec = pack_rows(spec, image);
  image.resize(image_layout(spec).bytes);
  const std::uint64_t id = seal_image(spec, image);
  RIZOMA_ASSIGN(auto lease,
                space_.write(image, space_.location_for(version.parts().section, location_of(present.get()))));
  extents.image =
      std::make_shared<StoredImage>(std::move(lease), id, section.spec.num_entries, section.spec.num_self_loops);
  return extents;
}

Result<SectionExtents> SectionWriter::write_delta(const SectionVersion& version, const SectionContext& context) {
  SectionExtents extents{version.parts().image, nullptr};
  const unsigned location = space_.location_for(version.parts().section, location_of(extents.image.get()));
  RIZOMA_ASSIGN(const std::vector<ChangeRun> runs, version.changes());
  const DeltaSpec spec{version.parts().section, context.direction, context.weights != WeightType::none,
                       version.num_changes(), version.parts().target_bound};
  const std::vector<std::byte> delta = encode_delta(spec, runs);
  RIZOMA_ASSIGN(auto lease, space_.write(delta, location));
  extents.delta = std::make_shared<StoredDelta>(std::move(lease), delta_id(delta), spec.num_entries);
  return extents;
}

Result<std::vector<SectionExtents>> SectionWriter::write(std::vector<SectionExtents> sections,
                                                         const SectionContext& context,
                                                         const StoreSnapshot::Versions& versions,
                                                         unsigned rewrite_percent) {
  MergeArena arena;
  if (sections.size() < versions.size()) sections.resize(versions.size());
  for (SectionId s = 0; s < versions.size(); ++s) {
    if (versions[s] == nullptr) continue;
    const SectionVersion& version = *versions[s];
    const std::uint64_t base = version.parts().image ? version.parts().image->num_entries() : 0;
    const bool changed = version.num_changes() > 0 && version.num_changes() * 100 >= base * rewrite_percent;
    const auto location = location_of(version.parts().image.get());
    const bool moves = rewrite_percent == 0 && base > 0 && location != space_.location_for(s, location);
    const bool rewrite = changed || moves;
    if (!rewrite && version.parts().pending_count == 0) continue;
    RIZOMA_ASSIGN(sections[s], rewrite ? write_image(version, context, arena) : write_delta(version, context));
  }
  return sections;
}

Result<IdentifiedExtent> write_removed(Space& space, const RemovedVertices& removed) {
  IdentifiedExtent written;
  if (removed.count() == 0) return written;
  const std::vector<std::byte> bytes = removed.encode();
  RIZOMA_ASSIGN(written.lease, space.write(bytes));
  written.id = RemovedVertices::id_of(bytes);
  return written;
}

}  // namespace rizoma
