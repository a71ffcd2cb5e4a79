// RunCounter: counts the members of sets, for one thread.
#pragma once

#include <rizoma/vertex_map.h>

#include <atomic>

namespace rizoma {

/// Counts the members of roots, run by run, so that the largest is not a point of contention.
template <class Label>
class alignas(64) RunCounter {
 public:
  explicit RunCounter(VertexMap<Label>& sizes) : sizes_(sizes) {}
  RunCounter(const RunCounter& other) : sizes_(other.sizes_) {}
  RunCounter& operator=(const RunCounter&) = delete;
  ~RunCounter() { flush(); }
  void add(Label root) {
    if (root != root_) flush();
    root_ = root;
    ++run_;
  }

 private:
  void flush() {
    if (run_ > 0) sizes_.atomic(root_).fetch_add(run_, std::memory_order_relaxed);
    run_ = 0;
  }
  VertexMap<Label>& sizes_;
  Label root_ = 0;
  Label run_ = 0;
};

}  // namespace rizoma
