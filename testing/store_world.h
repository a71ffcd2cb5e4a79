// World: the circumstances in which the store's suites run: one suite, many worlds.
#pragma once

#include <rizoma/schema.h>

#include "store/store.h"

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace rizoma {

/// Whatever the size of the graph, as soon as it has grown by a third.
[[nodiscard]] inline ReorderSettings reordering_at_every_opportunity() {
  ReorderSettings reordering;
  reordering.on = true;
  reordering.least_entries = 1;
  reordering.idle = std::chrono::milliseconds(0);
  reordering.rest = std::chrono::milliseconds(0);
  reordering.memory_limit = std::uint64_t{1} << 30;
  reordering.bytes_per_second = 0;
  return reordering;
}

struct World {
  std::string name;
  std::uint32_t granularity = 512;  ///< of the medium, see FaultMedium
  unsigned section_bits = 2;
  std::uint64_t log_limit = 700;  ///< bytes; checkpoints come by themselves, often
  std::uint64_t close_limit = 400;
  std::uint64_t log_ahead = 512;  ///< bytes of zeros
  unsigned rewrite_percent = 25;
  unsigned min_target_bytes = 4;
  std::uint64_t catch_up_bytes = 200;  ///< a change or two: more than one round of catching up
  Durability durability = Durability::always;
  bool reopens = false;  ///< the store is closed and reopened after every operation

  [[nodiscard]] StoreOptions options(GraphSchema schema) const {
    StoreOptions options;
    schema.section_bits = section_bits;
    options.schema = schema;
    options.durability = durability;
    options.group_delay = std::chrono::hours(1);  // nothing is flushed by itself
    options.log_limit = log_limit;
    options.close_limit = close_limit;
    options.log_ahead = log_ahead;
    options.rewrite_percent = rewrite_percent;
    options.min_target_bytes = min_target_bytes;
    options.catch_up_bytes = catch_up_bytes;
    options.reordering = reordering_at_every_opportunity();  // at steps that ask for it
    return options;
  }
  friend void PrintTo(const World& world, std::ostream* out) { *out << world.name; }
};

[[nodiscard]] inline std::vector<World> store_worlds() {
  constexpr std::uint64_t kNever = UINT64_MAX / 2;
  return {
      {.name = "sectors"},
      {.name = "pages", .granularity = 4096, .log_ahead = 0},
      {.name = "persistent_memory", .granularity = 8, .log_ahead = 256},
      {.name = "wide_targets", .section_bits = 4, .min_target_bytes = 8},
      {.name = "log_of_4_KiB", .section_bits = 3, .log_limit = 4096, .close_limit = 4096, .log_ahead = 4096},
      {.name = "reopened_after_every_operation", .reopens = true},
      {.name = "rewriting_at_every_opportunity", .log_limit = 0, .close_limit = 0, .rewrite_percent = 0},
      {.name = "rewriting_never", .log_limit = kNever, .close_limit = kNever, .rewrite_percent = 1u << 30},
      {.name = "changes_kept_beside_images", .log_limit = 300, .close_limit = 0, .rewrite_percent = 1u << 30},
  };
}

/// The i-th of all kinds of schemas, mixed so that any few successive ones differ much.
[[nodiscard]] GraphSchema schema_number(std::uint64_t i);

}  // namespace rizoma
