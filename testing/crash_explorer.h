// CrashExplorer: opens a store in every state that a crash may have left of it, and compares.
//
// What must hold in each: the store opens (or was never acknowledged to exist); its content, in both
// directions, is that of one moment of the history which is no older than the last one acknowledged
// before the crash and no younger than the last one begun; check finds nothing.  From some states the
// store goes on: opened, changed, checkpointed, closed, opened, changed on a FaultMedium of its own,
// whose crash states are explored in turn; so crashes within a recovery are covered, and crashes
// of a store that recovered from one.
//
// Crashes at different points often leave the same bytes.  These are opened once, and the moment that they show is
// held against those that are right at each of the points.
#pragma once

#include "testing/store_history.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// How much was looked at.
struct CrashCensus {
  std::uint64_t points = 0;             ///< crash points of histories
  std::uint64_t exhaustive_points = 0;  ///< of which every possible state was visited
  std::uint64_t states = 0;             ///< states that were compared
  std::uint64_t opened = 0;             ///< of which opened, for none before had the same bytes
  std::uint64_t second_histories = 0;   ///< states from which the store went on
  std::uint64_t second_states = 0;      ///< states after a second crash
};

/// Which moment of a history each of the contents is that have been opened.  Opening is a function of the bytes: what
/// the same bytes show again need not be looked at, only whether that moment is still a right one.
class KnownContents {
 public:
  /// The moment that the content is, if it is known and may be shown after a crash at this position.
  [[nodiscard]] std::optional<std::size_t> find(const FileContents& contents, const std::vector<Moment>& moments,
                                                std::uint64_t position) const;
  void add(const FileContents& contents, std::size_t moment) {
    moments_.insert_or_assign(fingerprint(contents), moment);
  }

 private:
  using Fingerprint = std::pair<std::uint64_t, std::uint64_t>;
  [[nodiscard]] static Fingerprint fingerprint(const FileContents& contents);
  std::map<Fingerprint, std::size_t> moments_;
};

class CrashExplorer {
 public:
  struct Settings {
    CrashLimits limits{.exhaustive = 64, .systematic = 12, .random = 4};
    CrashLimits second_limits{.exhaustive = 8, .systematic = 2, .random = 1};
    unsigned goes_on = 211;  ///< the store goes on from every n-th state; 0: never
    unsigned checks = 11;    ///< checks every n-th state byte by byte
    std::string second_script = "rcRr";
    /// What the store that goes on sees of its medium; empty: the medium itself.
    std::function<std::shared_ptr<Medium>(Medium&)> second_medium;
    /// The store is in this directory of the medium (directory_medium.h), its locations in others; empty: it has the
    /// medium for itself.
    std::string directory;
  };
  CrashExplorer(const StoreOptions& options, Settings settings) : options_(options), settings_(std::move(settings)) {}

  /// The first state that breaks a promise, described; nothing if none does.
  [[nodiscard]] std::optional<std::string> find_violation(const FaultMedium& medium,
                                                          const std::vector<Moment>& moments);
  [[nodiscard]] const CrashCensus& census() const noexcept { return census_; }

 private:
  using Violation = std::optional<std::string>;
  /// The store's own directory in a medium that outlives it.
  [[nodiscard]] std::shared_ptr<Medium> home_in(std::shared_ptr<Medium> whole) const;
  [[nodiscard]] StoreOptions options_in(Medium& whole) const;
  /// Opens and compares.  Unless `left`, which gets what the opening leaves, is wanted, contents that are known are
  /// not opened again.
  [[nodiscard]] Violation look_at(const CrashState& state, const std::vector<Moment>& moments, KnownContents& known,
                                  std::optional<std::size_t>& found, std::shared_ptr<Medium>* left);
  /// Opens and compares; `found` becomes the number of the moment, or stays if there is not a store.
  [[nodiscard]] Violation compare(const std::shared_ptr<Medium>& left, const std::vector<Moment>& moments,
                                  std::uint64_t position, std::optional<std::size_t>& found) const;
  [[nodiscard]] Violation check(std::shared_ptr<Medium> left) const;
  [[nodiscard]] Violation go_on(Medium& left, const StoreModel& state);

  StoreOptions options_;
  Settings settings_;
  CrashCensus census_;
};

}  // namespace rizoma
