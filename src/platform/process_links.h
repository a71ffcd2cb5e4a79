// ProcessLinks: who of other processes, on other machines, still lives.
//
// A connection (TCP over IPv4) to each of them, over which nothing is said: when a process ends, however it does, its
// system closes its end, and the other sees that within a round trip.  Who parts on purpose says so by one byte.  A
// machine that is cut off closes nothing: only a timeout of the caller ends that.  A link that cannot be had (a
// firewall, no address, no descriptors left) is no error: of that process nothing is known here.
#pragma once

#include "platform/close_on_fork.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rizoma {

/// Where a process can be found, and what those say who know it; to be handed to the others, byte by byte.
struct LinkAddress {
  std::array<std::uint64_t, 2> key{};    ///< random; a process that does not know it is a stranger
  std::array<std::uint32_t, 4> hosts{};  ///< IPv4 in the order of the network; 0: none
  std::uint16_t port = 0;                ///< in the order of the network; 0: it cannot be linked with
};

class ProcessLinks {
 public:
  enum class Sight : std::uint8_t {
    unknown,  ///< there is no link
    there,
    parted,  ///< it has said so
    gone,    ///< it has ended without a word
  };

  /// This process is number `self` of `count`.
  ProcessLinks(std::size_t self, std::size_t count) : self_(self), links_(count) {}

  /// Where the others find this one from now on, until `connect` has returned.
  [[nodiscard]] LinkAddress listen();
  /// Links with all that have a port, who do the same meanwhile; `all` has one for each process.  Returns once that is
  /// done, or after `patience`, with the links that exist.  One end of a link may believe that it
  /// exists while the other does not: both have to agree afterwards, and `drop` such links.
  void connect(std::span<const LinkAddress> all, std::chrono::milliseconds patience);
  [[nodiscard]] bool has(std::size_t other) const { return links_[other] != nullptr; }
  void drop(std::size_t other) { links_[other].reset(); }

  // From any thread:

  /// One system call, less than a microsecond.
  [[nodiscard]] Sight look(std::size_t other) const noexcept;
  /// Tells the others that the end of this process will be no loss.
  void part() const noexcept;

 private:
  using Descriptor = std::unique_ptr<CloseOnFork>;
  /// The greeting of both when they meet.
  struct Greeting {
    std::array<std::uint64_t, 2> key{};  ///< that of the process that is greeted
    std::uint64_t from = 0;
  };
  /// A connection that may become a link.
  struct Attempt {
    Descriptor descriptor;
    std::size_t to = 0;
    bool ours = false;     ///< this process asked for the link, and speaks first
    bool greeted = false;  ///< it has
    bool over = false;
    std::array<std::byte, sizeof(Greeting)> heard{};
    std::size_t bytes = 0;
  };

  void ask(const LinkAddress& whom, std::size_t to);
  void admit();
  void go_on(Attempt& attempt, std::span<const LinkAddress> all);
  static bool greet(const Attempt& attempt, const Greeting& greeting);
  [[nodiscard]] bool seeks(std::span<const LinkAddress> all, std::size_t other) const;

  const std::size_t self_;
  std::vector<Descriptor> links_;
  LinkAddress mine_;
  Descriptor listener_;
  std::vector<Attempt> attempts_;  ///< while it connects
};

}  // namespace rizoma
