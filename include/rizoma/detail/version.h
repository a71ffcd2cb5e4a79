// The version of the library.  Module: base.
#pragma once

namespace rizoma {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace rizoma
