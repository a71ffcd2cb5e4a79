// StealRequests: work on ranked lists moves between processes that cannot read each other's memory.
//
// How: between its blocks a process looks for messages.  One that has nothing left asks the one that has most left as
// far as it knows, and gets up to 8 blocks in one message: their lists, and all that they lead to and it lacks, within
// a bound of bytes.  Before it works on these it asks for the next.  The owner remembers what each asker has
// (known_lists.h).  Lists that do not fit into an answer stay with their owner.  A process that has 16 blocks left or
// fewer tells all others, who ask it no more.
// Cost: of what moves, one to two bytes an entry; n / 8 bytes for each process that has asked.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "engine/balance/known_lists.h"
#include "engine/balance/list_answer.h"
#include "engine/balance/list_stealing.h"
#include "engine/exchange/wire.h"
#include "platform/mutex.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

class StealRequests final : public ListStealing {
 public:
  static constexpr std::uint64_t kMostSent = std::uint64_t{4} << 20;

  /// Collective.  Lists and core must outlive this.  `most_sent`: bytes of an answer.  Errors: io (a process is lost).
  static Result<std::unique_ptr<StealRequests>> make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                     std::uint64_t most_sent = kMostSent);

 private:
  enum class Kind : std::uint8_t { question, answer, done, ended };

  StealRequests(Engine& engine, OrientedLists& lists, CoreRows& core, std::uint64_t most_sent);
  [[nodiscard]] std::uint64_t own_blocks() const override { return blocks_of(work_.size()); }
  Result<std::span<const DegreeRank>> take_own() override;
  Status end_own(Own own) override;
  Result<bool> do_others(Other other, unsigned thread) override;
  void end_for_all() override;

  [[nodiscard]] std::uint64_t blocks_left() const noexcept;
  [[nodiscard]] std::span<const DegreeRank> next_block() noexcept;
  Status look_now_and_then();
  Status say_done();
  Result<std::unique_ptr<AnsweredLists>> next_of_others();
  Status tell_all(Kind kind) RIZOMA_REQUIRES(guard_);
  Status read(const RankMessage& message) RIZOMA_REQUIRES(guard_);
  Status ask_fullest() RIZOMA_REQUIRES(guard_);
  Status answer(unsigned process, WireReader& question) RIZOMA_REQUIRES(guard_);

  const std::uint64_t most_sent_;
  const std::vector<DegreeRank> work_;  ///< this process's lists with two members or more
  std::atomic<std::uint64_t> next_{0};  ///< of its blocks
  std::atomic<bool> said_done_{false};
  std::atomic<bool> ended_{false};  ///< on some process
  std::atomic<std::chrono::steady_clock::rep> looked_{0};
  Mutex guard_;                                                   ///< of messages
  KnownLists known_ RIZOMA_GUARDED_BY(guard_);                    ///< what others have
  std::vector<DegreeRank> kept_back_ RIZOMA_GUARDED_BY(guard_);   ///< lists of blocks of which others have the rest
  std::vector<std::uint64_t> left_of_ RIZOMA_GUARDED_BY(guard_);  ///< blocks, as last known
  std::optional<unsigned> asked_ RIZOMA_GUARDED_BY(guard_);       ///< the process that has not answered yet
  std::unique_ptr<AnsweredLists> answered_ RIZOMA_GUARDED_BY(guard_);  ///< for the next idle thread
};

}  // namespace rizoma
