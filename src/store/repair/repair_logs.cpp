#include "store/repair/repair_logs.h"

#include "platform/calendar.h"
#include "store/log/log.h"
#include "store/log/log_chain.h"
#include "store/manifest/close_records.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Takes part in a replay that only asks how far the log can be read.
class IgnoringVisitor final : public LogVisitor {
 public:
  Status vertices(VertexId) override { return {}; }
  Status ids(const IdColumn&) override { return {}; }
  Status edges(ChangeKind, const EdgeColumns&) override { return {}; }
  Status remove_vertices(std::span<const VertexId>) override { return {}; }
  Status restore_vertices(std::span<const VertexId>) override { return {}; }
  Status rows(std::span<const std::byte>) override { return {}; }
};

/// Reads the logs in their order, keeps the replayable part, and notes the rest.
class LogRepair {
 public:
  LogRepair(SalvageMedium& medium, const FoundManifest& manifest)
      : medium_(medium), manifest_(manifest), next_(manifest.file.state.log_sequence) {}

  Status run() {
    RIZOMA_ASSIGN(std::vector<std::uint64_t> numbers, logs_from(medium_, manifest_.number));
    if (numbers.empty() || numbers.front() != manifest_.number) {
      note_damage(log_name(manifest_.number) + " is gone, or cannot be read");
      RIZOMA_TRY(make_empty_log());
    }
    for (const std::uint64_t number : numbers) RIZOMA_TRY(take(number));
    const ManifestFile& file = manifest_.file;
    close_holds_ = file.closed && next_ >= file.next_sequence;
    if (file.closed) known_ = std::max(known_, file.next_sequence);
    return {};
  }

  [[nodiscard]] bool close_holds() const noexcept { return close_holds_; }
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  [[nodiscard]] std::uint64_t time() const noexcept { return time_; }

  /// The loss that the traces prove; nullopt if none does.
  [[nodiscard]] std::optional<std::string> loss() const {
    if (known_ <= next_ && !was_durable_) return std::nullopt;
    std::string text = "all changes from batch " + std::to_string(next_) + " on";
    if (known_ > next_ + 1) text += " (there were " + std::to_string(known_ - next_) + " or more)";
    if (time_ != 0) text += ", made on " + utc_text(time_) + " or later";
    const std::string why = damage_.empty() ? log_name(manifest_.file.log_number) + " has lost its end" : damage_;
    return text + ": " + why;
  }

 private:
  void note_damage(std::string what) {
    if (damage_.empty()) damage_ = std::move(what);
  }

  Status make_empty_log() {
    const auto empty = Log::create(medium_, manifest_.file.store, manifest_.number, next_, {});
    return empty ? Status() : empty.error();
  }

  /// One that does not go on where the one before it ended cannot be replayed.
  Status leave_out(std::uint64_t number, std::span<const std::byte> log) {
    note_damage(log_name(number) + " is damaged or does not begin where the log before it ends");
    known_ = std::max(known_, remains_behind(log, 0, number).next_sequence);
    was_durable_ |= number != manifest_.number;  // it is written to when those before it are durable
    RIZOMA_TRY(medium_.remove(log_name(number)));
    return number == manifest_.number ? make_empty_log() : Status();
  }

  Status take(std::uint64_t number) {
    const std::string name = log_name(number);
    RIZOMA_ASSIGN(std::vector<std::byte> log, medium_.read(name));
    const LogExpectation expected{manifest_.file.store, number, next_, 0};
    if (number != manifest_.number) {
      const auto continues = continues_log(log, expected, name);
      if (!continues && continues.error().code == ErrorCode::unsupported) return continues.error();
      if (!continues) return leave_out(number, log);
      if (!*continues) return {};
    }
    const LogEnd end = whole_part(log, expected);
    if (end.offset == 0) return leave_out(number, log);
    const LogRemains remains = remains_behind(log, end.offset, number);
    next_ = end.next_sequence;
    if (end.time != 0) time_ = end.time;
    if (!end.torn) return {};
    known_ = std::max(known_, remains.next_sequence);
    was_durable_ |= remains.was_durable;
    note_damage(name + " is damaged at byte " + std::to_string(end.offset));
    log.resize(end.offset);
    return medium_.replace(name, log);
  }

  SalvageMedium& medium_;
  const FoundManifest& manifest_;
  std::uint64_t next_;
  std::uint64_t known_ = 0;   ///< batches before this one were written for certain
  std::uint64_t time_ = 0;    ///< of the last batch that exists
  bool was_durable_ = false;  ///< the changes missing from the logs had been durable
  std::string damage_;
  bool close_holds_ = false;
};

}  // namespace

Result<bool> repair_logs(SalvageMedium& medium, const FoundManifest& manifest, RepairReport& report) {
  const ManifestFile& file = manifest.file;
  if (!manifest.close_lost) {
    IgnoringVisitor ignoring;
    const auto chain = replay_logs(medium, chain_start(file), ignoring);
    if (!chain && chain.error().code == ErrorCode::unsupported) return chain.error();
    if (chain) {
      const LogEvidence evidence = evidence_of(*chain, file);
      if (!evidence.complete) report.lost.push_back("perhaps " + not_proven(evidence));
      return file.closed;
    }
  }
  LogRepair logs(medium, manifest);
  RIZOMA_TRY(logs.run());
  const auto loss = logs.loss();
  // What was damaged may have held more than the last close knew of.
  report.lost.push_back(loss ? *loss : "perhaps " + not_proven({false, logs.next(), logs.time()}));
  return logs.close_holds();
}

}  // namespace rizoma
