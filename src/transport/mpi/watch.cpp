#include "transport/mpi/watch.h"

#include "platform/process.h"
#include "platform/signals_blocked.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma::mpi {
namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 5ms;     // between two looks at what has arrived
constexpr auto kBeat = 250ms;   // between two signs of life to one rank
constexpr auto kJudge = 200ms;  // between two checks of who is there
constexpr auto kStuck = 2s;     // after this, a call of MPI under way at the end of the run will not come back
constexpr auto kLastWord = 1s;  // how long the others are given to hear of the end of the run

constexpr int kTag = 1;

}  // namespace

Watch::Watch(MPI_Comm comm, int rank, std::vector<Peer> peers, std::unique_ptr<const ProcessLinks> ties,
             std::chrono::milliseconds patience)
    : comm_(comm),
      rank_(rank),
      peers_(std::move(peers)),
      ties_(std::move(ties)),
      patience_(patience),
      links_(peers_.size()) {
  looked_ = judged_ = Clock::now();
  for (Link& link : links_) {
    link.heard = looked_;
    link.told = looked_ - kBeat;
  }
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  stopping_ = true;
  thread_.join();
  ties_->part();
}

bool Watch::reaches(int rank) const noexcept {
  const ProcessLinks::Sight sight = ties_->look(static_cast<std::size_t>(rank));
  return sight == ProcessLinks::Sight::there || sight == ProcessLinks::Sight::unknown;
}

Status Watch::health() const {
  if (!failed()) return {};
  const MutexLock lock(guard_);
  return Error{static_cast<ErrorCode>(end_->code), end_->text};
}

Error Watch::diagnose(const Error& error) {
  const auto until = Clock::now() + patience_ + 2 * kJudge;
  while (!failed() && Clock::now() < until) std::this_thread::sleep_for(kLook);
  if (!failed()) this->abort(error);
  return end_of_run();
}

Error Watch::end_of_run() const {
  const auto until = Clock::now() + kLastWord;
  while (!parted_ && Clock::now() < until) std::this_thread::sleep_for(kLook);
  return health().error();
}

void Watch::abort(const Error& why) {
  Beat beat{Kind::ended, static_cast<std::uint32_t>(rank_), static_cast<std::uint32_t>(why.code), {}};
  const std::string text = peers_[static_cast<std::size_t>(rank_)].name + " has ended the run: " + why.message;
  std::strncpy(beat.text, text.c_str(), sizeof(beat.text) - 1);
  end(beat);
  static_cast<void>(end_of_run());
}

void Watch::close() {
  leaving_ = true;
  while (!parted_ && !failed()) std::this_thread::sleep_for(kLook);
}

void Watch::run() {
  while (!stopping_) {
    look();
    std::this_thread::sleep_for(kLook);
  }
}

void Watch::look() {
  const auto now = Clock::now();
  if (failed()) {
    if (!failed_since_) failed_since_ = now;
    if (within_ > 0 && now - *failed_since_ > kStuck) MPI_Abort(comm_, 1);
    if (now - *failed_since_ > kLastWord) parted_ = true;
  }
  if (parted_) return;
  // A process that was stopped and goes on has heard no rank meanwhile: that is no fault of the others.
  if (now - looked_ > patience_ / 2) {
    for (Link& link : links_) link.heard = now;
  }
  looked_ = now;
  listen(now);
  for (int other = 0; other < static_cast<int>(links_.size()); ++other) {
    if (other == rank_) continue;
    const auto peer = static_cast<std::size_t>(other);
    if (!links_[peer].heard_bye && ties_->look(peer) == ProcessLinks::Sight::gone) lose(other, "its process is gone");
    tell(other, now);
  }
  if (now - judged_ > kJudge && !failed()) {
    judged_ = now;
    judge(now);
  }
  if (failed()) {
    const auto settled = [&](const Link& link) { return link.notified && link.out == MPI_REQUEST_NULL; };
    parted_ = std::count_if(links_.begin(), links_.end(), settled) + 1 == static_cast<std::ptrdiff_t>(links_.size());
  } else if (leaving_) {
    parted_ = all_said_bye();
  }
}

bool Watch::all_said_bye() const {
  for (std::size_t other = 0; other < links_.size(); ++other) {
    const Link& link = links_[other];
    const bool parted = link.said_bye && link.heard_bye && link.out == MPI_REQUEST_NULL;
    if (other != static_cast<std::size_t>(rank_) && !parted) return false;
  }
  return true;
}

