#include "store/sections/removed_vertices.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/disk_format.h"
#include "store/messages.h"

#include <bit>
#include <cstring>

namespace rizoma {
namespace {

std::uint64_t header_checksum(const format::RemovedHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::RemovedHeader, checksum)),
                  format::kSeedRemovedHeader);
}

VertexId members(const std::vector<std::uint64_t>& bits) {
  VertexId count = 0;
  for (const std::uint64_t word : bits) count += static_cast<VertexId>(std::popcount(word));
  return count;
}

}  // namespace

RemovedVertices RemovedVertices::changed(std::span<const VertexId> vertices, bool member) const {
  RemovedVertices next(*this);
  std::vector<std::shared_ptr<Bits>> own(sections_.size());
  for (const VertexId v : vertices) {
    const SectionId section = v >> section_bits_;
    if (section >= own.size()) own.resize(section + 1);
    std::shared_ptr<Bits>& bits = own[section];
    if (bits == nullptr) {
      const bool known = section < sections_.size() && sections_[section] != nullptr;
      bits = known ? std::make_shared<Bits>(*sections_[section]) : std::make_shared<Bits>(words());
    }
    std::uint64_t& word = (*bits)[bit_of(v) >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (bit_of(v) & 63);
    if (((word & bit) != 0) == member) continue;
    word ^= bit;
    member ? ++next.count_ : --next.count_;
  }
  next.sections_.resize(own.size());
  for (SectionId s = 0; s < own.size(); ++s) {
    if (own[s] != nullptr) next.sections_[s] = std::move(own[s]);
  }
  return next;
}

VertexSet RemovedVertices::to_set(VertexId universe) const {
  if (count_ == 0) return {};
  VertexSet set(universe);
  for (SectionId s = 0; s < sections_.size(); ++s) {
    if (sections_[s] == nullptr) continue;
    for (std::size_t i = 0; i < sections_[s]->size(); ++i) {
      for (std::uint64_t word = (*sections_[s])[i]; word != 0; word &= word - 1) {
        set.add((s << section_bits_) + i * 64 + static_cast<VertexId>(std::countr_zero(word)));
      }
    }
  }
  return set;
}

std::vector<std::byte> RemovedVertices::encode() const {
  format::RemovedHeader header;
  std::vector<std::uint64_t> numbers, bitmaps;
  for (SectionId s = 0; s < sections_.size(); ++s) {
    if (sections_[s] == nullptr || members(*sections_[s]) == 0) continue;
    numbers.push_back(s);
    bitmaps.insert(bitmaps.end(), sections_[s]->begin(), sections_[s]->end());
  }
  RIZOMA_CHECK(bitmaps.size() == numbers.size() * words());
  header.num_sections = numbers.size();
  header.num_vertices = count_;
  numbers.insert(numbers.end(), bitmaps.begin(), bitmaps.end());
  const auto payload = std::as_bytes(std::span(numbers));
  header.payload_checksum = checksum(payload, format::kSeedRemovedPayload);
  header.checksum = header_checksum(header);
  std::vector<std::byte> bytes(sizeof header + payload.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!payload.empty()) std::memcpy(bytes.data() + sizeof header, payload.data(), payload.size());
  return bytes;
}

std::uint64_t RemovedVertices::id_of(std::span<const std::byte> encoded) noexcept {
  std::uint64_t id = 0;
  if (encoded.size() < sizeof(format::RemovedHeader)) return id;
  std::memcpy(&id, encoded.data() + offsetof(format::RemovedHeader, checksum), sizeof id);
  return id;
}

Result<RemovedVertices> RemovedVertices::decode(std::span<const std::byte> bytes, unsigned section_bits,
                                                VertexId num_vertices, std::string_view where) {
  format::RemovedHeader header;
  if (bytes.size() < sizeof header) return corrupt(where, "is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != format::kRemovedMagic) return corrupt(where, "is not a list of removed vertices");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kVersion) return future_version(where, header.version);
  RemovedVertices removed(section_bits);
  const auto payload = bytes.subspan(sizeof header);
  const std::size_t stride = 1 + removed.words();
  if (header.num_sections > payload.size() / 8 / stride || payload.size() != header.num_sections * stride * 8) {
    return corrupt(where, "has impossible sizes");
  }
  if (header.payload_checksum != checksum(payload, format::kSeedRemovedPayload))
    return corrupt(where, "fails its checksum");
  std::vector<std::uint64_t> numbers(payload.size() / 8);
  if (!payload.empty()) std::memcpy(numbers.data(), payload.data(), payload.size());
  const SectionId limit = (num_vertices + (VertexId{1} << section_bits) - 1) >> section_bits;
  RIZOMA_CHECK(numbers.size() == header.num_sections * stride);
  auto bitmap = numbers.begin() + static_cast<std::ptrdiff_t>(header.num_sections);
  for (std::uint64_t i = 0; i < header.num_sections; ++i, bitmap += static_cast<std::ptrdiff_t>(removed.words())) {
    if (numbers[i] >= limit) return corrupt(where, "names vertices that do not exist");
    if (i > 0 && numbers[i] <= numbers[i - 1]) return corrupt(where, "has its sections out of order");
    if (section_bits < 6 && *bitmap >> (1u << section_bits) != 0)
      return corrupt(where, "names vertices that do not exist");
    removed.sections_.resize(limit);
    removed.sections_[numbers[i]] =
        std::make_shared<Bits>(bitmap, bitmap + static_cast<std::ptrdiff_t>(removed.words()));
    removed.count_ += members(*removed.sections_[numbers[i]]);
  }
  bool inside = removed.count_ == header.num_vertices;
  for (VertexId v = num_vertices; v < limit << section_bits; ++v) inside &= !removed.contains(v);
  if (!inside) return corrupt(where, "names vertices that do not exist");
  return removed;
}

}  // namespace rizoma
