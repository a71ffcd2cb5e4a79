#include "store/section_table.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rizoma {

std::vector<SectionEntry> to_entries(const std::vector<SectionParts>& sections) {
  std::vector<SectionEntry> entries(sections.size());
  for (std::size_t s = 0; s < sections.size(); ++s) {
    SectionEntry& entry = entries[s];
    if (const auto& image = sections[s].image) {
      entry.image = image->extent();
      entry.image_id = image->id();
      entry.image_entries = image->num_entries();
      entry.image_self_loops = image->num_self_loops();
    }
    if (const auto& delta = sections[s].delta) {
      entry.delta = delta->extent();
      entry.delta_id = delta->id();
      entry.delta_entries = delta->num_entries();
    }
  }
  return entries;
}

std::vector<SectionParts> to_parts(const std::vector<SectionEntry>& entries,
                                   const std::shared_ptr<ExtentAllocator>& extents) {
  std::vector<SectionParts> sections(entries.size());
  for (std::size_t s = 0; s < entries.size(); ++s) {
    const SectionEntry& entry = entries[s];
    if (!entry.image.empty()) {
      sections[s].image =
          std::make_shared<StoredImage>(std::make_shared<ExtentLease>(extents, entry.image), entry.image_id,
                                        entry.image_entries, entry.image_self_loops);
    }
    if (!entry.delta.empty()) {
      sections[s].delta = std::make_shared<StoredDelta>(std::make_shared<ExtentLease>(extents, entry.delta),
                                                        entry.delta_id, entry.delta_entries);
    }
  }
  return sections;
}

void SectionTable::reserve(VertexId num_vertices) {
  const SectionId needed = (num_vertices + (VertexId{1} << context_->section_bits) - 1) >> context_->section_bits;
  if (needed > slots_.size()) slots_.resize(needed);
}

void SectionTable::stage(VertexId source, VertexId target, double weight) {
  const unsigned bits = context_->section_bits;
  const SectionId section = source >> bits;
  RIZOMA_DCHECK(section < slots_.size());
  Slot& slot = slots_[section];
  if (slot.pending == nullptr) {
    slot.pending = std::make_shared<PendingBuffer>(context_->weights != WeightType::none);
  }
  if (slot.pending->size() == slot.published) staged_.push_back(section);
  slot.pending->append(change_word(source & ((VertexId{1} << bits) - 1), target), weight);
}

void SectionTable::publish_staged() {
  for (const SectionId section : staged_) {
    Slot& slot = slots_[section];
    upper_entries_ += slot.pending->size() - slot.published;
    slot.published = slot.pending->size();
    slot.version = nullptr;
  }
  staged_.clear();
}

void SectionTable::freeze() {
  RIZOMA_CHECK(staged_.empty());
  for (Slot& slot : slots_) {
    if (slot.published == 0) continue;
    slot.frozen.push_back({std::exchange(slot.pending, nullptr), std::exchange(slot.published, 0)});
  }
}

std::shared_ptr<const SectionVersion> SectionTable::make_version(const Slot& slot, SectionVersion::Parts parts) const {
  parts.image = slot.durable.image;
  parts.delta = slot.durable.delta;
  parts.pending = slot.frozen;
  // The writer may be making the first buffer just now.
  if (slot.published > 0) parts.pending.push_back({slot.pending, slot.published});
  for (const PendingPart& part : parts.pending) parts.pending_count += part.count;
  return std::make_shared<const SectionVersion>(context_, std::move(parts));
}

StoreSnapshot::Versions SectionTable::versions(VertexId num_vertices, unsigned target_bytes) {
  const unsigned bits = context_->section_bits;
  const VertexId size = VertexId{1} << bits;
  StoreSnapshot::Versions all((num_vertices + size - 1) >> bits);
  for (SectionId s = 0; s < std::min<SectionId>(all.size(), slots_.size()); ++s) {
    Slot& slot = slots_[s];
    if (slot.durable.image == nullptr && slot.durable.delta == nullptr && slot.frozen.empty() && slot.published == 0) {
      continue;
    }
    const auto count = static_cast<std::uint32_t>(std::min(size, num_vertices - (s << bits)));
    if (slot.version == nullptr || slot.version->parts().num_vertices != count ||
        slot.version->parts().target_bytes != target_bytes) {
      SectionVersion::Parts parts;
      parts.section = s;
      parts.num_vertices = count;
      parts.target_bound = num_vertices;
      parts.target_bytes = target_bytes;
      slot.version = make_version(slot, std::move(parts));
    }
    all[s] = slot.version;
  }
  return all;
}

std::vector<SectionParts> SectionTable::parts() const {
  std::vector<SectionParts> sections(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) sections[s] = slots_[s].durable;
  return sections;
}

void SectionTable::replace(std::vector<SectionParts> sections) {
  upper_entries_ = 0;
  slots_.resize(std::max(slots_.size(), sections.size()));
  sections.resize(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    const bool same = slot.frozen.empty() && slot.durable.image == sections[s].image && slot.durable.delta == sections[s].delta;
    if (!same) {
      slot.durable = std::move(sections[s]);
      slot.frozen.clear();
      slot.version = nullptr;
    }
    if (slot.durable.image) upper_entries_ += slot.durable.image->num_entries();
    if (slot.durable.delta) upper_entries_ += slot.durable.delta->num_entries();
    upper_entries_ += slot.published;
  }
}

}  // namespace rizoma
