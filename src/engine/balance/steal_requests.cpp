#include "engine/balance/steal_requests.h"

#include "base/check.h"
#include "engine/balance/stealing_threads.h"
#include "engine/exchange/list_wire.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace rizoma {
namespace {

using DegreeRank = OrientedLists::DegreeRank;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = std::chrono::microseconds(50);
constexpr auto kPatience = std::chrono::microseconds(500);  // between two looks whether to go on

}  // namespace

StealRequests::StealRequests(Engine& engine, OrientedLists& lists, CoreRows& core, std::uint64_t most_sent)
    : engine_(engine),
      lists_(&lists),
      processes_(*lists.processes()),
      most_sent_(most_sent),
      core_(lists, core),
      asker_has_(processes_.size()),
      was_asked_(processes_.size()),
      gone_(processes_.size()),
      kept_(processes_.settings().cache_bytes) {
  for (VertexId r = 0; r < lists.size(); ++r) {
    if (lists.is_mine(r) && lists[r].size() > 1) work_.push_back(static_cast<DegreeRank>(r));
  }
}

Result<std::unique_ptr<StealRequests>> StealRequests::make(Engine& engine, OrientedLists& lists, CoreRows& core,
                                                           std::uint64_t most_sent) {
  std::unique_ptr<StealRequests> asked(new StealRequests(engine, lists, core, most_sent));
  RIZOMA_ASSIGN(std::vector<std::uint64_t> left_of, lists.processes()->all(asked->blocks()));
  const MutexLock lock(asked->guard_);
  asked->said_done_ = asked->blocks() <= kThreshold;  // no process will ask
  asked->left_of_ = std::move(left_of);
  return asked;
}

std::uint64_t StealRequests::blocks_left() const noexcept { return blocks() - std::min(blocks(), next_.load()); }

std::span<const DegreeRank> StealRequests::block(std::uint64_t number) const {
  const std::uint64_t begin = number * kBlock;
  return std::span(work_).subspan(begin, std::min<std::uint64_t>(kBlock, work_.size() - begin));
}

Status StealRequests::for_each(FunctionRef<void(DegreeRank, unsigned)> own, Other other) {
  try {
    Status status = do_own(own);
    if (status) status = do_kept(own);
    if (status) status = do_all_others(other);
    if (!status) end_for_all();
    return status;
  } catch (...) {
    end_for_all();
    throw;
  }
}

// --- Who has work --------------------------------------------------------------------------------------------------

Status StealRequests::do_own(FunctionRef<void(DegreeRank, unsigned)> own) {
  Status failed;
  Mutex guard;
  RIZOMA_TRY(engine_.for_blocks(blocks(), 1, [&](VertexRange turns, unsigned thread) {
    for (VertexId turn = turns.begin; turn < turns.end && !ended_; ++turn) {
      const std::uint64_t number = next_.fetch_add(1);
      if (number >= blocks()) return;
      for (const DegreeRank r : block(number)) own(r, thread);
      const Status looked = look_now_and_then();
      if (looked) continue;
      const MutexLock lock(guard);
      failed = looked;
      return;
    }
  }));
  RIZOMA_TRY(failed);
  return say_done();
}

/// What others were asked for and could not be sent.
Status StealRequests::do_kept(FunctionRef<void(DegreeRank, unsigned)> own) {
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

/// Answers the pending request of a process.
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
    case Kind::answer: take(message.from, reader); return {};
    case Kind::done:
      left_of_[message.from] = 0;
      if (asked_ == message.from) asked_.reset();
      return {};
    case Kind::ended: ended_ = true; return {};
  }
  RIZOMA_CHECK(false);
  return {};
}

/// The first request lists the process's cache, later ones what it has evicted.
void StealRequests::hear_what_it_has(unsigned process, WireReader& question) {
  VertexSet& has = asker_has_[process];
  std::vector<DegreeRank> said;
  get_list(question, said);
  RIZOMA_CHECK(said.empty() || said.back() < lists_->size());
  if (has.universe() == lists_->size()) {
    for (const DegreeRank v : said) has.words()[v / 64] &= ~(std::uint64_t{1} << (v % 64));
    return;
  }
  has = VertexSet(lists_->size());
  for (VertexId r = 0; r < lists_->size(); ++r) {
    if (processes_.owner(lists_->vertex_of(r)) == process) has.add(r);
  }
  for (const DegreeRank v : said) has.add(v);
}

Status StealRequests::answer(unsigned process, WireReader& question) {
  hear_what_it_has(process, question);
  Answer answer;
  std::uint64_t blocks = 0;
  while (blocks < kAtOnce && answer.bytes() < most_sent_ && blocks_left() > kThreshold) {
    const std::uint64_t number = next_.fetch_add(1);
    if (number >= this->blocks()) break;
    ++blocks;
    for (const DegreeRank r : block(number)) {
      if (!add(r, asker_has_[process], answer)) kept_back_.push_back(r);
    }
  }
  if (blocks == 0) return {};  // the end is announced soon
  WireWriter writer;
  writer.put(Kind::answer);
  writer.put_varint(blocks);
  writer.put_varint(blocks_left());
  writer.put_varint(answer.num_work);
  writer.put_varint(answer.num_others);
  for (WireWriter* const part : {&answer.work, &answer.others}) {
    const std::vector<std::byte> bytes = std::move(*part).take();
    writer.put_bytes(bytes.data(), bytes.size());
  }
  return processes_.send(process, std::move(writer).take());
}

