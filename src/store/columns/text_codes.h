// TextCodes: different values of variable width, numbered in the order of their first appearance.
//
// How: a hash table of codes, linear probing, at most half full; a slot has 32 bits of the value's hash beside its
// code, so that few values are compared in vain.  Hashes have a key of chance, so that no file can have values chosen
// to collide.  Cost: O(bytes) a look-up.
#pragma once

#include "base/checksum.h"
#include "base/random.h"
#include "base/short_text.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rizoma {

class TextCodes {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// All values, one after another, and the end of each.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::vector<std::uint64_t>& ends() const noexcept { return ends_; }

  /// The value's code, the next one if it is new.
  [[nodiscard]] std::uint32_t code(std::string_view value) {
    const std::uint64_t hash = hash_of(value);
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::uint64_t at = hash >> 32 & mask();; at = (at + 1) & mask()) {
      Slot& slot = slots_[at];
      if (slot.code == kFree) {
        slot = {tag, static_cast<std::uint32_t>(ends_.size())};
        text_ += value;
        ends_.push_back(text_.size());
        if (2 * ends_.size() > slots_.size()) grow();
        return static_cast<std::uint32_t>(ends_.size() - 1);
      }
      if (slot.tag == tag && is_same_text((*this)[slot.code], value)) return slot.code;
    }
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t code = kFree;
  };

  [[nodiscard]] std::uint64_t mask() const noexcept { return slots_.size() - 1; }
  [[nodiscard]] std::string_view operator[](std::uint32_t code) const noexcept {
    const std::uint64_t begin = code == 0 ? 0 : ends_[code - 1];
    return std::string_view(text_).substr(begin, ends_[code] - begin);
  }

  [[nodiscard]] std::uint64_t hash_of(std::string_view value) const noexcept {
    const std::size_t size = value.size();
    if (size > 16) return checksum(std::as_bytes(std::span(value.data(), size)), key_);
    // The first and the last eight bytes, which overlap, or all of fewer.
    std::uint64_t first = 0, last = 0;
    if (size >= 8) {
      std::memcpy(&first, value.data(), 8);
      std::memcpy(&last, value.data() + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(&first, value.data(), 4);
      std::memcpy(&last, value.data() + size - 4, 4);
    } else {
      for (const char c : value) first = first << 8 | static_cast<unsigned char>(c);
    }
    return mix64(first ^ mix64((last ^ key_) + size));
  }

  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.code == kFree) continue;
      std::uint64_t at = hash_of((*this)[slot.code]) >> 32 & mask();
      while (slots_[at].code != kFree) at = (at + 1) & mask();
      slots_[at] = slot;
    }
  }

  [[nodiscard]] static std::uint64_t drawn_key() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }

  std::uint64_t key_ = drawn_key();
  std::string text_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_ = std::vector<Slot>(256);
};

}  // namespace rizoma
