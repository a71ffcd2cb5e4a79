#include "store/rewrite/renumbering.h"

#include "store/rewrite/load_target.h"
#include "store/rewrite/throttled_target.h"
#include "store/space/data_files.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

Status Renumbering::run(const LoadSettings& settings) {
  publisher_.mutex.assume_held();
  RIZOMA_TRY(take_state());
  RIZOMA_TRY(build(settings));
  Status done = begin_successor();
  if (done) done = catch_up();
  // A failed publication may still be the durable state, with its log.
  if (!done && publisher_.writer.committer().healthy()) {
    static_cast<void>(publisher_.medium.remove(log_name(generation_.state.log_number)));
  }
  return done;
}

Status Renumbering::take_state() {
  RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
  writer.holds(publisher_.writer.mutex);
  RIZOMA_TRY(publisher_.writer.check_writable());
  publisher_.writer.settle();
  before_ = publisher_.contents.snapshot();
  const Log& log = publisher_.writer.committer().log();
  log_number_ = log.number();
  done_ = log.end();
  sequence_ = log.next_sequence();
  return {};
}

Status Renumbering::build(const LoadSettings& settings) {
  RIZOMA_ASSIGN(const GraphView view, before_->entry_view(executor_));
  const auto take = [this](Generation generation) -> Status {
    generation_ = std::move(generation);
    return {};
  };
  const auto target = make_rebuild_target(publisher_, before_, std::nullopt, take);
  ThrottledTarget paced(*target, *publisher_.space.data(), executor_, bytes_per_second_);
  return rebuild(publisher_.contents.load_schema(), view, before_->ids(), settings, executor_, paced);
}

/// Everything except changes made meanwhile is durable then, the manifest too.
Status Renumbering::begin_successor() {
  ManifestState& state = generation_.state;
  state.log_number = publisher_.take_number();
  state.log_sequence = sequence_;
  state.generation = publisher_.contents.generation + 1;
  generation_.durable.put_into(state);
  durable_ = std::make_shared<const Durable>(generation_.durable);
  RIZOMA_ASSIGN(log_, publisher_.make_log(state.log_number, sequence_, LogStart::prepared));
  RIZOMA_ASSIGN(manifest_, publisher_.prepare(state));
  successor_ = publisher_.make_successor(generation_);
  translation_.emplace(before_, *successor_, publisher_.space.data(),
                       publisher_.access.where() + "/" + log_name(log_number_));
  return {};
}

Status Renumbering::catch_up() {
  std::uint64_t end = done_;
  for (int round = 1;; ++round) {
    RIZOMA_TRY(executor_.report("catch up", static_cast<double>(done_), static_cast<double>(end)));
    {
      RIZOMA_ASSIGN(const TimedLock writer, publisher_.writer.acquire());
      writer.holds(publisher_.writer.mutex);
      RIZOMA_TRY(publisher_.writer.check_writable());
      publisher_.writer.settle();
      end = publisher_.writer.committer().log().end();
      if (end - done_ <= publisher_.options.catch_up_bytes || round == kMostRounds) return switch_over(end);
    }
    RIZOMA_TRY(sync_beside_changes());
    RIZOMA_TRY(follow(end));
  }
}

/// Changes that are durable in the successor's log are durable in the store's.  Opens the log anew each time, so that
/// the first sync covers what others have written (medium.h rule 1), on persistent memory too.
Status Renumbering::sync_beside_changes() {
  RIZOMA_ASSIGN(const auto file, publisher_.medium.open(log_name(log_number_), FileMode::write));
  Status synced = file->sync();
  if (!synced) publisher_.writer.committer().fail_for_good(synced.error());  // no later sync would cover these bytes
  return synced;
}

/// Records of the store's log up to `end`, where nothing is on its way, become the successor's.
Status Renumbering::follow(std::uint64_t end) {
  constexpr std::uint64_t kPiece = 1u << 20;
  if (done_ == end) return {};
  const std::string where = publisher_.access.where() + "/" + log_name(log_number_);
  std::vector<std::uint64_t> words((end - done_) / 8);  // records begin at multiples of 8
  const auto bytes = std::as_writable_bytes(std::span(words));
  RIZOMA_ASSIGN(const auto file, publisher_.medium.open(log_name(log_number_), FileMode::read));
  RIZOMA_TRY(file->read(done_, bytes));
  std::vector<LogPayload> records;
  std::uint64_t waiting = 0;
  for (std::uint64_t at = 0; at < bytes.size();) {
    RIZOMA_ASSIGN(const std::uint64_t size,
                  replay_record(bytes.subspan(at), log_number_, sequence_, where, *translation_));
    records.push_back(translation_->take_record());
    at += size;
    waiting += size;
    ++sequence_;
    if (waiting < kPiece && at < bytes.size()) continue;
    const std::vector<std::span<const std::byte>> payloads = [&] {
      std::vector<std::span<const std::byte>> spans;
      for (const LogPayload& record : records) spans.push_back(record.bytes());
      return spans;
    }();
    RIZOMA_TRY(log_->append(payloads));
    records.clear();
    waiting = 0;
  }
  done_ = end;
  return log_->sync();
}

Status Renumbering::switch_over(std::uint64_t end) {
  RIZOMA_TRY(publisher_.writer.committer().sync_log());
  RIZOMA_TRY(follow(end));
  return publisher_.publish(generation_.state, manifest_, durable_, [&]() -> Status {
    publisher_.mutex.assume_held();
    publisher_.writer.mutex.assume_held();
    publisher_.take_over(*successor_, std::move(log_));
    return {};
  });
}

}  // namespace rizoma
