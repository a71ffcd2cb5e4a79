#include "api/medium_checkpoints.h"

#include "api/checkpoint_file.h"
#include "base/checksum.h"
#include "base/random.h"
#include "base/text.h"
#include "platform/clock.h"
#include "platform/file_medium.h"

#include <rizoma/detail/ranks.h>
#include <rizoma/gather.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// A number that is the same for graphs with the same lists and weights, however they are stored and divided.
Result<std::uint64_t> fingerprint_of(Engine& engine, const GraphView& graph) {
  std::vector<PerThread<std::uint64_t>> sums(engine.threads());
  const bool weighted = graph.weight_type() != WeightType::none;
  RIZOMA_TRY(gather<true>(engine, graph, {}, [&](VertexId v, const auto& entries, unsigned thread) {
    std::uint64_t hash = checksum(std::as_bytes(entries.sources()), v);
    for (std::size_t i = 0; weighted && i < entries.size(); ++i) {
      hash = mix64(hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(entries.weight(i))));
    }
    sums[thread].value += mix64(hash);
  }));
  std::uint64_t sum = 0;
  for (const auto& of_thread : sums) sum += of_thread.value;
  RIZOMA_ASSIGN(sum, over_ranks(engine, sum, std::plus<>()));
  return mix64(sum + (graph.directed() ? 1 : 0));
}

class FileCheckpoints final : public Checkpoints {
 public:
  FileCheckpoints(std::shared_ptr<Medium> medium, Ranks* ranks, CheckpointOptions options, CheckpointOf of)
      : medium_(std::move(medium)), ranks_(ranks), options_(std::move(options)), of_(std::move(of)) {}
  ~FileCheckpoints() override {
    lock_.reset();
    std::error_code ignored;  // another job's states may be there
    if (finished_) std::filesystem::remove(options_.directory, ignored);
  }
  FileCheckpoints(const FileCheckpoints&) = delete;
  FileCheckpoints& operator=(const FileCheckpoints&) = delete;

  Status take_lock() {
    if (!is_first()) return {};
    RIZOMA_ASSIGN(lock_, medium_->lock_for_writing());
    return {};
  }

  Result<bool> resume(const IterationState& state) override {
    if (!options_.resume) return false;
    RIZOMA_ASSIGN(const bool there, is_first() ? medium_->exists(options_.name) : Result<bool>(false));
    RIZOMA_ASSIGN(const bool found, said_by_first(there));
    if (!found) return false;
    if (is_first()) RIZOMA_TRY(read_checkpoint(*medium_, options_.name, of_, state));
    if (ranks_ != nullptr) RIZOMA_TRY(hand_out(state));
    return true;
  }

  Result<bool> due() override { return said_by_first(since_.seconds() >= options_.every); }

  Status keep(const IterationState& state) override {
    for (const StateColumn& column : state.columns) {
      if (ranks_ != nullptr) RIZOMA_TRY(ranks_->gather(column.values, column.value_bytes, 0));
    }
    if (is_first()) RIZOMA_TRY(write_checkpoint(*medium_, options_.name, of_, state));
    since_.restart();
    return {};
  }

  Status finish() override {
    if (!is_first()) return {};
    // First the state, then the lock: the next owner of the lock finds nothing of this job, and loses nothing to it.
    Status removed = remove_checkpoint(*medium_, options_.name);
    lock_->remove_file();
    finished_ = true;
    return removed;
  }

 private:
  [[nodiscard]] bool is_first() const noexcept { return ranks_ == nullptr || ranks_->rank() == 0; }

  Result<bool> said_by_first(bool mine) {
    if (ranks_ == nullptr) return mine;
    RIZOMA_ASSIGN(const std::vector<char> said, ranks_->all(static_cast<char>(mine)));
    return said[0] != 0;
  }

  /// The first rank has all values and the figures; each rank receives those of its own vertices.
  Status hand_out(const IterationState& state) {
    const auto figures = std::as_writable_bytes(state.figures);
    std::vector<std::vector<std::byte>> to(ranks_->size());
    if (is_first()) std::fill(to.begin() + 1, to.end(), std::vector<std::byte>(figures.begin(), figures.end()));
    RIZOMA_ASSIGN(const auto received, ranks_->collective(CollectiveKind::gather, std::move(to)));
    if (!is_first()) std::ranges::copy(received[0], figures.begin());
    for (const StateColumn& column : state.columns) RIZOMA_TRY(hand_out(column));
    return {};
  }
  Status hand_out(const StateColumn& column) {
    auto* const values = static_cast<std::byte*>(column.values);
    std::vector<std::vector<std::byte>> to(ranks_->size());
    for (unsigned rank = 1; is_first() && rank < ranks_->size(); ++rank) {
      for (const VertexRange range : ranks_->ranges_of(rank)) {
        to[rank].insert(to[rank].end(), values + range.begin * column.value_bytes,
                        values + range.end * column.value_bytes);
      }
    }
    RIZOMA_ASSIGN(const auto received, ranks_->collective(CollectiveKind::gather, std::move(to)));
    if (is_first()) return {};
    const std::byte* from = received[0].data();
    for (const VertexRange range : ranks_->ranges_of(ranks_->rank())) {
      std::copy_n(from, range.size() * column.value_bytes, values + range.begin * column.value_bytes);
      from += range.size() * column.value_bytes;
    }
    return {};
  }

  std::shared_ptr<Medium> medium_;  ///< of the first rank
  Ranks* ranks_;                    ///< null: this process is alone
  CheckpointOptions options_;
  CheckpointOf of_;
  std::unique_ptr<WriterLock> lock_;
  Stopwatch since_;
  bool finished_ = false;
};

}  // namespace

Result<std::unique_ptr<Checkpoints>> checkpoints_in(std::shared_ptr<Medium> medium, Engine& engine,
                                                    const GraphView& graph, const CheckpointOptions& options) {
  if (!(options.every >= 0)) {
    return Error{ErrorCode::invalid_argument,
                 "the time between two checkpoints is " + to_text(options.every) + " s; it must be 0 s or more"};
  }
  if (engine.ranks() != nullptr) RIZOMA_TRY(engine.ranks()->divide(graph));
  RIZOMA_ASSIGN(const std::uint64_t fingerprint, fingerprint_of(engine, graph));
  auto made = std::make_unique<FileCheckpoints>(std::move(medium), engine.ranks(), options,
                                                CheckpointOf{options.job, graph.num_vertices(), fingerprint});
  RIZOMA_TRY(made->take_lock());
  return std::unique_ptr<Checkpoints>(std::move(made));
}

Result<std::unique_ptr<Checkpoints>> open_checkpoints(Engine& engine, const GraphView& graph,
                                                      const CheckpointOptions& options) {
  std::shared_ptr<Medium> medium;
  if (engine.ranks() == nullptr || engine.ranks()->rank() == 0) {
    RIZOMA_ASSIGN(medium, open_file_medium(options.directory, true));
  }
  return checkpoints_in(std::move(medium), engine, graph, options);
}

}  // namespace rizoma
