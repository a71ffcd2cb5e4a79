#include "store/pending.h"

#include "base/check.h"

#include <algorithm>

namespace rizoma {

void PendingBuffer::grow() {
  RIZOMA_CHECK(chunks_ < words_.size());
  const std::uint64_t capacity = kFirst << chunks_;
  if (weighted_ && weights_ == nullptr) weights_ = std::make_unique<std::array<std::unique_ptr<double[]>, 36>>();
  words_[chunks_] = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
  tail_words_ = words_[chunks_].get();
  if (weighted_) {
    (*weights_)[chunks_] = std::make_unique_for_overwrite<double[]>(capacity);
    tail_weights_ = (*weights_)[chunks_].get();
  }
  tail_begin_ = tail_end_;
  tail_end_ += capacity;
  ++chunks_;
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
