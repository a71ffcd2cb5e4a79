// BlockProgram: what a step of a sweep asks of a program, a block of vertices or of lists at a time.  Module: engine.
//
// Why: scheduling, frontiers, claims, exchange and agreement do not look at lists, and are compiled once
// (src/engine/sweep); program_blocks.h implements this for each program.  A call is for a block, so it costs nothing.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/detail/hub_accumulators.h>
#include <rizoma/detail/program_traits.h>
#include <rizoma/detail/push_lists.h>
#include <rizoma/engine.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <cstdint>
#include <span>

namespace rizoma::engine_detail {

/// What a pull reads and writes, apart from lists.
struct PullFrontier {
  const std::uint64_t* now = nullptr;  ///< bits of the active vertices; null: all are
  std::uint64_t* next = nullptr;       ///< null: all stay active
  HubAccumulators* hubs = nullptr;     ///< null: no sums of hubs
};

class BlockProgram {
 public:
  BlockProgram() = default;
  BlockProgram(const BlockProgram&) = delete;
  BlockProgram& operator=(const BlockProgram&) = delete;
  virtual ~BlockProgram() = default;

  /// Makes the messages of vertices that become active before the first step.
  virtual void scatter(VertexRange block) = 0;
  virtual void scatter(std::span<const VertexId> vertices) = 0;
  /// Notes that messages of vertices were written.
  virtual void set_anew() = 0;
  /// The messages of this step; null if the program has none.
  [[nodiscard]] virtual void* messages() = 0;
  /// Those of own vertices in the step before, if that was a pull and this process shares no memory with others; null
  /// if the program has none.
  [[nodiscard]] virtual const void* messages_before() = 0;
  /// DoubleBuffer::share.
  virtual Result<bool> share_messages() = 0;
  /// Whether v, which is not done, may be applied.
  [[nodiscard]] virtual bool cond(VertexId v) = 0;
  /// Forgets the tallies of the step before.
  virtual void begin_step() = 0;
  /// Adds up the counts and the tallies of all ranks.
  virtual Result<StepCounts> agree(StepCounts mine) = 0;

  // Pull.
  virtual void begin_pull(const PullFrontier& frontier) = 0;
  virtual void pull(VertexRange block, unsigned thread) = 0;
  virtual void pull(const ListPiece& piece, unsigned thread) = 0;
  /// Applies the vertices whose lists came in pieces.
  virtual void join_pieces() = 0;
  virtual void apply_hubs(VertexRange block, unsigned thread) = 0;
  virtual Status end_pull() = 0;
  /// Whether a pull does anything in a range.
  [[nodiscard]] virtual bool may_apply_any(VertexRange range) = 0;

  // Push, by claims: the thread that is the first to reach a vertex applies it.
  virtual void begin_claims() = 0;
  virtual void claim(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of, bool alone) = 0;
  /// Tells other ranks of their vertices, and hears of this rank's.
  virtual Status exchange_claims() = 0;
  /// The same where each thread claims for itself, and those who were first are found afterwards.
  virtual void begin_claims_apart() = 0;
  virtual void claim_apart(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of) = 0;
  virtual Status join_claims() = 0;

  // Push, by messages.  Few are put on a list.
  virtual void send_few(std::span<const VertexId> vertices, PieceOf piece_of) = 0;
  virtual Status apply_few() = 0;
  virtual void begin_mail() = 0;
  virtual void send(std::span<const VertexId> vertices, PieceOf piece_of) = 0;
  virtual Status exchange_mail() = 0;
  virtual void apply_mail(VertexRange block, unsigned thread, std::uint64_t* next) = 0;
};

}  // namespace rizoma::engine_detail
