// PagePool: memory of an engine's maps and sets that is kept for the next call.
//
// A process of several that share a graph writes the values of its own vertices, and of those of others that its lists
// lead to: it takes a map in parts, of which only the pages that are written to take memory, and only while it lasts.
//
// Fresh pages cost a fault each, about ten times what it takes to clear memory that exists already: a short call
// would spend most of its time on them.  And a search that touches little would find pages that no call before it has
// touched again and again, so what is kept is touched as a whole when it is new.
//
// Maps begin at different places of a page.  A processor takes a load for one of what a store before it has written if
// the lowest 12 bits of their addresses agree, and lets it wait for that store: a sweep that writes the value of v to
// one map and reads those of v's neighbours, numbers near v, from another took 1.6 to 2 times as long where both began
// at the beginning of a page (docs/measurements/kernels.md).
#pragma once

#include <rizoma/vertex_map.h>

#include "platform/mutex.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace rizoma {

/// For any thread.  What it has given lives on without it: results outlive their engine.
class PagePool : public std::enable_shared_from_this<PagePool> {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;      ///< kept in all
  static constexpr std::size_t kGreatestBlock = std::size_t{16} << 20;  ///< larger blocks are released at once

  /// Memory, kept one of that size if there is any; `zeros`: whose bytes are zero.  Throws std::bad_alloc.
  [[nodiscard]] VertexMemory take(std::size_t bytes, bool zeros = true);

  /// Zeros for a map that is written in parts: only the pages that are written to take memory, until it is released.
  [[nodiscard]] VertexMemory take_in_parts(std::size_t bytes);

  PagePool() = default;
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;
  ~PagePool();

  [[nodiscard]] std::size_t kept_bytes() const;

 private:
  struct Block {
    void* pages;
    std::size_t length;
    std::size_t place;      ///< offset in its first page at which the caller's bytes begin
    bool in_parts = false;  ///< its pages take memory as they are written to
  };
  [[nodiscard]] std::size_t next_place();
  [[nodiscard]] Block find_kept(std::size_t length, bool in_parts);
  void keep(Block block) noexcept;
  template <bool kInParts>
  static void release(void* data, std::size_t bytes) noexcept;

  mutable Mutex mutex_;
  std::vector<Block> kept_ RIZOMA_GUARDED_BY(mutex_);  ///< the one kept last is the last
  std::size_t kept_bytes_ RIZOMA_GUARDED_BY(mutex_) = 0;
  std::size_t places_ RIZOMA_GUARDED_BY(mutex_) = 0;  ///< given so far
};

}  // namespace rizoma