/// False if a list, with the lists that it leads to and the asker lacks, exceeds the rest of the bound.
bool StealRequests::add(DegreeRank r, VertexSet& has, Answer& answer) const {
  const std::span<const DegreeRank> list = (*lists_)[r];
  const std::span<const DegreeRank> leads_to = list.subspan(1);  // its first member closes no wedge
  std::uint64_t bytes = answer.bytes() + most_bytes_of_list(list.size());
  for (const DegreeRank v : leads_to) bytes += has.contains(v) ? 0 : most_bytes_of_list((*lists_)[v].size());
  if (bytes > most_sent_) return false;
  ++answer.num_work;
  answer.work.put_varint(r - std::exchange(answer.last_work, r));
  put_list(answer.work, list);
  for (const DegreeRank v : leads_to) {
    if (!has.add(v)) continue;
    ++answer.num_others;
    answer.others.put_varint(zigzag_difference(std::exchange(answer.last_other, v), v));
    put_list(answer.others, (*lists_)[v]);
  }
  return true;
}

// --- Who has none --------------------------------------------------------------------------------------------------

Status StealRequests::do_all_others(Other other) {
  return do_on_all_threads(engine_, [&](unsigned thread) { return do_others(other, thread); }, [&] { end_for_all(); });
}

Status StealRequests::do_others(Other other, unsigned thread) {
  for (;;) {
    RIZOMA_TRY(engine_.report("triangle_count", 0, 0));  // within `parallel`: asks whether to go on
    RIZOMA_ASSIGN(const std::unique_ptr<Fetched> fetched, next_of_others());
    if (fetched == nullptr) return {};
    for (std::size_t i = 0; i < fetched->work_.size(); ++i) {
      if (engine_.stopping() || ended_) return {};
      other(fetched->work_[i], fetched->list(i), *fetched, thread);
    }
    processes_.count_migrated(fetched->process_, fetched->blocks_);
  }
}

/// Null: there is none any more.  The other threads wait for the one that waits for an answer.
Result<std::unique_ptr<StealRequests::Fetched>> StealRequests::next_of_others() {
  const MutexLock lock(guard_);
  while (!ended_ && !engine_.stopping()) {
    if (!asked_) RIZOMA_TRY(ask_fullest());
    if (fetched_ != nullptr) return std::move(fetched_);
    if (!asked_) break;
    RIZOMA_ASSIGN(const std::optional<RankMessage> message, processes_.receive(kPatience));
    if (message) RIZOMA_TRY(read(*message));
  }
  return std::unique_ptr<Fetched>();
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
  std::vector<DegreeRank>& gone = gone_[*asked_];
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  WireWriter writer;
  writer.put(Kind::question);
  put_list(writer, std::exchange(was_asked_[*asked_], std::uint8_t{1}) != 0 ? gone : at_hand());
  gone.clear();
  return processes_.send(*asked_, std::move(writer).take());
}

/// What this process has of the others permanently.
std::vector<DegreeRank> StealRequests::at_hand() const {
  std::vector<DegreeRank> lists;
  for (VertexId v = 0; v < lists_->size(); ++v) {
    const auto r = static_cast<DegreeRank>(v);
    if (!lists_->is_mine(r) && (lists_->has(r) || core_.has(r))) lists.push_back(r);
  }
  return lists;
}

void StealRequests::take(unsigned process, WireReader& answer) {
  RIZOMA_CHECK(asked_ == process && fetched_ == nullptr);
  asked_.reset();
  auto fetched = std::make_unique<Fetched>();
  fetched->lists_ = lists_;
  fetched->core_ = &core_;
  fetched->process_ = process;
  fetched->blocks_ = answer.get_varint();
  left_of_[process] = answer.get_varint();
  const std::uint64_t num_work = answer.get_varint();
  const std::uint64_t num_others = answer.get_varint();
  std::uint64_t r = 0;
  for (std::uint64_t i = 0; i < num_work; ++i) {
    r += answer.get_varint();
    fetched->work_.push_back(static_cast<DegreeRank>(r));
    get_list(answer, fetched->entries_);
    fetched->begins_.push_back(fetched->entries_.size());
  }
  RIZOMA_CHECK(r < lists_->size());
  take_others(answer, num_others, *fetched);
  fetched_ = std::move(fetched);
}

/// The received lists, and, before any is evicted for them, the cached ones.
void StealRequests::take_others(WireReader& answer, std::uint64_t count, Fetched& fetched) {
  std::vector<std::pair<DegreeRank, LruCache::List>> come;
  std::uint64_t v = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    v = apply_zigzag(v, answer.get_varint());
    RIZOMA_CHECK(v < lists_->size());
    std::vector<DegreeRank> list;
    get_list(answer, list);
    const auto degree_rank = static_cast<DegreeRank>(v);
    if (degree_rank < core_.size()) {
      core_.add(degree_rank, list);
      continue;
    }
    come.emplace_back(degree_rank, std::make_shared<const std::vector<DegreeRank>>(std::move(list)));
    fetched.others_.insert(come.back());
  }
  for (std::size_t i = 0; i < fetched.work_.size(); ++i) {
    for (const DegreeRank w : fetched.list(i).subspan(1)) {
      if (lists_->has(w) || core_.has(w)) continue;
      const auto [place, is_new] = fetched.others_.try_emplace(w);
      if (is_new) place->second = kept_.find(w);
      RIZOMA_CHECK(place->second != nullptr);
    }
  }
  for (const auto& [degree_rank, list] : come) {
    for (const DegreeRank gone : kept_.keep(degree_rank, list)) {
      // A process that was never asked learns what is cached here with its first request.
      for (unsigned process = 0; process < gone_.size(); ++process) {
        if (was_asked_[process] != 0) gone_[process].push_back(gone);
      }
    }
  }
}

}  // namespace rizoma
