#include "transport/mpi/mail_queue.h"

#include <algorithm>
#include <utility>

namespace rizoma::mpi {
namespace {

constexpr int kMessageTag = 19;  // the tags before it are those of rounds

}  // namespace

Status MailQueue::send(MPI_Comm comm, Rank target, Bytes bytes) {
  leaving_.push_back(std::make_unique<Mail>());
  Mail& mail = *leaving_.back();
  mail.message = {target, std::move(bytes)};
  return checked(MPI_Isend(mail.message.bytes.data(), static_cast<int>(mail.message.bytes.size()), MPI_BYTE,
                           static_cast<int>(target), kMessageTag, comm, &mail.request),
                 "MPI_Isend");
}

Status MailQueue::look(MPI_Comm comm) {
  for (int there = 1; there != 0;) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    RIZOMA_TRY(checked(MPI_Improbe(MPI_ANY_SOURCE, kMessageTag, comm, &there, &message, &status), "MPI_Improbe"));
    if (there == 0) break;
    int count = 0;
    RIZOMA_TRY(checked(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count"));
    auto begun = std::make_unique<Mail>();
    begun->message = {static_cast<Rank>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(count))};
    coming_.push_back(std::move(begun));
    Mail& mail = *coming_.back();
    RIZOMA_TRY(checked(MPI_Imrecv(mail.message.bytes.data(), count, MPI_BYTE, &message, &mail.request), "MPI_Imrecv"));
  }
  for (auto* const mails : {&coming_, &leaving_}) {
    for (const std::unique_ptr<Mail>& mail : *mails) {
      if (mail->done) continue;
      int done = 0;
      RIZOMA_TRY(checked(MPI_Test(&mail->request, &done, MPI_STATUS_IGNORE), "MPI_Test"));
      mail->done = done != 0;
    }
  }
  std::erase_if(leaving_, [](const std::unique_ptr<Mail>& mail) { return mail->done; });
  return {};
}

std::optional<PeerMessage> MailQueue::take() {
  for (auto mail = coming_.begin(); mail != coming_.end(); ++mail) {
    const Rank from = (*mail)->message.from;
    const auto first =
        std::find_if(coming_.begin(), mail, [&](const auto& other) { return other->message.from == from; });
    if (!(*mail)->done || first != mail) continue;
    std::optional<PeerMessage> message = std::move((*mail)->message);
    coming_.erase(mail);
    return message;
  }
  return std::nullopt;
}

std::uint64_t MailQueue::on_the_way(Rank target) const noexcept {
  std::uint64_t bytes = 0;
  for (const std::unique_ptr<Mail>& mail : leaving_)
    bytes += mail->message.from == target ? mail->message.bytes.size() : 0;
  return bytes;
}

void MailQueue::let_be() noexcept {
  for (auto* const mails : {&coming_, &leaving_}) {
    for (std::unique_ptr<Mail>& mail : *mails) {
      if (!mail->done) static_cast<void>(mail.release());
    }
    mails->clear();
  }
}

}  // namespace rizoma::mpi
