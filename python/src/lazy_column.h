// LazyColumn: a column of a result as Python holds it, converted to an array when Python reads all of it.
#pragma once

#include "bindings.h"

#include <rizoma/ids.h>
#include <rizoma/vertex_set.h>

#include <functional>
#include <memory>
#include <utility>

namespace rizoma::python {

class LazyColumn {
 public:
  template <class T>
  explicit LazyColumn(ReachedMap<T> map) {
    const auto held = std::make_shared<ReachedMap<T>>(std::move(map));
    size_ = held->size();
    at_ = [held](VertexId v) { return nb::cast((*held)[v]); };
    make_ = [held] { return nb::cast(to_numpy(std::move(held->all()))); };
  }

  [[nodiscard]] nb::object all() {
    if (!all_.is_valid()) all_ = make_();
    return all_;
  }
  /// Without making it an array, unless that exists already.
  [[nodiscard]] nb::object at(VertexId v) const {
    if (v >= size_) throw nb::index_error();
    return all_.is_valid() ? nb::object(all_[nb::int_(v)]) : at_(v);
  }

 private:
  std::function<nb::object(VertexId)> at_;
  std::function<nb::object()> make_;
  VertexId size_ = 0;
  nb::object all_;  ///< once it was asked for
};

}  // namespace rizoma::python
