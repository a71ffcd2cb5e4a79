#include "predicate/operations.h"
#include "predicate/text_functions.h"

#include <string_view>

namespace rizoma::predicate {
namespace {

using Text = std::string_view;

template <class Append>
void make_texts(const Values& a, Values& to, Append append) {
  to.bytes.clear();
  std::int64_t* const ends = to.room<std::int64_t>(to.rows);
  for (std::size_t i = 0; i < to.rows; ++i) {
    append(to.bytes, a.data<Text>()[i]);
    ends[i] = static_cast<std::int64_t>(to.bytes.size());
  }
  Text* const texts = to.room<Text>(to.rows);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < to.rows; ++i) {
    const auto end = static_cast<std::size_t>(ends[i]);
    texts[i] = Text(to.bytes).substr(begin, end - begin);
    begin = end;
  }
  to.take_states(a);
}

template <class F>
void test_pair(const Values& a, const Values& b, Values& to, F f) {
  for_each_row<Text, Text, std::uint8_t>(a, b, to, [f](Text x, Text y) { return static_cast<std::uint8_t>(f(x, y)); });
  to.join_states(a, b);
}

}  // namespace

void run_text(Operation operation, std::span<const Values* const> operands, Values& to) {
  const Values& a = *operands[0];
  switch (operation) {
    case Operation::lower: return make_texts(a, to, append_lower);
    case Operation::upper: return make_texts(a, to, append_upper);
    case Operation::length:
      for_each_row<Text, std::int64_t>(a, to, [](Text x) { return static_cast<std::int64_t>(characters_in(x)); });
      return to.take_states(a);
    case Operation::starts_with: return test_pair(a, *operands[1], to, [](Text x, Text y) { return x.starts_with(y); });
    case Operation::ends_with: return test_pair(a, *operands[1], to, [](Text x, Text y) { return x.ends_with(y); });
    case Operation::contains:
      return test_pair(a, *operands[1], to, [](Text x, Text y) { return x.find(y) != Text::npos; });
    case Operation::has: return test_pair(a, *operands[1], to, has_item);
    default: break;
  }
  const Text escape = operands.size() == 3 ? operands[2]->at<Text>(0) : Text();
  const Values& pattern = *operands[1];
  if (!pattern.constant) {
    return test_pair(a, pattern, to, [escape](Text x, Text y) { return LikePattern(y, escape).matches(x); });
  }
  const LikePattern like(pattern.at<Text>(0), escape);
  test_pair(a, pattern, to, [&like](Text x, Text) { return like.matches(x); });
}

}  // namespace rizoma::predicate
