#include "transport/mpi/mpi_transport.h"

#include "base/check.h"
#include "platform/allocator.h"
#include "platform/free_space.h"
#include "platform/process.h"
#include "platform/process_links.h"
#include "transport/mpi/pause.h"
#include "transport/processor_mask.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace rizoma::mpi {
namespace {

constexpr int kRoundTag = 16;  // and the one after it: rounds take turns
constexpr int kMoveTag = 18;

constexpr auto kLinking = std::chrono::seconds(1);  // a firewall may keep silent

/// What a part of a window takes: MPI may lay parts end to end, and counters in the next must be at a multiple of 8.
std::uint64_t aligned(std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64;
  return (bytes + kLine - 1) / kLine * kLine;
}

/// How a rank introduces itself.
struct Card {
  std::int64_t process = 0;
  std::array<char, 256> host{};
  std::array<char, 256> machine{};
  ProcessorMask processors{};
  std::uint32_t sharing = 0;  ///< the first of the ranks that share memory with it
  LinkAddress address{};
};

template <std::size_t N>
void fill(std::array<char, N>& field, const std::string& text) {
  std::strncpy(field.data(), text.c_str(), N - 1);
}

/// The ranks that share memory with this one.
struct SharedMemory {
  std::uint32_t first = 0;  ///< the first of them
  bool of_all = false;
};

/// MPI knows which processes it can give the same memory; those of one machine need not be among them.
Result<SharedMemory> find_shared_memory(MPI_Comm comm, Rank rank) {
  MPI_Comm sharing = MPI_COMM_NULL;
  RIZOMA_TRY(
      checked(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing), "MPI_Comm_split_type"));
  int ranks = 0;
  RIZOMA_TRY(checked(MPI_Comm_size(sharing, &ranks), "MPI_Comm_size"));
  int size = 0;
  RIZOMA_TRY(checked(MPI_Comm_size(comm, &size), "MPI_Comm_size"));
  SharedMemory found{rank, ranks == size};
  RIZOMA_TRY(checked(MPI_Bcast(&found.first, 1, MPI_UINT32_T, 0, sharing), "MPI_Bcast"));
  RIZOMA_TRY(checked(MPI_Comm_free(&sharing), "MPI_Comm_free"));
  return found;
}

}  // namespace

Result<std::unique_ptr<MpiTransport>> MpiTransport::join(const MpiOptions& options) {
  std::unique_ptr<MpiTransport> transport(new MpiTransport);
  RIZOMA_TRY(transport->start(options));
  RIZOMA_TRY(transport->introduce(options));
  return transport;
}

