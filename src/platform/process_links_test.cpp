#include "platform/process_links.h"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

namespace rizoma {
namespace {

using namespace std::chrono_literals;
using Sight = ProcessLinks::Sight;

constexpr auto kLong = 60s;  // for machines that do much else

/// Every machine has the address to itself.
LinkAddress here(LinkAddress address) {
  if (address.port != 0) address.hosts = {htonl(INADDR_LOOPBACK)};
  return address;
}

/// As many ends in this process, each linked with all others.
struct Linked {
  explicit Linked(std::size_t count) {
    for (std::size_t self = 0; self < count; ++self) {
      ends.push_back(std::make_unique<ProcessLinks>(self, count));
      addresses.push_back(here(ends.back()->listen()));
    }
  }
  void connect(std::chrono::milliseconds patience = kLong) {
    std::vector<std::thread> threads;
    for (auto& end : ends) threads.emplace_back([&] { end->connect(addresses, patience); });
    for (std::thread& thread : threads) thread.join();
  }
  std::vector<std::unique_ptr<ProcessLinks>> ends;
  std::vector<LinkAddress> addresses;
};

Sight sight_once_not_there(const ProcessLinks& links, std::size_t other) {
  while (links.look(other) == Sight::there) std::this_thread::sleep_for(1ms);
  return links.look(other);
}

int connection_to(const LinkAddress& address) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = address.hosts[0];
  to.sin_port = address.port;
  EXPECT_EQ(::connect(number, reinterpret_cast<const sockaddr*>(&to), sizeof(to)), 0);
  return number;
}

TEST(ProcessLinks, AllSeeEachOther) {
  Linked linked(5);
  linked.connect();
  for (std::size_t self = 0; self < 5; ++self) {
    for (std::size_t other = 0; other < 5; ++other) {
      const Sight expected = self == other ? Sight::unknown : Sight::there;
      EXPECT_EQ(linked.ends[self]->look(other), expected) << self << " " << other;
      EXPECT_EQ(linked.ends[self]->has(other), self != other);
    }
  }
}

TEST(ProcessLinks, AnEndThatIsClosedIsSeenByAllOthersAndByThemAlone) {
  Linked linked(3);
  linked.connect();
  linked.ends[1].reset();
  EXPECT_EQ(sight_once_not_there(*linked.ends[0], 1), Sight::gone);
  EXPECT_EQ(sight_once_not_there(*linked.ends[2], 1), Sight::gone);
  EXPECT_EQ(linked.ends[0]->look(2), Sight::there);
}

TEST(ProcessLinks, WhoPartsIsNotLost) {
  Linked linked(2);
  linked.connect();
  linked.ends[0]->part();
  linked.ends[0].reset();
  EXPECT_EQ(sight_once_not_there(*linked.ends[1], 0), Sight::parted);
  EXPECT_EQ(linked.ends[1]->look(0), Sight::parted) << "and so it stays";
  linked.ends[1]->part();  // no process hears it
}

/// Though a child that it had forked lives on, which sleeps until it is ended.
TEST(ProcessLinks, AProcessThatIsKilledIsGone) {
  Linked linked(2);
  int pipes[2];
  ASSERT_EQ(::pipe(pipes), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    linked.ends[0].reset();
    linked.ends[1] = std::make_unique<ProcessLinks>(1, 2);
    const LinkAddress address = here(linked.ends[1]->listen());
    static_cast<void>(!::write(pipes[1], &address, sizeof(address)));
    linked.addresses[1] = address;
    linked.ends[1]->connect(linked.addresses, kLong);
    const pid_t grandchild = ::fork();
    if (grandchild != 0) static_cast<void>(!::write(pipes[1], &grandchild, sizeof(grandchild)));
    for (;;) ::pause();
  }
  ASSERT_EQ(::read(pipes[0], &linked.addresses[1], sizeof(LinkAddress)), static_cast<ssize_t>(sizeof(LinkAddress)));
  linked.ends[0]->connect(linked.addresses, kLong);
  pid_t grandchild = 0;
  ASSERT_EQ(::read(pipes[0], &grandchild, sizeof(grandchild)), static_cast<ssize_t>(sizeof(grandchild)));
  EXPECT_EQ(linked.ends[0]->look(1), Sight::there);
  ::kill(child, SIGKILL);
  EXPECT_EQ(sight_once_not_there(*linked.ends[0], 1), Sight::gone);
  ::kill(grandchild, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(pipes[0]);
  ::close(pipes[1]);
}

TEST(ProcessLinks, StrangersAreNotHeeded) {
  Linked linked(2);
  const std::vector<std::byte> noise(1000, std::byte{7});
  std::vector<int> strangers;
  for (const LinkAddress& address : linked.addresses) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, noise.size()}) {
      strangers.push_back(connection_to(address));
      EXPECT_EQ(::send(strangers.back(), noise.data(), bytes, MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
    }
  }
  ::close(strangers.back());
  strangers.pop_back();
  linked.connect();
  EXPECT_EQ(linked.ends[0]->look(1), Sight::there);
  EXPECT_EQ(linked.ends[1]->look(0), Sight::there);
  for (const int stranger : strangers) ::close(stranger);
}

/// What listens at a port may be another process by then, or the address lead to another machine.
TEST(ProcessLinks, WhoHasAnotherKeyIsAStranger) {
  Linked linked(2);
  linked.addresses[0].key[1] ^= 1;
  linked.connect(100ms);
  EXPECT_FALSE(linked.ends[0]->has(1));
  EXPECT_FALSE(linked.ends[1]->has(0));
}

TEST(ProcessLinks, WhereNobodyAnswersNothingIsKnown) {
  Linked linked(3);
  linked.ends[1].reset();
  {
    std::thread first([&] { linked.ends[0]->connect(linked.addresses, 200ms); });
    linked.ends[2]->connect(linked.addresses, 200ms);
    first.join();
  }
  EXPECT_EQ(linked.ends[0]->look(1), Sight::unknown);
  EXPECT_EQ(linked.ends[2]->look(1), Sight::unknown);
  EXPECT_EQ(linked.ends[0]->look(2), Sight::there);
  linked.ends[0]->drop(2);
  EXPECT_EQ(linked.ends[0]->look(2), Sight::unknown);
}

TEST(ProcessLinks, WhoHasNoDescriptorsLeftListensToNobody) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{15, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  ProcessLinks links(0, 2);
  EXPECT_EQ(links.listen().port, 0);
  links.connect(std::vector<LinkAddress>(2), kLong);
  EXPECT_FALSE(links.has(1));
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace rizoma
