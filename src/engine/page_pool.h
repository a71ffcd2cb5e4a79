// PagePool: memory of an engine's maps and sets that is kept for the next call.
//
// Fresh pages cost a fault each, about ten times what it takes to clear memory that is there already: a short call
// would spend most of its time on them.
#pragma once

#include <rizoma/vertex_map.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace rizoma {

/// For any thread.  What it has given lives on without it: results outlive their engine.
class PagePool : public std::enable_shared_from_this<PagePool> {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;      ///< kept in all
  static constexpr std::size_t kGreatestBlock = std::size_t{16} << 20;  ///< greater ones are given back at once

  /// Pages, kept ones of that size if there are any; `zeros`: whose bytes are zero.  Throws std::bad_alloc.
  [[nodiscard]] VertexMemory take(std::size_t bytes, bool zeros = true);

  PagePool() = default;
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;
  ~PagePool();

  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  struct Block {
    void* data;
    std::size_t length;
  };
  void keep(Block block) noexcept;
  static void release(void* data, std::size_t bytes) noexcept;

  mutable std::mutex mutex_;
  std::vector<Block> kept_;  ///< the one kept last is the last
  std::size_t kept_bytes_ = 0;
};

}  // namespace rizoma
