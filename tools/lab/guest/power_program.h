// What the programs of a power cut have in common: they write, round by round, until the power goes,
// and check afterwards that what they had acknowledged is there.
//
//   PROGRAM write LAYOUT DIR...       prints "acknowledged N" after each round, without end
//   PROGRAM check N LAYOUT DIR...     exit code 0 if rounds 1..N are there and whole
#pragma once

#include <rizoma/result.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace rizoma::lab {

struct PowerProgram {
  std::string_view name;
  std::string_view layouts;  ///< for the usage message
  /// Begins to write; returns what does a round, numbered from 1, durably.
  std::function<Result<std::function<Status(std::uint64_t round)>>(std::string_view layout,
                                                                   std::span<char*> directories)>
      write;
  std::function<Status(std::uint64_t rounds, std::string_view layout, std::span<char*> directories)> check;
};

/// The main function of such a program.
int run_power_program(const PowerProgram& program, int argc, char** argv);

}  // namespace rizoma::lab
