#include "testing/broken_medium.h"

#include "testing/filtered_medium.h"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// What the medium and its open files share.
class Culprit {
 public:
  explicit Culprit(Mistake mistake) : mistake_(std::move(mistake)) {}

  /// Does the operation, or what the mistake makes of it.
  Status perform(OperationKind kind, std::string_view file, std::function<Status()> operation) {
    const std::lock_guard guard(mutex_);
    if (!mended_ && kind == mistake_.kind && file.starts_with(mistake_.file)) {
      if (mistake_.delayed) late_.push_back(std::move(operation));
      return {};
    }
    const Status status = operation();
    if (status && mistake_.delayed && kind == mistake_.until && file.starts_with(mistake_.until_file)) {
      for (const auto& each : std::exchange(late_, {})) RIZOMA_TRY(each());
    }
    return status;
  }
  void mend() {
    const std::lock_guard guard(mutex_);
    mended_ = true;
  }

 private:
  std::mutex mutex_;
  Mistake mistake_;
  bool mended_ = false;
  std::vector<std::function<Status()>> late_;
};

}  // namespace

BrokenMedium make_broken_medium(Medium& medium, const Mistake& mistake) {
  const auto culprit = std::make_shared<Culprit>(mistake);
  auto broken = make_filtered_medium(
      medium, [culprit](OperationKind kind, std::string_view file, std::function<Status()> operation) {
        return culprit->perform(kind, file, std::move(operation));
      });
  return {std::move(broken), [culprit] { culprit->mend(); }};
}

}  // namespace rizoma
