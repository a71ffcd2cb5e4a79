// Ids that are strings are text: whatever shows a graph, in Python above all, takes them for UTF-8.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "base/utf8.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace rizoma {

/// The Error for an id that is no text.
[[nodiscard]] Error id_is_no_text(std::string_view id);

/// Fails if a new id, whose number is `before` or more, is not UTF-8; `get(i)` is the id with number `numbers[i]`.  Ids
/// of older stores may be any bytes and are accepted (`check` names them).
template <class Get>
Status check_new_ids(Get&& get, std::span<const VertexId> numbers, VertexId before) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= before && !is_utf8(get(i))) return id_is_no_text(get(i));
  }
  return {};
}

}  // namespace rizoma
