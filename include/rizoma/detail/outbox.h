// Outbox: messages to vertices of other ranks, which all threads pack and unpack.  Module: engine.
//
// How: each thread has a box for each rank, of pieces that can be read apart from each other.  A rank sends the boxes
// of its threads one after the other; the threads of the receiver take the pieces.  Where ranks share no memory, a
// thread sends its full box at once, while others compute.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/detail/varint.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/process_vertices.h>
#include <rizoma/result.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

class StreamedBatches;

/// The messages on their way to each rank, as bytes.
class MailBoxes {
 public:
  /// Messages of one thread to one rank: pieces, each after its length.
  struct Box {
    std::vector<std::byte> bytes;
    std::size_t piece = 0;    ///< where the last piece begins
    std::uint64_t full = 0;   ///< bytes with which another piece begins
    std::uint64_t limit = 0;  ///< bytes with which the box is sent
    VertexId last = 0;        ///< the vertex of the message before, in the piece
  };
  /// Reads a piece with a thread; false: it is malformed.
  using Receive = FunctionRef<bool(std::span<const std::byte> piece, unsigned thread)>;

  explicit MailBoxes(Engine& engine);
  ~MailBoxes();
  MailBoxes(const MailBoxes&) = delete;
  MailBoxes& operator=(const MailBoxes&) = delete;

  /// Stands for the calling thread where that packs all.
  [[nodiscard]] unsigned alone() const noexcept { return static_cast<unsigned>(boxes_.size() - 1); }
  /// Where a message to a vertex goes.  For each thread at once.
  [[nodiscard]] Box& box_for(VertexId v, unsigned thread) {
    const unsigned rank = ranks_.owner(v);
    Box& box = boxes_[thread].value[rank];
    if (box.bytes.size() >= box.full) [[unlikely]]
      begin_piece(box, rank, thread);
    return box;
  }
  /// Sends all messages, with `mine`, and passes the pieces received on, rank by rank: in order, or `by_all` threads
  /// those of a rank.  Returns `mine` of all ranks, by rank.  Errors: io, cancelled.  Collective.
  Result<std::vector<std::vector<std::byte>>> exchange(std::span<const std::byte> mine, bool by_all, Receive receive);

 private:
  void begin_piece(Box& box, unsigned rank, unsigned thread);
  std::vector<std::byte> take_boxes_for(unsigned rank, std::size_t room);
  Status deliver(unsigned rank, std::span<const std::byte> box, std::vector<std::vector<std::byte>> early, bool by_all,
                 Receive receive);

  Engine& engine_;
  Ranks& ranks_;
  std::vector<PerThread<std::vector<Box>>> boxes_;  ///< by thread and rank, and of one thread for all
  std::unique_ptr<StreamedBatches> early_;
};

/// A message holds the distance of its vertex from the one before, as a varint, which is short if vertices ascend;
/// numbers of 8 bytes are varints, too.
template <class Accum>
class Outbox {
 public:
  explicit Outbox(Engine& engine) : boxes_(engine) {}
  /// From the thread of this number, while the others may add, too.
  void add(VertexId v, const Accum& accum, unsigned thread) {
    MailBoxes::Box& box = boxes_.box_for(v, thread);
    std::array<std::byte, 2 * kMaxVarintBytes + sizeof(Accum)> message;
    std::byte* end = write_varint(message.data(), zigzag_difference(std::exchange(box.last, v), v));
    if constexpr (kSmall) {
      end = write_varint(end, accum);
    } else {
      std::memcpy(end, &accum, sizeof(Accum));
      end += sizeof(Accum);
    }
    box.bytes.insert(box.bytes.end(), message.data(), end);
  }
  /// For few messages, which one thread packs.
  void add(VertexId v, const Accum& accum) { add(v, accum, boxes_.alone()); }

  /// Sends all messages and calls f(v, accum) for those received, in one order.  Collective.
  template <class F>
  Status exchange(F&& f) {
    const auto receive = [&](std::span<const std::byte> piece, unsigned) { return deliver(piece, f); };
    RIZOMA_TRY(boxes_.exchange({}, false, receive));
    return {};
  }
  /// The same by all threads, rank by rank: receiver_of(thread) gives an f for some messages.  Where each rank sends at
  /// most one message to a vertex, no other thread has that vertex meanwhile.
  template <class ReceiverOf>
  Status exchange_by_all(ReceiverOf&& receiver_of) {
    RIZOMA_TRY(exchange_with(std::byte{0}, std::forward<ReceiverOf>(receiver_of)));
    return {};
  }
  /// The same, with a value of each rank, by rank, which saves a round.
  template <class T, class ReceiverOf>
  Result<std::vector<T>> exchange_with(const T& mine, ReceiverOf&& receiver_of) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto receive = [&](std::span<const std::byte> piece, unsigned thread) {
      auto&& receiver = receiver_of(thread);
      return deliver(piece, receiver);
    };
    RIZOMA_ASSIGN(const auto of_all, boxes_.exchange(std::as_bytes(std::span(&mine, 1)), true, receive));
    std::vector<T> values(of_all.size());
    for (std::size_t rank = 0; rank < values.size(); ++rank)
      std::memcpy(static_cast<void*>(&values[rank]), of_all[rank].data(), sizeof(T));
    return values;
  }

 private:
  static constexpr bool kSmall = std::is_same_v<Accum, std::uint64_t>;

  template <class F>
  static bool deliver(std::span<const std::byte> piece, F&& f) {
    const std::byte* at = piece.data();
    const std::byte* const end = at + piece.size();
    for (VertexId v = 0; at != end;) {
      std::uint64_t step = 0;
      at = read_varint(at, end, step);
      v = apply_zigzag(v, step);
      Accum accum;
      if constexpr (kSmall) {
        if (at != nullptr) at = read_varint(at, end, accum);
        if (at == nullptr) return false;
      } else {
        if (at == nullptr || static_cast<std::size_t>(end - at) < sizeof(Accum)) return false;
        std::memcpy(static_cast<void*>(&accum), at, sizeof(Accum));
        at += sizeof(Accum);
      }
      f(v, accum);
    }
    return true;
  }

  MailBoxes boxes_;
};

}  // namespace rizoma
