// Graph::repair: a repaired store takes the place of a damaged one.
#include "api/store_options.h"
#include "platform/file_medium.h"
#include "store/repair/check.h"
#include "store/repair/repair.h"

#include <rizoma/graph.h>

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

/// The first name beside `path` that is free: path.damaged, path.damaged-2, ..
fs::path free_name(const fs::path& path) {
  std::error_code ignored;
  fs::path name = beside(path, ".damaged");
  for (int i = 2; fs::exists(name, ignored); ++i) name = beside(path, ".damaged-" + std::to_string(i));
  return name;
}

Status move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (!error) return {};
  return Error{ErrorCode::io, "cannot rename " + from.string() + " to " + to.string() + ": " + error.message()};
}

using Moves = std::vector<std::pair<fs::path, fs::path>>;  ///< from, to

void move_back(const Moves& done) {
  for (auto each = done.rbegin(); each != done.rend(); ++each) static_cast<void>(move(each->second, each->first));
}

/// Renames all of them in their order or, as far as the system lets it, none.
Status move_all(const Moves& moves) {
  Moves done;
  for (const auto& each : moves) {
    if (Status moved = move(each.first, each.second); !moved) {
      move_back(done);
      return moved;
    }
    done.push_back(each);
  }
  return {};
}

/// Puts the repaired store at `path`, and what was there under another name.  If that fails it is put back.
Status take_its_place(const fs::path& path, const fs::path& repaired, RepairReport& report) {
  report.kept = free_name(path);
  const fs::path parent = path.parent_path();
  RIZOMA_ASSIGN(const auto directory, open_file_medium(parent.empty() ? fs::path(".") : parent, false));
  Moves moves{{path, report.kept}};
  for (fs::path& location : report.kept_locations) {
    const fs::path kept = location.parent_path() / report.kept.filename();
    moves.emplace_back(std::exchange(location, kept), kept);
  }
  RIZOMA_TRY(move_all(moves));
  Status placed = directory->sync_names();  // first: a crash is to leave one of the two at `path`, or none
  if (placed) placed = move(repaired, path);
  if (!placed) {
    move_back(moves);
    return placed;
  }
  return directory->sync_names();
}

}  // namespace

Result<RepairReport> Graph::repair(const fs::path& given, Executor& executor, const std::vector<fs::path>& locations) {
  const fs::path path = without_slash(given);
  RIZOMA_ASSIGN(const CheckReport checked, check(path, executor, locations));
  if (checked.findings.empty()) return RepairReport{};
  const fs::path repaired = beside(path, ".repaired");
  std::error_code ignored;
  if (fs::exists(repaired, ignored)) {
    return Error{ErrorCode::already_exists,
                 repaired.string() + " is in the way: a repair that was cut off left it; remove it"};
  }
  RIZOMA_ASSIGN(std::shared_ptr<Medium> damaged, open_file_medium(path, false));
  // Until the repaired store is in its place: what somebody changed in the damaged one meanwhile would be lost.
  RIZOMA_ASSIGN(const auto lock, damaged->lock_for_writing());
  RIZOMA_ASSIGN(std::shared_ptr<Medium> fresh, open_file_medium(repaired, true));
  const StoreOptions reach = store_options(path, {.mode = OpenMode::read_only, .locations = locations});
  auto report = repair_store(damaged, fresh, executor, reach);
  fresh = nullptr;
  Status placed = report ? Status() : Status(std::move(report).error());
  if (placed) placed = take_its_place(path, repaired, *report);
  if (!placed) {
    fs::remove_all(repaired, ignored);
    return std::move(placed).error();
  }
  return report;
}

}  // namespace rizoma
