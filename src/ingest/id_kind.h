// Decides the kind of vertex ids from the beginning of a file.
#pragma once

#include <rizoma/batch.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// The rule:
///   An id such as "2.0" is the integer 2.
///   string   if an id begins with a 0 that an integer would lose ("007"), or the first edge's ids are not both
///            integers, and either there is no other edge or some id further on is not an integer either (one bad first
///            line is an error, not a string graph; one bad line further on is an error too);
///   dense    if the whole file was seen and its ids are 0..n-1 without a gap; or if only its
///            beginning was seen, no id in it is negative, the smallest is not 1 (such a file counts
///            from 1), and the largest is below 4 times the estimated number of edges;
///   integer  otherwise.  An empty file is dense.
class IdSample {
 public:
  void add(std::string_view source, std::string_view target);
  /// `whole_file`: every edge was added.  Otherwise `estimated_edges` is that of the whole file.
  [[nodiscard]] IdKind kind(bool whole_file, double estimated_edges) const;
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }
  /// Of strings: an id that looks like an integer, and why it is none.  Empty if there is none.
  [[nodiscard]] std::string why_strings() const;

 private:
  bool add_id(std::string_view id);

  std::string text_;  ///< the first id that is no integer
  bool zeros_ = false;

  std::vector<std::int64_t> ids_;
  std::uint64_t edges_ = 0;
  bool first_is_integer_ = true;
  bool others_are_integers_ = true;
};

/// What is expected where an id is none, and what to do about it.
inline constexpr const char* kExpectsInteger =
    "an id that is an integer of 64 bits (for names read with ids=\"string\")";
inline constexpr const char* kExpectsSomeId =
    "an id (lines without one are left out with null=\"\", or up to a number with skip_bad_lines=)";
inline constexpr const char* kExpectsNoZeros =
    "an id without leading zeros (with ids=\"string\" they stay, with ids=\"integer\" they go)";

inline constexpr const char* kExpectsNoThousands =
    "an id that can be read in one way: 1.000 is 1, or 1000 where points separate thousands (with ids=\"integer\" it "
    "is 1, with ids=\"string\" it stays as it is)";

/// True of "1.000" and "-250.000": a whole number with a fraction of zeros, or one with thousands.
[[nodiscard]] bool may_have_thousands(std::string_view id) noexcept;

/// True for digits that an integer would not keep: "007".
[[nodiscard]] inline bool has_leading_zero(std::string_view digits) noexcept {
  if (digits.starts_with('-')) digits.remove_prefix(1);
  return digits.size() > 1 && digits[0] == '0' && digits[1] != '.';
}

/// True for an optional '-' and digits that fit 64 bits.
[[nodiscard]] bool is_integer(std::string_view text, std::int64_t& value);

/// The same, with a point and zeros after it, as programs write integers that they hold as floating point: "2.0" is 2.
[[nodiscard]] bool is_whole_number(std::string_view text, std::int64_t& value);

}  // namespace rizoma