/// Takes in what has come, from whichever rank: with a request for each of eight, MPI would take memory for a thousand.
void Watch::listen(Clock::time_point now) {
  for (;;) {
    if (in_ == MPI_REQUEST_NULL) {
      int there = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      // Which rank an error is about, the other signs tell: its link, its process, its silence.
      if (MPI_Improbe(MPI_ANY_SOURCE, kTag, comm_, &there, &message, &status) != MPI_SUCCESS || there == 0) return;
      from_ = status.MPI_SOURCE;
      if (MPI_Imrecv(&received_, sizeof(Beat), MPI_BYTE, &message, &in_) != MPI_SUCCESS)
        return lose(from_, "the connection to it broke");
    }
    int done = 0;
    if (MPI_Test(&in_, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      in_ = MPI_REQUEST_NULL;
      return lose(from_, "the connection to it broke");
    }
    if (done == 0) return;
    in_ = MPI_REQUEST_NULL;
    Link& link = links_[static_cast<std::size_t>(from_)];
    link.heard = now;
    if (received_.kind == Kind::bye) link.heard_bye = true;
    if (received_.kind == Kind::lost || received_.kind == Kind::ended) end(received_);
  }
}

void Watch::tell(int to, Clock::time_point now) {
  Link& link = links_[static_cast<std::size_t>(to)];
  if (link.out != MPI_REQUEST_NULL) {
    int done = 0;
    const bool broken = MPI_Test(&link.out, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    if (done != 0 || broken) link.out = MPI_REQUEST_NULL;
    if (broken && !link.heard_bye) return lose(to, "the connection to it broke");
    if (done == 0) return;
  }
  const bool ended = failed();
  const bool leaves = leaving_ && !ended;
  if (link.said_bye || (ended ? link.notified : !leaves && now - link.told < kBeat)) return;
  if (!reaches(to)) {
    link.notified = ended;
    link.said_bye = leaves && link.heard_bye;
    return;
  }
  link.sent = Beat{leaves ? Kind::bye : Kind::alive, 0, 0, {}};
  if (ended) {
    const MutexLock lock(guard_);
    link.sent = *end_;
  }
  link.notified = ended;
  link.said_bye = leaves;
  link.told = now;
  int done = 0;  // mostly at once, so that few requests are under way together
  const bool broken = MPI_Isend(&link.sent, sizeof(Beat), MPI_BYTE, to, kTag, comm_, &link.out) != MPI_SUCCESS ||
                      MPI_Test(&link.out, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  if (done != 0 || broken) link.out = MPI_REQUEST_NULL;
  if (broken) lose(to, "the connection to it broke");
}

void Watch::judge(Clock::time_point now) {
  const std::string& here = peers_[static_cast<std::size_t>(rank_)].machine;
  for (std::size_t other = 0; other < links_.size(); ++other) {
    const Peer& peer = peers_[other];
    const Link& link = links_[other];
    if (static_cast<int>(other) == rank_) continue;
    if (link.heard_bye) {
      if (waits_ > 0 && !leaving_ && now - link.heard > kLastWord) lose(static_cast<int>(other), "it has left the run");
      continue;
    }
    if (peer.machine == here && !process_lives(peer.process)) {
      lose(static_cast<int>(other), "its process is gone");
    } else if (now - link.heard > patience_) {
      const double seconds = std::chrono::duration<double>(patience_).count();
      std::string text = std::to_string(seconds);
      text.resize(text.find('.') + 2);
      lose(static_cast<int>(other), "it has given no sign of life for " + text + " s");
    }
  }
}

void Watch::lose(int rank, const std::string& how) {
  if (failed()) return;
  Beat beat{Kind::lost, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(ErrorCode::io), {}};
  const std::string text = peers_[static_cast<std::size_t>(rank)].name + " is lost: " + how;
  std::strncpy(beat.text, text.c_str(), sizeof(beat.text) - 1);
  end(beat);
}

void Watch::end(const Beat& why) {
  const MutexLock lock(guard_);
  if (end_) return;
  end_ = why;
  end_->text[sizeof(end_->text) - 1] = '\0';
  ties_->part();  // ranks that leave now must not count as the lost one
  // One that is lost hears nothing any more.
  if (why.kind == Kind::lost) links_[why.blamed % links_.size()].notified = true;
  failed_.store(true, std::memory_order_release);
}

}  // namespace rizoma::mpi
