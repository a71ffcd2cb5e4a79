// Recovery: the first state of a store: an empty one that is created, or what the superblock, its manifest and the logs
// after it say.
//
// What it reads it makes durable before any other thread sees it (begin_writing).  Cost: the manifest, the headers of
// the dictionary's segments, and the records of the log; never the edges.
// Threads.  The caller is alone, and has the directory's lock unless it opens for reading.
#pragma once

#include <rizoma/result.h>

#include "store/log/log_chain.h"
#include "store/manifest/close_records.h"
#include "store/manifest/superblock.h"
#include "store/publishing/publisher.h"

#include <cstdint>
#include <optional>

namespace rizoma {

class Recovery {
 public:
  /// `publisher` outlives this.
  explicit Recovery(Publisher& publisher) noexcept : publisher_(publisher) {}

  /// The files of a new store.
  Status create();
  /// Reads the last published state, or the tagged one that the options name, and what the log adds.  Errors: not_found
  /// and corrupt, also while a writer of another process publishes.
  Status open_for_reading();
  /// The same, and makes durable what it has read; removes what earlier openings left.
  Status open_for_writing();

  /// What was wrong with one copy of the manifest.
  [[nodiscard]] const std::optional<Error>& manifest_damage() const noexcept { return manifest_damage_; }
  [[nodiscard]] const LogEvidence& log_evidence() const noexcept { return log_evidence_; }
  /// Compares the copy of the manifest in `data`.  Errors: corrupt, io.
  [[nodiscard]] Status check_embedded() const;

 private:
  struct Recovered;

  Status pin_state(const format::Superblock& block);
  Status expect_current(const format::Superblock& block) const;
  Result<Recovered> recover();
  Result<FoundManifest> find_manifest(const format::Superblock& block);
  Status begin_writing(const Recovered& recovered);
  Status load_manifest(const ManifestFile& manifest);
  [[nodiscard]] Result<Mapping> read_segment(Extent extent) const;
  Status load_dictionary(Durable& durable);
  Status load_removed(Durable& durable);
  Result<LogChainEnd> replay(const ManifestFile& manifest);

  Publisher& publisher_;
  ManifestFile manifest_;  ///< without its state but for where its copy is
  std::optional<Error> manifest_damage_;
  LogEvidence log_evidence_;
};

/// Removes all that the store made, as far as that is possible: of a creation that failed, or a store that is
/// discarded.
void remove_files(Publisher& publisher) noexcept;

}  // namespace rizoma
