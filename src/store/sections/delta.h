// Delta: changes to a section in an extent: what a checkpoint writes for a section that has too few
// of them to be worth a new image.  Header, u64 words (pending.h), f64 weights if the graph has them.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "store/sections/image.h"
#include "store/sections/pending.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {

/// The content of a delta's header.
struct DeltaSpec {
  SectionId section = 0;
  Direction direction = Direction::out;
  bool weighted = false;
  std::uint64_t num_entries = 0;
  VertexId target_bound = 0;  ///< every target is below this
};

/// The bytes of a delta that holds all runs, in order; spec.num_entries is their total length.
[[nodiscard]] std::vector<std::byte> encode_delta(const DeltaSpec& spec, std::span<const ChangeRun> runs);

/// The header checksum of an encoded delta; see image_id.
[[nodiscard]] std::uint64_t delta_id(std::span<const std::byte> delta) noexcept;

/// Checks every byte.  `places` is the number of vertices that the section may have.
/// Errors: corrupt, unsupported.
Result<DeltaSpec> verify_delta(std::span<const std::byte> delta, std::uint64_t places, std::string_view where);

/// The changes of a verified delta, where they are.
[[nodiscard]] ChangeRun view_delta(const DeltaSpec& spec, std::span<const std::byte> delta);

}  // namespace rizoma
