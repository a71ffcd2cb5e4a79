// ThrottledTarget: takes the sections of a rebuild for another target, at a pace that lets others use the device.
//
// What is written is synced every few MiB: a sync of the log, for which a writer waits, waits for what the device has
// been given before it, and at the end of a rebuild that would be the whole graph.  With a rate, a thread that has
// written more than that waits (pace.h).
// Threads: as LoadTarget.  Errors: those of the other target and of the sync; cancelled.
#pragma once

#include "platform/clock.h"
#include "platform/mutex.h"
#include "store/loading/bulk_load.h"
#include "store/rewrite/pace.h"
#include "store/space/data_files.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace rizoma {

class ThrottledTarget final : public LoadTarget {
 public:
  /// All outlive it.  `bytes_per_second`: 0: as many as can be.
  ThrottledTarget(LoadTarget& target, DataFiles& data, const Executor& executor,
                  std::uint64_t bytes_per_second) noexcept
      : target_(target), data_(data), executor_(executor), pace_(bytes_per_second, kPiece) {}

  Status begin(const LoadShape& shape) override { return target_.begin(shape); }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override;
  Status put_dictionary(std::span<const std::byte> segment) override;
  Result<std::vector<double>> put_rows(const EdgeBatch& edges) override { return target_.put_rows(edges); }
  Status combine_rows(MergedRows groups) override { return target_.combine_rows(std::move(groups)); }
  [[nodiscard]] bool leaves_values_out() const override { return target_.leaves_values_out(); }
  [[nodiscard]] std::string name_of(VertexId v) const override { return target_.name_of(v); }
  Status publish(const LoadTotals& totals) override { return target_.publish(totals); }

 private:
  static constexpr std::uint64_t kPiece = std::uint64_t{2} << 20;

  Status written(std::uint64_t bytes);
  [[nodiscard]] bool is_ahead() const;

  LoadTarget& target_;
  DataFiles& data_;
  const Executor& executor_;
  const Stopwatch clock_;
  mutable Mutex mutex_{LockLevel::last};
  Pace pace_ RIZOMA_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> unsynced_{0};
};

}  // namespace rizoma
