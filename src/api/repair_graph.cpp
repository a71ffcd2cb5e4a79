// Graph::repair: a repaired store takes the place of a damaged one.
#include "api/open_options.h"
#include "platform/exchange_names.h"
#include "platform/file_medium.h"
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"

#include <rizoma/graph.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

namespace fs = std::filesystem;

/// `path` without a separator at its end.
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

fs::path beside(const fs::path& path, const std::string& ending) {
  fs::path other = path;
  other += ending;
  return other;
}

/// Where the repaired store is made.
fs::path nascent_name(const fs::path& path) { return beside(path, ".repaired"); }
/// Where it waits, whole, to change places with the damaged one, and where that one is then for a moment.
fs::path waiting_name(const fs::path& path) { return beside(path, ".replaced"); }

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

/// The first name that is free beside `path` and beside the locations, where a link that leads nowhere has one too:
/// path.damaged, path.damaged-2, ..
fs::path free_name(const fs::path& path, const std::vector<fs::path>& locations) {
  fs::path name = beside(path, ".damaged");
  const auto is_taken = [&] {
    return is_there(name) || std::ranges::any_of(locations, [&](const fs::path& location) {
             return is_there(location.parent_path() / name.filename());
           });
  };
  for (int i = 2; is_taken(); ++i) name = beside(path, ".damaged-" + std::to_string(i));
  return name;
}

Status move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return {};
  return Error{ErrorCode::io, "cannot rename " + from.string() + " to " + to.string() + ": " + error.message()};
}

Status sync_names_beside(const fs::path& path) {
  const fs::path parent = path.parent_path();
  RIZOMA_ASSIGN(const auto directory, open_file_medium(parent.empty() ? fs::path(".") : parent, false));
  return directory->sync_names();
}

using Moves = std::vector<std::pair<fs::path, fs::path>>;  ///< from, to

/// Renames all of them in their order or, if the system permits, none.
Status move_all(const Moves& moves) {
  for (auto each = moves.begin(); each != moves.end(); ++each) {
    Status moved = move(each->first, each->second);
    if (moved) continue;
    while (each != moves.begin()) {
      --each;
      static_cast<void>(move(each->second, each->first));
    }
    return moved;
  }
  return {};
}

/// Moves the finished store to `path`, which always has a store if names can be exchanged, and the damaged one, with
/// its other locations, to other names.
Status change_places(const fs::path& path, const fs::path& kept, const Moves& locations) {
  const fs::path waiting = waiting_name(path);
  RIZOMA_ASSIGN(const bool exchanged, exchange_names(path, waiting));
  Moves moves = exchanged ? Moves{} : Moves{{path, kept}, {waiting, path}};
  moves.insert(moves.end(), locations.begin(), locations.end());
  if (exchanged) moves.emplace_back(waiting, kept);
  Status placed = sync_names_beside(path);
  if (placed) placed = move_all(moves);
  if (placed) return {};
  if (exchanged) {
    const auto back = exchange_names(path, waiting);
    if (!back || !*back) return placed;  // the damaged one waits now: the next repair continues from there
  }
  static_cast<void>(move(waiting, nascent_name(path)));
  return placed;
}

/// Moves the repaired store to `path`, and the former one to another name; on failure moves it back.
Status take_its_place(const fs::path& path, RepairReport& report) {
  report.kept = free_name(path, report.kept_locations);
  Moves locations;
  for (fs::path& location : report.kept_locations) {
    const fs::path kept = location.parent_path() / report.kept.filename();
    locations.emplace_back(std::exchange(location, kept), kept);
  }
  RIZOMA_TRY(move(nascent_name(path), waiting_name(path)));
  RIZOMA_TRY(sync_names_beside(path));
  RIZOMA_TRY(change_places(path, report.kept, locations));
  return sync_names_beside(path);
}

