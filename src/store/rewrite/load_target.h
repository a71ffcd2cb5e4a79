// StoreLoadTarget: takes the sections of a load, or of a rebuild, and installs them in the store.
//
// A load's replace nothing, or the state that it began with; a rebuild's go to its caller (TakeGeneration), which holds
// the publisher's lock.
// Threads: as LoadTarget.  Errors: those of LoadTarget and of Publisher::install; locked, if a change came meanwhile.
#pragma once

#include <rizoma/result.h>

#include "store/columns/left_out_values.h"
#include "store/columns/row_block_writer.h"
#include "store/loading/bulk_load.h"
#include "store/publishing/publisher.h"
#include "store/space/joined_writes.h"
#include "store/state/snapshot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rizoma {

using TakeGeneration = std::function<Status(Generation)>;

class StoreLoadTarget final : public LoadTarget {
 public:
  struct Rebuild {
    std::shared_ptr<const StoreSnapshot> of;  ///< null: it is the load of an empty graph
    std::optional<std::vector<bool>> live;    ///< only these rows of edges keep their values
    TakeGeneration take;                      ///< its caller holds the publisher's lock; null: it is a load
    std::uint64_t sequence = 0;               ///< of a load: where the log was
  };
  /// `publisher` outlives this.  `ids`: the kind that the vertices have, unless the shape says that theirs have gaps.
  StoreLoadTarget(Publisher& publisher, IdKind ids, Rebuild rebuild);
  StoreLoadTarget(const StoreLoadTarget&) = delete;
  StoreLoadTarget& operator=(const StoreLoadTarget&) = delete;
  /// Frees the space of unpublished sections.
  ~StoreLoadTarget() override;

  Status begin(const LoadShape& shape) override;
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override;
  Status put_dictionary(std::span<const std::byte> segment) override;
  Result<std::vector<double>> put_rows(const EdgeBatch& edges) override;
  Status combine_rows(MergedRows groups) override;
  [[nodiscard]] bool leaves_values_out() const override { return left_out_.differ(); }
  [[nodiscard]] std::string name_of(VertexId v) const override;
  Status publish(const LoadTotals& totals) override;

 private:
  [[nodiscard]] bool rebuilds() const noexcept { return rebuild_.of != nullptr; }
  [[nodiscard]] bool serves_caller() const noexcept { return rebuild_.take != nullptr; }
  Status expect_unchanged() const RIZOMA_REQUIRES(publisher_.mutex, publisher_.writer.mutex);
  Result<Generation> finished(const LoadTotals& totals);
  [[nodiscard]] Result<Dictionary> open_dictionary() const;
  [[nodiscard]] Result<RemovedVertices> carry_removed(const Dictionary& dictionary) const;
  Status carry_rows(const Dictionary& dictionary);

  Publisher& publisher_;
  IdKind ids_;
  Rebuild rebuild_;
  RowWriter rows_;
  std::vector<std::byte> block_;  ///< of rows: memory that is used again
  LoadShape shape_;
  std::vector<unsigned> locations_;  ///< by section
  JoinedWrites images_;
  unsigned failed_syncs_;  ///< when it began: rows are written before the sections
  Durable durable_;
  LeftOutValues left_out_;
};

/// A target for a rebuild of a snapshot; `take` receives the result.
std::unique_ptr<LoadTarget> make_rebuild_target(Publisher& publisher, std::shared_ptr<const StoreSnapshot> of,
                                                std::optional<std::vector<bool>> live, TakeGeneration take);

}  // namespace rizoma
