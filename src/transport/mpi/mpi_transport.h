// MpiTransport: ranks are the processes of an MPI communicator.
//
// Nothing here waits inside MPI for another rank: requests are started and tested, and between tests the
// watch is asked whether a rank is lost.  The exceptions are the creation of windows and the flush of a
// one-sided write; if a rank is lost just then and the call does not come back, the watch ends the run by
// MPI_Abort.
#pragma once

#include "engine/transport.h"
#include "transport/mpi/mail_queue.h"
#include "transport/mpi/pieces.h"
#include "transport/mpi/watch.h"
#include "transport/mpi_module.h"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma::mpi {

class MpiTransport final : public Transport {
 public:
  /// Collective over all ranks of the communicator.  Starts MPI unless that was done, and then ends it too.
  static Result<std::unique_ptr<MpiTransport>> join(const MpiOptions& options);
  ~MpiTransport() override;

  [[nodiscard]] Rank rank() const noexcept override { return rank_; }
  [[nodiscard]] Rank size() const noexcept override { return static_cast<Rank>(peers_.size()); }
  [[nodiscard]] std::string name_of(Rank rank) const override { return peers_.at(rank).name; }

  [[nodiscard]] Result<WindowId> expose(std::span<std::byte> bytes) override;
  [[nodiscard]] Result<std::optional<Allocated>> allocate(std::size_t bytes) override;
  [[nodiscard]] Result<std::optional<SharedBytes>> share(std::size_t bytes) override;
  Status release(WindowId window) override;
  [[nodiscard]] bool one_sided() const noexcept override;
  Status read(Rank target, WindowId window, std::uint64_t offset, std::span<std::byte> out) override;
  Status read_all(Rank target, WindowId window, std::span<const Wanted> wanted) override;
  Status write(Rank target, WindowId window, std::uint64_t offset, std::span<const std::byte> bytes) override;
  [[nodiscard]] Result<std::uint64_t> fetch_add(Rank target, WindowId window, std::uint64_t offset,
                                                std::uint64_t amount) override;
  Status barrier() override;
  using Transport::exchange;
  [[nodiscard]] Result<std::vector<Bytes>> exchange(std::span<const std::span<const std::byte>> to,
                                                    Meanwhile meanwhile) override;
  Status move(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  Status send(Rank target, Bytes bytes) override;
  [[nodiscard]] std::uint64_t on_the_way(Rank target) const noexcept override;
  [[nodiscard]] Result<std::optional<PeerMessage>> receive(std::chrono::microseconds patience) override;
  [[nodiscard]] Status health() const override { return watch_->health(); }
  void abort(const Error& why) noexcept override;

 private:
  struct Window {
    MPI_Win handle = MPI_WIN_NULL;
    std::vector<std::uint64_t> sizes;  ///< of every rank
  };
  MpiTransport() = default;
  Status start(const MpiOptions& options);
  Status introduce(const MpiOptions& options);
  Status link(std::vector<LinkAddress> addresses, ProcessLinks& links);
  Status reach(Rank target);
  Status arrive_and_wait();
  Result<Window> announce(std::size_t bytes);
  Result<bool> fits_shared_memory(const Window& window);
  Result<WindowId> open(Window window);
  Status wait(std::span<MPI_Request> requests);
  Status start_reading(Rank target, WindowId window, std::span<const Wanted> wanted, std::byte* place,
                       std::vector<MPI_Request>& requests);
  Status look(Departures& sending, int tag);
  Status gather(std::vector<Arrival>& arrivals, Departures& sending, int tag, Meanwhile meanwhile);
  Status ending_all_without_memory(FunctionRef<Status()> move);
  Status land_all(std::vector<Landing>& landings, Departures& sending);
  Status checked_place(Rank target, WindowId window, std::uint64_t offset, std::size_t size);

  bool ends_mpi_ = false;
  bool crowded_ = false;  ///< ranks of this machine share processors
  bool all_share_memory_ = false;
  Rank rank_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;        ///< rounds
  MPI_Comm watch_comm_ = MPI_COMM_NULL;  ///< the watch's
  std::vector<Peer> peers_;
  std::vector<Window> windows_;
  std::unique_ptr<Watch> watch_;
  unsigned round_ = 0;
  MailQueue mail_;
};

}  // namespace rizoma::mpi