/// Removes the directory that an earlier repair has left at `path`, if it holds only files that a store makes.
Status remove_remains(const fs::path& path) {
  std::error_code error;
  if (!is_there(path)) return {};
  const Error in_the_way{ErrorCode::already_exists,
                         path.string() + " is in the way, and no repair left it there; move it"};
  if (fs::symlink_status(path, error).type() != fs::file_type::directory) return in_the_way;
  RIZOMA_ASSIGN(const std::shared_ptr<Medium> remains, open_file_medium(path, false));
  RIZOMA_ASSIGN(const bool others, remains->has_others());
  RIZOMA_ASSIGN(const std::vector<std::string> names, remains->list());
  if (others || !std::all_of(names.begin(), names.end(), Store::makes_file)) return in_the_way;
  for (const std::string& name : names) RIZOMA_TRY(remains->remove(name));
  fs::remove(path / "LOCK", error);
  if (!error) fs::remove(path, error);  // fails if another process has created something there meanwhile
  if (error) return Error{ErrorCode::io, "cannot remove " + path.string() + ": " + error.message()};
  return {};
}

/// No process writes to it meanwhile, least of all another repair.
Result<std::unique_ptr<WriterLock>> lock_store(const fs::path& path) {
  RIZOMA_ASSIGN(const std::shared_ptr<Medium> medium, open_file_medium(path, false));
  return medium->lock_for_writing();
}

bool is_whole(const fs::path& path, Executor& executor, const std::vector<fs::path>& locations) {
  const auto checked = Graph::check(path, executor, locations);
  return checked && checked->findings.empty();
}

/// Goes on with a repair that was cut off while the two stores changed places.  A store is removed only if it was not
/// yet at `path`, and is made again.
Status settle_cut_off(const fs::path& path, Executor& executor, const std::vector<fs::path>& locations,
                      RepairReport& report) {
  const fs::path waiting = waiting_name(path);
  if (!is_there(waiting)) return {};
  RIZOMA_ASSIGN(const auto waiting_lock, lock_store(waiting));
  if (is_there(path)) {
    RIZOMA_ASSIGN(const auto lock, lock_store(path));
    const bool waits = is_whole(waiting, executor, locations) && !is_whole(path, executor, locations);
    if (waits) return remove_remains(waiting);
    report.kept = free_name(path, {});
    RIZOMA_TRY(move(waiting, report.kept));
  } else {  // between two renamings, where names cannot be exchanged
    RIZOMA_TRY(move(waiting, path));
  }
  report.lost.push_back(
      "what an earlier repair could not restore is not known: it stopped after it had put the repaired graph in place, "
      "before its report; run `rizoma check` on the damaged graph beside it");
  return sync_names_beside(path);
}

/// Fills the directory of the repaired store, which no reader sees until it is whole.
Result<RepairReport> make_repaired(const fs::path& path, const std::shared_ptr<Medium>& damaged, Executor& executor,
                                   const std::vector<fs::path>& locations) {
  const fs::path nascent = nascent_name(path);
  RIZOMA_ASSIGN(std::shared_ptr<Medium> fresh, open_file_medium(nascent, true));
  const StoreOptions reach = store_options(path, {.mode = OpenMode::read_only, .locations = locations});
  auto report = repair_store(damaged, fresh, executor, reach);
  fresh = nullptr;
  Status placed = report ? take_its_place(path, *report) : Status(report.error());
  if (placed) return report;
  static_cast<void>(remove_remains(nascent));
  return std::move(placed).error();
}

}  // namespace

Result<RepairReport> Graph::repair(const fs::path& given, Executor& executor, const std::vector<fs::path>& locations) {
  const fs::path path = without_slash(given);
  RepairReport earlier;
  RIZOMA_TRY(settle_cut_off(path, executor, locations, earlier));
  RIZOMA_ASSIGN(CheckReport checked, check(path, executor, locations));
  if (checked.findings.empty() && !is_there(nascent_name(path))) {
    earlier.unproven = checked.unproven;
    earlier.found = std::move(checked);
    return earlier;
  }
  RIZOMA_ASSIGN(std::shared_ptr<Medium> damaged, open_file_medium(path, false));
  // Until the repaired store is in place: changes to the damaged one meanwhile would be lost.
  const auto lock = damaged->lock_for_writing();
  RepairReport report = untouched(checked);
  report.kept = earlier.kept;
  if (lock) RIZOMA_TRY(remove_remains(nascent_name(path)));
  if (!checked.findings.empty()) {
    if (!lock) return lock.error();
    RIZOMA_ASSIGN(report, make_repaired(path, damaged, executor, locations));
  }
  report.lost.insert(report.lost.begin(), earlier.lost.begin(), earlier.lost.end());
  report.found = std::move(checked);
  return report;
}

}  // namespace rizoma
