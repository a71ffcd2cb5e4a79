// Tags: states that are kept under a name.
//
// A tagged state is its manifest, in an extent of `data`, and the leases of everything that the manifest names: extents
// are immutable, so a tag costs nothing until later states replace them.  The present manifest lists the tags, so that
// each comes and goes atomically with it (Publisher::tags has them).
// Threads.  Any.  Cost of each change: one publication, in which no other change is made.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/checkpoint/checkpointer.h"
#include "store/publishing/publisher.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

class Tags {
 public:
  /// Both outlive this.
  Tags(Publisher& publisher, Checkpointer& checkpointer) noexcept
      : publisher_(publisher), checkpointer_(checkpointer) {}

  /// Keeps the present state.  Errors: invalid_argument (the name), already_exists.
  Status tag(std::string_view name);
  /// Errors: not_found.
  Status untag(std::string_view name);
  /// In the order of tagging.
  [[nodiscard]] std::vector<TagInfo> all() const;
  /// Copies tagged states of another store, with all that they name, under their names and times.  Errors: not_found,
  /// those of reading and writing.
  Status take(const Tags& from, std::span<const std::string> names);

 private:
  class Copier;

  Result<Tag> write(std::string_view name, std::int64_t nanoseconds, ManifestState state, Durable held);
  Status publish_with(std::vector<Tag> tags, Durable durable, ManifestState state);

  Publisher& publisher_;
  Checkpointer& checkpointer_;
};

}  // namespace rizoma
