#include "store/repair/salvage_medium.h"

#include "platform/memory_medium.h"
#include "store/messages.h"
#include "store/space/copied_mapping.h"
#include "store/space/data_files.h"
#include "store/space/salvaged_bytes.h"
#include "store/file_names.h"
#include "store/manifest/manifest_copies.h"
#include "store/manifest/publish.h"
#include "store/manifest/superblock.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
constexpr std::uint64_t kCompressed = 64;  // file systems that compress may keep much less than they give

/// A file with its readable bytes.  Error of code corrupt if it is longer than anything written to it can be.
Result<std::vector<std::byte>> read_whole(Medium& medium, std::string_view name) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  RIZOMA_ASSIGN(const std::uint64_t allocated, file->allocated());
  if (size > kSmall && (size - kSmall) / kCompressed > allocated) return corrupt(name, "is a hole");
  std::vector<std::byte> bytes(size);
  const auto unreadable = read_what_can_be(*file, 0, bytes);
  if (!unreadable) return unreadable.error();
  return bytes;
}

/// Zeros that a truncated file gets at most, beyond twice its length.
constexpr std::uint64_t kMostZeros = std::uint64_t{1} << 20;

/// A truncated file, with zeros in place of the missing bytes: they fail the checksums of the structures there, and
/// only those.  Refuses bytes far beyond the end without zeros: a caller that maps the file copies it.
class Lengthened final : public MediumFile {
 public:
  Lengthened(std::unique_ptr<MediumFile> file, std::uint64_t there, std::uint64_t size)
      : file_(std::move(file)), there_(there), size_(size) {}

  [[nodiscard]] Result<std::uint64_t> size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::uint64_t part = std::min<std::uint64_t>(out.size(), there_ > offset ? there_ - offset : 0);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(part), out.end(), std::byte{0});
    const auto unreadable = read_what_can_be(*file_, offset, out.first(part));
    return unreadable ? Status() : unreadable.error();
  }
  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override { return file_->write(offset, bytes); }
  Status sync() override { return file_->sync(); }
  Status resize(std::uint64_t size) override { return file_->resize(size); }
  Status discard(std::uint64_t offset, std::uint64_t size) override { return file_->discard(offset, size); }
  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return copied_mapping(*this, offset, size);
  }

 private:
  std::unique_ptr<MediumFile> file_;
  std::uint64_t there_;
  std::uint64_t size_;
};

/// Where `data` must end at the earliest, by the manifests that can be read.
Result<std::uint64_t> end_of_data(SalvageMedium& medium) {
  std::uint64_t end = 0;
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    const auto number = manifest_number_in(name);
    if (!number) continue;
    const auto found = read_manifest(medium, std::nullopt, *number);
    if (!found) continue;
    for (const Extent& extent : found->file.state.extents()) {
      if (extent.location == 0) end = std::max(end, extent.offset + extent.bytes);
    }
  }
  return end;
}

}  // namespace

SalvageMedium::SalvageMedium(std::shared_ptr<Medium> damaged)
    : damaged_(std::move(damaged)), small_(make_memory_medium(damaged_->granularity())) {}

Result<std::shared_ptr<SalvageMedium>> SalvageMedium::over(std::shared_ptr<Medium> damaged) {
  std::shared_ptr<SalvageMedium> medium(new SalvageMedium(std::move(damaged)));
  RIZOMA_ASSIGN(const auto names, medium->damaged_->list());
  for (const std::string& name : names) {
    if (!name.starts_with("superblock") && !manifest_number_in(name) && !name.starts_with("log.")) continue;
    const auto bytes = read_whole(*medium->damaged_, name);
    if (bytes) RIZOMA_TRY(medium->replace(name, *bytes));
  }
  return medium;
}

Result<std::vector<std::byte>> SalvageMedium::read(const std::string& name) { return read_whole(*small_, name); }

Status SalvageMedium::replace(const std::string& name, std::span<const std::byte> bytes) {
  RIZOMA_ASSIGN(const auto file, small_->open(name, FileMode::create));
  return file->write(0, bytes);
}

Result<std::unique_ptr<MediumFile>> SalvageMedium::open(std::string_view name, FileMode mode) {
  if (name != kDataName) {
    auto small = small_->open(name, mode);
    if (small || small.error().code != ErrorCode::not_found) return small;
    return Error{ErrorCode::not_found, describe() + "/" + std::string(name) + " does not exist, or cannot be read"};
  }
  RIZOMA_ASSIGN(auto file, damaged_->open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t there, file->size());
  RIZOMA_ASSIGN(const std::uint64_t end, end_of_data(*this));
  if (there >= end) return file;
  const std::uint64_t size = end - there <= there ? end : std::min(end, 2 * there + kMostZeros);
  return std::unique_ptr<MediumFile>(std::make_unique<Lengthened>(std::move(file), there, size));
}

Result<bool> SalvageMedium::exists(std::string_view name) const {
  return name == kDataName ? damaged_->exists(name) : small_->exists(name);
}

}  // namespace rizoma
