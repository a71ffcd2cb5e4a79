#include "store/sections/delta.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/disk_format.h"
#include "store/messages.h"

#include <cstring>

namespace rizoma {
namespace {

std::uint64_t header_checksum(const format::DeltaHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::DeltaHeader, checksum)),
                  format::kSeedDeltaHeader);
}

std::size_t delta_bytes(const DeltaSpec& spec) {
  return sizeof(format::DeltaHeader) + spec.num_entries * (spec.weighted ? 16 : 8);
}

}  // namespace

std::vector<std::byte> encode_delta(const DeltaSpec& spec, std::span<const ChangeRun> runs) {
  std::vector<std::byte> bytes(delta_bytes(spec));
  std::byte* words = bytes.data() + sizeof(format::DeltaHeader);
  std::byte* weights = words + spec.num_entries * 8;
  std::uint64_t done = 0;
  for (const ChangeRun& run : runs) {
    RIZOMA_CHECK(run.words.size() <= spec.num_entries - done);
    std::memcpy(words + done * 8, run.words.data(), run.words.size_bytes());
    if (spec.weighted && run.weights != nullptr) {
      std::memcpy(weights + done * 8, run.weights, run.words.size_bytes());  // others stay 0
    }
    done += run.words.size();
  }
  RIZOMA_CHECK(done == spec.num_entries);

  format::DeltaHeader header;
  header.direction = static_cast<std::uint8_t>(spec.direction);
  header.weighted = spec.weighted ? 1 : 0;
  header.section = spec.section;
  header.num_entries = spec.num_entries;
  header.target_bound = spec.target_bound;
  header.payload_checksum =
      checksum(std::span<const std::byte>(bytes).subspan(sizeof header), format::kSeedDeltaPayload);
  header.checksum = header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::uint64_t delta_id(std::span<const std::byte> delta) noexcept {
  std::uint64_t id = 0;
  if (delta.size() < sizeof(format::DeltaHeader)) return id;
  std::memcpy(&id, delta.data() + offsetof(format::DeltaHeader, checksum), sizeof id);
  return id;
}

Result<DeltaSpec> verify_delta(std::span<const std::byte> delta, std::uint64_t places, std::string_view where) {
  format::DeltaHeader header;
  if (delta.size() < sizeof header) return corrupt(where, "is shorter than the header of a delta");
  std::memcpy(&header, delta.data(), sizeof header);
  if (header.magic != format::kDeltaMagic) return corrupt(where, "is not a delta");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kVersion) return future_version(where, header.version);
  DeltaSpec spec{header.section, static_cast<Direction>(header.direction), header.weighted != 0, header.num_entries,
                 header.target_bound};
  if (header.direction > 1 || header.weighted > 1 || spec.num_entries > delta.size() / 8 ||
      delta_bytes(spec) != delta.size()) {
    return corrupt(where, "has impossible sizes");
  }
  if (header.payload_checksum != checksum(delta.subspan(sizeof header), format::kSeedDeltaPayload)) {
    return corrupt(where, "fails its checksum");
  }
  RIZOMA_CHECK(reinterpret_cast<std::uintptr_t>(delta.data()) % sizeof(std::uint64_t) == 0);
  for (const std::uint64_t word : view_delta(spec, delta).words) {
    if (static_cast<unsigned>(change_kind(word)) >= kChangeKinds) {
      return Error{
          ErrorCode::unsupported,
          std::string(where) + " holds changes that this release does not know; use a newer release of Rizoma"};
    }
    if (change_place(word) >= places || change_target(word) >= spec.target_bound) {
      return corrupt(where, "names vertices that do not exist");
    }
  }
  return spec;
}

ChangeRun view_delta(const DeltaSpec& spec, std::span<const std::byte> delta) {
  RIZOMA_CHECK(delta.size() >= delta_bytes(spec));
  const std::byte* words = delta.data() + sizeof(format::DeltaHeader);
  return {{reinterpret_cast<const std::uint64_t*>(words), spec.num_entries},
          spec.weighted ? reinterpret_cast<const double*>(words + spec.num_entries * 8) : nullptr};
}

}  // namespace rizoma
