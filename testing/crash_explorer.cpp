#include "testing/crash_explorer.h"

#include "base/checksum.h"
#include "base/random.h"
#include "store/repair/store_check.h"
#include "testing/directory_medium.h"

#include <span>
#include <utility>

namespace rizoma {

KnownContents::Fingerprint KnownContents::fingerprint(const FileContents& contents) {
  Fingerprint result{1, 2};
  const auto mix = [&](std::span<const std::byte> bytes) {
    result.first = checksum(bytes, mix64(result.first) + bytes.size());
    result.second = checksum(bytes, mix64(result.second) + bytes.size());
  };
  for (const auto& [name, bytes] : contents) {
    mix(std::as_bytes(std::span(name)));
    mix(bytes);
  }
  return result;
}

std::optional<std::size_t> KnownContents::find(const FileContents& contents, const std::vector<Moment>& moments,
                                               std::uint64_t position) const {
  const auto known = moments_.find(fingerprint(contents));
  if (known == moments_.end() || moments[known->second].begun > position) return {};
  for (std::size_t k = known->second + 1; k < moments.size(); ++k) {
    if (moments[k].begun <= position && moments[k].acknowledged <= position) return {};
  }
  return known->second;
}

std::shared_ptr<Medium> CrashExplorer::home_in(std::shared_ptr<Medium> whole) const {
  return settings_.directory.empty() ? std::move(whole)
                                     : std::make_shared<DirectoryMedium>(*whole, settings_.directory);
}

StoreOptions CrashExplorer::options_in(Medium& whole) const {
  StoreOptions options = options_;
  if (!settings_.directory.empty()) options.open_location = directories_in(whole);
  return options;
}

CrashExplorer::Violation CrashExplorer::compare(const std::shared_ptr<Medium>& left, const std::vector<Moment>& moments,
                                                std::uint64_t position, std::optional<std::size_t>& found) const {
  const auto store = Store::open(home_in(left), options_in(*left));
  if (!store && store.error().code == ErrorCode::not_found && position < moments[0].acknowledged) return {};
  if (!store) return "the store does not open: " + store.error().message;
  const auto snapshot = (*store)->snapshot();
  if (!snapshot) return "no snapshot: " + snapshot.error().message;
  for (std::size_t k = moments.size(); k-- > 0;) {
    if (moments[k].begun > position) continue;
    const auto same = equals(**snapshot, moments[k].state);
    if (!same) return "the content cannot be read: " + same.error().message;
    const auto same_tags =
        *same ? tags_equal(**store, home_in(left), options_in(*left), moments[k].state) : Result<bool>(false);
    if (!same_tags) return "a tag cannot be read: " + same_tags.error().message;
    if (*same_tags) {
      found = k;
      return {};
    }
    if (moments[k].acknowledged <= position) return "an acknowledged change is missing, or part of another is there";
  }
  return "a content that never was";
}

CrashExplorer::Violation CrashExplorer::look_at(const CrashState& state, const std::vector<Moment>& moments,
                                                KnownContents& known, std::optional<std::size_t>& found,
                                                std::shared_ptr<Medium>* left) {
  const FileContents contents = state.contents();
  if (left == nullptr) found = known.find(contents, moments, state.position());
  if (found) return {};
  ++census_.opened;
  const std::shared_ptr<Medium> medium = medium_of(contents, state.granularity());
  auto violation = compare(medium, moments, state.position(), found);
  if (!violation && found) known.add(contents, *found);
  if (left != nullptr) *left = medium;
  return violation;
}

CrashExplorer::Violation CrashExplorer::check(std::shared_ptr<Medium> left) const {
  SerialExecutor serial;
  const auto report = check_store(home_in(left), serial, options_in(*left));
  if (!report) return "check: " + report.error().message;
  for (const CheckFinding& finding : report->findings) {
    // A crash may tear the copy of the superblock that is being written.
    if (!finding.where.starts_with(kSuperblockName)) return "check: " + finding.where + ": " + finding.what;
  }
  return {};
}

CrashExplorer::Violation CrashExplorer::go_on(Medium& left, const StoreModel& state) {
  ++census_.second_histories;
  const auto medium = std::make_shared<FaultMedium>(left);
  const std::shared_ptr<Medium> seen = settings_.second_medium ? settings_.second_medium(*medium) : medium;
  StoreHistory history(home_in(seen), medium.get(), options_in(*seen), census_.states);
  Status status = history.open(state);
  if (status) status = history.run(settings_.second_script);
  if (!status) return "going on after recovery: " + status.error().message;
  history.drop();
  KnownContents known;
  for (const CrashState& second : medium->crash_states(settings_.second_limits)) {
    ++census_.second_states;
    std::optional<std::size_t> found;
    auto violation = look_at(second, history.moments(), known, found, nullptr);
    if (!violation && !found) violation = "the store is gone";
    if (violation) return "after recovery, " + settings_.second_script + ", " + second.describe() + ": " + *violation;
  }
  return {};
}

std::optional<std::string> CrashExplorer::find_violation(const FaultMedium& medium,
                                                         const std::vector<Moment>& moments) {
  const auto is_turn = [&](unsigned every) { return every != 0 && census_.states % every == 0; };
  std::optional<std::uint64_t> last_point;
  KnownContents known;
  for (const CrashState& state : medium.crash_states(settings_.limits)) {
    ++census_.states;
    if (last_point != state.position()) {
      last_point = state.position();
      ++census_.points;
      census_.exhaustive_points += state.exhaustive() ? 1 : 0;
    }
    std::optional<std::size_t> found;
    std::shared_ptr<Medium> left;
    Violation violation = look_at(state, moments, known, found, is_turn(settings_.checks) ? &left : nullptr);
    if (!violation && found && left) violation = check(left);
    if (!violation && found && is_turn(settings_.goes_on)) {
      violation = go_on(*state.materialize(), moments[*found].state);
    }
    if (violation) return state.describe() + ": " + *violation;
  }
  return {};
}

}  // namespace rizoma
