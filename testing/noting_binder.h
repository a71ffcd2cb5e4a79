// NotingBinder: notes what is put on which nodes, and puts nothing anywhere: memory of synthetic machines.
#pragma once

#include "platform/node_memory.h"

#include <mutex>
#include <utility>
#include <vector>

namespace rizoma::testing {

class NotingBinder final : public PageBinder {
 public:
  struct Note {
    std::size_t bytes = 0;
    MemoryNodes where;
  };

  Status bind(void*, std::size_t bytes, const MemoryNodes& where) const override {
    const std::lock_guard lock(mutex_);
    if (refuses) return Error{ErrorCode::unsupported, "refused"};
    notes_.push_back({bytes, where});
    return {};
  }

  /// Takes the notes that have come together.
  [[nodiscard]] std::vector<Note> take() const {
    const std::lock_guard lock(mutex_);
    return std::exchange(notes_, {});
  }
  bool refuses = false;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<Note> notes_;
};

}  // namespace rizoma::testing
