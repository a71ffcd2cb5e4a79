// CloseRecords: what the publish records in the two copies of a manifest tell of how the store was closed.
//
// A record goes to the first copy, durably, and only then to the second.  So whatever is found of a record in the
// second copy, the first one had it whole: if it has not, it has been damaged since.  What is found in the first copy
// alone may be what a crash has left of a close.
#pragma once

#include "store/log/log_chain.h"
#include "store/manifest/manifest.h"

#include <cstdint>
#include <string>

namespace rizoma {

/// Which copy has lost records, as far as the two copies show.
enum class CloseDamage { none, first, second, both };  ///< both: the same record

[[nodiscard]] CloseDamage close_damage(const ManifestFile& first, const ManifestFile& second);

/// The copy that knows more.
[[nodiscard]] ManifestFile of_two_copies(const ManifestFile& first, const ManifestFile& second);

/// Where replay starts, and where it must end.
[[nodiscard]] LogChainStart chain_start(const ManifestFile& manifest);

/// How far the logs go, and whether the manifest proves that they never went further.
struct LogEvidence {
  bool complete = false;            ///< the store was closed cleanly, and not changed since
  std::uint64_t next_sequence = 0;  ///< batches before this one exist
  std::uint64_t last_time = 0;      ///< when the last of them was logged, in seconds since 1970; 0: not known
};
[[nodiscard]] LogEvidence evidence_of(const LogChainEnd& chain, const ManifestFile& manifest);

/// The message for it: "changes from batch 7 on, ...".
[[nodiscard]] std::string not_proven(const LogEvidence& evidence);

}  // namespace rizoma
