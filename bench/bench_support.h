// What benches share: a clock, and errors that end the program.
#pragma once

#include <rizoma/result.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace rizoma::bench {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void require(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}
template <class T>
T require(Result<T> result) {
  if (!result) require(Status(result.error()));
  return *std::move(result);
}

}  // namespace rizoma::bench
