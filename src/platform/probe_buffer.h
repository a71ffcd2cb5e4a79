// ProbeBuffer: memory that certainly lies where it was asked to lie, all of it touched.
#pragma once

#include <rizoma/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace rizoma::probe {

class ProbeBuffer {
 public:
  /// Pages of one NUMA node, bound and verified.  Errors: invalid_argument (no such node),
  /// out_of_memory, unsupported (binding refused, or the pages came to lie elsewhere).
  [[nodiscard]] static Result<ProbeBuffer> on_node(unsigned node, std::size_t bytes);

  /// A nameless file of `directory`, mapped shared; with MAP_SYNC where the file system is DAX.
  /// Errors: as of the operating system.
  [[nodiscard]] static Result<ProbeBuffer> in_directory(const std::filesystem::path& directory, std::size_t bytes);

  /// At least 4096-aligned.
  template <class T>
  [[nodiscard]] std::span<T> as() const noexcept {
    return {static_cast<T*>(data_.get()), bytes_ / sizeof(T)};
  }
  [[nodiscard]] bool map_sync() const noexcept { return map_sync_; }

 private:
  using Data = std::unique_ptr<void, std::function<void(void*)>>;
  ProbeBuffer(Data data, std::size_t bytes, bool map_sync) noexcept
      : data_(std::move(data)), bytes_(bytes), map_sync_(map_sync) {}

  Data data_;
  std::size_t bytes_;
  bool map_sync_;
};

/// A nameless file in a directory: gone when closed, or when the process dies.
[[nodiscard]] Result<int> open_nameless(const std::filesystem::path& directory);

}  // namespace rizoma::probe
