#include "store/space/space.h"

#include "base/check.h"
#include "store/messages.h"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

namespace rizoma {
namespace {

/// Writes zeros over all of it, in pieces.
Status overwrite(DataFiles& data, const Extent& range) {
  const std::vector<std::byte> zeros(std::min(range.bytes, std::uint64_t{2} << 20));
  for (std::uint64_t done = 0; done < range.bytes; done += zeros.size()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(zeros.size(), range.bytes - done);
    RIZOMA_TRY(data.write({range.offset + done, bytes, range.location}, std::span(zeros).first(bytes)));
  }
  return {};
}

/// Whether a location of this number is among them.
template <class Locations>
bool has_number(const Locations& locations, unsigned number) {
  return std::any_of(locations.begin(), locations.end(),
                     [&](const OpenLocation& location) { return location.entry.number == number; });
}

std::uint64_t sum_or_most(std::uint64_t a, std::uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

}  // namespace

// ---- opening ----

/// Opens the data file of a location and records its state.
Status Space::open_data(unsigned location, Medium& medium, std::vector<FoundSpace>& found) {
  RIZOMA_ASSIGN(auto file, medium.open(kDataName, read_only_ ? FileMode::read : FileMode::write));
  data_->add(location, std::move(file), medium.describe() + "/" + kDataName);
  found.resize(std::max<std::size_t>(found.size(), location + 1));
  if (read_only_) return {};
  RIZOMA_ASSIGN(found[location].size, data_->size(location));
  RIZOMA_ASSIGN(const bool alone, data_->mark_in_use(location));
  if (!alone) found[location].floor = found[location].size;
  return {};
}

Result<std::shared_ptr<Medium>> Space::open_directory(const std::string& path, bool create) const {
  if (!settings_.open_location) {
    return Error{ErrorCode::unsupported, "a graph in memory has no locations besides " + own_->describe()};
  }
  return settings_.open_location(path, create);
}

LocationOwner Space::as_owner() const {
  return {store_, settings_.path, own_.get(),
          [this](const std::string& path, bool create) { return open_directory(path, create); }};
}

Result<std::vector<FoundSpace>> Space::open(const format::StoreId& store, const std::vector<LocationEntry>& listed) {
  store_ = store;
  std::vector<FoundSpace> found;
  RIZOMA_TRY(open_data(0, *own_, found));
  const LocationOwner owner = as_owner();
  std::vector<OpenLocation> locations;
  bool moved = false;
  for (const LocationEntry& entry : listed) {
    if (entry.number == 0) {
      locations.push_back({entry, nullptr});
      continue;
    }
    RIZOMA_ASSIGN(OpenLocation location, find_location(entry, owner, settings_.locations));
    moved |= location.entry.path != entry.path;
    if (!read_only_) RIZOMA_TRY(claim_location(location, owner));
    RIZOMA_TRY(open_data(entry.number, *location.medium, found));
    locations.push_back(std::move(location));
  }
  const MutexLock guard(mutex_);
  locations_ = std::move(locations);
  moved_ = moved;
  return found;
}

Status Space::expect_borne_out(const std::vector<Extent>& extents) {
  constexpr std::uint64_t kFree = std::uint64_t{64} << 20;
  constexpr std::uint64_t kMostCompression = 1024;
  std::map<unsigned, std::uint64_t> used, ends;
  for (const Extent& extent : extents) {
    std::uint64_t &sum = used[extent.location], &end = ends[extent.location];
    sum = sum_or_most(sum, extent.bytes);
    end = std::max(end, sum_or_most(extent.offset, extent.bytes));
  }
  for (const auto& [location, end] : ends) {
    RIZOMA_ASSIGN(const std::uint64_t size, data_->size(location));
    if (size < end)
      damage_ = data_->where(location) + " ends at byte " + std::to_string(size) + ", but the graph has data up to " +
                std::to_string(end);
  }
  for (const auto& [location, bytes] : used) {
    if (bytes <= kFree) continue;
    RIZOMA_ASSIGN(const std::uint64_t there, data_->allocated(location));
    if (bytes / kMostCompression > there)
      return corrupt(data_->where(location), "has holes where the manifest names sections");
  }
  return {};
}

/// A number that no location has or had since this opening.
Result<unsigned> Space::free_number() const {
  for (unsigned number = 1; number < kMaxLocations; ++number) {
    if (!data_->has(number)) return number;
  }
  return Error{ErrorCode::invalid_argument,
               "a graph has at most " + std::to_string(kMaxLocations) + " locations; reopen it to give up old ones"};
}

/// The place in `locations` of the directory `path`, which becomes a location if it is none.
Result<std::size_t> Space::location_at(const std::string& path, std::vector<OpenLocation>& locations) {
  const auto index_where = [&](auto is_it) {
    return static_cast<std::size_t>(std::find_if(locations.begin(), locations.end(), is_it) - locations.begin());
  };
  const std::size_t named = index_where([&](const OpenLocation& location) { return location.entry.path == path; });
  if (named < locations.size()) return named;
  OpenLocation added{{0, true, path}, nullptr};
  if (!path.empty()) {
    RIZOMA_ASSIGN(added.medium, open_directory(path, true));
    RIZOMA_ASSIGN(const unsigned number, location_number(*added.medium, path, as_owner()));
    const std::size_t known =
        index_where([&](const OpenLocation& location) { return location.entry.number == number; });
    if (number != 0 && known < locations.size()) return known;  // by another path
    RIZOMA_ASSIGN(added.entry.number, free_number());
    RIZOMA_TRY(create_location(*added.medium, path, as_owner(), added.entry.number));
    std::vector<FoundSpace> found;
    RIZOMA_TRY(open_data(added.entry.number, *added.medium, found));
  }
  locations.push_back(std::move(added));
  return locations.size() - 1;
}

/// Adds to `locations` the directories asked for; returns them all in their new order, homes first.
Result<std::vector<OpenLocation>> Space::with_homes(std::vector<OpenLocation>& locations) {
  std::vector<OpenLocation> ordered;
  for (const std::string& path : settings_.locations) {
    RIZOMA_ASSIGN(const std::size_t at, location_at(path, locations));
    if (has_number(ordered, locations[at].entry.number)) {
      return Error{ErrorCode::invalid_argument,
                   (path.empty() ? own_->describe() : path) + " is named twice among the locations; name each once"};
    }
    ordered.push_back(locations[at]);
    ordered.back().entry.is_home = true;
  }
  for (OpenLocation& location : locations) {
    if (has_number(ordered, location.entry.number)) continue;
    location.entry.is_home = false;
    ordered.push_back(std::move(location));
  }
  return ordered;
}

Status Space::choose_homes() {
  if (read_only_ || settings_.locations.empty()) return {};
  std::vector<OpenLocation> known = locations();
  auto ordered = with_homes(known);
  const MutexLock guard(mutex_);
  if (!ordered) {
    // What was made before something failed is known too: a creation removes it.
    locations_ = std::move(known);
    return std::move(ordered).error();
  }
  locations_ = *std::move(ordered);
  return {};
}

// ---- extents ----

Result<std::shared_ptr<const ExtentLease>> Space::write(std::span<const std::byte> bytes, unsigned location) {
  auto lease = std::make_shared<const ExtentLease>(extents_, bytes.size(), location);
  RIZOMA_TRY(data_->write(lease->extent(), bytes));
  return std::shared_ptr<const ExtentLease>(std::move(lease));
}

void Space::published(std::uint64_t generation, const std::vector<LocationEntry>& listed) {
  extents_->set_generation(generation);
  std::vector<OpenLocation> given_up;
  {
    const MutexLock guard(mutex_);
    moved_ = false;
    const auto unlisted =
        std::stable_partition(locations_.begin(), locations_.end(), [&](const OpenLocation& location) {
          return std::any_of(listed.begin(), listed.end(),
                             [&](const auto& entry) { return entry.number == location.entry.number; });
        });
    given_up.assign(unlisted, locations_.end());
    locations_.erase(unlisted, locations_.end());
  }
  for (const OpenLocation& location : given_up) {
    if (location.medium != nullptr) remove_location(*location.medium);
  }
}

// ---- locations ----

unsigned Space::homes() const noexcept {
  return static_cast<unsigned>(
      std::count_if(locations_.begin(), locations_.end(), [](const auto& location) { return location.entry.is_home; }));
}

unsigned Space::num_homes() const {
  const MutexLock guard(mutex_);
  return homes();
}

unsigned Space::choose(SectionId section, std::optional<unsigned> present) const {
  const unsigned count = homes();
  if (count == 0) return 0;
  if (section < wanted_homes_.size()) return locations_[wanted_homes_[section] % count].entry.number;
  const auto stays = [&](const OpenLocation& location) {
    return location.entry.is_home && location.entry.number == *present;
  };
  if (present && std::any_of(locations_.begin(), locations_.end(), stays)) return *present;
  return locations_[section % count].entry.number;
}

unsigned Space::location_for(SectionId section, std::optional<unsigned> present) const {
  const MutexLock guard(mutex_);
  return choose(section, present);
}

std::vector<unsigned> Space::locations_for_new(SectionId sections) const {
  std::vector<unsigned> locations(sections);
  const MutexLock guard(mutex_);
  for (SectionId s = 0; s < sections; ++s) locations[s] = choose(s, std::nullopt);
  return locations;
}

void Space::place(std::vector<unsigned> home_of_section) {
  const MutexLock guard(mutex_);
  wanted_homes_ = std::move(home_of_section);
}

std::vector<LocationEntry> Space::listed(std::span<const Extent> extents, bool others_too) const {
  std::vector<LocationEntry> listed;
  const MutexLock guard(mutex_);
  for (const OpenLocation& location : locations_) {
    const bool used = others_too || std::any_of(extents.begin(), extents.end(), [&](const Extent& extent) {
                        return extent.location == location.entry.number;
                      });
    if (location.entry.is_home || (used && location.entry.number != 0)) listed.push_back(location.entry);
  }
  return listed;
}

bool Space::moved() const {
  const MutexLock guard(mutex_);
  return moved_;
}

std::vector<OpenLocation> Space::locations() const {
  const MutexLock guard(mutex_);
  return locations_;
}

/// A home gets its share of the sections; everything else, spilled edges too, goes to the store's own directory.
Status Space::for_all_anew(FunctionRef<Status(const std::string& directory, std::uint64_t bytes)> enough) const {
  std::uint64_t stored = 0;
  for (unsigned location = 0; location < kMaxLocations; ++location) stored += extents_->in_use(location);
  RIZOMA_TRY(enough(settings_.path, stored));
  const std::uint64_t share = stored / std::max(1u, num_homes());
  for (const OpenLocation& location : locations()) {
    RIZOMA_TRY(enough(location.entry.path, std::max(share, extents_->in_use(location.entry.number))));
  }
  return {};
}

// ---- free space ----

std::shared_ptr<const void> Space::pin(std::uint64_t generation) const {
  if (superblock_ == nullptr) return nullptr;
  auto pin = superblock_->pin(generation);
  return pin ? *std::move(pin) : nullptr;
}

void Space::reclaim() {
  for (unsigned location = 0; location < kMaxLocations; ++location) {
    if (!extents_->has_floor(location) || !data_->has(location)) continue;
    const auto alone = data_->has_only_mark(location);
    if (alone && *alone) extents_->lift_floor(location);
  }
  const auto read = superblock_->pins(extents_->next_generation());
  if (read) extents_->reclaim(*read);
}

/// Frees only extents that the durable superblock does not reach, so a crash at any point leaves a correct state, and
/// the next checkpoint repeats a failed attempt.
void Space::give_back(unsigned spare_percent) {
  try {
    reclaim();
    const MutexLock guard(giving_);
    for (unsigned location = 0; location < kMaxLocations; ++location) {
      if (!data_->has(location)) continue;
      static_cast<void>(give_back_at(location, extents_->in_use(location) / 100 * spare_percent));
    }
  } catch (const std::bad_alloc&) {  // as little a failure of the checkpoint as that of the device
  }
}

Status Space::give_back_at(unsigned location, std::uint64_t spare) {
  RIZOMA_ASSIGN(const std::uint64_t size, data_->size(location));
  if (size > extents_->end(location) + spare) {
    RIZOMA_TRY(data_->shrink(location, [&] { return extents_->end(location); }));
  }
  RIZOMA_ASSIGN(const std::uint64_t allocated, data_->allocated(location));
  if (allocated <= extents_->in_use(location) + spare) return {};
  extents_->end_filled(location, size);
  while (const auto range = extents_->take_filled(location, spare)) {
    const Status emptied = data_->discard(*range);
    extents_->put_back(*range, emptied.ok());
    RIZOMA_TRY(emptied);
  }
  return {};
}

Status Space::empty_at(unsigned location) {
  RIZOMA_TRY(data_->shrink(location, [&] { return extents_->end(location); }));
  RIZOMA_ASSIGN(const std::uint64_t size, data_->size(location));
  extents_->end_filled(location, size);
  while (const auto range = extents_->take_filled(location, 0)) {
    const Status emptied = data_->discard(*range);
    const Status gone = emptied ? Status() : overwrite(*data_, *range);
    extents_->put_back(*range, gone.ok());
    RIZOMA_TRY(gone);
  }
  return {};
}

Result<std::uint64_t> Space::empty_what_is_free() {
  reclaim();
  std::uint64_t held = 0;
  {
    const MutexLock guard(giving_);
    for (unsigned location = 0; location < kMaxLocations; ++location) {
      if (!data_->has(location)) continue;
      RIZOMA_TRY(empty_at(location));
      held += extents_->in_use(location);
    }
  }
  RIZOMA_TRY(data_->sync());
  return held;
}

}  // namespace rizoma
