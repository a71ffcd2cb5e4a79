// What tests of reading and writing files share: a sink that keeps everything, a directory for the
// length of a test, an executor of real threads.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/ingest.h>

#include "platform/thread_pool.h"
#include "testing/temporary_directory.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace rizoma::testing {

/// Keeps all edges and vertices in the order of delivery; checks that no two calls overlap.
class CollectingSink final : public BatchSink {
 public:
  struct Edge {
    std::string source;
    std::string target;
    double weight = 1;
    friend bool operator==(const Edge&, const Edge&) = default;
    friend bool operator<(const Edge& a, const Edge& b) {
      return std::tie(a.source, a.target, a.weight) < std::tie(b.source, b.target, b.weight);
    }
    friend std::ostream& operator<<(std::ostream& out, const Edge& e) {
      return out << e.source << "->" << e.target << ":" << e.weight;
    }
  };

  Status edges(EdgeBatch&& batch) override {
    overlapping |= busy_.exchange(true);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      collected.push_back(
          {text(batch.sources, i), text(batch.targets, i), batch.weights.empty() ? 1 : batch.weights[i]});
    }
    ++batches;
    busy_ = false;
    return stop_after != 0 && batches >= stop_after ? Status(Error{ErrorCode::io, "the sink is full"}) : Status();
  }
  Status vertices(IdColumn&& ids) override {
    for (std::size_t i = 0; i < size(ids); ++i) vertex_ids.push_back(text(ids, i));
    return {};
  }

  std::vector<Edge> collected;
  std::vector<std::string> vertex_ids;
  std::size_t batches = 0;
  std::size_t stop_after = 0;  ///< fail at this batch, if not 0
  bool overlapping = false;

 private:
  static std::string text(const IdColumn& ids, std::size_t i) {
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&ids)) return std::to_string((*numbers)[i]);
    return std::string(std::get<StringColumn>(ids)[i]);
  }
  std::atomic<bool> busy_ = false;
};

/// Real threads without an engine; stops after some reports on request.
class PoolExecutor final : public Executor {
 public:
  explicit PoolExecutor(unsigned threads, unsigned stop_after_reports = 0)
      : pool_(threads), stop_after_(stop_after_reports) {}
  [[nodiscard]] unsigned threads() const noexcept override { return pool_.threads(); }
  [[nodiscard]] bool stopping() const noexcept override { return stop_after_ != 0 && reports_ >= stop_after_; }
  Status report(std::string_view phase, double done, double total) override {
    ++reports_;
    last_done = done;
    last_total = total;
    if (stopping()) return Error{ErrorCode::cancelled, std::string(phase) + " was stopped"};
    return {};
  }
  void parallel(FunctionRef<void(unsigned thread)> body) override { pool_.run(body); }
  Status for_blocks(std::uint64_t size, std::uint64_t grain, FunctionRef<void(VertexRange, unsigned)> body) override {
    return SerialExecutor().for_blocks(size, grain, body);
  }
  double last_done = 0;
  double last_total = 0;

 private:
  ThreadPool pool_;
  unsigned stop_after_;
  unsigned reports_ = 0;
};

/// A file of tests/data/formats.
[[nodiscard]] inline std::filesystem::path format_example(std::string_view name) {
  return std::filesystem::path(__FILE__).parent_path().parent_path() / "tests" / "data" / "formats" / name;
}

}  // namespace rizoma::testing
