#include "platform/dax_file.h"

#include "base/check.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kLeastMapping = std::uint64_t{1} << 20;
constexpr std::size_t kZeros = std::size_t{64} << 10;

/// Blocks at the beginning of a file that are allocated and written: up to its first hole.
std::uint64_t solid_of(int file) {
  const off_t hole = ::lseek(file, 0, SEEK_HOLE);
  return hole < 0 ? 0 : static_cast<std::uint64_t>(hole);
}

}  // namespace

DaxFile::DaxFile(std::shared_ptr<const FileDescriptor> descriptor, const std::string& where,
                 std::shared_ptr<PersistentMemory> memory)
    : descriptor_(descriptor),
      file_(std::move(descriptor), where, true),
      where_(where),
      memory_(std::move(memory)),
      solid_(solid_of(descriptor_->number())) {}

/// True if the bytes are durable; false if they are not within the mapped solid blocks.
bool DaxFile::store(std::uint64_t offset, std::span<const std::byte> bytes) {
  const SharedLock guard(layout_);
  const std::uint64_t usable = std::min(solid_, mapped_);
  if (offset > usable || bytes.size() > usable - offset) return false;
  persist(*memory_, mapping_.get() + offset, bytes);
  return true;
}

/// Maps the solid blocks, and room to grow; under the lock.
Status DaxFile::map_solid() {
  if (mapped_ >= solid_) return {};
  const std::uint64_t bytes = std::bit_ceil(std::max(2 * solid_, kLeastMapping));
  RIZOMA_ASSIGN(mapping_, memory_->map(descriptor_->number(), bytes, where_));
  mapped_ = bytes;
  return {};
}

/// Through the file system: it gives an Error where a store could not.
Status DaxFile::write_blocks(std::uint64_t offset, std::span<const std::byte> bytes) {
  const Status written = file_.write(offset, bytes);
  debt_.store(true);
  RIZOMA_TRY(written);
  const AloneLock guard(layout_);
  if (offset <= solid_) solid_ = std::max(solid_, offset + bytes.size());
  return {};
}

Status DaxFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty() || store(offset, bytes)) return {};
  bool solid = false;
  {
    const AloneLock guard(layout_);
    solid = offset <= solid_ && bytes.size() <= solid_ - offset;
    if (solid) RIZOMA_TRY(map_solid());
  }
  if (solid && store(offset, bytes)) return {};
  return write_blocks(offset, bytes);
}

Status DaxFile::sync() {
  const std::lock_guard guard(syncing_);
  if (!debt_.exchange(false)) return {};
  Status status = file_.sync();
  if (!status) debt_.store(true);
  return status;
}

Status DaxFile::fill_with_zeros(std::uint64_t begin, std::uint64_t end) {
  static constexpr std::array<std::byte, kZeros> zeros{};
  while (begin < end) {
    const std::uint64_t bytes = std::min<std::uint64_t>(end - begin, zeros.size());
    RIZOMA_TRY(write_blocks(begin, std::span(zeros).first(bytes)));
    begin += bytes;
  }
  return {};
}

Status DaxFile::resize(std::uint64_t size) {
  RIZOMA_ASSIGN(const std::uint64_t present, file_.size());
  if (size >= present) return fill_with_zeros(present, size);
  const AloneLock guard(layout_);
  solid_ = std::min(solid_, size);
  debt_.store(true);
  return file_.resize(size);
}

Status DaxFile::discard(std::uint64_t offset, std::uint64_t size) {
  const AloneLock guard(layout_);
  if (size > 0) solid_ = std::min(solid_, offset);
  debt_.store(true);
  return file_.discard(offset, size);
}

}  // namespace rizoma