Status MpiTransport::start(const MpiOptions& options) {
  int started = 0;
  int level = MPI_THREAD_SINGLE;
  RIZOMA_TRY(checked(MPI_Initialized(&started), "MPI_Initialized"));
  if (options.communicator && started == 0) {
    return Error{ErrorCode::unsupported,
                 "the communicator belongs to another MPI library than the one that was loaded (" + options.library +
                     "); install an mpi4py for the MPI standard ABI that uses the same library"};
  }
  if (started == 0) {
    RIZOMA_TRY(checked(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread"));
    ends_mpi_ = true;
  } else {
    RIZOMA_TRY(checked(MPI_Query_thread(&level), "MPI_Query_thread"));
  }
  if (level < MPI_THREAD_MULTIPLE) {
    return Error{
        ErrorCode::unsupported,
        "MPI was started without MPI_THREAD_MULTIPLE, which Rizoma needs; initialize it with that level of threads"};
  }
  const MPI_Comm given = options.communicator ? communicator(*options.communicator) : MPI_COMM_WORLD;
  RIZOMA_TRY(checked(MPI_Comm_dup(given, &comm_), "MPI_Comm_dup"));
  RIZOMA_TRY(checked(MPI_Comm_dup(given, &watch_comm_), "MPI_Comm_dup"));
  RIZOMA_TRY(checked(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler"));
  return checked(MPI_Comm_set_errhandler(watch_comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

/// Learns who the others are; then the watch begins.
Status MpiTransport::introduce(const MpiOptions& options) {
  int rank = 0;
  int size = 0;
  RIZOMA_TRY(checked(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank"));
  RIZOMA_TRY(checked(MPI_Comm_size(comm_, &size), "MPI_Comm_size"));
  rank_ = static_cast<Rank>(rank);
  const MachineIdentity here = machine_identity();
  RIZOMA_ASSIGN(const SharedMemory sharing, find_shared_memory(comm_, rank_));
  all_share_memory_ = sharing.of_all;
  std::vector<Card> cards(static_cast<std::size_t>(size));
  auto links = std::make_unique<ProcessLinks>(rank_, cards.size());
  Card mine{.process = process_id(), .processors = usable_processor_mask(), .sharing = sharing.first};
  if (!all_share_memory_) mine.address = links->listen();
  fill(mine.host, here.host);
  fill(mine.machine, here.machine);
  constexpr int kBytes = sizeof(Card);
  RIZOMA_TRY(checked(MPI_Allgather(&mine, kBytes, MPI_BYTE, cards.data(), kBytes, MPI_BYTE, comm_), "MPI_Allgather"));
  for (std::size_t r = 0; r < cards.size(); ++r) {
    const Card& card = cards[r];
    peers_.push_back(
        {card.process, card.machine.data(),
         "rank " + std::to_string(r) + " (process " + std::to_string(card.process) + " on " + card.host.data() + ")"});
  }
  std::vector<ProcessorMask> beside;
  std::vector<LinkAddress> elsewhere;
  for (const Card& card : cards) {
    elsewhere.push_back(card.sharing == sharing.first ? LinkAddress{} : card.address);
    if (card.machine == mine.machine) beside.push_back(card.processors);
  }
  crowded_ = share_processors(beside);
  if (!all_share_memory_) {
    RIZOMA_TRY(link(std::move(elsewhere), *links));
    return_large_blocks();  // messages are large, and each machine has room for a part of the graph
  }
  watch_ = std::make_unique<Watch>(watch_comm_, rank, peers_, std::move(links), options.patience);
  return {};
}

/// With those that messages go to over a network, as far as both ends come to it.
Status MpiTransport::link(std::vector<LinkAddress> addresses, ProcessLinks& links) {
  links.connect(addresses, kLinking);
  const std::size_t ranks = addresses.size();
  std::vector<std::uint8_t> mine(ranks);
  std::vector<std::uint8_t> all(ranks * ranks);
  for (std::size_t other = 0; other < ranks; ++other) mine[other] = links.has(other) ? 1 : 0;
  const int count = static_cast<int>(ranks);
  RIZOMA_TRY(checked(MPI_Allgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, comm_), "MPI_Allgather"));
  for (std::size_t other = 0; other < ranks; ++other) {
    if (all[other * ranks + rank_] == 0) links.drop(other);
  }
  return {};
}

MpiTransport::~MpiTransport() {
  if (watch_ == nullptr) return;
  watch_->close();
  const bool well = health().ok();
  watch_.reset();
  mail_.let_be();
  if (!well) return;  // MPI cannot be ended any more: that would wait for the rank that is lost
  for (Window& window : windows_) {
    if (window.handle == MPI_WIN_NULL) continue;
    MPI_Win_unlock_all(window.handle);
    MPI_Win_free(&window.handle);
  }
  MPI_Comm_free(&watch_comm_);
  MPI_Comm_free(&comm_);
  if (ends_mpi_) MPI_Finalize();
}

void MpiTransport::abort(const Error& why) noexcept { watch_->abort(why); }

/// WaitScope for requests of which none depends on a rank that is lost.
Status MpiTransport::wait(std::span<MPI_Request> requests) {
  const Watch::WaitScope waits(*watch_);
  for (Pause pause(crowded_);; pause()) {
    int done = 0;
    const Status tested = checked(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (!tested) return watch_->diagnose(tested.error());
    if (done != 0) return {};
    if (watch_->failed()) return watch_->end_of_run();
  }
}

/// Before a message to that rank begins: it is there, or what has become of it.
Status MpiTransport::reach(Rank target) {
  if (watch_->reaches(static_cast<int>(target))) return {};
  return watch_->diagnose({ErrorCode::io, peers_[target].name + " has closed its connection"});
}

/// Returns once every rank has called it.
Status MpiTransport::arrive_and_wait() {
  RIZOMA_TRY(health());
  for (Rank other = 0; other < size(); ++other) RIZOMA_TRY(reach(other));
  MPI_Request request = MPI_REQUEST_NULL;
  const Status begun = checked(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
  if (!begun) return watch_->diagnose(begun.error());
  return wait({&request, 1});
}

Status MpiTransport::barrier() {
  for (const Window& window : windows_) {
    if (window.handle == MPI_WIN_NULL) continue;
    RIZOMA_TRY(health());
    const Watch::BlockingScope within(*watch_);
    RIZOMA_TRY(checked(MPI_Win_flush_all(window.handle), "MPI_Win_flush_all"));
  }
  RIZOMA_TRY(arrive_and_wait());
  for (const Window& window : windows_) {
    if (window.handle != MPI_WIN_NULL) RIZOMA_TRY(checked(MPI_Win_sync(window.handle), "MPI_Win_sync"));
  }
  return {};
}

/// A window that knows what each rank brings.
Result<MpiTransport::Window> MpiTransport::announce(std::size_t bytes) {
  const std::uint64_t size = bytes;
  std::vector<std::span<const std::byte>> to(peers_.size(), std::as_bytes(std::span(&size, 1)));
  RIZOMA_ASSIGN(const std::vector<Bytes> sizes, exchange(to));
  Window window;
  for (const Bytes& of : sizes) {
    RIZOMA_CHECK(of.size() == sizeof(std::uint64_t));
    std::uint64_t value = 0;
    std::memcpy(&value, of.data(), sizeof(value));
    window.sizes.push_back(value);
  }
  return window;
}

Result<WindowId> MpiTransport::open(Window window) {
  RIZOMA_TRY(checked(MPI_Win_set_errhandler(window.handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler"));
  RIZOMA_TRY(checked(MPI_Win_lock_all(MPI_MODE_NOCHECK, window.handle), "MPI_Win_lock_all"));
  windows_.push_back(std::move(window));
  RIZOMA_TRY(arrive_and_wait());
  return static_cast<WindowId>(windows_.size() - 1);
}

Result<WindowId> MpiTransport::expose(std::span<std::byte> bytes) {
  RIZOMA_ASSIGN(Window window, announce(bytes.size()));
  const Watch::BlockingScope within(*watch_);
  RIZOMA_TRY(checked(
      MPI_Win_create(bytes.data(), static_cast<MPI_Aint>(bytes.size()), 1, MPI_INFO_NULL, comm_, &window.handle),
      "MPI_Win_create"));
  return open(std::move(window));
}

/// Whether on all machines the memory that ranks share has room for their parts, and as much again: MPI does not ask,
/// and the system kills a process that writes to missing memory.
Result<bool> MpiTransport::fits_shared_memory(const Window& window) {
  std::uint64_t needed = 0;
  unsigned sharing = 0;
  for (Rank rank = 0; rank < size(); ++rank) {
    if (peers_[rank].machine != peers_[rank_].machine) continue;
    needed += aligned(window.sizes[rank]);
    ++sharing;
  }
  const std::byte fits{sharing == 1 || needed <= free_space("/dev/shm").value_or(0) / 2};
  const std::vector<std::span<const std::byte>> to(peers_.size(), std::span(&fits, 1));
  RIZOMA_ASSIGN(const std::vector<Bytes> all, exchange(to));
  return std::ranges::all_of(all, [](const Bytes& of) { return of.at(0) != std::byte{0}; });
}

Result<std::optional<Allocated>> MpiTransport::allocate(std::size_t bytes) {
  RIZOMA_ASSIGN(Window window, announce(bytes));
  RIZOMA_ASSIGN(const bool fits, fits_shared_memory(window));
  if (!fits) return std::optional<Allocated>();
  const Watch::BlockingScope within(*watch_);
  void* memory = nullptr;
  RIZOMA_TRY(
      checked(MPI_Win_allocate(static_cast<MPI_Aint>(aligned(bytes)), 1, MPI_INFO_NULL, comm_, &memory, &window.handle),
              "MPI_Win_allocate"));
  std::fill_n(static_cast<std::byte*>(memory), bytes, std::byte{0});
  RIZOMA_ASSIGN(const WindowId id, open(std::move(window)));
  return std::optional<Allocated>({id, {static_cast<std::byte*>(memory), bytes}});
}

Result<std::optional<SharedBytes>> MpiTransport::share(std::size_t bytes) {
  if (!all_share_memory_) return std::optional<SharedBytes>();
  const std::size_t mine = rank_ == 0 ? bytes : 0;  // the first rank's part is for all
  RIZOMA_ASSIGN(Window window, announce(mine));
  RIZOMA_CHECK(window.sizes[0] == bytes);
  RIZOMA_ASSIGN(const bool fits, fits_shared_memory(window));
  if (!fits) return std::optional<SharedBytes>();
  const Watch::BlockingScope within(*watch_);
  void* memory = nullptr;
  RIZOMA_TRY(checked(
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(aligned(mine)), 1, MPI_INFO_NULL, comm_, &memory, &window.handle),
      "MPI_Win_allocate_shared"));
  MPI_Aint size = 0;
  int unit = 0;
  RIZOMA_TRY(checked(MPI_Win_shared_query(window.handle, 0, &size, &unit, &memory), "MPI_Win_shared_query"));
  RIZOMA_ASSIGN(const WindowId id, open(std::move(window)));
  return std::optional<SharedBytes>({id, {static_cast<std::byte*>(memory), bytes}});
}

Status MpiTransport::release(WindowId window) {
  RIZOMA_CHECK(window < windows_.size() && windows_[window].handle != MPI_WIN_NULL);
  RIZOMA_TRY(arrive_and_wait());
  const Watch::BlockingScope within(*watch_);
  RIZOMA_TRY(checked(MPI_Win_unlock_all(windows_[window].handle), "MPI_Win_unlock_all"));
  RIZOMA_TRY(checked(MPI_Win_free(&windows_[window].handle), "MPI_Win_free"));
  windows_[window] = {};
  return {};
}

/// In memory that they share; of a network MPI does not say.
bool MpiTransport::one_sided() const noexcept { return all_share_memory_; }

Status MpiTransport::checked_place(Rank target, WindowId window, std::uint64_t offset, std::size_t size) {
  RIZOMA_CHECK(window < windows_.size() && target < peers_.size());
  const std::uint64_t all = windows_[window].sizes[target];
  RIZOMA_CHECK(offset <= all && size <= all - offset);
  RIZOMA_TRY(health());
  return reach(target);
}

Status MpiTransport::read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) {
  const Wanted wanted{offset, out};
  return read_all(target, window, {&wanted, 1});
}

Status MpiTransport::read_all(Rank target, WindowId window, std::span<const Wanted> wanted) {
  struct UnderWay {
    std::vector<MPI_Request> requests;
    Bytes bytes;
  };
  std::size_t size = 0;
  for (const Wanted& some : wanted) size += some.place.size();
  // By way of a buffer: MPI may write to it once a rank is lost, when another object may own the memory already.
  auto under_way = std::make_unique<UnderWay>();
  under_way->bytes.resize(size);
  under_way->requests.reserve(wanted.size() + size / kPiece);
  const Status status = start_reading(target, window, wanted, under_way->bytes.data(), under_way->requests);
  const Status done = !status || under_way->requests.empty() ? status : wait(under_way->requests);
  if (!done) {
    static_cast<void>(under_way.release());  // never freed
    return done;
  }
  const std::byte* from = under_way->bytes.data();
  for (const Wanted& some : wanted) {
    std::copy_n(from, some.place.size(), some.place.data());
    from += some.place.size();
  }
  return {};
}

/// Puts what is wanted one after the other from `place` on, once the requests are done.
Status MpiTransport::start_reading(Rank target, WindowId window, std::span<const Wanted> wanted, std::byte* place,
                                   std::vector<MPI_Request>& requests) {
  for (const Wanted& some : wanted) {
    RIZOMA_TRY(checked_place(target, window, some.offset, some.place.size()));
    for (std::size_t begin = 0; begin < some.place.size(); begin += kPiece) {
      const int count = static_cast<int>(std::min(some.place.size() - begin, kPiece));
      requests.push_back(MPI_REQUEST_NULL);
      RIZOMA_TRY(
          checked(MPI_Rget(place, count, MPI_BYTE, static_cast<int>(target), static_cast<MPI_Aint>(some.offset + begin),
                           count, MPI_BYTE, windows_[window].handle, &requests.back()),
                  "MPI_Rget"));
      place += count;
    }
  }
  return {};
}

Status MpiTransport::write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) {
  RIZOMA_TRY(checked_place(target, window, offset, bytes.size()));
  while (!bytes.empty()) {
    RIZOMA_TRY(reach(target));
    const std::size_t now = std::min(bytes.size(), kPiece);
    const int count = static_cast<int>(now);
    MPI_Request request = MPI_REQUEST_NULL;
    RIZOMA_TRY(checked(MPI_Rput(bytes.data(), count, MPI_BYTE, static_cast<int>(target), static_cast<MPI_Aint>(offset),
                                count, MPI_BYTE, windows_[window].handle, &request),
                       "MPI_Rput"));
    RIZOMA_TRY(wait({&request, 1}));
    offset += now;
    bytes = bytes.subspan(now);
  }
  return {};
}

Result<std::uint64_t> MpiTransport::fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                              std::uint64_t amount) {
  RIZOMA_CHECK(offset % sizeof(std::uint64_t) == 0);
  RIZOMA_TRY(checked_place(target, window, offset, sizeof(std::uint64_t)));
  std::uint64_t before = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  RIZOMA_TRY(checked(
      MPI_Rget_accumulate(&amount, 1, MPI_UINT64_T, &before, 1, MPI_UINT64_T, static_cast<int>(target),
                          static_cast<MPI_Aint>(offset), 1, MPI_UINT64_T, MPI_SUM, windows_[window].handle, &request),
      "MPI_Rget_accumulate"));
  RIZOMA_TRY(wait({&request, 1}));
  return before;
}

Status MpiTransport::look(Departures& sending, int tag) {
  return sending.look(comm_, tag, [this](Rank target) { return reach(target); });
}

/// Every rank takes what comes, a few at a time, so none waits for one that waits for it.
Status MpiTransport::gather(std::vector<Arrival>& arrivals, Departures& sending, int tag, Meanwhile meanwhile) {
  const Watch::WaitScope waits(*watch_);
  Pause pause(crowded_);
  for (bool idle = false;;) {
    const std::size_t to_leave = sending.left();
    RIZOMA_TRY(look(sending, tag));
    bool all = sending.left() == 0;
    bool moved = sending.left() != to_leave;  // there may be more to do at once
    std::size_t begun = 0;
    for (const Arrival& arrival : arrivals) begun += arrival.under_way() ? 1 : 0;
    for (Rank step = 1; step < size(); ++step) {
      const Rank from = (rank_ + size() - step) % size();
      Arrival& arrival = arrivals[from];
      if (arrival.whole) continue;
      const bool was_under_way = arrival.under_way();
      RIZOMA_TRY(arrival.look(comm_, from, tag, begun < kAtOnce));
      moved = moved || arrival.whole || arrival.under_way() != was_under_way;
      if (arrival.under_way() != was_under_way) begun += arrival.under_way() ? 1 : -1;
      all = all && arrival.whole;
    }
    if (all) return {};
    if (watch_->failed()) return watch_->end_of_run();
    if (moved) continue;
    if (!idle) idle = !meanwhile();
    else pause();
  }
}

/// What `move` does when others have begun already and count on this rank: without memory for it, all end.
Status MpiTransport::ending_all_without_memory(FunctionRef<Status()> move) {
  try {
    return move();
  } catch (const std::bad_alloc&) {
    const Error error{ErrorCode::out_of_memory, "not enough memory for the messages between ranks"};
    this->abort(error);
    return error;
  }
}

Result<std::vector<Bytes>> MpiTransport::exchange(std::span<const std::span<const std::byte>> to, Meanwhile meanwhile) {
  RIZOMA_CHECK(to.size() == peers_.size());
  RIZOMA_TRY(health());
  const int tag = kRoundTag + static_cast<int>(round_++ % 2);
  // MPI may use these for a moment after a rank is lost: then they are never freed.
  std::unique_ptr<Departures> sending;
  std::unique_ptr<std::vector<Arrival>> arrivals;
  const Status status = ending_all_without_memory([&] {
    sending = std::make_unique<Departures>();
    arrivals = std::make_unique<std::vector<Arrival>>(peers_.size());
    (*arrivals)[rank_] = {.bytes = Bytes(to[rank_].begin(), to[rank_].end()), .whole = true};
    for (Rank step = 1; step < size(); ++step) {
      const Rank target = (rank_ + step) % size();
      sending->add(target, to[target], kPiece, true);
    }
    return gather(*arrivals, *sending, tag, meanwhile);
  });
  if (!status) {
    static_cast<void>(sending.release());
    static_cast<void>(arrivals.release());
    return watch_->diagnose(status.error());
  }
  std::vector<Bytes> received;
  for (Arrival& arrival : *arrivals) received.push_back(std::move(arrival.bytes));
  return received;
}

/// What comes from a few ranks at a time, the nearest before this one first, as they send to the nearest after them
/// first: of what is left, what has the least way is begun with on both sides.
Status MpiTransport::land_all(std::vector<Landing>& landings, Departures& sending) {
  const Watch::WaitScope waits(*watch_);
  for (Pause pause(crowded_);; pause()) {
    RIZOMA_TRY(look(sending, kMoveTag));
    std::size_t begun = 0;
    for (Rank step = 1; step < size() && begun < kAtOnce; ++step) {
      Landing& landing = landings[(rank_ + size() - step) % size()];
      RIZOMA_TRY(landing.look(comm_, kMoveTag));
      begun += landing.left.empty() ? 0 : 1;
    }
    if (begun == 0 && sending.left() == 0) return {};
    if (watch_->failed()) return watch_->end_of_run();
  }
}

Status MpiTransport::move(std::span<const Outgoing> out, std::span<const Incoming> in) {
  RIZOMA_TRY(health());
  std::unique_ptr<Departures> sending;
  std::unique_ptr<std::vector<Landing>> landings;
  const Status status = ending_all_without_memory([&]() -> Status {
    sending = std::make_unique<Departures>();
    landings = std::make_unique<std::vector<Landing>>(peers_.size());
    for (const Incoming& some : in) {
      RIZOMA_CHECK(some.from != rank_);
      if (!some.place.empty()) (*landings)[some.from].left.push_back(some);
    }
    for (Landing& landing : *landings) std::reverse(landing.left.begin(), landing.left.end());
    for (Rank step = 1; step < size(); ++step) {
      for (const Outgoing& some : out) {
        if (some.to == (rank_ + step) % size()) sending->add(some.to, some.bytes, kLanding, false);
      }
    }
    return land_all(*landings, *sending);
  });
  if (status) return status;
  // MPI may use these for a moment after a rank is lost: then they are never freed.
  static_cast<void>(sending.release());
  static_cast<void>(landings.release());
  return watch_->diagnose(status.error());
}

Status MpiTransport::send(Rank target, Bytes bytes) {
  RIZOMA_CHECK(target < peers_.size() && target != rank_ && bytes.size() <= std::numeric_limits<int>::max());
  RIZOMA_TRY(health());
  RIZOMA_TRY(reach(target));
  return ending_all_without_memory([&] { return mail_.send(comm_, target, std::move(bytes)); });
}

std::uint64_t MpiTransport::on_the_way(Rank target) const noexcept { return mail_.on_the_way(target); }

Result<std::optional<PeerMessage>> MpiTransport::receive(std::chrono::microseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto until = patience.count() == 0 ? Clock::time_point::min() : Clock::now() + patience;
  const Watch::WaitScope waits(*watch_);
  for (Pause pause(crowded_);; pause()) {
    if (watch_->failed()) return watch_->end_of_run();
    const Status looked = ending_all_without_memory([&] { return mail_.look(comm_); });
    if (!looked) return watch_->diagnose(looked.error());
    if (std::optional<PeerMessage> message = mail_.take()) return message;
    if (until == Clock::time_point::min() || Clock::now() >= until) return std::optional<PeerMessage>();
  }
}

}  // namespace rizoma::mpi
