// ProgramBlocks: BlockProgram for one program; all that is compiled for it.  Module: engine.
#pragma once

#include <rizoma/detail/block_program.h>
#include <rizoma/detail/claim_blocks.h>
#include <rizoma/detail/mail_blocks.h>
#include <rizoma/detail/program_context.h>
#include <rizoma/detail/pull_blocks.h>

#include <cstdint>
#include <span>
#include <type_traits>

namespace rizoma::engine_detail {

/// Stands in for blocks that a program has no use for.
struct NoClaims {
  explicit NoClaims(auto& /*context*/) {}
  void begin() {}
  void claim(const auto&...) {}
  Status exchange() { return {}; }
  void begin_apart() {}
  void claim_apart(const auto&...) {}
  Status join_apart() { return {}; }
};
struct NoMail {
  explicit NoMail(auto& /*context*/) {}
  void begin() {}
  void send(const auto&...) {}
  Status exchange() { return {}; }
  void apply(const auto&...) {}
};
struct NoFew {
  explicit NoFew(auto& /*context*/) {}
  void send(const auto&...) {}
  Status apply() { return {}; }
  void forget() {}
};

template <class P>
class ProgramBlocks final : public BlockProgram {
  using Is = Traits<P>;
  using Tally = typename Is::Tally;
  static constexpr bool kClaims = Is::kind().claims();
  /// On ranks, claims are for programs that any rank may tell whether they want a vertex.
  static constexpr bool kMails = !kClaims || Is::has_cond;
  static constexpr bool kMailsFew = kMails && !Is::kind().hears_all();

 public:
  ProgramBlocks(SweepState& state, P& program) : context_(state, program) {}

  [[nodiscard]] const auto* message_data() noexcept { return context_.messages(); }
  [[nodiscard]] const typename P::Message* last_messages() {
    if constexpr (Is::has_message) return context_.values.next(context_.sweep.engine);
    else return nullptr;
  }
  /// DoubleBuffer::keep_own.
  Result<const typename P::Message*> keep_own_messages(bool last) {
    return context_.values.keep_own(context_.sweep.engine, context_.sweep.graph, last);
  }
  [[nodiscard]] Tally tally() const {
    Tally sum{};
    for (const auto& of_thread : context_.tallies) sum.add(of_thread.value);
    return sum;
  }

  void scatter(VertexRange block) override {
    if constexpr (Is::has_message) {
      const P program = context_.program;
      for (VertexId v = block.begin; v < block.end; ++v) {
        if (context_.sweep.is_live(v)) context_.messages()[v] = program.scatter(v);
      }
    }
  }
  void scatter(std::span<const VertexId> vertices) override {
    if constexpr (Is::has_message) {
      for (const VertexId v : vertices) context_.messages()[v] = context_.program.scatter(v);
    }
  }
  void set_anew() override { context_.values.set_anew(); }
  void* messages() override { return context_.messages(); }
  const void* messages_before() override { return last_messages(); }
  Result<bool> share_messages() override { return context_.values.share(*context_.sweep.ranks); }
  bool cond(VertexId v) override { return ProgramContext<P>::cond(context_.program, v); }
  void begin_step() override {
    for (auto& of_thread : context_.tallies) of_thread.value = Tally{};
    few_.forget();
  }
  Result<StepCounts> agree(StepCounts mine) override {
    struct All {
      StepCounts counts;
      Tally tally;
    };
    const auto add = [](All a, const All& b) {
      a.tally.add(b.tally);
      return All{a.counts + b.counts, a.tally};
    };
    RIZOMA_ASSIGN(const All all, context_.sweep.ranks->reduce(All{mine, tally()}, All{}, add));
    begin_step();
    context_.tallies[0].value = all.tally;
    return all.counts;
  }

  void begin_pull(const PullFrontier& frontier) override { pull_.begin(frontier); }
  void pull(VertexRange block, unsigned thread) override { pull_.whole(block, thread); }
  void pull(const ListPiece& piece, unsigned thread) override { pull_.piece(piece, thread); }
  void join_pieces() override { pull_.join(); }
  void apply_hubs([[maybe_unused]] VertexRange block, [[maybe_unused]] unsigned thread) override {
    if constexpr (Is::adds_up) pull_.apply_hubs(block, thread);
  }
  Status end_pull() override { return pull_.end(); }
  bool may_apply_any(VertexRange range) override { return pull_.may_apply_any(range); }

  void begin_claims() override { claims_.begin(); }
  void claim(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of, bool alone) override {
    claims_.claim(vertices, thread, piece_of, alone);
  }
  Status exchange_claims() override { return claims_.exchange(); }
  void begin_claims_apart() override { claims_.begin_apart(); }
  void claim_apart(std::span<const VertexId> vertices, unsigned thread, PieceOf piece_of) override {
    claims_.claim_apart(vertices, thread, piece_of);
  }
  Status join_claims() override { return claims_.join_apart(); }

  void send_few(std::span<const VertexId> vertices, PieceOf piece_of) override { few_.send(vertices, piece_of); }
  Status apply_few() override { return few_.apply(); }
  void begin_mail() override { mail_.begin(); }
  void send(std::span<const VertexId> vertices, PieceOf piece_of) override { mail_.send(vertices, piece_of); }
  Status exchange_mail() override { return mail_.exchange(); }
  void apply_mail(VertexRange block, unsigned thread, std::uint64_t* next) override {
    mail_.apply(block, thread, next);
  }

 private:
  ProgramContext<P> context_;
  PullBlocks<P> pull_{context_};
  std::conditional_t<kClaims, ClaimBlocks<P>, NoClaims> claims_{context_};
  std::conditional_t<kMails, MailBlocks<P>, NoMail> mail_{context_};
  std::conditional_t<kMailsFew, SparsePush<P>, NoFew> few_{context_};
};

}  // namespace rizoma::engine_detail
