#include "store/space/locations.h"

#include "base/check.h"
#include "base/checksum.h"
#include "store/messages.h"
#include "store/space/data_files.h"
#include "store/manifest/superblock.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace rizoma {
namespace {

constexpr const char* kMarkName = "location";
constexpr const char* kNewMarkName = "location.new";

/// The content of the file `location`.
struct Mark {
  format::StoreId store;
  unsigned number = 0;
  std::string owner;  ///< path of the store
  std::string own;    ///< path of the location
};

constexpr std::uint64_t kMostPathBytes = 1u << 16;

std::uint64_t mark_checksum(const format::LocationHeader& mark) {
  return checksum(std::as_bytes(std::span(&mark, 1)).first(offsetof(format::LocationHeader, checksum)),
                  format::kSeedLocation);
}

/// The directory's own description; nullopt if it is no location.
Result<std::optional<Mark>> read_mark(Medium& medium) {
  RIZOMA_ASSIGN(const bool there, medium.exists(kMarkName));
  if (!there) return std::optional<Mark>();
  const std::string where = medium.describe() + "/" + kMarkName;
  RIZOMA_ASSIGN(const auto file, medium.open(kMarkName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  format::LocationHeader header;
  if (size < sizeof header || size > sizeof header + kMostPathBytes)
    return corrupt(where, "is not the mark of a location");
  RIZOMA_TRY(file->read(0, std::as_writable_bytes(std::span(&header, 1))));
  if (header.magic != format::kLocationMagic || header.checksum != mark_checksum(header)) {
    return corrupt(where, "is not the mark of a location, or is damaged");
  }
  if (header.version > 1) return future_version(where, header.version);
  std::string paths(size - sizeof header, '\0');
  RIZOMA_TRY(file->read(sizeof header, std::as_writable_bytes(std::span(paths))));
  if (paths.size() != std::uint64_t{header.owner_bytes} + header.own_bytes ||
      (!paths.empty() && checksum(std::as_bytes(std::span(paths)), format::kSeedLocation) != header.paths_checksum)) {
    return corrupt(where, "is damaged");
  }
  return std::optional(Mark{header.store, static_cast<unsigned>(header.number), paths.substr(0, header.owner_bytes),
                            paths.substr(header.owner_bytes)});
}

/// True if `path` leads to another directory than `medium`, and that `is_one`.
template <class IsOne>
Result<bool> is_another(const std::string& path, const Medium& medium, const LocationOpener& open, IsOne&& is_one) {
  auto there = open(path, false);
  if (!there && there.error().code == ErrorCode::not_found) return false;
  if (!there) return std::move(there).error();
  RIZOMA_ASSIGN(const std::string other, (*there)->identity());
  RIZOMA_ASSIGN(const std::string mine, medium.identity());
  if (other == mine) return false;
  return is_one(**there);
}

Result<bool> is_store(Medium& medium, const format::StoreId& id) {
  RIZOMA_ASSIGN(const bool there, medium.exists(kSuperblockName));
  if (!there) return false;
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(medium));
  return slots.newest()->store == id;
}

/// True if the location at `path` is of another copy of the store, which is still there.
Result<bool> is_anothers(const Mark& mark, Medium& medium, const std::string& path, const LocationOwner& owner) {
  if (mark.owner.empty() || owner.path.empty() || mark.owner == owner.path) return false;
  RIZOMA_ASSIGN(const bool original, is_another(mark.owner, *owner.medium, owner.open,
                                                [&](Medium& other) { return is_store(other, owner.id); }));
  if (!original || mark.own == path) return original;
  RIZOMA_ASSIGN(const bool is_copy, is_another(mark.own, medium, owner.open, [&](Medium& other) -> Result<bool> {
                  RIZOMA_ASSIGN(const auto first, read_mark(other));
                  return first && first->store == mark.store && first->number == mark.number;
                }));
  return !is_copy;
}

/// Whether the directory holds no bytes of sections: the rest of an interrupted creation.
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

Error none_found(const LocationEntry& entry, const std::string& looked, const std::string& original) {
  std::string message =
      "location " + std::to_string(entry.number) + " of the graph is missing (looked for in " + looked + ")";
  message += original.empty()
                 ? "; mount it, or name the directory that holds it now among the locations"
                 : "; the files there belong to the graph at " + original +
                       ", of which this is a copy; copy that directory too, and name the copy among the locations";
  return {ErrorCode::not_found, std::move(message)};
}

}  // namespace

Status mark_location(Medium& medium, const std::string& path, const LocationOwner& owner, unsigned number) {
  format::LocationHeader header;
  RIZOMA_CHECK(number > 0 && owner.path.size() + path.size() <= kMostPathBytes);
  header.store = owner.id;
  header.number = number;
  header.owner_bytes = static_cast<std::uint32_t>(owner.path.size());
  header.own_bytes = static_cast<std::uint32_t>(path.size());
  const std::string paths = owner.path + path;
  header.paths_checksum = checksum(std::as_bytes(std::span(paths)), format::kSeedLocation);
  header.checksum = mark_checksum(header);
  RIZOMA_ASSIGN(const auto file, medium.open(kNewMarkName, FileMode::create));
  RIZOMA_TRY(file->write(0, std::as_bytes(std::span(&header, 1))));
  RIZOMA_TRY(file->write(sizeof header, std::as_bytes(std::span(paths))));
  RIZOMA_TRY(file->sync());
  RIZOMA_TRY(medium.rename(kNewMarkName, kMarkName));
  return medium.sync_names();
}

Result<unsigned> location_number(Medium& medium, const std::string& path, const LocationOwner& owner) {
  RIZOMA_ASSIGN(const auto mark, read_mark(medium));
  if (!mark || mark->store != owner.id) return 0U;
  RIZOMA_ASSIGN(const bool anothers, is_anothers(*mark, medium, path, owner));
  return anothers ? 0U : mark->number;
}

Result<OpenLocation> find_location(const LocationEntry& entry, const LocationOwner& owner,
                                   const std::vector<std::string>& named) {
  std::vector<std::string> paths{entry.path};
  paths.insert(paths.end(), named.begin(), named.end());
  std::string looked, original;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    looked += (looked.empty() ? "" : ", ") + path;
    auto medium = owner.open(path, false);
    if (!medium && medium.error().code == ErrorCode::not_found) continue;
    if (!medium) return std::move(medium).error();
    RIZOMA_ASSIGN(const auto mark, read_mark(**medium));
    if (!mark || mark->store != owner.id || mark->number != entry.number) continue;
    RIZOMA_ASSIGN(const bool anothers, is_anothers(*mark, **medium, path, owner));
    if (!anothers) return OpenLocation{{entry.number, entry.is_home, path}, *std::move(medium)};
    original = mark->owner;
  }
  return none_found(entry, looked, original);
}

