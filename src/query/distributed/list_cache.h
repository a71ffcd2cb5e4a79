// Lists that were fetched from data nodes, kept up to a bound, those that were used last the longest.  Module: query.
//
// How: what a data node has sent stays where it was received.  When a batch begins with more than the bound, the lists
// that the latest batches used move to memory of their own, up to half of the bound, and the others are let go.  So a
// batch may go beyond the bound by what it needs itself.
#pragma once

#include <rizoma/detail/adjacency.h>
#include <rizoma/ids.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::query {

/// One of the lists of a vertex.
struct ListKey {
  VertexId vertex = 0;
  Direction direction = Direction::out;
  friend bool operator==(const ListKey&, const ListKey&) = default;
};

class ListCache {
 public:
  struct Held {
    const std::byte* data = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t used = 0;  ///< number of the batch that used it last; 0: it is not here
  };

  ListCache(VertexId vertices, std::uint64_t most_bytes) : most_(most_bytes) {
    for (auto& pages : pages_) pages.resize((vertices + kPage - 1) / kPage);
  }

  void begin_batch();
  /// The list, which stays until the next batch begins; null: it is not here.
  [[nodiscard]] const Held* use(const ListKey& key);
  [[nodiscard]] const Held* find(const ListKey& key) const;
  /// Caches lists, concatenated in `memory`, of the given bytes each.
  void keep(std::vector<std::byte> memory, std::span<const ListKey> keys, std::span<const std::uint64_t> bytes);

  [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
  /// Memory that is taken, but for a pointer to each page.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr VertexId kPage = 64;  // vertices
  using Page = std::array<Held, kPage>;

  [[nodiscard]] std::unique_ptr<Page>& page_of(const ListKey& key) {
    return pages_[static_cast<std::size_t>(key.direction)][key.vertex / kPage];
  }
  /// The place of a list in its page; makes the page if there is none.
  [[nodiscard]] Held& place_of(const ListKey& key);
  [[nodiscard]] std::vector<std::pair<ListKey, Held>> all() const;
  void shrink();

  std::uint64_t most_;
  std::uint64_t bytes_ = 0;
  std::uint64_t now_ = 1;
  std::array<std::vector<std::unique_ptr<Page>>, 2> pages_;  ///< of out- and in-lists; null if there is none
  std::vector<std::vector<std::byte>> memory_;
};

}  // namespace rizoma::query
