// Ranks: the processes that share a graph, as the engine's loops see them.  Module: engine.
//
// Each rank owns a run of sections and works on the vertices in them.  All ranks run the same program: they make
// the same calls in the same order, and what decides how it goes on (how many vertices are active, how much has
// changed) is made equal on all of them by `reduce`.  Every collective call is one round of messages that says
// what it is for, and a rank whose program has ended meanwhile, by an Error, says so in it: the program of every
// other rank then ends with that Error and the name of the rank.  `finalize` brings all together again.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>
#include <rizoma/traffic.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

class Transport;
class Engine;
struct BoundaryLists;

/// The purpose of a round, by which ranks that are in different places of the program detect it.
enum class CollectiveKind : std::uint8_t { ended, graph, lists, values, active, mail, sum, gather, barrier };

/// A message that another rank has sent outside of rounds.
struct RankMessage {
  unsigned from;
  std::vector<std::byte> bytes;
};

class Ranks {
 public:
  /// The transport must outlive this.
  explicit Ranks(Transport& transport);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] unsigned rank() const noexcept { return rank_; }
  [[nodiscard]] unsigned size() const noexcept { return size_; }
  [[nodiscard]] std::string name_of(unsigned rank) const;
  static constexpr int kEveryRank = -1;
  /// The rank that needs the complete result of a call; kEveryRank: all of them.  The same on all.
  [[nodiscard]] int answers_to() const noexcept { return answers_to_; }
  void set_answers_to(int rank) noexcept { answers_to_ = rank; }

  /// Takes effect with the next call.  All ranks must have the same settings, which `divide` checks.  Keeps the
  /// divisions of the last graph and what is known about them, unless the owners of sections change.
  void set(const RankSettings& settings);
  [[nodiscard]] const RankSettings& settings() const noexcept { return settings_; }

  /// Divides a graph among the ranks, unless it is the one that was divided last.  Collective.
  /// Errors: invalid_argument if the ranks do not all have the same graph and settings.
  Status divide(const GraphView& graph);
  /// The same for work that needs runs of sections: automatic settings give them until the program is settled.
  /// Errors: also unsupported if the settings do not; `who` is the work.
  Status divide_into_runs(const GraphView& graph, std::string_view who);
  /// Until the program is settled, automatic settings assign sections round-robin where ranks share memory: the
  /// vertices that a search reaches may lie together, and so belong to one rank, while messages are cheap there.  Call
  /// it on all ranks, before `divide`.
  void distribute() noexcept { distributes_ = true; }
  /// Whether this rank reads the lists of others as fast as its own, because they are in the same memory.
  [[nodiscard]] bool reads_all_lists() const noexcept;
  /// Releases that graph.
  void forget();
  /// The rank that each section of that graph belongs to.
  [[nodiscard]] std::span<const unsigned> owners() const noexcept { return division_->owners; }
  [[nodiscard]] unsigned owner(VertexId v) const noexcept { return division_->owners[v >> section_bits_]; }
  [[nodiscard]] bool owns(VertexId v) const noexcept { return owner(v) == rank_; }
  /// The vertices of one rank, as ascending ranges.
  [[nodiscard]] const std::vector<VertexRange>& ranges_of(unsigned rank) const noexcept {
    return division_->ranges[rank];
  }

  /// Calls f(v) for each vertex of other ranks that a list of this rank leads to, its mirrors, rank by rank.
  /// Collective.
  Status for_mirrors(Engine& engine, const GraphView& graph, Direction direction, FunctionRef<void(VertexId)> f);

  /// One round: sends to[r] to rank r; returns what each rank has sent.  `to` has one entry a rank.
  Result<std::vector<std::vector<std::byte>>> collective(CollectiveKind kind, std::vector<std::vector<std::byte>> to) {
    return collective(kind, std::move(to), [] { return false; });
  }
  /// The same; calls `meanwhile` again and again until the messages of the others have arrived, or it returns false.
  /// It must not call a rank.  An exception that it throws is thrown again at the end of the round.
  Result<std::vector<std::vector<std::byte>>> collective(CollectiveKind kind, std::vector<std::vector<std::byte>> to,
                                                         FunctionRef<bool()> meanwhile);

  /// A barrier: returns once all ranks have called it and see each other's writes to shared memory.  Collective.
  Status barrier();

  /// The number of rounds so far: the same on all ranks between the same two.
  [[nodiscard]] std::uint64_t collectives() const noexcept { return rounds_; }
  /// Sends a message to another rank and does not wait; that rank receives it if it polls within the same round. For
  /// one thread at a time.  Errors: io (a rank is lost).
  Status send(unsigned rank, std::vector<std::byte> message, std::uint64_t round);
  Status send(unsigned rank, std::vector<std::byte> message) { return send(rank, std::move(message), rounds_); }
  /// Ends the run of all ranks, with this rank's error.
  void abort(const Error& why) noexcept;
  /// The next message of another rank, in the order in which that rank sent them; none if none arrives in time.
  /// Discards those of earlier rounds.  For one thread at a time.  Errors: io.
  [[nodiscard]] Result<std::optional<RankMessage>> receive(std::chrono::microseconds patience, std::uint64_t round);
  [[nodiscard]] Result<std::optional<RankMessage>> receive(std::chrono::microseconds patience) {
    return receive(patience, rounds_);
  }
  /// Bytes of messages that are sent as a batch during a sweep; 0: all at its end.  The same on all.
  [[nodiscard]] std::uint64_t batch_bytes() const noexcept;

  /// Ok if all ranks give the same value.  Collective. Errors: invalid_argument, which names the rank that
  /// differs.
  Status agree(std::string_view what, std::string_view value);

  /// The values of all ranks, in their order.  The same on all.
  template <class T>
  Result<std::vector<T>> all(const T& mine) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(size_);
    RIZOMA_TRY(all_bytes(&mine, sizeof(T), values.data()));
    return values;
  }
  /// Accum by `combine` in the order of ranks, beginning with `identity`.  The same on all.
  template <class T, class Combine>
  Result<T> reduce(const T& mine, T identity, Combine combine) {
    RIZOMA_ASSIGN(const std::vector<T> values, all(mine));
    for (const T& value : values) identity = combine(identity, value);
    return identity;
  }

  /// Completes `values` (n of `bytes` each, of which each rank has those of its own vertices) on every rank, or on rank
  /// `to` only.  Errors: invalid_argument (ranks name different receivers).
  Status gather(void* values, std::size_t bytes, int to = kEveryRank) { return gather(values, bytes, bytes, to); }
  /// The same for values in places of `room` bytes each: those of a range of vertices lie at the end of its places.
  Status gather(void* values, std::size_t room, std::size_t bytes, int to);
  /// The same for values in memory that ranks share (rank_memory.h): they stay there, and may be read afterwards.
  /// Values that other ranks read count as sent.
  Status gather_in_place(std::size_t bytes, int to = kEveryRank);
  /// The same for `values` of this rank's vertices only.
  Status gather_in_place(std::size_t bytes, int to, VertexId values);

  /// Ends a program, whose status here is `mine`.  Ok if all ranks succeeded; otherwise the Error of this rank, or of
  /// the first other rank that has one, with its name.
  Status finalize(const Status& mine);

  /// Counts bytes of messages that all threads have made, or applied; `in_rounds`: of messages of rounds, which count
  /// as those of one thread otherwise.
  void count_packed(std::uint64_t bytes, bool in_rounds = true) noexcept { move_to_all(packed_, bytes, in_rounds); }
  void count_unpacked(std::uint64_t bytes, bool in_rounds = true) noexcept { move_to_all(unpacked_, bytes, in_rounds); }

  /// Counts blocks of another rank's work that this one has done.  From any thread.
  void count_migrated(unsigned rank, std::uint64_t blocks) noexcept;

  /// Of all ranks, up to the last call of `finalize`; counting begins again with the next call.
  [[nodiscard]] RankTraffic traffic() const { return traffic_; }

 private:
  friend class StreamedBatches;
  friend class MailBoxes;
  friend class Mirror;
  friend class RankMemory;
  friend class RankWindow;
  struct Shape {
    std::uint64_t vertices = 0;
    std::uint64_t live = 0;
    std::uint64_t entries = 0;
    std::uint64_t sections = 0;
    std::uint64_t section_bits = 0;
    std::uint64_t loads = 0;  ///< hash of the sections' sizes
    std::uint64_t version = 0;
    std::uint64_t settings = 0;  ///< hash
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  /// The division of a graph's sections among the ranks, and what is known about it.
  struct Division {
    std::vector<unsigned> owners;                                  ///< the rank of each section
    std::vector<std::vector<VertexRange>> ranges;                  ///< of each rank
    std::array<std::shared_ptr<const BoundaryLists>, 2> boundary;  ///< of out- and in-lists, once they are known
  };
  /// Memory that all ranks share for the whole run.
  struct SharedBlock {
    unsigned window = 0;
    std::byte* data = nullptr;  ///< null: it was released
    std::size_t bytes = 0;
    bool taken = false;
  };
  /// A message, and the number of rounds that it is for.
  struct Dated {
    RankMessage message;
    std::uint64_t round = 0;
  };
  /// One-sided operations of this rank, by the other rank: bytes and reads, and blocks stolen.
  struct Taken {
    RankCount read;
    std::uint64_t blocks = 0;
  };
  [[nodiscard]] Shape shape_of(const GraphView& graph) const;
  Result<std::shared_ptr<const BoundaryLists>> boundary_of(Engine& engine, const GraphView& graph, Direction direction);
  [[nodiscard]] std::uint64_t settings_hash() const;
  void count_read(unsigned rank, std::uint64_t bytes) noexcept;
  Status release_windows();
  Result<std::optional<Dated>> take_message(std::chrono::microseconds patience);
  Status take_stray_messages(std::span<const std::uint64_t> to_come);
  Status agree_to_gather(int to, std::size_t bytes);
  Status all_bytes(const void* mine, std::size_t bytes, void* values);
  void count(CollectiveKind kind, const std::vector<std::vector<std::byte>>& to);
  static void move_to_all(PackCount& count, std::uint64_t bytes, bool in_rounds) noexcept {
    count.by_all += bytes;
    if (in_rounds) count.alone -= bytes;  // the round adds them, before or afterwards
  }
  Result<bool> agree_on(const GraphView& graph, bool same);
  [[nodiscard]] PlacementPolicy policy() const;
  void place();
  [[nodiscard]] std::vector<std::byte> final_status(const Status& status) const;

  Transport& transport_;
  unsigned rank_;
  unsigned size_;
  GraphView graph_;  ///< keeps it alive, so that no other graph gets its address
  Shape shape_;
  bool agreed_ = false;           ///< on the graph, and the settings
  bool in_degree_order_ = false;  ///< its sections are
  bool needs_runs_ = false;       ///< of the program
  bool distributes_ = false;      ///< the same
  unsigned section_bits_ = 0;
  std::map<PlacementPolicy, Division> divisions_;  ///< of that graph
  Division* division_ = nullptr;                   ///< the one in force
  std::vector<RankCount> sent_;
  std::vector<Taken> taken_;
  PackCount packed_;
  PackCount unpacked_;
  std::vector<std::uint64_t> sent_messages_;  ///< messages, by rank
  std::vector<std::uint64_t> received_;       ///< the same
  std::deque<Dated> for_later_;               ///< from ranks that are ahead
  std::uint64_t rounds_ = 0;
  std::vector<unsigned> windows_;   ///< that the program has made
  std::deque<SharedBlock> shared_;  ///< kept from program to program
  RankSettings settings_;
  int answers_to_ = kEveryRank;
  RankTraffic traffic_;
};

