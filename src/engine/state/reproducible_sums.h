// ReproducibleSums: sums of fractions that do not depend on the order in which threads add.
//
// What: for each vertex a sum of terms count / divisor, such as of 1 / distance.
// How: whole numbers of 2^-64: addition of integers has no order.  A term is off by less than count * 2^-64.
// Cost: 16 bytes a vertex; a division for each term.
#pragma once

#include <rizoma/engine.h>

#include <cmath>
#include <cstdint>

namespace rizoma {

class ReproducibleSums {
 public:
  ReproducibleSums() = default;
  ReproducibleSums(Engine& engine, VertexId n)
      : whole_(engine.make_map<std::uint64_t>(n, 0)), parts_(engine.make_map<std::uint64_t>(n, 0)) {}

  /// Adds count / divisor, which is not 0.
  void add(VertexId v, std::uint64_t count, std::uint64_t divisor) {
    if (divisor == 1) return add_parts(v, count, 0);
    const Wide term = static_cast<Wide>(count) * (~std::uint64_t{0} / divisor);
    add_parts(v, static_cast<std::uint64_t>(term >> 64U), static_cast<std::uint64_t>(term));
  }
  /// Adds the sums of another one of as many vertices.
  void add(const ReproducibleSums& other) {
    for (VertexId v = 0; v < whole_.size(); ++v) add_parts(v, other.whole_[v], other.parts_[v]);
  }
  [[nodiscard]] double operator[](VertexId v) const {
    return static_cast<double>(whole_[v]) + std::ldexp(static_cast<double>(parts_[v]), -64);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  void add_parts(VertexId v, std::uint64_t whole, std::uint64_t parts) {
    const Wide sum = static_cast<Wide>(parts_[v]) + parts;
    parts_[v] = static_cast<std::uint64_t>(sum);
    whole_[v] += whole + static_cast<std::uint64_t>(sum >> 64U);
  }

  VertexMap<std::uint64_t> whole_;
  VertexMap<std::uint64_t> parts_;
};

}  // namespace rizoma
