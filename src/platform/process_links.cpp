#include "platform/process_links.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

namespace rizoma {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kKind = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

/// Of the interfaces that are up, but for that to oneself: on which of them the others are, they find out.
std::array<std::uint32_t, 4> own_hosts() {
  std::array<std::uint32_t, 4> hosts{};
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return hosts;
  std::size_t found = 0;
  for (const ifaddrs* one = all; one != nullptr && found < hosts.size(); one = one->ifa_next) {
    const bool serves = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
    if (!serves || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address{};
    std::memcpy(&address, one->ifa_addr, sizeof(address));
    hosts[found++] = address.sin_addr.s_addr;
  }
  ::freeifaddrs(all);
  return hosts;
}

sockaddr_in place(std::uint32_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = port;
  return address;
}

/// Whether there are descriptors for this many attempts, and most of them are left for others.
bool has_descriptors_for(std::size_t count) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 && 2 * count < limit.rlim_cur;
}

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

LinkAddress ProcessLinks::listen() {
  if (!has_descriptors_for(links_.size() * mine_.hosts.size())) return {};
  const int number = ::socket(AF_INET, kKind, 0);
  if (number < 0) return {};
  listener_ = std::make_unique<CloseOnFork>(number);
  sockaddr_in address = place(INADDR_ANY, 0);
  socklen_t size = sizeof(address);
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  if (::bind(number, general, size) != 0 || ::listen(number, SOMAXCONN) != 0 ||
      ::getsockname(number, general, &size) != 0) {
    listener_.reset();
    return {};
  }
  mine_ = {.key = {random_number(), random_number()}, .hosts = own_hosts(), .port = address.sin_port};
  return mine_;
}

bool ProcessLinks::seeks(std::span<const LinkAddress> all, std::size_t other) const {
  return other != self_ && other < all.size() && all[other].port != 0 && links_[other] == nullptr;
}

void ProcessLinks::connect(std::span<const LinkAddress> all, std::chrono::milliseconds patience) {
  if (listener_ == nullptr) return;
  const auto until = Clock::now() + patience;
  // Of two, the later one asks.
  for (std::size_t other = 0; other < self_; ++other) {
    if (seeks(all, other)) ask(all[other], other);
  }
  for (auto now = Clock::now(); now < until; now = Clock::now()) {
    std::size_t missing = 0;
    for (std::size_t other = 0; other < links_.size(); ++other) missing += seeks(all, other) ? 1U : 0U;
    if (missing == 0) break;
    std::vector<pollfd> looks{{listener_->number(), POLLIN, 0}};
    for (const Attempt& attempt : attempts_) {
      const bool writes = attempt.ours && !attempt.greeted;
      looks.push_back({attempt.descriptor->number(), static_cast<short>(writes ? POLLOUT : POLLIN), 0});
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
    if (::poll(looks.data(), looks.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
      if (looks[i + 1].revents != 0) go_on(attempts_[i], all);
    }
    std::erase_if(attempts_, [](const Attempt& attempt) { return attempt.over; });
    if (looks[0].revents != 0) admit();
  }
  attempts_.clear();
  listener_.reset();
}

/// Tries all its addresses at once: only the right process knows its key, and answers only the first time.
void ProcessLinks::ask(const LinkAddress& whom, std::size_t to) {
  for (const std::uint32_t host : whom.hosts) {
    if (host == 0) continue;
    const int number = ::socket(AF_INET, kKind, 0);
    if (number < 0) return;
    Attempt attempt{.descriptor = std::make_unique<CloseOnFork>(number), .to = to, .ours = true};
    const sockaddr_in address = place(host, whom.port);
    const int begun = ::connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    if (begun == 0 || errno == EINPROGRESS) attempts_.push_back(std::move(attempt));
  }
}

/// Whoever asks; strangers among them are as many at a time as there are ways to this process from all others.
void ProcessLinks::admit() {
  const int number = ::accept4(listener_->number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (number < 0) return;
  Attempt attempt{.descriptor = std::make_unique<CloseOnFork>(number)};
  if (attempts_.size() < links_.size() * mine_.hosts.size()) attempts_.push_back(std::move(attempt));
}

/// So few bytes always find room in a connection that is new.
bool ProcessLinks::greet(const Attempt& attempt, const Greeting& greeting) {
  return ::send(attempt.descriptor->number(), &greeting, sizeof(greeting), MSG_NOSIGNAL) == sizeof(greeting);
}

/// Something has happened to it, which may be its end.
void ProcessLinks::go_on(Attempt& attempt, std::span<const LinkAddress> all) {
  if (attempt.ours && !attempt.greeted) {
    attempt.greeted = greet(attempt, {all[attempt.to].key, self_});
    attempt.over = !attempt.greeted;
    return;
  }
  std::byte* const next = attempt.heard.data() + attempt.bytes;
  const ssize_t count = ::recv(attempt.descriptor->number(), next, attempt.heard.size() - attempt.bytes, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  attempt.over = count <= 0;
  if (attempt.over) return;
  attempt.bytes += static_cast<std::size_t>(count);
  if (attempt.bytes < attempt.heard.size()) return;
  attempt.over = true;
  Greeting greeting;
  std::memcpy(&greeting, attempt.heard.data(), sizeof(greeting));
  if (greeting.key != mine_.key || !seeks(all, greeting.from)) return;
  if (attempt.ours ? greeting.from != attempt.to : greeting.from < self_) return;
  if (!attempt.ours && !greet(attempt, {all[greeting.from].key, self_})) return;
  links_[greeting.from] = std::move(attempt.descriptor);
}

ProcessLinks::Sight ProcessLinks::look(std::size_t other) const noexcept {
  if (links_[other] == nullptr) return Sight::unknown;
  for (;;) {
    std::byte word{};
    const ssize_t count = ::recv(links_[other]->number(), &word, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) return Sight::parted;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Sight::there;
    if (count == 0 || errno != EINTR) return Sight::gone;
  }
}

void ProcessLinks::part() const noexcept {
  for (const Descriptor& link : links_) {
    constexpr std::byte kWord{1};
    if (link != nullptr) static_cast<void>(::send(link->number(), &kWord, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
  }
}

}  // namespace rizoma
