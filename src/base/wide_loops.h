// Loops over arrays, compiled twice: for every processor, and for those with vectors of 64 bytes (AVX-512), which are
// distinguished when the loop is run.
//
// How.  A loop is a lambda that is marked RIZOMA_INLINED, as are the functions that it calls, so that the compiler
// vectorises it for the place that it is inlined into.  Not by ifunc: its resolvers run before sanitizers are ready.
// Cost: a load and a branch for each run, so a run is to be more than a few entries.
#pragma once

#define RIZOMA_INLINED __attribute__((always_inline))

namespace rizoma {

#if defined(__x86_64__)

inline bool has_wide_vectors() noexcept {
  static const bool wide = __builtin_cpu_supports("avx512f") > 0 && __builtin_cpu_supports("avx512dq") > 0 &&
                           __builtin_cpu_supports("avx512bw") > 0 && __builtin_cpu_supports("avx512vl") > 0;
  return wide;
}

template <class Loop>
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))) auto run_on_wide_vectors(const Loop& loop) {
  return loop();
}

template <class Loop>
auto run_loop(const Loop& loop) {
  return has_wide_vectors() ? run_on_wide_vectors(loop) : loop();
}

#else

template <class Loop>
auto run_loop(const Loop& loop) {
  return loop();
}

#endif

}  // namespace rizoma
