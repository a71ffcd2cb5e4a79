// Power cut below the store: appends numbered records to one file in each directory, makes each
// durable, and says so; after the power cut `check` finds at least what had been acknowledged.
//
//   lab_power_medium write DIR...          prints "acknowledged N" after each round, without end
//   lab_power_medium check N DIR...        exit code 0 if rounds 1..N are whole in every directory
#include "platform/file_medium.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace rizoma {
namespace {

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

int fail(const Error& error) {
  std::fprintf(stderr, "lab_power_medium: %s\n", error.message.c_str());
  return 1;
}

Result<std::vector<Location>> open_all(std::span<char*> directories, FileMode mode) {
  std::vector<Location> locations;
  for (const char* directory : directories) {
    RIZOMA_ASSIGN(auto medium, open_file_medium(directory, mode == FileMode::create));
    RIZOMA_ASSIGN(auto log, medium->open("log", mode));
    if (mode == FileMode::create) RIZOMA_TRY(medium->sync_names());
    locations.push_back({std::move(medium), std::move(log)});
  }
  return locations;
}

Status write_round(std::vector<Location>& locations, std::uint64_t round) {
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const Record record = record_of(round, i);
    RIZOMA_TRY(locations[i].log->write((round - 1) * sizeof(Record), std::as_bytes(std::span(record))));
    RIZOMA_TRY(locations[i].log->sync());
  }
  return {};
}

int write(std::span<char*> directories) {
  auto locations = open_all(directories, FileMode::create);
  if (!locations) return fail(locations.error());
  for (std::uint64_t round = 1;; ++round) {
    if (const Status status = write_round(*locations, round); !status) return fail(status.error());
    std::printf("acknowledged %llu\n", static_cast<unsigned long long>(round));
    std::fflush(stdout);
  }
}

Status check_round(const std::vector<Location>& locations, std::uint64_t round) {
  for (std::size_t i = 0; i < locations.size(); ++i) {
    Record found{};
    RIZOMA_TRY(locations[i].log->read((round - 1) * sizeof(Record), std::as_writable_bytes(std::span(found))));
    if (found != record_of(round, i)) return Error{ErrorCode::corrupt, "a record is not what was written"};
  }
  return {};
}

int check(std::uint64_t rounds, std::span<char*> directories) {
  const auto locations = open_all(directories, FileMode::read);
  if (!locations) return fail(locations.error());
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (const Status status = check_round(*locations, round); !status) {
      std::fprintf(stderr, "round %llu of %llu acknowledged: ", static_cast<unsigned long long>(round),
                   static_cast<unsigned long long>(rounds));
      return fail(status.error());
    }
  }
  std::printf("all %llu acknowledged rounds are there\n", static_cast<unsigned long long>(rounds));
  return 0;
}

}  // namespace
}  // namespace rizoma

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? words[1] : "";
  if (what == "write" && argc > 2) return rizoma::write(words.subspan(2));
  if (what == "check" && argc > 3) return rizoma::check(std::strtoull(words[2], nullptr, 10), words.subspan(3));
  std::fprintf(stderr, "usage: %s write DIR... | check ROUNDS DIR...\n", words[0]);
  return 2;
}
