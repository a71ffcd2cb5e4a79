// Memory cases of the probe: a bound team of threads, each with its own slice of a bound buffer.
#include "base/check.h"
#include "platform/clock.h"
#include "platform/os_error.h"
#include "platform/probe_buffer.h"
#include "platform/probe_kernels.h"
#include "platform/thread_pool.h"

#include <pthread.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/lab/probe.h>
#include <rizoma/topology.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <thread>

namespace rizoma {
namespace {

using probe::kLine;
using probe::kLineWords;
using probe::ProbeBuffer;

constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kLoads = std::uint64_t{1} << 17;  ///< of a latency sample: some 10 ms
constexpr double kFactor = 3.0;                           ///< the q of STREAM, as McCalpin has it

/// Results of read loops go here, so that the loops are not dropped.
std::atomic<std::uint64_t> sink;

Result<std::vector<unsigned>> processors_of(unsigned node) {
  for (TopologyNode& candidate : machine_topology().nodes) {
    if (candidate.id != node) continue;
    if (!candidate.processors.empty()) return std::move(candidate.processors);
    return Error{ErrorCode::invalid_argument,
                 "node " + std::to_string(node) + " has no processors that this process may use"};
  }
  return Error{ErrorCode::invalid_argument, "this machine has no node " + std::to_string(node)};
}

Status bind_to(unsigned processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  const int failed = ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
  if (failed == 0) return {};
  return os_error("bind a thread to", "processor " + std::to_string(processor), failed);
}

/// Runs body on a new thread that is bound to processors[0], and hands it a pool whose other threads
/// are bound to the processors that follow.  The caller's own binding stays as it is.
Status with_bound_threads(unsigned threads, const std::vector<unsigned>& processors,
                          FunctionRef<Status(ThreadPool&)> body) {
  Status status;
  std::exception_ptr thrown;
  std::thread leader([&] {
    try {
      status = bind_to(processors.front());
      if (!status) return;
      ThreadPool pool(threads, processors);
      status = body(pool);
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  leader.join();
  if (thrown) std::rethrow_exception(thrown);
  return status;
}

/// The part of `all` that belongs to one thread: whole lines, so that no two threads share one.
template <class T>
std::span<T> slice(std::span<T> all, unsigned thread, unsigned threads) {
  constexpr std::size_t per_line = kLine / sizeof(T);
  const std::size_t lines = all.size() / per_line / threads;
  return all.subspan(thread * lines * per_line, lines * per_line);
}

/// Three arrays of doubles for STREAM, each a third of the buffer.
struct StreamArrays {
  explicit StreamArrays(std::span<double> all) {
    const std::size_t n = all.size() / 3 / (kLine / sizeof(double)) * (kLine / sizeof(double));
    a = all.subspan(0, n);
    b = all.subspan(n, n);
    c = all.subspan(2 * n, n);
  }
  std::span<double> a, b, c;
};

/// Bytes that a kernel moves in one pass over `buffer`, or the loads of a latency sample.
std::uint64_t units_of(MemoryKernel kernel, const ProbeBuffer& buffer, unsigned threads) {
  const std::uint64_t third = slice(StreamArrays(buffer.as<double>()).a, 0, threads).size_bytes() * threads;
  switch (kernel) {
    case MemoryKernel::latency: return kLoads;
    case MemoryKernel::copy:
    case MemoryKernel::scale: return 2 * third;
    case MemoryKernel::add:
    case MemoryKernel::triad: return 3 * third;
    default: return slice(buffer.as<std::uint64_t>(), 0, threads).size_bytes() * threads;
  }
}

/// One thread's part of one pass.  `pass` makes each pass of a random kernel choose other lines.
void run_share(MemoryKernel kernel, const ProbeBuffer& buffer, unsigned thread, unsigned threads, std::uint64_t pass) {
  const std::span<std::uint64_t> words = slice(buffer.as<std::uint64_t>(), thread, threads);
  const std::uint64_t lines = words.size() / kLineWords;
  const StreamArrays all(buffer.as<double>());
  const std::span<double> a = slice(all.a, thread, threads);
  const std::span<double> b = slice(all.b, thread, threads);
  const std::span<double> c = slice(all.c, thread, threads);
  switch (kernel) {
    case MemoryKernel::latency: RIZOMA_CHECK(false); break;  // has its own loop
    case MemoryKernel::sequential_read: sink += probe::read_sequential(words); break;
    case MemoryKernel::sequential_write: probe::write_sequential(words, pass); break;
    case MemoryKernel::random_read: sink += probe::read_random(words, lines, pass); break;
    case MemoryKernel::random_write: probe::write_random(words, lines, pass, pass); break;
    case MemoryKernel::copy: probe::stream_copy(a, c); break;
    case MemoryKernel::scale: probe::stream_scale(c, b, kFactor); break;
    case MemoryKernel::add: probe::stream_add(a, b, c); break;
    case MemoryKernel::triad: probe::stream_triad(b, c, a, kFactor); break;
  }
}

/// Times `pass(i)` until there are enough samples or the time is up; the first pass only warms up.
std::vector<double> take_samples(const MemoryCase& what, FunctionRef<void(std::uint64_t)> pass) {
  std::vector<double> seconds;
  pass(0);
  const Stopwatch total;
  do {
    const Stopwatch one;
    pass(seconds.size() + 1);
    seconds.push_back(one.seconds());
  } while (seconds.size() < what.samples && total.seconds() < what.seconds);
  return seconds;
}

std::vector<double> sample_latency(const MemoryCase& what, const ProbeBuffer& buffer) {
  const std::span<std::uint64_t> words = buffer.as<std::uint64_t>();
  probe::link_cycle(words, 1);
  std::uint64_t place = 0;  // continues where the last sample ended: those lines are not in the cache
  std::vector<double> seconds =
      take_samples(what, [&](std::uint64_t) { place = probe::follow_cycle(words, place, kLoads); });
  sink += place;
  return seconds;
}

std::vector<double> sample_bandwidth(const MemoryCase& what, const ProbeBuffer& buffer, ThreadPool& pool) {
  return take_samples(what, [&](std::uint64_t pass) {
    pool.run([&](unsigned thread) { run_share(what.kernel, buffer, thread, pool.threads(), pass); });
  });
}

Result<ProbeBuffer> make_buffer(const MemoryCase& what) {
  const std::size_t bytes = what.bytes / kLeastBytes * kLeastBytes;
  return what.directory.empty() ? ProbeBuffer::on_node(what.memory_node, bytes)
                                : ProbeBuffer::in_directory(what.directory, bytes);
}

}  // namespace

std::vector<ProbeNode> probe_nodes() {
  std::vector<ProbeNode> nodes;
  for (TopologyNode& node : machine_topology().nodes) {
    nodes.push_back({node.id, std::move(node.processors), node.memory_bytes, std::move(node.memory_kind)});
  }
  return nodes;
}

Result<ProbeSamples> probe_memory(const MemoryCase& what) {
  if (what.bytes < kLeastBytes || what.samples == 0) {
    return Error{ErrorCode::invalid_argument, "probing memory needs at least one sample and 1 MiB of working set"};
  }
  RIZOMA_ASSIGN(const std::vector<unsigned> processors, processors_of(what.processor_node));
  const auto usable = static_cast<unsigned>(processors.size());
  const unsigned wanted = what.threads == 0 ? usable : std::min(what.threads, usable);
  const unsigned threads = what.kernel == MemoryKernel::latency ? 1 : wanted;
  ProbeSamples result;
  RIZOMA_TRY(with_bound_threads(threads, processors, [&](ThreadPool& pool) -> Status {
    RIZOMA_ASSIGN(const ProbeBuffer buffer, make_buffer(what));
    result.units = units_of(what.kernel, buffer, threads);
    result.seconds =
        what.kernel == MemoryKernel::latency ? sample_latency(what, buffer) : sample_bandwidth(what, buffer, pool);
    return {};
  }));
  result.threads = threads;
  return result;
}

}  // namespace rizoma
