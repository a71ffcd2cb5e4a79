// A transport whose rank is killed at a moment that a test chooses.
#pragma once

#include "engine/transport.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// Passes everything on for this many collective calls; then its rank dies.  0: never.
class DyingTransport : public Transport {
 public:
  DyingTransport(Transport& real, std::uint64_t calls) : real_(real), left_(calls) {}

  [[nodiscard]] Rank rank() const noexcept override { return real_.rank(); }
  [[nodiscard]] Rank size() const noexcept override { return real_.size(); }
  [[nodiscard]] std::string name_of(Rank rank) const override { return real_.name_of(rank); }
  [[nodiscard]] Result<WindowId> expose(std::span<std::byte> bytes) override { return real_.expose(bytes); }
  [[nodiscard]] Result<std::optional<Allocated>> allocate(std::size_t bytes) override { return real_.allocate(bytes); }
  [[nodiscard]] Result<std::optional<SharedBytes>> share(std::size_t bytes) override { return real_.share(bytes); }
  Status release(WindowId window) override { return real_.release(window); }
  [[nodiscard]] bool one_sided() const noexcept override { return real_.one_sided(); }
  Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) override {
    return real_.read(target, window, offset, out);
  }
  Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    return real_.write(target, window, offset, bytes);
  }
  [[nodiscard]] Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                std::uint64_t amount) override {
    return real_.fetch_add(target, window, offset, amount);
  }
  Status barrier() override {
    RIZOMA_TRY(live_on());
    return real_.barrier();
  }
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                    Meanwhile meanwhile) override {
    RIZOMA_TRY(live_on());
    return real_.exchange(to, meanwhile);
  }
  Status move(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    RIZOMA_TRY(live_on());
    return real_.move(out, in);
  }
  Status send(Rank target, Bytes bytes) override { return real_.send(target, std::move(bytes)); }
  [[nodiscard]] std::uint64_t on_the_way(Rank target) const noexcept override { return real_.on_the_way(target); }
  [[nodiscard]] Result<std::optional<PeerMessage>> receive(std::chrono::microseconds patience) override {
    return real_.receive(patience);
  }
  [[nodiscard]] Status health() const override { return real_.health(); }
  void abort(const Error& why) noexcept override { real_.abort(why); }

 private:
  Status live_on() {
    if (left_ == 0 || --left_ > 0) return {};
    left_ = 1;  // and it stays dead
    const Error killed{ErrorCode::io, "killed"};
    real_.abort(killed);
    return killed;
  }

  Transport& real_;
  std::uint64_t left_;
};

/// Ranks on hosts of their own: what one wants of another is a message.
class NetworkTransport final : public DyingTransport {
 public:
  explicit NetworkTransport(Transport& real) : DyingTransport(real, 0) {}
  [[nodiscard]] Result<std::optional<SharedBytes>> share(std::size_t /*bytes*/) override {
    return std::optional<SharedBytes>();
  }
  [[nodiscard]] bool one_sided() const noexcept override { return false; }
};

}  // namespace rizoma
