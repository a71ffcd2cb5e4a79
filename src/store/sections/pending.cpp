#include "store/sections/pending.h"

#include "base/check.h"

#include <algorithm>

namespace rizoma {

/// Makes chunk k the one that is filled.
void PendingBuffer::enter_chunk(unsigned k) noexcept {
  tail_words_ = words_[k].get();
  tail_weights_ = weighted_ ? (*weights_)[k].get() : nullptr;
  tail_begin_ = begin_of(k);
  tail_end_ = tail_begin_ + (kFirst << k);
  chunks_ = k + 1;
}

void PendingBuffer::grow() {
  RIZOMA_CHECK(chunks_ < words_.size());
  const std::uint64_t capacity = kFirst << chunks_;
  if (weighted_ && weights_ == nullptr) weights_ = std::make_unique<std::array<std::unique_ptr<double[]>, 36>>();
  if (words_[chunks_] == nullptr) {
    // The weights first: words that exist have theirs.
    if (weighted_) (*weights_)[chunks_] = std::make_unique_for_overwrite<double[]>(capacity);
    words_[chunks_] = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
  }
  enter_chunk(chunks_);
}

void PendingBuffer::truncate(std::uint64_t size) noexcept {
  RIZOMA_CHECK(size <= size_);
  size_ = size;
  while (size < tail_begin_) enter_chunk(chunks_ - 2);
}

void PendingBuffer::runs(std::uint64_t count, std::vector<ChangeRun>& out) const {
  std::uint64_t begin = 0;
  for (unsigned k = 0; begin < count; ++k) {
    const std::uint64_t length = std::min(count - begin, kFirst << k);
    out.push_back({{words_[k].get(), length}, weighted_ ? (*weights_)[k].get() : nullptr});
    begin += length;
  }
}

}  // namespace rizoma
