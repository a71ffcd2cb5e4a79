// A plain static CSR in memory, and the reader of GAP's serialized graphs.  The bed of the yardstick.
//
// File (.sg unweighted, .wsg weighted; little endian): directed u8; entries i64; vertices i64;
// offsets i64[vertices + 1]; entries, each a target i32 (.sg) or a target i32 and a weight i32 (.wsg);
// a directed graph has offsets and entries of its transpose after these.
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace rizoma::yardstick {

using Vertex = std::int32_t;

/// An entry of a weighted list.
struct WeightedTarget {
  Vertex target;
  std::int32_t weight;
};

/// n values, not initialised: the thread that first writes a page places it.
template <class T>
using Array = std::unique_ptr<T[]>;

template <class T>
[[nodiscard]] Array<T> make_array(std::uint64_t n) {
  return Array<T>(new T[n]);
}

/// The lists of one direction: that of v is entries[offsets[v], offsets[v+1]), ascending.
template <class Entry>
struct Lists {
  Array<std::int64_t> offsets;
  Array<Entry> entries;

  [[nodiscard]] std::int64_t degree(Vertex v) const noexcept { return offsets[v + 1] - offsets[v]; }
  [[nodiscard]] std::span<const Entry> operator[](Vertex v) const noexcept {
    return {entries.get() + offsets[v], entries.get() + offsets[v + 1]};
  }
};

template <class Entry>
struct StaticCsr {
  bool directed = false;
  Vertex num_vertices = 0;
  std::int64_t num_entries = 0;
  Lists<Entry> out;
  Lists<Entry> transpose;  ///< of a directed graph

  [[nodiscard]] const Lists<Entry>& in() const noexcept { return directed ? transpose : out; }
};

using Csr = StaticCsr<Vertex>;
using WeightedCsr = StaticCsr<WeightedTarget>;

/// Errors: not_found, corrupt (shorter than its header says, or offsets or targets out of range).
Result<Csr> read_sg(const std::string& path);
Result<WeightedCsr> read_wsg(const std::string& path);

}  // namespace rizoma::yardstick