Status claim_location(const OpenLocation& location, const LocationOwner& owner) {
  RIZOMA_ASSIGN(const auto mark, read_mark(*location.medium));
  if (mark && mark->owner == owner.path && mark->own == location.entry.path) return {};
  return mark_location(*location.medium, location.entry.path, owner, location.entry.number);
}

Status create_location(Medium& medium, const std::string& path, const LocationOwner& owner, unsigned number) {
  RIZOMA_ASSIGN(const auto mark, read_mark(medium));
  RIZOMA_ASSIGN(const bool nothing, holds_nothing(medium));
  bool left_by_us = mark && mark->store == owner.id;
  if (left_by_us) {
    RIZOMA_ASSIGN(const bool anothers, is_anothers(*mark, medium, path, owner));
    left_by_us = !anothers;
  }
  if (!nothing && !left_by_us) {
    return Error{ErrorCode::already_exists, medium.describe() +
                                                (mark ? " holds a part of another graph" : " holds other files") +
                                                "; name another directory as a location"};
  }
  const auto create = [&]() -> Status {
    RIZOMA_TRY(mark_location(medium, path, owner, number));
    RIZOMA_ASSIGN(const auto data, medium.open(kDataName, FileMode::create));
    RIZOMA_TRY(data->sync());
    return medium.sync_names();
  };
  Status created = create();
  if (!created) remove_location(medium);
  return created;
}

void remove_location(Medium& medium) {
  // The mark comes last: without it the data have no owner.
  for (const char* name : {kDataName, kNewMarkName, kMarkName}) {
    const auto there = medium.exists(name);
    if (!there || (*there && !medium.remove(name))) return;
  }
}

}  // namespace rizoma
