#include "store/log/log_chain.h"

#include "store/publishing/file_names.h"
#include "store/messages.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {
namespace {

/// The bytes of a log, aligned to 8.
class LogBytes {
 public:
  static Result<LogBytes> read(Medium& medium, std::uint64_t number) {
    RIZOMA_ASSIGN(const auto file, medium.open(log_name(number), FileMode::read));
    LogBytes log;
    RIZOMA_ASSIGN(log.size_, file->size());
    log.words_ = std::make_unique_for_overwrite<std::uint64_t[]>((log.size_ + 7) / 8);
    RIZOMA_TRY(
        file->read(0, std::as_writable_bytes(std::span(log.words_.get(), (log.size_ + 7) / 8)).first(log.size_)));
    return log;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return std::as_bytes(std::span(words_.get(), (size_ + 7) / 8)).first(size_);
  }

 private:
  std::unique_ptr<std::uint64_t[]> words_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<std::vector<std::uint64_t>> logs_from(Medium& medium, std::uint64_t first) {
  RIZOMA_ASSIGN(const auto names, medium.list());
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    const auto number = number_in(name, kLogPrefix);
    if (number && *number >= first) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<LogChainEnd> replay_logs(Medium& medium, const LogChainStart& start, LogVisitor& visitor) {
  RIZOMA_ASSIGN(std::vector<std::uint64_t> numbers, logs_from(medium, start.number));
  if (numbers.empty() || numbers.front() != start.number) numbers.insert(numbers.begin(), start.number);
  LogChainEnd chain;
  chain.end.next_sequence = start.sequence;
  std::uint64_t closed_end = start.closed ? start.closed_end : 0;
  for (const std::uint64_t number : numbers) {
    const std::string where = medium.describe() + "/" + log_name(number);
    RIZOMA_ASSIGN(const LogBytes log, LogBytes::read(medium, number));
    const LogExpectation expected{start.store, number, chain.end.next_sequence,
                                  start.closed && number == start.closed_number ? start.closed_end : 0};
    if (number != start.number) {
      RIZOMA_ASSIGN(const bool continues, continues_log(log.bytes(), expected, where));
      if (!continues) continue;
    }
    chain.earlier += chain.end.offset;
    chain.number = number;
    RIZOMA_ASSIGN(chain.end, replay_log(log.bytes(), expected, where, visitor));
    if (number == start.closed_number) closed_end = 0;
  }
  if (closed_end > sizeof(format::LogHeader)) {
    return corrupt(medium.describe() + "/" + log_name(start.closed_number), "has lost all of its changes");
  }
  return chain;
}

}  // namespace rizoma
