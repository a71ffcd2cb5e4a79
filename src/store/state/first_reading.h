// FirstReading: what is asked of the system while the sections of a store are read for the first time, to be verified.
//
// Why.  Left alone, the system reads a window around each page that is asked for, half of it before, where a thread has
// been already: of a store of four times the memory it read half as much again as there is.  So of what memory cannot
// hold each section is asked for shortly before the thread that verifies it comes there, and no more.
// Cost: one question about free memory for a store of kGreat bytes and more that were not read yet; then one system
// call every 128 KiB (platform/reading.cpp).
#pragma once

#include <rizoma/ids.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace rizoma {

class FirstReading {
 public:
  static constexpr std::uint64_t kGreat = 16u << 20;
  static constexpr std::uint64_t kWindow = 1u << 20;  ///< bytes that are on their way to a thread; more may be evicted

  /// `unread`: the bytes of each section that are to be read; `free_memory` gives bytes, 0 if it is not known.
  FirstReading(std::vector<std::uint64_t> unread, const std::function<std::uint64_t()>& free_memory);

  /// The sections that one thread goes through in order.
  class Run {
   public:
    /// Of [begin, end).  `of` must outlive it.
    Run(const FirstReading& of, SectionId begin, SectionId end) noexcept : of_(of), asked_(begin), end_(end) {}
    /// The thread comes to this section.  Returns those to ask for now, from the first to before the second.
    std::pair<SectionId, SectionId> reach(SectionId section) noexcept;

   private:
    const FirstReading& of_;
    SectionId asked_;  ///< the first that has not been asked for
    SectionId end_;
    std::uint64_t ahead_ = 0;  ///< bytes that have, of this section and those that follow
  };

 private:
  std::vector<std::uint64_t> unread_;  ///< empty: memory holds all
};

}  // namespace rizoma
