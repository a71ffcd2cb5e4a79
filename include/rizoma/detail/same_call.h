// The first collective of a kernel: all ranks make the same call, or all get an error that says what differs.
// Module: engine.
//
// How: each rank sends the kernel's name and its arguments as text; of arrays a size and a hash.
// Cost: one collective of some hundred bytes; nothing in one process.
#pragma once

#include <rizoma/result.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace rizoma {

class Engine;

/// A named argument of a kernel.
struct CallArgument {
  CallArgument(std::string_view argument, std::integral auto given) : name(argument), value(std::to_string(given)) {}
  CallArgument(std::string_view argument, double given) : name(argument), value(text_of(given)) {}
  template <class T>
  CallArgument(std::string_view argument, std::span<const T> given)
      : name(argument), value(text_of(std::as_bytes(given), given.size())) {}

  std::string_view name;
  std::string value;

 private:
  static std::string text_of(double given);
  static std::string text_of(std::span<const std::byte> content, std::size_t values);
};

/// Ok if all ranks of the engine run this kernel with these arguments.  Collective; call it before any other.
/// Errors: invalid_argument, on all ranks: names the argument that differs first, its values, and the ranks.
Status expect_same_call(Engine& engine, std::string_view kernel, std::initializer_list<CallArgument> arguments);

}  // namespace rizoma
