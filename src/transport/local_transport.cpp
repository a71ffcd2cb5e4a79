#include "transport/local_transport.h"

#include "base/check.h"
#include "transport/window.h"

#include <string>
#include <vector>

namespace rizoma {
namespace {

class LocalTransport final : public Transport {
 public:
  [[nodiscard]] Rank rank() const noexcept override { return 0; }
  [[nodiscard]] Rank size() const noexcept override { return 1; }
  [[nodiscard]] std::string name_of(Rank rank) const override { return "rank " + std::to_string(rank); }

  [[nodiscard]] Result<WindowId> expose(std::span<std::byte> bytes) override {
    windows_.push_back(bytes);
    return static_cast<WindowId>(windows_.size() - 1);
  }

  [[nodiscard]] Result<std::optional<Allocated>> allocate(std::size_t bytes) override {
    RIZOMA_ASSIGN(const WindowId window, expose({}));
    windows_[window] = memory_.make(window, bytes);
    return std::optional<Allocated>({window, windows_[window]});
  }

  Status release(WindowId window) override {
    RIZOMA_CHECK(window < windows_.size());
    windows_[window] = {};
    memory_.forget(window);
    return {};
  }

  Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) override {
    copy_from_window(at(target, window), offset, out);
    return {};
  }

  Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    copy_to_window(at(target, window), offset, bytes);
    return {};
  }

  [[nodiscard]] Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                std::uint64_t amount) override {
    return add_in_window(at(target, window), offset, amount);
  }

  Status barrier() override { return health(); }

  using Transport::exchange;
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                    Meanwhile /*meanwhile*/) override {
    RIZOMA_CHECK(to.size() == 1);
    RIZOMA_TRY(health());
    return std::vector<Bytes>{Bytes(to[0].begin(), to[0].end())};
  }

  Status send(Rank /*target*/, Bytes /*bytes*/) override { throw InternalError("a message of the only rank"); }
  [[nodiscard]] std::uint64_t on_the_way(Rank /*target*/) const noexcept override { return 0; }
  [[nodiscard]] Result<std::optional<PeerMessage>> receive(std::chrono::microseconds /*patience*/) override {
    RIZOMA_TRY(health());
    return std::optional<PeerMessage>();
  }

  [[nodiscard]] Status health() const override { return ended_; }
  void abort(const Error& why) noexcept override {
    if (ended_) ended_ = Error{why.code, name_of(0) + ": " + why.message};
  }

 private:
  [[nodiscard]] std::span<std::byte> at(Rank target, WindowId window) const {
    RIZOMA_CHECK(target == 0 && window < windows_.size());
    return windows_[window];
  }

  std::vector<std::span<std::byte>> windows_;
  WindowMemory memory_;
  Status ended_;
};

}  // namespace

std::unique_ptr<Transport> make_local_transport() { return std::make_unique<LocalTransport>(); }

}  // namespace rizoma
