// SweepAhead: what one loop over the lists of a graph that memory cannot hold asks for ahead of itself, and lets go of
// behind itself.
//
// How.  The lists of a home are asked for in steps of half a window, in the order in which they are handed out,
// whatever their order in the file: when the loop comes to the beginning of one, the next is asked for.  Sections that
// are not in the work lists cost nothing.
// Where there is a limit (read_ahead.h), what lies behind is let go, but for the first
// sections, which stay for the next loop: of a circle that is too long for memory the best that can be had.
// Cost: a comparison a stretch of work; a system call every 128 KiB (reading.cpp says why so often).
#pragma once

#include "engine/read_ahead.h"
#include "engine/work_lists.h"
#include "platform/mutex.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace rizoma {

class SweepAhead {
 public:
  using Bytes = ReadAhead::Bytes;

  /// All that is given must outlive it.
  SweepAhead(const ReadAhead::Calls& calls, const ReadAhead::Lists& lists, const std::vector<WorkList>& work,
             unsigned section_bits);
  /// Lets go of what is left behind.
  ~SweepAhead();
  SweepAhead(const SweepAhead&) = delete;
  SweepAhead& operator=(const SweepAhead&) = delete;

  /// The loop has come to this place in the work of a home.  From any thread.
  void reached(unsigned home, std::uint64_t work);

 private:
  /// How far a home's list has been asked for.
  struct alignas(64) Front {
    std::atomic<std::uint64_t> begin_of_last = 0;  ///< work at which the last step began
    Mutex mutex;
    std::uint64_t end RIZOMA_GUARDED_BY(mutex) = 0;  ///< work before which all has been asked for
    std::size_t piece RIZOMA_GUARDED_BY(mutex) = 0;  ///< the first that has not been asked for to its end
    std::size_t bytes RIZOMA_GUARDED_BY(mutex) = 0;  ///< of it that have been
    std::deque<std::vector<Bytes>> passing RIZOMA_GUARDED_BY(mutex);  ///< what is to be let go of, by step
  };

  void step(const WorkList& list, Front& front) RIZOMA_REQUIRES(front.mutex);
  [[nodiscard]] Bytes bytes_of(const WorkList::ListPart& piece) const;

  const ReadAhead::Calls& calls_;
  const ReadAhead::Lists& lists_;
  const std::vector<WorkList>& work_;
  const unsigned section_bits_;
  std::vector<Front> fronts_;  ///< by home
};

}  // namespace rizoma
