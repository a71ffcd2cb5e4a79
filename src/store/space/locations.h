// Locations: the directories beside a store's own that hold sections: other devices, DAX mounts.
//
// Each has a file `location`, which says of which store it is and its number there, and a file `data`.
// The manifest lists them with their paths; a location that has moved is recognised by its file in any
// of the directories that the user names.
//
// Copies.  A copied store finds the original's locations at their old paths, and must not write there.  So the file
// also says where the store and the location were: the location is another's if at the first path there is a store
// of the same name that is another directory, unless it is itself a copy of the location at the second.
#pragma once

#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/disk_format.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {

/// How a store reaches the directory of a location.  `create`: make it if it is missing.
using LocationOpener = std::function<Result<std::shared_ptr<Medium>>(const std::string& path, bool create)>;

/// A directory that holds extents, as a manifest lists it.
struct LocationEntry {
  unsigned number = 0;  ///< as in Extent; 0: the store's own directory
  bool is_home = true;  ///< false: it still holds sections, but gets no new ones
  std::string path;     ///< where it was when last opened; empty for number 0
};

/// A location that is open.
struct OpenLocation {
  LocationEntry entry;
  std::shared_ptr<Medium> medium;
};

/// A store, as its locations know it.
struct LocationOwner {
  format::StoreId id;
  std::string path;  ///< absolute; empty: unknown, so that no location can be distinguished from its own
  Medium* medium = nullptr;
  LocationOpener open;
};

/// The location `entry` of a store: at its path, or in one of the directories `named`.
/// Errors: not_found (nowhere; says where it was looked for, and which belong to an original), corrupt, io.
Result<OpenLocation> find_location(const LocationEntry& entry, const LocationOwner& owner,
                                   const std::vector<std::string>& named);

/// The number by which the directory is a location of this store; 0 if it is not one of its locations.
Result<unsigned> location_number(Medium& medium, const std::string& path, const LocationOwner& owner);

/// Marks the directory at `path` as the location of this number, durably.
Status mark_location(Medium& medium, const std::string& path, const LocationOwner& owner, unsigned number);

/// Writes the present paths of a location and of its store into it, if it has others.
Status claim_location(const OpenLocation& location, const LocationOwner& owner);

/// Makes the directory a location, durably: empty, with its number.  Errors: already_exists (it holds
/// a part of another graph, or other files), io.
Status create_location(Medium& medium, const std::string& path, const LocationOwner& owner, unsigned number);

/// Removes a location's files, except those that cannot be removed.
void remove_location(Medium& medium);

}  // namespace rizoma
