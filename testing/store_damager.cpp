#include "testing/store_damager.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kSector = 512;

std::string any_name(Random& random, const FileContents& files) {
  return std::next(files.begin(), static_cast<std::ptrdiff_t>(random.below(files.size())))->first;
}

/// A range of one of the sizes in which bytes go bad.  Ends of files are where most of the meaning is.
std::pair<std::uint64_t, std::uint64_t> any_range(Random& random, std::uint64_t size) {
  constexpr std::uint64_t kUnits[] = {1, 8, 64, kSector, 4096};
  const std::uint64_t unit = kUnits[random.below(std::size(kUnits))];
  const std::uint64_t from = random.below(3) == 0 && size > 256 ? size - 256 : 0;
  const std::uint64_t begin = (from + random.below(size - from)) / unit * unit;
  return {begin, std::min(size, begin + unit * (1 + random.below(3)))};
}

}  // namespace

void StoreDamager::change_bytes(Random& random, const std::string& name, DamagedStore& store) const {
  std::vector<std::byte>& bytes = store.files[name];
  if (bytes.empty()) return;
  const auto [begin, end] = any_range(random, bytes.size());
  const auto range = std::span(bytes).subspan(begin, end - begin);
  const std::string where = name + " " + std::to_string(begin) + ".." + std::to_string(end) + "; ";
  switch (random.below(5)) {
    case 0:
      bytes[begin] ^= std::byte{static_cast<unsigned char>(1U << random.below(8))};
      store.what += "a bit of " + where;
      return;
    case 1:
      std::fill(range.begin(), range.end(), std::byte{0});
      store.what += "zeros in " + where;
      return;
    case 2:
      std::generate(range.begin(), range.end(), [&] { return static_cast<std::byte>(random.below(256)); });
      store.what += "noise in " + where;
      return;
    default: {
      const std::uint64_t first = begin / kSector * kSector;
      const std::uint64_t last = (end + kSector - 1) / kSector * kSector;
      store.unreadable.push_back({name, first, last});
      store.what += "unreadable " + name + " " + std::to_string(first) + ".." + std::to_string(last) + "; ";
    }
  }
}

void StoreDamager::change_file(Random& random, const std::string& name, DamagedStore& store) const {
  std::vector<std::byte>& bytes = store.files[name];
  switch (random.below(6)) {
    case 0:
      bytes.resize(bytes.empty() ? 0 : random.below(bytes.size()));
      store.what += name + " cut to " + std::to_string(bytes.size()) + "; ";
      return;
    case 1:
      store.files.erase(name);
      store.what += name + " deleted; ";
      return;
    case 2: {
      const std::string other = any_name(random, store.files);
      if (other != name) std::swap(bytes, store.files[other]);
      store.what += name + " exchanged with " + other + "; ";
      return;
    }
    case 3: {
      const auto found = foreign_.find(name);
      if (found == foreign_.end()) return;
      bytes = found->second;
      store.what += name + " of another store; ";
      return;
    }
    default: {
      const std::size_t version = random.below(versions_.size());
      const auto found = versions_[version].find(name);
      if (found == versions_[version].end()) return;
      bytes = found->second;
      store.what += name + " of moment " + std::to_string(version) + "; ";
    }
  }
}

DamagedStore StoreDamager::damage(Random& random, unsigned faults) const {
  DamagedStore store{versions_.back(), {}, ""};
  for (unsigned i = 0; i < faults && !store.files.empty(); ++i) {
    const std::string name = any_name(random, store.files);
    random.below(2) == 0 ? change_bytes(random, name, store) : change_file(random, name, store);
  }
  return store;
}

}  // namespace rizoma
