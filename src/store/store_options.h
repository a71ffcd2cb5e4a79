// StoreOptions: how a store is made, opened and kept in order.
#pragma once

#include <rizoma/schema.h>
#include <rizoma/store_types.h>

#include "platform/medium.h"
#include "store/space/locations.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {

class RemovedVertices;

/// When and how a graph that grew by small changes gets a new inner order by itself (reorder/reordering_policy.h).
struct ReorderSettings {
  bool on = false;
  EdgeCount least_entries = EdgeCount{1} << 20;  ///< in smaller graphs any order is as good
  unsigned arrived_percent = 25;                 ///< of all entries, since the order was made
  unsigned urgent_percent = 75;                  ///< from here on changes need not pause, `rest` after the last one
  std::chrono::milliseconds idle{5'000};         ///< without changes
  std::chrono::milliseconds rest{60'000};        ///< after one that did not finish; the next time twice as long
  unsigned most_unfinished = 8;                  ///< attempts in a row, before users have to ask for it
  std::uint64_t memory_limit = 0;                ///< most bytes of memory; 0: a quarter of the free memory
  std::uint64_t bytes_per_second = std::uint64_t{64} << 20;  ///< that it writes at most; 0: as fast as it can
};

struct StoreOptions {
  GraphSchema schema;  ///< for a store that is created
  Durability durability = Durability::always;
  std::chrono::milliseconds group_delay{10};       ///< Durability::group: for so long a change may not be durable
  std::chrono::milliseconds lock_timeout{10'000};  ///< OpenOptions::lock_timeout
  /// Logs longer than this are followed by a checkpoint.  In the background: it begins at half of this,
  /// and changes wait for it while the logs are longer than this.
  std::uint64_t log_limit = 256u << 20;
  std::uint64_t log_ahead = 4u << 20;  ///< see LogGrowth
  /// A renumbering keeps changes waiting once no more than this of the log is left to be put into the new numbers.
  std::uint64_t catch_up_bytes = 256u << 10;
  ReorderSettings reordering;
  bool background = false;               ///< checkpoints in a thread of the store's; else within a change
  std::uint64_t close_limit = 1u << 20;  ///< a log longer than this is not left to the next open
  unsigned rewrite_percent = 25;         ///< a section with more changes than this share of it is rewritten
  /// Free space of a data file that is kept for the next sections, as a share of the space in use; the store returns
  /// more to the device.
  unsigned spare_percent = 12;
  unsigned min_target_bytes = 4;  ///< 8: wide targets however few vertices (tests)
  /// Directories for the sections, by home; "" is the store's own.  Empty: unchanged.
  std::vector<std::string> locations;
  LocationOpener open_location;  ///< needed by a store with locations
  std::string path;              ///< of the store's own directory, absolute; see LocationOwner
  /// Open for reading only: the tag whose state is wanted, or a time as "@" and nanoseconds since 1970, for the last
  /// tag not after it.  Empty: the present state.
  std::string at;
  bool part = false;  ///< open for reading only: a part of a distributed graph is welcome, too (sections/part.h)
  /// A store of format 1 may be opened for writing: its next checkpoint is of this format.  Else that is an Error.
  bool upgrade = false;
  /// Gets each segment of the dictionary, and the place for messages, before it is used, and gives what takes its place
  /// (repair_dictionary.h); none: segments are used as they are.
  std::function<Mapping(Mapping, const std::string&)> mend_dictionary;
  /// Open for reading only, by a repair: the vertices that had been removed when the log began, in the place of a list
  /// that the manifest does not name any more; null: as the manifest says.
  std::shared_ptr<const RemovedVertices> removed;
};

}  // namespace rizoma
