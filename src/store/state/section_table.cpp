#include "store/state/section_table.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace rizoma {

std::vector<SectionEntry> to_entries(const std::vector<SectionExtents>& sections) {
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

std::vector<SectionExtents> to_parts(const std::vector<SectionEntry>& entries, LeaseBook& leases) {
  std::vector<SectionExtents> sections(entries.size());
  for (std::size_t s = 0; s < entries.size(); ++s) {
    const SectionEntry& entry = entries[s];
    if (!entry.image.empty()) {
      sections[s].image = std::make_shared<StoredImage>(leases.of(entry.image), entry.image_id, entry.image_entries,
                                                        entry.image_self_loops);
    }
    if (!entry.delta.empty()) {
      sections[s].delta = std::make_shared<StoredDelta>(leases.of(entry.delta), entry.delta_id, entry.delta_entries);
    }
  }
  return sections;
}

void SectionTable::reserve(VertexId num_vertices) {
  const SectionId needed = (num_vertices + (VertexId{1} << context_->section_bits) - 1) >> context_->section_bits;
  if (needed > slots_.size()) slots_.resize(needed);
}

void SectionTable::begin_batch() noexcept {
  ++batch_;
  journal_.clear();
}

void SectionTable::stage(ChangeKind kind, VertexId source, VertexId target, double weight) {
  const unsigned bits = context_->section_bits;
  const SectionId section = source >> bits;
  RIZOMA_DCHECK(section < slots_.size());
  Slot& slot = slots_[section];
  if (slot.batch != batch_) {
    if (slot.pending == nullptr) {
      slot.pending = std::make_shared<PendingBuffer>(context_->weights != WeightType::none);
    }
    journal_.push_back({section, slot.pending->size(), 0});
    slot.batch = batch_;
  }
  slot.pending->append(change_word(kind, source & ((VertexId{1} << bits) - 1), target), weight);
}

std::vector<SectionTable::Staged> SectionTable::end_batch() {
  for (Staged& staged : journal_) staged.end = slots_[staged.section].pending->size();
  return journal_;
}

/// The newest buffer's changes from `from` on.
void SectionTable::rollback(Slot& slot, std::uint64_t from) noexcept {
  if (slot.indexes.size() > slot.frozen.size()) slot.indexes.back().forget(*slot.pending, from);
  slot.pending->truncate(from);
}

void SectionTable::rollback() noexcept {
  for (const Staged& staged : journal_) rollback(slots_[staged.section], staged.begin);
  begin_batch();
}

void SectionTable::rollback_all() noexcept {
  for (Slot& slot : slots_) {
    if (slot.pending != nullptr) rollback(slot, slot.published);
  }
  begin_batch();
}

std::shared_ptr<const SectionVersion> SectionTable::staged(SectionId section, VertexId num_vertices,
                                                           unsigned target_bytes) const {
  const Slot& slot = slots_[section];
  const std::uint64_t pending = slot.pending == nullptr ? 0 : slot.pending->size();
  if (slot.durable.image == nullptr && slot.durable.delta == nullptr && slot.frozen.empty() && pending == 0)
    return nullptr;
  return make_version(section, num_vertices, target_bytes, pending);
}

Status SectionTable::find(SectionId section, std::span<const std::uint64_t> pairs, VertexId num_vertices,
                          unsigned target_bytes, PairWeights& found) {
  const auto version = staged(section, num_vertices, target_bytes);
  if (version != nullptr) return version->find(pairs, slots_[section].indexes, found);
  for (std::size_t i = 0; i < pairs.size(); ++i) found.push({});
  return {};
}

void SectionTable::publish(const std::vector<Staged>& batch) noexcept {
  for (const Staged& staged : batch) {
    Slot& slot = slots_[staged.section];
    upper_entries_ += staged.end - slot.published;
    slot.published = staged.end;
    if (slot.version != nullptr) slot.before = std::exchange(slot.version, nullptr);
  }
}

void SectionTable::freeze() {
  for (Slot& slot : slots_) {
    RIZOMA_CHECK(slot.pending == nullptr || slot.pending->size() == slot.published);
    if (slot.published == 0) continue;
    slot.frozen.push_back({slot.pending, slot.published});
    slot.pending = nullptr;
    slot.published = 0;
  }
}

/// With the first `pending` changes of the newest buffer.
std::shared_ptr<const SectionVersion> SectionTable::make_version(SectionId section, VertexId num_vertices,
                                                                 unsigned target_bytes, std::uint64_t pending,
                                                                 std::shared_ptr<const MergedSection> former) const {
  const Slot& slot = slots_[section];
  const VertexId first = section << context_->section_bits;
  SectionVersion::Parts parts;
  parts.section = section;
  parts.num_vertices =
      static_cast<std::uint32_t>(std::min(VertexId{1} << context_->section_bits, num_vertices - first));
  parts.target_bound = num_vertices;
  parts.target_bytes = target_bytes;
  parts.image = slot.durable.image;
  parts.delta = slot.durable.delta;
  parts.pending = slot.frozen;
  // The writer may be making the first buffer just now.
  if (pending > 0) parts.pending.push_back({slot.pending, pending});
  for (const PendingPart& part : parts.pending) parts.pending_count += part.count;
  return std::make_shared<const SectionVersion>(context_, std::move(parts), std::move(former));
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
      if (slot.version != nullptr) slot.before = slot.version;
      slot.version = make_version(s, num_vertices, target_bytes, slot.published,
                                  slot.before == nullptr ? nullptr : slot.before->merged());
      slot.before = nullptr;
    }
    all[s] = slot.version;
  }
  return all;
}

std::vector<SectionExtents> SectionTable::parts() const {
  std::vector<SectionExtents> sections(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) sections[s] = slots_[s].durable;
  return sections;
}

void SectionTable::replace(std::vector<SectionExtents> sections) {
  slots_.resize(std::max(slots_.size(), sections.size()));
  sections.resize(slots_.size());
  upper_entries_ = 0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    const bool same =
        slot.frozen.empty() && slot.durable.image == sections[s].image && slot.durable.delta == sections[s].delta;
    if (!same) {
      slot.durable = std::move(sections[s]);
      slot.indexes.erase(slot.indexes.begin(), slot.indexes.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                          slot.indexes.size(), slot.frozen.size())));
      slot.frozen.clear();
      slot.version = nullptr;
      slot.before = nullptr;
    }
    if (slot.durable.image) upper_entries_ += slot.durable.image->num_entries();
    if (slot.durable.delta) upper_entries_ += slot.durable.delta->num_entries();
    upper_entries_ += slot.published;
  }
}

}  // namespace rizoma
