// How a list of texts, such as the labels of a vertex, is one text.  Module: base.
#pragma once

namespace rizoma {

/// Stands between the texts; none of them may have it.
inline constexpr char kItemSeparator = ';';

}  // namespace rizoma
