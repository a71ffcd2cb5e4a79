#include "store/repair/repair_locations.h"

#include "store/repair/salvage_medium.h"

#include <map>
#include <memory>
#include <utility>

namespace rizoma {

Result<LocationOpener> repair_locations(const std::vector<LocationEntry>& entries, const LocationOwner& owner,
                                        const std::vector<std::string>& named, RepairReport& report) {
  std::map<std::string, std::shared_ptr<Medium>> media;
  for (const LocationEntry& entry : entries) {
    if (entry.number == 0) continue;
    if (!owner.open) return Error{ErrorCode::unsupported, "a graph in memory has no locations"};
    auto found = find_location(entry, owner, named);
    if (found) {
      report.kept_locations.emplace_back(found->entry.path);
      media[entry.path] = found->medium;
      continue;
    }
    if (found.error().code != ErrorCode::corrupt) return std::move(found).error();
    RIZOMA_ASSIGN(std::shared_ptr<Medium> directory, owner.open(entry.path, false));
    RIZOMA_ASSIGN(const auto mended, SalvageMedium::over(std::move(directory)));
    RIZOMA_TRY(mark_location(*mended, entry.path, owner, entry.number));
    report.kept_locations.emplace_back(entry.path);
    report.restored.push_back("the mark of location " + std::to_string(entry.number) + " (" + entry.path +
                              "), from the manifest");
    media[entry.path] = mended;
  }
  return LocationOpener([media = std::move(media)](const std::string& path, bool) -> Result<std::shared_ptr<Medium>> {
    const auto place = media.find(path);
    if (place == media.end()) return Error{ErrorCode::not_found, path + " is not a location of the graph"};
    return place->second;
  });
}

}  // namespace rizoma
