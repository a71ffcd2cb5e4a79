// PageArray: memory for values on pages of its own, which returns to the system when freed.
#pragma once

#include "platform/pages.h"

#include <cstddef>
#include <span>
#include <utility>

namespace rizoma {

/// Room for `count` values, all bytes of it zero; see allocate_pages.
template <class T>
class PageArray {
 public:
  PageArray() = default;
  explicit PageArray(std::size_t count) : data_(static_cast<T*>(allocate_pages(count * sizeof(T)))), count_(count) {}
  PageArray(PageArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PageArray& operator=(PageArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~PageArray() { release_pages(data_, count_ * sizeof(T)); }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data_, count_}; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace rizoma
