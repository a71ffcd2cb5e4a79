// A store in memory, whole or crafted, in one directory or several, and what users do with it.
#pragma once

#include "platform/medium.h"
#include "store/store.h"
#include "testing/store_files.h"

#include <cstdint>
#include <memory>

namespace rizoma::testing {

inline constexpr const char* kStoreDirectory = "store";  ///< of a store over several

/// The medium has the files of all directories (testing/directory_medium.h); those of a store in one directory have
/// their own names.
struct StoreCase {
  explicit StoreCase(bool over_directories) : StoreCase({}, over_directories) {}
  StoreCase(const FileContents& files, bool over_directories);

  /// How it is reached.
  [[nodiscard]] StoreOptions options(GraphSchema schema = {}) const;

  std::shared_ptr<Medium> whole;
  std::shared_ptr<Medium> store;
  bool spread;
};

/// Kernels run, and stores change, up to this size.
inline constexpr VertexId kMostExercised = 4096;

/// Checks a store, opens it and each of its tagged states, runs kernels, changes it, tags, checkpoints, compacts or
/// purges it, opens it again and repairs it: `script` decides which of it, `small` that a repair is no great work.
/// Throws std::logic_error if a call breaks its promises: what cannot be opened or read, `check` finds, and no change
/// touches a tagged state.
void exercise_store(const FileContents& files, bool spread, std::uint8_t script, bool small);

}  // namespace rizoma::testing
