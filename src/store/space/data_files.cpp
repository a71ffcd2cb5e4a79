#include "store/space/data_files.h"

#include "base/check.h"
#include "store/space/copied_mapping.h"
#include "store/space/salvaged_bytes.h"

#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// What a mapping lives by.
struct Holders {
  std::shared_ptr<MediumFile> file;  // with its mark
  std::shared_ptr<const void> pin;
  std::shared_ptr<const void> mapping;
};

}  // namespace

void DataFiles::add(unsigned location, std::shared_ptr<MediumFile> file, std::string where) {
  RIZOMA_CHECK(location < kMaxLocations && files_[location] == nullptr);
  auto added = std::make_unique<DataFile>();
  added->file = std::move(file);
  added->where = std::move(where);
  files_[location] = std::move(added);
}

Status DataFiles::write(Extent extent, std::span<const std::byte> bytes) {
  RIZOMA_CHECK(has(extent.location) && bytes.size() <= extent.bytes);
  DataFile& data = *files_[extent.location];
  {
    const MutexLock guard(data.mutex);
    data.whole = {};
  }
  const std::shared_lock growing(data.growing);
  return data.file->write(extent.offset, bytes);
}

Status DataFiles::shrink(unsigned location, FunctionRef<std::uint64_t()> end) {
  DataFile& data = *files_[location];
  const std::lock_guard growing(data.growing);
  const std::uint64_t needed = end();
  RIZOMA_ASSIGN(const std::uint64_t size, data.file->size());
  return needed < size ? data.file->resize(needed) : Status();
}

Status DataFiles::sync() {
  for (const auto& data : files_) {
    if (data == nullptr) continue;
    if (Status status = data->file->sync(); !status) {
      ++failed_syncs_;
      return status;
    }
  }
  return {};
}

Result<Mapping> DataFiles::map(Extent extent) const {
  DataFile& data = *files_[extent.location];
  const std::uint64_t end = extent.offset + extent.bytes;
  RIZOMA_ASSIGN(const auto guard, lock_in(process_, data.mutex));
  guard.holds(data.mutex);
  while (data.whole.bytes.size() < end) {
    RIZOMA_ASSIGN(const std::uint64_t size, data.file->size());
    if (size < end) {
      return Error{ErrorCode::corrupt, data.where + " ends at byte " + std::to_string(size) +
                                           ", inside or before the extent of " + std::to_string(extent.bytes) +
                                           " bytes at " + std::to_string(extent.offset)};
    }
    Result<Mapping> whole = data.file->map(0, size);
    if (whole) {
      data.whole = Mapping{whole->bytes, std::make_shared<Holders>(Holders{data.file, pin_, std::move(whole->owner)})};
      continue;
    }
    RIZOMA_ASSIGN(const std::uint64_t now, data.file->size());
    if (now == size) return whole.error();  // else a writer, perhaps another process, has cut off the end meanwhile
  }
  RIZOMA_CHECK(end >= extent.offset && end <= data.whole.bytes.size());
  return Mapping{data.whole.bytes.subspan(extent.offset, extent.bytes), data.whole.owner};
}

Result<Mapping> DataFiles::read(Extent extent) const {
  RIZOMA_ASSIGN(Mapping mapping, view(extent));
  if (!overwritable_) RIZOMA_TRY(files_[extent.location]->file->populate(extent.offset, mapping.bytes));
  return mapping;
}

Result<Mapping> DataFiles::salvage(Extent extent) const {
  const auto bytes = std::make_shared<std::vector<std::byte>>(extent.bytes);
  const auto unreadable = read_what_can_be(*files_[extent.location]->file, extent.offset, *bytes);
  if (!unreadable) return unreadable.error();
  return Mapping{*bytes, bytes};
}

Result<Mapping> DataFiles::copy(Extent extent) const {
  const DataFile& data = *files_[extent.location];
  RIZOMA_ASSIGN(const std::uint64_t size, data.file->size());
  if (size < extent.offset + extent.bytes) return map(extent);  // the error that says so
  return copied_mapping(*data.file, extent.offset, extent.bytes);
}

}  // namespace rizoma
