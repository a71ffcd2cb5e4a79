#include "engine/balance/steal_requests.h"

#include "base/check.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace rizoma {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = std::chrono::microseconds(50);
constexpr auto kPatience = std::chrono::microseconds(500);  // between two looks whether to go on

}  // namespace

StealRequests::StealRequests(Engine& engine, OrientedLists& lists, CoreRows& core, std::uint64_t most_sent)
    : ListStealing(engine, lists, core), most_sent_(most_sent), work_(work_of(lists)), known_(lists) {}

Result<std::unique_ptr<StealRequests>> StealRequests::make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                           std::uint64_t most_sent) {
  std::unique_ptr<StealRequests> asked(new StealRequests(engine, lists, core, most_sent));
  RIZOMA_ASSIGN(std::vector<std::uint64_t> left_of, lists.processes()->all(asked->own_blocks()));
  const MutexLock lock(asked->guard_);
  asked->said_done_ = asked->own_blocks() <= kThreshold;  // no process will ask
  asked->left_of_ = std::move(left_of);
  return asked;
}

std::uint64_t StealRequests::blocks_left() const noexcept {
  return own_blocks() - std::min(own_blocks(), next_.load());
}

/// The lists of the next block, for this process or another; none: there is none.
std::span<const ListStealing::DegreeRank> StealRequests::next_block() noexcept {
  const std::uint64_t number = next_.fetch_add(1);
  if (number >= own_blocks()) return {};
  const std::uint64_t begin = number * kBlock;
  return std::span(work_).subspan(begin, std::min<std::uint64_t>(kBlock, work_.size() - begin));
}

// --- Who has work --------------------------------------------------------------------------------------------------

Result<std::span<const ListStealing::DegreeRank>> StealRequests::take_own() {
  RIZOMA_TRY(look_now_and_then());
  return ended_ ? std::span<const DegreeRank>() : next_block();
}

/// What others were asked for and could not be sent.
Status StealRequests::end_own(Own own) {
  RIZOMA_TRY(say_done());
  std::vector<DegreeRank> lists;
  {
    const MutexLock lock(guard_);
    lists.swap(kept_back_);
  }
  return engine_.for_blocks(lists.size(), 1, [&](VertexRange some, unsigned thread) {
    for (VertexId i = some.begin; i < some.end && !ended_; ++i) own(lists[i], thread);
  });
}

/// Answers requests, unless they were checked just now or another thread does so.
Status StealRequests::look_now_and_then() {
  if (said_done_) return {};
  const auto now = Clock::now().time_since_epoch();
  if (blocks_left() <= kThreshold) return say_done();
  if (now - Clock::duration(looked_.load(std::memory_order_relaxed)) < kBetweenLooks) return {};
  const HeldLock lock(guard_, std::try_to_lock);
  if (!lock.owns_lock()) return {};
  lock.holds(guard_);
  looked_.store(now.count(), std::memory_order_relaxed);
  for (;;) {
    RIZOMA_ASSIGN(const std::optional<RankMessage> message, processes_.receive({}));
    if (!message) return {};
    RIZOMA_TRY(read(*message));
  }
}

/// Tells all others that there is nothing to ask for.
Status StealRequests::say_done() {
  const MutexLock lock(guard_);
  if (said_done_.exchange(true)) return {};
  return tell_all(Kind::done);
}

Status StealRequests::tell_all(Kind kind) {
  for (unsigned step = 1; step < processes_.size(); ++step) {
    WireWriter writer;
    writer.put(kind);
    RIZOMA_TRY(processes_.send((processes_.rank() + step) % processes_.size(), std::move(writer).take()));
  }
  return {};
}

/// A process that ends early takes part in no further round, and the others' results would be discarded. They learn in
/// their next round that it has ended.
void StealRequests::end_for_all() {
  if (ended_.exchange(true)) return;  // a thread that waits for an answer sees it, and releases the lock
  const MutexLock lock(guard_);
  // An error: a process is lost, which the others see themselves.
  try {
    static_cast<void>(tell_all(Kind::ended));
  } catch (const std::bad_alloc&) {
    processes_.abort({ErrorCode::out_of_memory, "not enough memory to report an error to the other ranks"});
  }
}

Status StealRequests::read(const RankMessage& message) {
  WireReader reader(message.bytes);
  switch (reader.get<Kind>()) {
    case Kind::question: return said_done_ ? Status() : answer(message.from, reader);
    case Kind::answer:
      RIZOMA_CHECK(asked_ == message.from && answered_ == nullptr);
      asked_.reset();
      answered_ = std::make_unique<AnsweredLists>(lists_, core_);
      answered_->process = message.from;
      known_.let_go(answered_->read(reader, lists_, core_, kept_));
      left_of_[message.from] = answered_->left();
      return {};
    case Kind::done:
      left_of_[message.from] = 0;
      if (asked_ == message.from) asked_.reset();
      return {};
    case Kind::ended: ended_ = true; return {};
  }
  RIZOMA_CHECK(false);
  return {};
}

Status StealRequests::answer(unsigned process, WireReader& question) {
  VertexSet& has = known_.read_question(process, question);
  ListAnswer answer(lists_, most_sent_);
  std::uint64_t blocks = 0;
  while (blocks < kAtOnce && !answer.is_full() && blocks_left() > kThreshold) {
    const std::span<const DegreeRank> block = next_block();
    if (block.empty()) break;
    ++blocks;
    for (const DegreeRank r : block) {
      if (!answer.add(r, has)) kept_back_.push_back(r);
    }
  }
  if (blocks == 0) return {};  // the end is announced soon
  WireWriter writer;
  writer.put(Kind::answer);
  std::move(answer).put(blocks, blocks_left(), writer);
  return processes_.send(process, std::move(writer).take());
}

// --- Who has none --------------------------------------------------------------------------------------------------

Result<bool> StealRequests::do_others(Other other, unsigned thread) {
  RIZOMA_ASSIGN(const std::unique_ptr<AnsweredLists> answered, next_of_others());
  if (answered == nullptr) return false;
  for (std::size_t i = 0; i < answered->work().size(); ++i) {
    if (engine_.stopping() || ended_) return false;
    other(answered->work()[i], answered->list(i), *answered, thread);
  }
  processes_.count_migrated(answered->process, answered->blocks());
  return true;
}

/// Null: there is none any more.  The other threads wait for the one that waits for an answer.
Result<std::unique_ptr<AnsweredLists>> StealRequests::next_of_others() {
  const MutexLock lock(guard_);
  while (!ended_ && !engine_.stopping()) {
    if (!asked_) RIZOMA_TRY(ask_fullest());
    if (answered_ != nullptr) return std::move(answered_);
    if (!asked_) break;
    RIZOMA_ASSIGN(const std::optional<RankMessage> message, processes_.receive(kPatience));
    if (message) RIZOMA_TRY(read(*message));
  }
  return std::unique_ptr<AnsweredLists>();
}

/// Nobody, if all have too little left.
Status StealRequests::ask_fullest() {
  std::uint64_t most = kThreshold;
  for (unsigned process = 0; process < processes_.size(); ++process) {
    if (process == processes_.rank() || left_of_[process] <= most) continue;
    most = left_of_[process];
    asked_ = process;
  }
  if (!asked_) return {};
  WireWriter writer;
  writer.put(Kind::question);
  known_.put_question(*asked_, core_, writer);
  return processes_.send(*asked_, std::move(writer).take());
}

}  // namespace rizoma
