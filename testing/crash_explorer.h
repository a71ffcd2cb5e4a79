// CrashExplorer: opens a store in every state that a crash may have left of it, and compares.
//
// What must hold in each: the store opens (or was never acknowledged to exist); its content, in both
// directions, is that of one moment of the history which is no older than the last one acknowledged
// before the crash and no younger than the last one begun; check finds nothing.  From some states the
// store goes on: opened, changed, checkpointed, closed, opened, changed on a FaultMedium of its own,
// whose crash states are explored in turn; so crashes within a recovery are covered, and crashes
// of a store that recovered from one.
#pragma once

#include "testing/store_history.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {

/// How much was looked at.
struct CrashCensus {
  std::uint64_t points = 0;             ///< crash points of histories
  std::uint64_t exhaustive_points = 0;  ///< of which every possible state was visited
  std::uint64_t states = 0;             ///< states that were opened and compared
  std::uint64_t second_histories = 0;   ///< states from which the store went on
  std::uint64_t second_states = 0;      ///< states after a second crash
};

class CrashExplorer {
 public:
  struct Settings {
    CrashLimits limits{.exhaustive = 64, .systematic = 12, .random = 4};
    CrashLimits second_limits{.exhaustive = 8, .systematic = 2, .random = 1};
    unsigned goes_on = 211;  ///< from every so many-th state the store goes on; 0: never
    unsigned checks = 11;    ///< every so many-th state is checked byte by byte
    std::string second_script = "rcRr";
    /// What the store that goes on sees of its medium; empty: the medium itself.
    std::function<std::shared_ptr<Medium>(Medium&)> second_medium;
    /// The store lies in this directory of the medium (directory_medium.h), its locations in others; empty: it has the
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
  /// Opens and compares; `found` becomes the number of the moment, or stays if there is no store.
  [[nodiscard]] Violation compare(const std::shared_ptr<Medium>& left, const std::vector<Moment>& moments,
                                  std::uint64_t position, std::optional<std::size_t>& found) const;
  [[nodiscard]] Violation check(std::shared_ptr<Medium> left) const;
  [[nodiscard]] Violation go_on(Medium& left, const StoreModel& state);

  StoreOptions options_;
  Settings settings_;
  CrashCensus census_;
};

}  // namespace rizoma
