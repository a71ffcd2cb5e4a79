// Ascending lists as ranks send them to each other: differences in few bytes.
#pragma once

#include "base/check.h"
#include "engine/exchange/wire.h"

#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// An ascending list, as the differences of its members, after its length.
inline void put_list(WireWriter& writer, std::span<const std::uint32_t> list) {
  writer.put_varint(list.size());
  std::uint32_t before = 0;
  for (const std::uint32_t r : list) {
    writer.put_varint(r - before);
    before = r;
  }
}

/// Appends it to `list`; returns its length.
inline std::uint64_t get_list(WireReader& reader, std::vector<std::uint32_t>& list) {
  const std::uint64_t size = reader.get_varint();
  std::uint64_t r = 0;
  for (std::uint64_t i = 0; i < size && reader.ok(); ++i) {
    r += reader.get_varint();
    list.push_back(static_cast<std::uint32_t>(r));
  }
  RIZOMA_CHECK(reader.ok());
  return size;
}

/// An upper bound on the bytes of a list of `size` members.
constexpr std::uint64_t most_bytes_of_list(std::uint64_t members) { return 5 * (members + 2); }

}  // namespace rizoma
