// PacedTarget: takes the sections of a rebuild for another target, at a pace that lets others use the device.
//
// What is written is synced every few MiB: a sync of the log, for which a writer waits, waits for what the device has been
// given before it, and at the end of a rebuild that would be the whole graph.
// Threads: as LoadTarget.  Errors: those of the other target and of the sync.
#pragma once

#include "store/loading/bulk_load.h"
#include "store/space/data_files.h"

#include <atomic>
#include <cstdint>
#include <span>

namespace rizoma {

class PacedTarget final : public LoadTarget {
 public:
  /// Both outlive it.
  PacedTarget(LoadTarget& target, DataFiles& data) noexcept : target_(target), data_(data) {}

  Status begin(const LoadShape& shape) override { return target_.begin(shape); }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override;
  Status put_dictionary(std::span<const std::byte> segment) override;
  Result<EdgeBatch> put_rows(const EdgeBatch& edges) override { return target_.put_rows(edges); }
  Status publish(const LoadTotals& totals) override { return target_.publish(totals); }

 private:
  static constexpr std::uint64_t kPiece = std::uint64_t{8} << 20;

  Status written(std::uint64_t bytes);

  LoadTarget& target_;
  DataFiles& data_;
  std::atomic<std::uint64_t> unsynced_{0};
};

}  // namespace rizoma
