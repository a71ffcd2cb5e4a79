#include "power_program.h"

#include <cstdio>
#include <cstdlib>

namespace rizoma::lab {
namespace {

int fail(const PowerProgram& program, const Error& error) {
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(program.name.size()), program.name.data(), error.message.c_str());
  return 1;
}

int write(const PowerProgram& program, std::string_view layout, std::span<char*> directories) {
  const auto write_round = program.write(layout, directories);
  if (!write_round) return fail(program, write_round.error());
  for (std::uint64_t round = 1;; ++round) {
    if (const Status status = (*write_round)(round); !status) return fail(program, status.error());
    std::printf("acknowledged %llu\n", static_cast<unsigned long long>(round));
    std::fflush(stdout);
  }
}

int check(const PowerProgram& program, std::uint64_t rounds, std::string_view layout, std::span<char*> directories) {
  if (const Status status = program.check(rounds, layout, directories); !status) return fail(program, status.error());
  std::printf("all %llu acknowledged rounds are there\n", static_cast<unsigned long long>(rounds));
  return 0;
}

}  // namespace

int run_power_program(const PowerProgram& program, int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? words[1] : "";
  if (what == "write" && argc > 3) return write(program, words[2], words.subspan(3));
  if (what == "check" && argc > 4)
    return check(program, std::strtoull(words[2], nullptr, 10), words[3], words.subspan(4));
  std::fprintf(stderr, "usage: %s write LAYOUT DIR... | check ROUNDS LAYOUT DIR...   LAYOUT: %.*s\n", words[0],
               static_cast<int>(program.layouts.size()), program.layouts.data());
  return 2;
}

}  // namespace rizoma::lab
