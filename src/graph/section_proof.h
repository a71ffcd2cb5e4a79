// SectionProof: what remains to be proved of a view of which each rank reads its own sections alone.
//
// Such a view holds the heads of all sections, checked for form, and lists that are not verified yet.  What
// divides it among ranks lets each of them verify its own, and compares what all of them find; what reads any list
// asks for all.  The proof hangs on the view's owner, so that views of users need not know of ranks.
#pragma once

#include <rizoma/graph_view.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace rizoma {

class SectionProof {
 public:
  /// Of a hash of edges, drawn by one rank for all: no author of a store knows them.
  using Keys = std::array<std::uint64_t, 4>;
  /// What sections add to the sums of all.
  struct Found {
    std::uint64_t out = 0;  ///< sums of edges
    std::uint64_t in = 0;
    EdgeCount of_removed = 0;
    EdgeCount not_finite = 0;
    Found& operator+=(const Found& other) noexcept {
      out += other.out;
      in += other.in;
      of_removed += other.of_removed;
      not_finite += other.not_finite;
      return *this;
    }
  };

  SectionProof() = default;
  virtual ~SectionProof() = default;
  SectionProof(const SectionProof&) = delete;
  SectionProof& operator=(const SectionProof&) = delete;

  [[nodiscard]] virtual Keys draw_keys() const = 0;
  /// Verifies the sections that `owners` gives to the rank.  Errors: those of a view.
  virtual Result<Found> prove(std::span<const unsigned> owners, unsigned rank, const Keys& keys) = 0;
  /// Whether what all ranks have found together is a graph.  Errors: corrupt.
  [[nodiscard]] virtual Status judge(const Found& all) const = 0;
  /// Verifies all sections, as a whole view does.  Any list may be read then.  Errors: those of a view.
  virtual Status prove_all() = 0;

  /// The keys that ranks have agreed on; none: some rank has no proof to make, and each of the others proves all.
  std::optional<Keys> agreed;
  /// A hash of the lengths of all lists, as the heads here have them: each rank verifies its own heads, so equal
  /// hashes verify those of others.
  std::uint64_t lengths = 0;
};

namespace graph_detail {

/// Deletes nothing: it keeps what the owner of a view keeps, and its proof.
struct KeptWithProof {
  std::shared_ptr<SectionProof> proof;
  std::shared_ptr<const void> owner;
  void operator()(const void*) const noexcept {}
};

}  // namespace graph_detail

/// An owner of a view that has the proof with it.
[[nodiscard]] inline std::shared_ptr<const void> owner_with(std::shared_ptr<SectionProof> proof,
                                                            std::shared_ptr<const void> owner) {
  const void* const address = proof.get();
  return {address, graph_detail::KeptWithProof{std::move(proof), std::move(owner)}};
}

/// What is to be proved of a view; null: nothing.
[[nodiscard]] inline SectionProof* proof_of(const GraphView& graph) noexcept {
  const auto* const kept = std::get_deleter<graph_detail::KeptWithProof>(graph.parts().owner);
  return kept == nullptr ? nullptr : kept->proof.get();
}

/// Makes sure that every list of the view may be read.
inline Status prove_all_lists(const GraphView& graph) {
  SectionProof* const proof = proof_of(graph);
  return proof == nullptr ? Status() : proof->prove_all();
}

}  // namespace rizoma
