// SweepReadahead: what one loop over lists of a graph that memory cannot hold asks for ahead of itself, and lets go of
// after itself.
//
// How.  What a home has to do is asked for in steps of half a window, in the order in which it is handed out, whatever
// its order in the file: when the loop comes to the beginning of one step, the next is asked for.  The pieces are
// sections where a loop goes over all vertices (those that are not in its work lists cost nothing), and single lists
// where it goes over some.
// Where there is a limit (readahead.h), what is after is let go, but for the first sections, which stay for the
// next loop: of a circle that is too long for memory the best that can be had.
// Cost: a comparison a stretch of work; a system call every 128 KiB and for each list that is apart (reading.cpp).
#pragma once

#include "engine/loop/readahead.h"
#include "engine/loop/work_lists.h"
#include "platform/mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace rizoma {

class SweepReadahead {
 public:
  using Bytes = Readahead::Bytes;
  /// What one home has to do, piece by piece.
  struct Pieces {
    std::size_t size = 0;
    std::function<std::uint64_t(std::size_t)> end_of;  ///< work of a piece and of all before it
    std::function<Bytes(std::size_t)> bytes_of;        ///< what it reads
    std::function<SectionId(std::size_t)> section_of;
  };

  /// All that is given must outlive it.
  SweepReadahead(const Readahead::Calls& calls, const Readahead::Lists& lists, std::vector<Pieces> pieces);
  /// The sections in these work lists.
  SweepReadahead(const Readahead::Calls& calls, const Readahead::Lists& lists, const std::vector<WorkList>& work,
                 unsigned section_bits);
  /// Releases the part behind the loop.
  ~SweepReadahead();
  SweepReadahead(const SweepReadahead&) = delete;
  SweepReadahead& operator=(const SweepReadahead&) = delete;

  /// Records that the loop has reached this place in the work of a home.  From any thread.
  void reached(unsigned home, std::uint64_t work);

 private:
  /// How far a home's list has been asked for.
  struct alignas(64) Front {
    std::atomic<std::uint64_t> begin_of_last = 0;  ///< work at which the last step began
    Mutex mutex;
    std::uint64_t end RIZOMA_GUARDED_BY(mutex) = 0;  ///< work before which all has been asked for
    std::size_t piece RIZOMA_GUARDED_BY(mutex) = 0;  ///< the first that has not been asked for to its end
    std::size_t bytes RIZOMA_GUARDED_BY(mutex) = 0;  ///< of it that have been
    std::deque<std::vector<Bytes>> passing RIZOMA_GUARDED_BY(mutex);  ///< the sections to release, by step
  };

  void step(const Pieces& pieces, Front& front) RIZOMA_REQUIRES(front.mutex);

  const Readahead::Calls& calls_;
  const Readahead::Lists& lists_;
  const std::vector<Pieces> pieces_;  ///< by home
  std::vector<Front> fronts_;
};

}  // namespace rizoma
