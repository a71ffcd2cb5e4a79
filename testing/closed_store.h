// ClosedStore: the files of a store that a history of steps made and closed, and what it holds.
#pragma once

#include "testing/heap_medium.h"
#include "testing/store_files.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace rizoma {

struct ClosedStore {
  /// The steps: StoreHistory.
  ClosedStore(std::uint64_t seed, const std::string& steps)
      : options(World{.log_limit = 1 << 20, .close_limit = 1 << 20}.options(schema_number(seed))),
        model(options.schema) {
    const std::shared_ptr<Medium> medium = make_heap_medium();
    StoreHistory history(medium, nullptr, options, seed);
    EXPECT_TRUE(history.create());
    const Status run = history.run(steps);
    EXPECT_TRUE(run) << run.error().message;
    history.drop();
    files = read_files(*medium);
    model = history.model();
  }

  StoreOptions options;
  StoreModel model;
  FileContents files;
};

}  // namespace rizoma
