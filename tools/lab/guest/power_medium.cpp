// Power cut below the store: appends numbered records to one file in each directory; see power_program.h.
// Layouts: "files" (fdatasync for each record), "dax" (cache-line flushes; the file grows in steps).
#include "platform/dax_medium.h"
#include "power_program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{64} << 10;  // bytes by which a file grows

/// Fills a cache line; each word depends on the round and its place, so that no record is like another.
using Record = std::array<std::uint64_t, 8>;

Record record_of(std::uint64_t round, std::uint64_t location) {
  Record record;
  for (std::size_t i = 0; i < record.size(); ++i) record[i] = (round * 31 + location) * 0x9e3779b97f4a7c15U + i;
  return record;
}

struct Location {
  std::unique_ptr<Medium> medium;
  std::unique_ptr<MediumFile> log;
};

Result<std::vector<Location>> open_all(MediumChoice choice, std::span<char*> directories, FileMode mode) {
  std::vector<Location> locations;
  for (const char* directory : directories) {
    RIZOMA_ASSIGN(auto medium, open_medium(directory, mode == FileMode::create, choice));
    RIZOMA_ASSIGN(auto log, medium->open("log", mode));
    if (mode == FileMode::create) RIZOMA_TRY(medium->sync_names());
    locations.push_back({std::move(medium), std::move(log)});
  }
  return locations;
}

Status write_round(const std::vector<Location>& locations, std::uint64_t round) {
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const Record record = record_of(round, i);
    const std::uint64_t at = (round - 1) * sizeof(Record);
    if (at % kStep == 0) RIZOMA_TRY(locations[i].log->resize(at + kStep));
    RIZOMA_TRY(locations[i].log->write(at, std::as_bytes(std::span(record))));
    RIZOMA_TRY(locations[i].log->sync());
  }
  return {};
}

Status check_round(const std::vector<Location>& locations, std::uint64_t round) {
  for (std::size_t i = 0; i < locations.size(); ++i) {
    Record found{};
    RIZOMA_TRY(locations[i].log->read((round - 1) * sizeof(Record), std::as_writable_bytes(std::span(found))));
    if (found != record_of(round, i)) {
      return Error{ErrorCode::corrupt, "the record of round " + std::to_string(round) + " is not what was written"};
    }
  }
  return {};
}

Result<std::function<Status(std::uint64_t)>> write(std::string_view layout, std::span<char*> directories) {
  const MediumChoice choice = layout == "dax" ? MediumChoice::dax : MediumChoice::files;
  RIZOMA_ASSIGN(auto opened, open_all(choice, directories, FileMode::create));
  const auto locations = std::make_shared<std::vector<Location>>(std::move(opened));
  return std::function<Status(std::uint64_t)>(
      [locations](std::uint64_t round) { return write_round(*locations, round); });
}

Status check(std::uint64_t rounds, std::string_view, std::span<char*> directories) {
  RIZOMA_ASSIGN(const auto locations, open_all(MediumChoice::files, directories, FileMode::read));
  for (std::uint64_t round = 1; round <= rounds; ++round) RIZOMA_TRY(check_round(locations, round));
  return {};
}

}  // namespace
}  // namespace rizoma

int main(int argc, char** argv) {
  return rizoma::lab::run_power_program({"lab_power_medium", "files, dax", rizoma::write, rizoma::check}, argc, argv);
}
