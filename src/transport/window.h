// Access to one exposed window, for transports that reach all windows in their own address space.
// A place outside the window is a bug of the caller: these check it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace rizoma {

/// Memory of windows that such a transport makes itself, by number.
class WindowMemory {
 public:
  std::span<std::byte> make(unsigned window, std::size_t bytes) {
    std::vector<std::uint64_t>& words = words_[window];
    words.assign((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 0);
    return std::as_writable_bytes(std::span(words)).first(bytes);
  }
  void forget(unsigned window) { words_.erase(window); }

 private:
  std::map<unsigned, std::vector<std::uint64_t>> words_;
};

void copy_from_window(std::span<const std::byte> window, std::uint64_t offset, std::span<std::byte> out);
void copy_to_window(std::span<std::byte> window, std::uint64_t offset, std::span<const std::byte> bytes);
/// Atomic against all other additions and std::atomic_ref of the 8 bytes at `offset`, a multiple of 8.
std::uint64_t add_in_window(std::span<std::byte> window, std::uint64_t offset, std::uint64_t amount);

}  // namespace rizoma
