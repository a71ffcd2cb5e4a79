// Reorderer: gives a graph that grew by small changes a new inner order, by itself, in a thread of its own.
//
// How.  The policy (reordering_policy.h) says when; the work is Rewriter::renumber with one thread, a pace and a limit
// of memory.  It gives way, and leaves everything as it was, as soon as another publication is wanted, the log fills,
// or the store closes; then it is tried again later.
// Who looks.  The thread of Checkpointer looks whether an order is due: after a change that makes it so (wants_a_look),
// and when the policy asks for it (look).  Without that thread the store is asked (reorder_if_due).
// Locks.  The publisher's for the work; the state lock for what the policy needs.
#pragma once

#include <rizoma/result.h>
#include <rizoma/store_types.h>

#include "store/checkpoint/checkpointer.h"
#include "store/publishing/publisher.h"
#include "store/reorder/reorder_thread.h"
#include "store/reorder/reordering_policy.h"
#include "store/rewrite/rewriter.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace rizoma {

class Reorderer {
 public:
  /// All outlive this.
  Reorderer(Publisher& publisher, Checkpointer& checkpointer, Rewriter& rewriter);
  Reorderer(const Reorderer&) = delete;
  Reorderer& operator=(const Reorderer&) = delete;
  ~Reorderer();

  // ---- any thread ----

  /// A change was made just now.
  void note_change() noexcept { thread_->note_change(); }
  /// The graph has a new order.
  void note_new_order() { thread_->renewed(); }
  /// After a change, or once a tag is gone: whether the graph has grown so much that the thread should look.  Cannot
  /// fail, and asks the system for nothing: the change is durable.
  [[nodiscard]] bool wants_a_look() const;
  /// Without a thread: makes a new order if one is due.
  void reorder_if_due();
  [[nodiscard]] ReorderInfo info() const;

  // ---- the thread of Checkpointer ----

  /// Begins a new order if one is due; returns when to look again.
  std::optional<std::chrono::milliseconds> look();
  /// Ends the work.  After it, `look` does nothing.
  void stop() { thread_->stop(); }

 private:
  class GivingWay;

  [[nodiscard]] bool gives_way() const noexcept;
  [[nodiscard]] ReorderFacts facts() const;
  [[nodiscard]] std::uint64_t allowance() const;
  bool run_unasked() noexcept;
  Status run(bool& made) RIZOMA_REQUIRES(publisher_.mutex);

  Publisher& publisher_;
  Checkpointer& checkpointer_;
  Rewriter& rewriter_;
  std::unique_ptr<ReorderThread> thread_;
};

}  // namespace rizoma
