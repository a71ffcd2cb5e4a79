// NetworkTimes: what messages and one-sided operations between two ranks take.  Module: transport.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace rizoma {

/// What ranks may do with each other; JoinedRanks::time_network says how long it takes.
enum class NetworkOperation {
  read,       ///< one-sided, from memory that the other rank has allocated
  write,      ///< one-sided, until the other rank could see it
  fetch_add,  ///< one-sided, of 8 bytes
  message,    ///< two-sided: to the other rank and back, of which half is counted
  round,      ///< one message from each rank to each, all of which take part
};
/// "read" and so on.  Errors: invalid_argument, with the names that there are.
[[nodiscard]] Result<NetworkOperation> parse_network_operation(std::string_view name);

struct NetworkTask {
  NetworkOperation operation = NetworkOperation::read;
  std::size_t bytes = 8;        ///< of one operation, at least 1; of fetch_add always 8
  double seconds = 0.1;         ///< begins no other operation after so long
  bool other_computes = false;  ///< Rank 1 looks for messages every 0.1 ms, and does nothing for one-sided operations.
};

struct NetworkTimes {
  std::vector<double> seconds;   ///< of each operation, on rank 0; empty on the others
  double processor_seconds = 0;  ///< of this rank, all threads, while they ran
};

}  // namespace rizoma
