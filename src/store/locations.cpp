#include "store/locations.h"

#include "base/checksum.h"
#include "store/messages.h"
#include "store/publish.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

constexpr const char* kMarkName = "location";
constexpr const char* kNewMarkName = "location.new";

std::uint64_t mark_checksum(const format::LocationHeader& mark) {
  return checksum(std::as_bytes(std::span(&mark, 1)).first(offsetof(format::LocationHeader, checksum)),
                  format::kSeedLocation);
}

/// What the directory says of itself; nothing if it is no location.
Result<std::optional<format::LocationHeader>> read_mark(Medium& medium) {
  RIZOMA_ASSIGN(const bool there, medium.exists(kMarkName));
  if (!there) return std::optional<format::LocationHeader>();
  const std::string where = medium.describe() + "/" + kMarkName;
  RIZOMA_ASSIGN(const auto file, medium.open(kMarkName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  format::LocationHeader mark;
  if (size != sizeof mark) return corrupt(where, "is not the mark of a location");
  RIZOMA_TRY(file->read(0, std::as_writable_bytes(std::span(&mark, 1))));
  if (mark.magic != format::kLocationMagic || mark.checksum != mark_checksum(mark)) {
    return corrupt(where, "is not the mark of a location, or is damaged");
  }
  if (mark.version > 1) return future_version(where, mark.version);
  return std::optional(mark);
}

/// True if the directory holds no bytes of sections: what is left where a creation was cut off.
Result<bool> holds_nothing(Medium& medium) {
  RIZOMA_ASSIGN(const bool others, medium.has_others());
  if (others) return false;
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    if (name == kMarkName || name == kNewMarkName) continue;
    if (name != kDataName) return false;
    RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
    RIZOMA_ASSIGN(const std::uint64_t size, file->size());
    if (size > 0) return false;
  }
  return true;
}

}  // namespace

Status mark_location(Medium& medium, const format::StoreId& store, unsigned number) {
  format::LocationHeader mark;
  mark.store = store;
  mark.number = number;
  mark.checksum = mark_checksum(mark);
  RIZOMA_ASSIGN(const auto file, medium.open(kNewMarkName, FileMode::create));
  RIZOMA_TRY(file->write(0, std::as_bytes(std::span(&mark, 1))));
  RIZOMA_TRY(file->sync());
  RIZOMA_TRY(medium.rename(kNewMarkName, kMarkName));
  return medium.sync_names();
}

Result<unsigned> location_number(Medium& medium, const format::StoreId& store) {
  RIZOMA_ASSIGN(const auto mark, read_mark(medium));
  return mark && mark->store == store ? static_cast<unsigned>(mark->number) : 0U;
}

Result<OpenLocation> find_location(const LocationEntry& entry, const format::StoreId& store,
                                   const std::vector<std::string>& named, const LocationOpener& open) {
  std::vector<std::string> paths{entry.path};
  paths.insert(paths.end(), named.begin(), named.end());
  std::string looked;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    looked += (looked.empty() ? "" : ", ") + path;
    auto medium = open(path, false);
    if (!medium && medium.error().code == ErrorCode::not_found) continue;
    if (!medium) return std::move(medium).error();
    RIZOMA_ASSIGN(const unsigned number, location_number(**medium, store));
    if (number != entry.number) continue;
    return OpenLocation{{entry.number, entry.is_home, path}, *std::move(medium)};
  }
  return Error{ErrorCode::not_found, "location " + std::to_string(entry.number) +
                                         " of the graph is missing (looked for in " + looked +
                                         "): mount it, or name the directory that holds it now among the locations"};
}

Status create_location(Medium& medium, const format::StoreId& store, unsigned number) {
  RIZOMA_ASSIGN(const auto mark, read_mark(medium));
  RIZOMA_ASSIGN(const bool nothing, holds_nothing(medium));
  const bool left_by_us = mark && mark->store == store;
  if (!nothing && !left_by_us) {
    return Error{ErrorCode::already_exists, medium.describe() + (mark ? " holds a part of another graph"
                                                                      : " holds other files") +
                                                ": name another directory as a location"};
  }
  const auto create = [&]() -> Status {
    RIZOMA_TRY(mark_location(medium, store, number));
    RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::create));
    RIZOMA_TRY(data->sync());
    return medium.sync_names();
  };
  Status created = create();
  if (!created) remove_location(medium);
  return created;
}

void remove_location(Medium& medium) {
  // The mark last: without it nothing says whose the data is.
  for (const char* name : {kDataName, kNewMarkName, kMarkName}) {
    const auto there = medium.exists(name);
    if (!there || (*there && !medium.remove(name))) return;
  }
}

}  // namespace rizoma
