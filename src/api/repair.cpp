// Graph::repair: a repaired store takes the place of a damaged one.
#include "api/store_options.h"
#include "platform/file_medium.h"
#include "store/check.h"
#include "store/repair.h"

#include <rizoma/graph.h>

#include <string>
#include <system_error>
#include <utility>

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

}  // namespace

Result<RepairReport> Graph::repair(const fs::path& given, Executor& executor, const std::vector<fs::path>& locations) {
  const fs::path path = without_slash(given);
  RIZOMA_ASSIGN(const CheckReport checked, check(path, executor, locations));
  if (checked.findings.empty()) return RepairReport{};
  const fs::path repaired = beside(path, ".repaired");
  std::error_code ignored;
  if (fs::exists(repaired, ignored)) {
    return Error{ErrorCode::already_exists, repaired.string() + " is in the way: a repair that was cut off left it; remove it"};
  }
  RIZOMA_ASSIGN(std::shared_ptr<Medium> damaged, open_file_medium(path, false));
  // Until the repaired store is in its place: what somebody changed in the damaged one meanwhile would be lost.
  RIZOMA_ASSIGN(const auto lock, damaged->lock_for_writing());
  RIZOMA_ASSIGN(std::shared_ptr<Medium> fresh, open_file_medium(repaired, true));
  const StoreOptions reach = store_options(path, {.mode = OpenMode::read_only, .locations = locations});
  auto report = repair_store(damaged, fresh, executor, reach);
  fresh = nullptr;
  if (!report) {
    fs::remove_all(repaired, ignored);
    return std::move(report).error();
  }
  report->kept = free_name(path);
  const fs::path parent = path.parent_path();
  RIZOMA_ASSIGN(const auto directory, open_file_medium(parent.empty() ? fs::path(".") : parent, false));
  RIZOMA_TRY(move(path, report->kept));
  for (fs::path& location : report->kept_locations) {
    const fs::path kept = location.parent_path() / report->kept.filename();
    RIZOMA_TRY(move(location, kept));
    location = kept;
  }
  RIZOMA_TRY(directory->sync_names());
  RIZOMA_TRY(move(repaired, path));
  RIZOMA_TRY(directory->sync_names());
  return report;
}

}  // namespace rizoma