/// body(range, thread) for the vertices of this rank, or of all other ranks, by all threads: in ranges that begin where
/// those of ranks do, or at multiples of 64.  Errors: cancelled.
enum class Whose : std::uint8_t { own, others };
Status for_vertices_of(Engine& engine, Whose whose, FunctionRef<void(VertexRange range, unsigned thread)> body);

/// Values of mirrors, the remote vertices that this rank's lists name, at their places in a map: a pull reads them like
/// its own.  A refresh sends only those that have changed since the last one; nothing else may write them meanwhile.
class Mirror {
 public:
  /// `direction`: of the lists that will be read.  `bytes`: of a value, 0 if only who is active matters.
  Mirror(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction, std::size_t bytes);
  ~Mirror();
  Mirror(Mirror&&) noexcept;
  Mirror& operator=(Mirror&&) noexcept;

  /// Whether ranks read so much of each other that choosing values costs more than sending all of them, where they
  /// share memory.  The same on all.  Collective.
  Result<bool> reads_much();
  /// Fetches values[u] for every remote u in a list of this rank; `values` is the same at each refresh.  Collective.
  Status refresh(void* values);
  /// The same for a caller that has the values that own vertices had at the last refresh: `before`; null: it has not,
  /// and all are sent.  No copy of them is kept.
  Status refresh(void* values, const void* before);
  /// Fetches which of these are active, as bits, and values[u] of those.  Collective.
  Status refresh_active(void* values, std::uint64_t* bits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rizoma
