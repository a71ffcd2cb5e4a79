// Making checksums of the store's records right again after their bytes were changed.
#pragma once

#include "base/checksum.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rizoma {

/// Makes the checksum of a record that ends in one right, if there is a whole one at `at`; `change` may set
/// other members before.
template <class Record, class Change>
void seal(std::span<std::byte> bytes, std::size_t at, std::uint64_t seed, Change change) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Record)) return;
  Record record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  change(record);
  record.checksum = checksum(std::as_bytes(std::span(&record, 1)).first(offsetof(Record, checksum)), seed);
  std::memcpy(bytes.data() + at, &record, sizeof record);
}

/// Seed of the header of a dictionary segment (dictionary_segment.cpp).
inline constexpr std::uint64_t kSeedDictionaryHeader = 0x52'5a'20;

}  // namespace rizoma
