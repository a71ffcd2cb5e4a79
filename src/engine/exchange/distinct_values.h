// Lists of values that come again and again.
#pragma once

#include <algorithm>
#include <vector>

namespace rizoma {

/// Sorts, and leaves each value once.
template <class T>
void sort_distinct(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Appends a value.  Where there is no room left, repeated ones go first; the list grows if that leaves it more than
/// half full, so that it is sorted once for half as many values as it has room for.
template <class T>
void push_distinct(std::vector<T>& values, const T& value) {
  if (values.size() == values.capacity()) {
    sort_distinct(values);
    if (values.size() > values.capacity() / 2) values.reserve(2 * values.capacity());
  }
  values.push_back(value);
}

}  // namespace rizoma
