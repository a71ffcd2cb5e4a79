// Watch: who of the ranks still lives.  A thread of each rank sends a small message to all others a few
// times a second, whatever else the rank does, and notices who has fallen silent, whose process is gone
// (on this machine, or by the end of its link), and who has given up.  The same thread keeps MPI
// answering while the others compute: over TCP, MPI answers only while it is called.
#pragma once

#include "platform/mutex.h"
#include "platform/process_links.h"
#include "transport/mpi/mpi_call.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rizoma::mpi {

/// A rank as others know it.
struct Peer {
  std::int64_t process = 0;
  std::string machine;  ///< the same for ranks that can see each other's processes
  std::string name;     ///< "rank 2 (process 815 on mercury)"
};

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `comm` is for the watch alone.  A rank is lost after `patience` without a sign of life, or once its link ends.
  Watch(MPI_Comm comm, int rank, std::vector<Peer> peers, std::unique_ptr<const ProcessLinks> ties,
        std::chrono::milliseconds patience);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// While one lives, its thread is within a call of MPI that waits for other ranks.  If it is still there two
  /// seconds after the run has ended, nothing will bring it back, and the process is ended by MPI_Abort.
  class BlockingScope {
   public:
    explicit BlockingScope(Watch& watch) : watch_(watch) { ++watch_.within_; }
    ~BlockingScope() { --watch_.within_; }
    BlockingScope(const BlockingScope&) = delete;
    BlockingScope& operator=(const BlockingScope&) = delete;

   private:
    Watch& watch_;
  };

  /// While one lives, its thread waits for other ranks: one that has said goodbye will not come.
  class WaitScope {
   public:
    explicit WaitScope(Watch& watch) : watch_(watch) { ++watch_.waits_; }
    ~WaitScope() { --watch_.waits_; }
    WaitScope(const WaitScope&) = delete;
    WaitScope& operator=(const WaitScope&) = delete;

   private:
    Watch& watch_;
  };

  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// Whether a message to that rank may begin, by one look at its link: over UCX, MPICH 5.0 crashes in one to a rank
  /// whose connection it knows to be broken.  Where there is no link: true.
  [[nodiscard]] bool reaches(int rank) const noexcept;
  /// Ok, or why the run has ended.
  [[nodiscard]] Status health() const;
  /// Why the run has ended, once the others know, too: the caller may leave the process next.
  [[nodiscard]] Error end_of_run() const;
  /// What an MPI error comes to: the loss of a rank, once the watch has found out which, or the error itself.
  [[nodiscard]] Error diagnose(const Error& error);
  /// Tells all others that this rank ends the run.
  void abort(const Error& why);
  /// Says goodbye: after this, silence is no loss.  Returns when all have done so, or one is lost.  Who waits for
  /// this rank, in a round that it does not come to, takes it for lost.
  void close();

 private:
  enum class Kind : std::uint32_t { alive, lost, ended, bye };
  /// What goes over the wire.
  struct Beat {
    Kind kind = Kind::alive;
    std::uint32_t blamed = 0;  ///< lost and ended: the rank that is
    std::uint32_t code = 0;    ///< an ErrorCode
    char text[500] = {};
  };
  struct Link {
    MPI_Request out = MPI_REQUEST_NULL;
    Beat sent;
    Clock::time_point heard;
    Clock::time_point told;
    bool notified = false;  ///< of how the run ended
    bool said_bye = false;
    bool heard_bye = false;
  };

  void run();
  void look();
  void listen(Clock::time_point now);
  void tell(int to, Clock::time_point now);
  void judge(Clock::time_point now);
  void lose(int rank, const std::string& how);
  void end(const Beat& why);
  [[nodiscard]] bool all_said_bye() const;

  const MPI_Comm comm_;
  const int rank_;
  const std::vector<Peer> peers_;
  const std::unique_ptr<const ProcessLinks> ties_;
  const std::chrono::milliseconds patience_;
  std::vector<Link> links_;  ///< the thread's own
  MPI_Request in_ = MPI_REQUEST_NULL;
  int from_ = 0;  ///< whose beat is under way
  Beat received_;
  Clock::time_point looked_;
  Clock::time_point judged_;
  std::optional<Clock::time_point> failed_since_;

  std::atomic<int> within_{0};
  std::atomic<int> waits_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> leaving_{false};
  std::atomic<bool> parted_{false};
  std::atomic<bool> stopping_{false};
  mutable Mutex guard_;
  std::optional<Beat> end_ RIZOMA_GUARDED_BY(guard_);  ///< why the run ended
  std::thread thread_;
};

}  // namespace rizoma::mpi
