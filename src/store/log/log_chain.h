// LogChain: the logs of a store that recovery replays.  The manifest names the first one; a checkpoint that
// has begun but is not published leaves a second one, and each failed checkpoint one more.
//
// A log continues the one before it if its first sequence number is the next one.  Logs that hold no
// records have no effect: a rotation that a crash cut off leaves one.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/log/log.h"

#include <cstdint>
#include <vector>

namespace rizoma {

/// The manifest's record of the first log, and of the last one if the store was closed cleanly.
struct LogChainStart {
  format::StoreId store;
  std::uint64_t number = 0;
  std::uint64_t sequence = 0;
  bool closed = false;
  std::uint64_t closed_number = 0;  ///< this log was whole ..
  std::uint64_t closed_end = 0;     ///< .. up to here
  // From the rest of a torn record of a close: the log reached this far then.
  std::uint64_t hinted_number = 0;
  std::uint64_t hinted_end = 0;
  bool beside_writer = false;  ///< of another process
};

struct LogChainEnd {
  std::uint64_t number = 0;   ///< of the last log, to which changes are appended
  LogEnd end;                 ///< of the last log
  std::uint64_t earlier = 0;  ///< bytes of the logs before it
};

/// Numbers of the logs from `first` on, ascending.
Result<std::vector<std::uint64_t>> logs_from(Medium& medium, std::uint64_t first);

/// Calls the visitor for every whole record of the chain.  Errors: corrupt, unsupported, not_found (also
/// if a writer removes a log meanwhile: read the superblock again), io, the visitor's.
Result<LogChainEnd> replay_logs(Medium& medium, const LogChainStart& start, LogVisitor& visitor);

}  // namespace rizoma
