// Store: which locations there are, and which one a section goes to.
#include "store/store.h"

#include "base/check.h"
#include "store/space/data_files.h"
#include "store/space/locations.h"

#include <algorithm>
#include <string>
#include <utility>

namespace rizoma {

/// Opens the data file of a location and notes what it finds.
Status Store::open_data(unsigned location, Medium& medium, std::vector<FoundSpace>& found) {
  RIZOMA_ASSIGN(auto file, medium.open(kDataName, read_only_ ? FileMode::read : FileMode::write));
  data_->add(location, std::move(file), medium.describe() + "/" + kDataName);
  found.resize(std::max<std::size_t>(found.size(), location + 1));
  if (read_only_) return {};
  RIZOMA_ASSIGN(found[location].size, data_->size(location));
  RIZOMA_ASSIGN(const bool alone, data_->mark_in_use(location));
  if (!alone) found[location].floor = found[location].size;
  return {};
}

Result<std::shared_ptr<Medium>> Store::open_directory(const std::string& path, bool create) const {
  if (!options_.open_location) {
    return Error{ErrorCode::unsupported, "a graph in memory has no locations besides " + medium_->describe()};
  }
  return options_.open_location(path, create);
}

LocationOwner Store::as_owner() const {
  return {store_id_, options_.path, medium_.get(),
          [this](const std::string& path, bool create) { return open_directory(path, create); }};
}

/// Opens every location that the manifest lists.
Status Store::open_locations(const ManifestState& state, std::vector<FoundSpace>& space) {
  const LocationOwner owner = as_owner();
  for (const LocationEntry& entry : state.locations) {
    if (entry.number == 0) {
      locations_.push_back({entry, nullptr});
      continue;
    }
    RIZOMA_ASSIGN(OpenLocation found, find_location(entry, owner, options_.locations));
    locations_moved_ |= found.entry.path != entry.path;
    if (!read_only_) RIZOMA_TRY(claim_location(found, owner));
    RIZOMA_TRY(open_data(entry.number, *found.medium, space));
    locations_.push_back(std::move(found));
  }
  return {};
}

/// A number that no location has or had since this opening.
Result<unsigned> Store::free_location_number() const {
  for (unsigned number = 1; number < kMaxLocations; ++number) {
    if (!data_->has(number)) return number;
  }
  return Error{ErrorCode::invalid_argument,
               "a graph has at most " + std::to_string(kMaxLocations) + " locations: open it anew to give up old ones"};
}

/// The place in `locations_` of the directory `path`, which becomes a location if it is none.
Result<std::size_t> Store::location_at(const std::string& path) {
  const auto index_where = [this](auto is_it) {
    return static_cast<std::size_t>(std::find_if(locations_.begin(), locations_.end(), is_it) - locations_.begin());
  };
  const std::size_t named = index_where([&](const OpenLocation& location) { return location.entry.path == path; });
  if (named < locations_.size()) return named;
  OpenLocation added{{0, true, path}, nullptr};
  if (!path.empty()) {
    RIZOMA_ASSIGN(added.medium, open_directory(path, true));
    RIZOMA_ASSIGN(const unsigned number, location_number(*added.medium, path, as_owner()));
    const std::size_t known =
        index_where([&](const OpenLocation& location) { return location.entry.number == number; });
    if (number != 0 && known < locations_.size()) return known;  // by another path
    RIZOMA_ASSIGN(added.entry.number, free_location_number());
    RIZOMA_TRY(create_location(*added.medium, path, as_owner(), added.entry.number));
    std::vector<FoundSpace> found;
    RIZOMA_TRY(open_data(added.entry.number, *added.medium, found));
  }
  locations_.push_back(std::move(added));
  return locations_.size() - 1;
}

/// Makes the directories asked for the homes of sections, in their order; the next manifest says so.
Status Store::choose_homes() {
  if (read_only_ || options_.locations.empty()) return {};
  std::vector<OpenLocation> homes;
  const auto is_among = [&homes](const OpenLocation& location) {
    return std::any_of(homes.begin(), homes.end(),
                       [&](const OpenLocation& home) { return home.entry.number == location.entry.number; });
  };
  for (const std::string& path : options_.locations) {
    RIZOMA_ASSIGN(const std::size_t at, location_at(path));
    if (is_among(locations_[at])) {
      return Error{ErrorCode::invalid_argument,
                   (path.empty() ? medium_->describe() : path) + " is named twice among the locations"};
    }
    homes.push_back(locations_[at]);
    homes.back().entry.is_home = true;
  }
  for (OpenLocation& location : locations_) {
    if (is_among(location)) continue;
    location.entry.is_home = false;
    homes.push_back(std::move(location));
  }
  locations_ = std::move(homes);
  return {};
}

unsigned Store::num_homes() const noexcept {
  return static_cast<unsigned>(
      std::count_if(locations_.begin(), locations_.end(), [](const auto& location) { return location.entry.is_home; }));
}

/// Where a section's next image or delta goes: where `place` wants it, else where its image is, else
/// homes in turn.
unsigned Store::location_for(SectionId section, const StoredImage* image) const {
  const unsigned homes = num_homes();
  if (homes == 0) return 0;
  if (section < wanted_homes_.size()) return locations_[wanted_homes_[section] % homes].entry.number;
  const auto stays = [&](const OpenLocation& location) {
    return location.entry.is_home && location.entry.number == image->extent().location;
  };
  if (image != nullptr && std::any_of(locations_.begin(), locations_.end(), stays)) return image->extent().location;
  return locations_[section % homes].entry.number;
}

/// Where the first images of sections go.  Needs the maintenance lock.
std::vector<unsigned> Store::locations_for_new(SectionId sections) {
  std::vector<unsigned> locations(sections);
  for (SectionId s = 0; s < sections; ++s) locations[s] = location_for(s, nullptr);
  return locations;
}

/// What a manifest of this state lists: the homes, and what else holds an extent; all, if a tag cannot be read, which
/// may have some anywhere.
std::vector<LocationEntry> Store::locations_of(const ManifestState& state) const {
  std::vector<Extent> extents = state.extents();
  bool all_known = true;
  for (const Tag& tag : tags_) {
    if (tag.held == nullptr) {
      all_known = false;
      continue;
    }
    ManifestState tagged;
    tag.held->put_into(tagged);
    const std::vector<Extent> kept = tagged.extents();
    extents.insert(extents.end(), kept.begin(), kept.end());
  }
  std::vector<LocationEntry> listed;
  for (const OpenLocation& location : locations_) {
    const bool used = !all_known || std::any_of(extents.begin(), extents.end(), [&](const Extent& extent) {
      return extent.location == location.entry.number;
    });
    if (location.entry.is_home || (used && location.entry.number != 0)) listed.push_back(location.entry);
  }
  return listed;
}

/// Removes what is left of locations that the published state does not list; what cannot be removed
/// stays there and harms nobody.
void Store::forget_unlisted_locations(const ManifestState& state) {
  locations_moved_ = false;
  std::vector<OpenLocation> given_up;
  {
    const MutexLock guard(state_mutex_);
    const auto unlisted =
        std::stable_partition(locations_.begin(), locations_.end(), [&](const OpenLocation& location) {
          return std::any_of(state.locations.begin(), state.locations.end(),
                             [&](const auto& entry) { return entry.number == location.entry.number; });
        });
    given_up.assign(unlisted, locations_.end());
    locations_.erase(unlisted, locations_.end());
  }
  for (const OpenLocation& location : given_up) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
}

Status Store::place(std::vector<unsigned> homes) {
  RIZOMA_TRY(check_caller());
  RIZOMA_ASSIGN(const PatientLock maintenance, acquire(maintenance_mutex_));
  maintenance.holds(maintenance_mutex_);
  if (num_homes() < 2) {
    return Error{ErrorCode::invalid_argument, "the graph at " + medium_->describe() +
                                                  " lies in one location: open it with several to move sections"};
  }
  RIZOMA_ASSIGN(const auto present, snapshot());
  const std::size_t sections = present->parts().out.size();
  if (homes.size() != sections) {
    return Error{ErrorCode::invalid_argument, "the list of homes has " + std::to_string(homes.size()) +
                                                  " entries, but the graph has " + std::to_string(sections) +
                                                  " sections: give one for each"};
  }
  wanted_homes_ = std::move(homes);
  const Status status = checkpoint_now(0);
  maintenance_->note(status);
  return status;
}

}  // namespace rizoma
