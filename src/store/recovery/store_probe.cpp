#include "store/recovery/store_probe.h"

#include "store/file_names.h"
#include "store/disk_format.h"
#include "store/loading/spill.h"
#include "store/log/log.h"
#include "store/messages.h"
#include "store/recovery/discarded.h"
#include "store/manifest/manifest_copies.h"
#include "store/manifest/superblock.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// Whether a file may be of a creation that was cut off: it leaves no more than the first manifest, also in `data`, an
/// empty log and a superblock under another name.
enum class LeftOver : std::uint8_t { no, yes, of_others };

/// A first manifest is a few hundred bytes, and more with thousands of columns.
constexpr std::uint64_t kMostOfFirstData = std::uint64_t{1} << 20;
constexpr std::uint32_t kFirstTwo = 0x5a52;  ///< "RZ": of every structure in an extent

/// Whether `data` has, beside what may be left of the first manifest at its beginning, nothing that a checkpoint or a
/// load wrote.
Result<bool> is_first_data(const MediumFile& data, std::uint64_t size) {
  if (size > kMostOfFirstData) return false;
  std::vector<std::byte> bytes(size);
  RIZOMA_TRY(data.read(0, bytes));
  for (std::uint64_t at = format::kPage; at + sizeof(std::uint32_t) <= size; at += format::kPage) {
    std::uint32_t begin = 0;
    std::memcpy(&begin, bytes.data() + at, sizeof begin);
    if ((begin & 0xffff) == kFirstTwo) return false;
  }
  return true;
}

/// Decides by name, length and beginning: the magic number of that file, or nothing written yet.
Result<LeftOver> left_by_a_creation(Medium& medium, const std::string& name) {
  std::uint64_t longest = UINT64_MAX;
  std::uint32_t magic = 0;
  if (name == kDataName) {
    longest = kMostOfFirstData;
    magic = format::kManifestMagic;
  } else if (name == log_name(1)) {
    longest = sizeof(format::LogHeader);
    magic = format::kLogMagic;
  } else if (name == manifest_name(1) || name == manifest_copy_name(1)) {
    magic = format::kManifestMagic;
  } else if (name == kNewSuperblockName) {
    magic = static_cast<std::uint32_t>(format::kSuperblockMagic);
  } else {
    return LeftOver::no;
  }
  const auto file = medium.open(name, FileMode::read);
  if (!file && file.error().code == ErrorCode::not_found)
    return LeftOver::yes;  // removed: another process creates a store
  if (!file) return file.error();
  RIZOMA_ASSIGN(const std::uint64_t size, (*file)->size());
  std::uint32_t begin = 0;
  if (size > 0) {
    const auto bytes = std::as_writable_bytes(std::span(&begin, 1));
    RIZOMA_TRY((*file)->read(0, bytes.first(std::min<std::uint64_t>(size, sizeof begin))));
  }
  if (name == kDataName && begin != 0 && begin != magic) return LeftOver::no;
  if (begin != 0 && begin != magic) return LeftOver::of_others;
  if (name == kDataName) {
    RIZOMA_ASSIGN(const bool first, is_first_data(**file, size));
    return first ? LeftOver::yes : LeftOver::no;
  }
  return size <= longest ? LeftOver::yes : LeftOver::no;
}

}  // namespace

bool store_makes_file(const std::string& name) {
  return name == kDataName || name == kSuperblockName || name == kNewSuperblockName || name == kDiscardedName ||
         manifest_number_in(name) || number_in(name, kLogPrefix) || name.starts_with(kSpillPrefix);
}

Result<bool> store_exists(Medium& medium) {
  RIZOMA_ASSIGN(const bool found, medium.exists(kSuperblockName));
  if (found) return true;
  RIZOMA_ASSIGN(const bool discarded, is_discarded(medium));
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    if (discarded && store_makes_file(name)) continue;
    RIZOMA_ASSIGN(const auto left, left_by_a_creation(medium, name));
    if (left == LeftOver::yes) continue;
    if (left == LeftOver::no && store_makes_file(name)) {
      // A writer may be creating it just now.
      RIZOMA_ASSIGN(const bool by_now, medium.exists(kSuperblockName));
      if (by_now) return true;
      return corrupt(medium.describe(), "holds parts of a Rizoma store (" + name + ") but no superblock");
    }
    return Error{ErrorCode::already_exists, medium.describe() + " holds other files (" + name +
                                                ") and no Rizoma store; give a new or empty directory"};
  }
  RIZOMA_ASSIGN(const bool others, medium.has_others());
  if (!others) return false;
  return Error{ErrorCode::already_exists,
               medium.describe() + " holds other directories and no Rizoma store; give a new or empty directory"};
}

Status expect_store(Medium& medium) {
  auto found = store_exists(medium);
  if (!found && found.error().code == ErrorCode::already_exists)
    return Error{ErrorCode::not_found, found.error().message};
  if (!found) return std::move(found).error();
  if (!*found) return Error{ErrorCode::not_found, "there is no graph at " + medium.describe()};
  return {};
}

}  // namespace rizoma
