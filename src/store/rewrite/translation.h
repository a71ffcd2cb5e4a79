// Translation: changes of the log of a store, put into the internal ids of its successor.
//
// How.  Each operation of a record comes with the numbers that vertices had when the successor was begun, or that they
// got since.  It is put into the successor's numbers, replayed there, and added to the record that the successor's log
// gets.  A vertex's number in the successor is looked up by its id, once; vertices that come meanwhile get the next one
// there too.  A vertex that had been removed before, and that ids other than dense have therefore left out, comes back
// as a new one.
// Cost: an array of a number a vertex; a look-up by id for each vertex that a change names; rows of values are copied.
// Threads: one.
#pragma once

#include "store/log/log.h"
#include "store/writing/replayer.h"
#include "store/state/contents.h"
#include "store/state/snapshot.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

class Translation final : public LogVisitor {
 public:
  /// `to` has the state `from`, and outlives this.  `data` holds its rows; `where` is the log
  /// of the store that the changes are read from, for messages.
  Translation(std::shared_ptr<const StoreSnapshot> from, Contents& to, std::shared_ptr<const DataFiles> data,
              std::string where);

  /// The record so far; the next one begins.
  [[nodiscard]] LogPayload take_record();

  Status vertices(VertexId num_vertices) override;
  Status ids(const IdColumn& ids) override;
  Status edges(ChangeKind kind, const EdgeColumns& edges) override;
  Status remove_vertices(std::span<const VertexId> vertices) override;
  Status restore_vertices(std::span<const VertexId> vertices) override;
  Status rows(std::span<const std::byte> block) override;

 private:
  Result<std::vector<VertexId>> numbers_of(std::span<const VertexId> vertices);
  Status look_up(std::vector<VertexId> vertices);

  const std::shared_ptr<const StoreSnapshot> from_;
  Contents& to_;
  const std::shared_ptr<const DataFiles> data_;
  const std::string where_;
  Replayer replayer_;
  LogPayload record_;
  /// Of each vertex: its number in the successor, kNoVertex if it has none.  Of dense ids only those of `from`: later
  /// ones are the same in both.
  std::vector<VertexId> numbers_;
};

}  // namespace rizoma
