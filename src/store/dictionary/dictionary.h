// Dictionary: external id <-> internal id of a graph's vertices, durable and growing.
//
// Shape.  Internal ids 0..size-1 are cut into immutable durable segments, one after another
// (dictionary_segment.h), and after them an in-memory tail of the ids added since the last
// checkpoint (dictionary_tail.h; the log holds them until then).
//   dense    internal id = id; if a bulk load reordered, its one segment is a permutation of 0..n-1
//            and numbers >= n are identical to their ids again.  There is no tail: the log holds the size.
//   integer  any int64;  string  any bytes.  Segments and tail are hash-indexed.
// Cost.    Opening: O(segments), no byte of ids is read.  find: one probe of the tail and of each
//          segment, O(log n) of them as a checkpoint merges small ones.  ids: a copy.
// Disk.    dense 0, permuted 8 bytes a vertex (16 beyond 2^32), integer 20, string its bytes + 16 or 20.
// Threads. One writer at a time (find_or_add .. publish); any number of readers beside it: a reader
//          takes a DictionaryView, which sees the numbers below its limit and never waits for a writer.
// Errors.  Segments are checksummed in blocks, verified at first touch: every look-up may return corrupt.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/medium.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

/// Dense ids at or above this are refused: they would make a graph of mostly holes.
inline constexpr std::int64_t kMaxDenseId = std::int64_t{1} << 40;

/// The Error for an id that no vertex has.
[[nodiscard]] Error no_vertex(std::int64_t id);
[[nodiscard]] Error no_vertex(std::string_view id);

struct DictionaryState;  // segments + tail; dictionary.cpp

/// The ids of internal ids < size(), unaffected by later additions.  Cheap to copy; any thread.
class DictionaryView {
 public:
  DictionaryView(std::shared_ptr<const DictionaryState> state, VertexId limit) noexcept;

  [[nodiscard]] IdKind kind() const noexcept;
  [[nodiscard]] VertexId size() const noexcept { return limit_; }
  /// Internal ids from here on are their own external ids: size() unless ids are dense.
  [[nodiscard]] VertexId stored() const noexcept;
  /// True if every internal id is its own external id.
  [[nodiscard]] bool is_identity() const noexcept;
  /// True if the numbers of an earlier view are surely those of the same ids here: both are of one dictionary, which
  /// only grows.  False: nothing is known.  O(1).
  [[nodiscard]] bool continues(const DictionaryView& earlier) const noexcept;

  /// Internal id of an id.  Errors: not_found; invalid_argument if ids of this graph are of the other
  /// kind (integers for dense and integer, strings for string); corrupt.
  [[nodiscard]] Result<VertexId> find(std::int64_t id) const;
  [[nodiscard]] Result<VertexId> find(std::string_view id) const;
  /// Internal ids of many ids; kNoVertex for those that are missing, and for ids of any kind in an empty graph.
  [[nodiscard]] Result<std::vector<VertexId>> find(const IdColumn& ids) const;

  /// External ids, in order of the internal ids given.  Errors: invalid_argument for a number
  /// >= size(); corrupt.
  [[nodiscard]] Result<IdColumn> ids(VertexRange range) const;
  [[nodiscard]] Result<IdColumn> ids(std::span<const VertexId> vertices) const;

 private:
  std::shared_ptr<const DictionaryState> state_;
  VertexId limit_ = 0;
};

/// What a checkpoint writes: ids [first, end) as one segment that replaces the last `replaced` ones.
struct DictionaryPlan {
  VertexId first = 0;
  VertexId end = 0;
  std::size_t replaced = 0;
};

class Dictionary {
 public:
  /// An empty dictionary.
  explicit Dictionary(IdKind kind);
  /// Dictionary of `size` vertices whose segments, in order, are these bytes (exactly those that
  /// `encode` or a bulk load made, longer mappings are fine).  For integer and string the segments
  /// cover exactly `size` numbers; for dense there is at most one, and it may cover fewer.
  /// `where` names the place in messages.  Errors: corrupt, unsupported.
  static Result<Dictionary> open(IdKind kind, VertexId size, std::vector<Mapping> segments, std::string where);

  /// Of a dense dictionary: the same ids with the same numbers as integers, which these segments hold.  Errors: as
  /// `open`.
  [[nodiscard]] Result<Dictionary> as_integers(std::vector<Mapping> segments) const;

  Dictionary(Dictionary&&) noexcept;
  Dictionary& operator=(Dictionary&&) noexcept;
  ~Dictionary();

  [[nodiscard]] IdKind kind() const noexcept;
  [[nodiscard]] VertexId size() const noexcept { return size_; }
  /// The first `limit` vertices; limit <= size().  Takes a lock for the copy of a pointer only.
  [[nodiscard]] DictionaryView view(VertexId limit) const;

  // ---- the writer ----

  /// Internal ids of all ids; ids not yet known get the next numbers in order of appearance (dense:
  /// the graph grows to the largest id + 1).  All or nothing.  If the log cannot be written
  /// afterwards, roll back to the size before.  Errors: invalid_argument (wrong kind; dense id
  /// negative or >= kMaxDenseId), corrupt, out_of_memory.
  [[nodiscard]] Result<std::vector<VertexId>> find_or_add(const IdColumn& ids);
  /// Ids of the numbers from `first` on, for the log: `append` restores them.  Empty for dense: there
  /// the log needs the new size alone (`grow`).
  [[nodiscard]] Result<IdColumn> added_since(VertexId first) const;
  /// Replay: gives the next numbers to `ids`.  Errors: corrupt if one of them is known already.
  Status append(const IdColumn& ids);
  /// Replay of a dense graph: at least `size` vertices.
  void grow(VertexId size);
  /// Forgets the numbers >= size, none of which a checkpoint holds and no view has.
  void rollback(VertexId size);

  // ---- checkpoint: plan, encode, write durably, with, publish ----

  /// What a checkpoint has to write; nothing for dense, or if all is durable already.
  [[nodiscard]] std::optional<DictionaryPlan> plan() const;
  /// The bytes of the planned segment.  Beside readers, and beside changes: the planned ids were all visible
  /// when the plan was made, so they neither move nor are taken back.  Not beside `publish`.
  [[nodiscard]] Result<std::vector<std::byte>> encode(const DictionaryPlan& plan) const;
  /// The state in which the segment, which is durable and mapped, has the place of the tail and of the segments that it
  /// replaces.  Nothing is added before it is published.  Errors: corrupt, unsupported.
  [[nodiscard]] Result<std::shared_ptr<const DictionaryState>> with(const DictionaryPlan& plan, Mapping segment) const;
  /// Readers get this state from now on; `state` becomes the former one.  Nothing here may fail.
  void publish(std::shared_ptr<const DictionaryState>& state) noexcept;

  /// Verifies every block of every segment.  Errors: corrupt, naming the first damaged place.
  Status verify() const;

 private:
  explicit Dictionary(std::shared_ptr<const DictionaryState> state, VertexId size);
  [[nodiscard]] std::shared_ptr<const DictionaryState> state() const;

  std::unique_ptr<std::mutex> mutex_;  ///< guards the pointer `state_`, not what it points to
  std::shared_ptr<const DictionaryState> state_;
  VertexId size_ = 0;  ///< the writer's; readers have the limits of their views
};

}  // namespace rizoma
