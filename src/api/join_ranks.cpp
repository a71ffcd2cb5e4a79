#include <rizoma/cluster.h>

#include "transport/mpi_module.h"
#include "transport/network_timing.h"

#include <chrono>
#include <string>
#include <utility>

namespace rizoma {
namespace {

class Joined final : public JoinedRanks {
 public:
  explicit Joined(std::unique_ptr<Transport> transport) : transport_(std::move(transport)), ranks_(*transport_) {}
  [[nodiscard]] Ranks& ranks() override { return ranks_; }
  [[nodiscard]] Status health() const override { return transport_->health(); }
  void abort(const Error& why) override { transport_->abort(why); }
  [[nodiscard]] Result<NetworkTimes> time_network(const NetworkTask& task) override {
    return rizoma::time_network(*transport_, task);
  }

 private:
  std::unique_ptr<Transport> transport_;
  Ranks ranks_;
};

}  // namespace

Result<std::unique_ptr<JoinedRanks>> join_ranks(const RankOptions& options) {
  const double timeout = options.patience.value_or(options.heartbeat_timeout);
  if (!(timeout >= 0.5 && timeout <= 86'400)) {
    return Error{ErrorCode::invalid_argument,
                 "heartbeat_timeout is " + std::to_string(timeout) + " s; it must be from 0.5 s to a day"};
  }
  MpiOptions mpi{.module = options.module, .library = options.library};
  if (options.communicator) mpi.communicator = static_cast<std::intptr_t>(*options.communicator);
  mpi.patience = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
  RIZOMA_ASSIGN(std::unique_ptr<Transport> transport, join_mpi(mpi));
  return std::unique_ptr<JoinedRanks>(std::make_unique<Joined>(std::move(transport)));
}

}  // namespace rizoma
