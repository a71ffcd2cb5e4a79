// Log: the write-ahead log of a store, one file log.N for each checkpoint.
//
//   log     := LogHeader record*
//   record  := LogRecord operation* zeros        (a committed batch; starts at a multiple of 8)
//   operation := LogOperation body zeros         (disk_format.h lists the kinds)
//
// A batch is committed once its record is written and the file synced.  On replay the first record
// that is not whole ends the log if it can be what a crash left: a record is written with the offset
// up to which the log was durable then (`synced`), so if a whole record further on says that the bad
// one had been durable, bytes have been damaged since, and replay gives ErrorCode::corrupt.
#pragma once

#include <rizoma/batch.h>
#include <rizoma/detail/function_ref.h>
#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/medium.h"
#include "store/disk_format.h"
#include "store/sections/pending.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rizoma {

/// Edges by internal ids, columns of equal length; `weights` may be empty (ChangeKind::remove has none).
struct EdgeColumns {
  std::span<const VertexId> sources;
  std::span<const VertexId> targets;
  std::span<const double> weights;
};

/// The operations of one batch, encoded.  Build it, then Log::append it.
class LogPayload {
 public:
  void vertices(VertexId num_vertices);
  void ids(const IdColumn& ids);
  void edges(ChangeKind kind, const EdgeColumns& edges);
  void remove_vertices(std::span<const VertexId> vertices);
  void restore_vertices(std::span<const VertexId> vertices);
  /// An encoded block of `count` rows.
  void rows(std::uint64_t count, std::span<const std::byte> block);
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  void begin(format::LogKind kind, std::uint64_t count, std::uint64_t body_bytes);
  void put(const void* data, std::size_t bytes);
  void put_vertices(format::LogKind kind, std::span<const VertexId> vertices);
  void pad();
  std::vector<std::byte> bytes_;
};

/// What replay calls, operation by operation; an Error stops it.
class LogVisitor {
 public:
  virtual ~LogVisitor() = default;
  /// The next records are from this log.
  virtual void begin(std::string_view /*where*/) {}
  virtual Status vertices(VertexId num_vertices) = 0;
  virtual Status ids(const IdColumn& ids) = 0;
  virtual Status edges(ChangeKind kind, const EdgeColumns& edges) = 0;
  virtual Status remove_vertices(std::span<const VertexId> vertices) = 0;
  virtual Status restore_vertices(std::span<const VertexId> vertices) = 0;
  /// The block is not verified yet, and valid only during the call.
  virtual Status rows(std::span<const std::byte> block) = 0;
};

/// Name of the log's file.
[[nodiscard]] std::string log_name(std::uint64_t number);

/// The content of a whole log file.
struct LogEnd {
  std::uint64_t offset = 0;         ///< end of the last whole record
  std::uint64_t next_sequence = 0;  ///< of the record that would come next
  bool torn = false;                ///< something that is neither a record nor zeros follows
  std::uint64_t durable = 0;        ///< up to here the records themselves prove that the log was synced
  std::uint64_t time = 0;           ///< when the last record was written, in seconds since 1970; 0: not known
};

/// The log that replay expects, and its properties.
struct LogExpectation {
  format::StoreId store;
  std::uint64_t number = 0;
  std::uint64_t first_sequence = 0;
  std::uint64_t whole_until = 0;  ///< records up to here were durable for certain; 0: not known
  bool beside_writer = false;     ///< logs may grow while they are read
};

/// Whether this log, not the first of its chain, continues where the one before it ended; false if nothing was ever
/// written to it.  Errors: corrupt (it holds changes but does not fit), unsupported.
Result<bool> continues_log(std::span<const std::byte> bytes, const LogExpectation& expected, std::string_view where);

/// Calls the visitor for every whole record in order.  Errors: corrupt, unsupported, the visitor's.
Result<LogEnd> replay_log(std::span<const std::byte> bytes, const LogExpectation& expected, std::string_view where,
                          LogVisitor& visitor);

/// Calls the visitor for the record with which `bytes`, a part of a log, begin; gives where the next one begins.
/// Errors: corrupt (it is not the one of this number, or not whole), unsupported, the visitor's.
Result<std::uint64_t> replay_record(std::span<const std::byte> bytes, std::uint64_t log_number, std::uint64_t sequence,
                                    std::string_view where, LogVisitor& visitor);

/// How far a log can be read, despite bytes after it; offset 0 if its header is damaged.  For repair.
[[nodiscard]] LogEnd whole_part(std::span<const std::byte> bytes, const LogExpectation& expected);

/// What is after the end of the whole part of a log.
struct LogRemains {
  std::uint64_t next_sequence = 0;  ///< one more than the largest offset in a whole record; 0: there is none
  bool was_durable = false;         ///< one of them proves that bytes before it, which are bad now, were durable
};
[[nodiscard]] LogRemains remains_behind(std::span<const std::byte> bytes, std::uint64_t end, std::uint64_t log_number);

/// How a log relates to those before it.
enum class LogStart : std::uint64_t {
  continues = 0,
  anew = 1,  ///< the log of a state that replaces another (a bulk load): empty until the superblock names it
  /// The same, of a state with other internal ids: before the superblock names it, it holds every record of the logs
  /// before it.
  prepared = 2,
};

/// How a log is made and grows.
struct LogGrowth {
  /// Zeros are written ahead of the records, as many as the log is long, at most this many at a time:
  /// then a sync need not write metadata of the file.  0: none.
  std::uint64_t ahead = 0;
  LogStart start = LogStart::continues;
};

/// The log that a writer appends to.  One thread at a time.
class Log {
 public:
  /// A new, empty log; durable but for its name.
  static Result<std::unique_ptr<Log>> create(Medium& medium, const format::StoreId& store, std::uint64_t number,
                                             std::uint64_t first_sequence, LogGrowth growth);
  /// A log that replay has read: appends go after its end.  Rewrites and syncs the records that need not be durable
  /// (medium.h rule 6), and cuts off a torn tail.  Cost: the length of that.
  static Result<std::unique_ptr<Log>> reopen(Medium& medium, std::uint64_t number, const LogEnd& end, LogGrowth growth);

  /// Appends each batch as one record, all with one write.  Not durable before `sync`.
  Status append(std::span<const std::span<const std::byte>> batches);
  Status sync();
  /// Truncates, durably, the rest of a failed append.  After an Error the end is unknown.
  Status rollback();
  /// Truncates the zeros ahead, which the next open does not need.
  Status trim();

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] bool synced() const noexcept { return synced_ == end_; }
  [[nodiscard]] bool empty() const noexcept { return end_ == sizeof(format::LogHeader); }
  [[nodiscard]] std::uint64_t next_sequence() const noexcept { return next_sequence_; }

 private:
  Log(std::unique_ptr<MediumFile> file, std::uint64_t number, std::uint64_t end, std::uint64_t next_sequence,
      LogGrowth growth) noexcept
      : file_(std::move(file)),
        number_(number),
        end_(end),
        reserved_(end),
        synced_(end),
        next_sequence_(next_sequence),
        growth_(growth) {}
  std::size_t put_record(std::size_t at, std::span<const std::byte> batch, std::uint64_t sequence);
  void reserve_ahead(std::uint64_t end);
  Status write_again(std::uint64_t from);

  std::unique_ptr<MediumFile> file_;
  std::uint64_t number_;
  std::uint64_t end_;
  std::uint64_t reserved_;  ///< zeros have been written up to here
  std::uint64_t synced_;
  std::uint64_t next_sequence_;
  LogGrowth growth_;
  std::vector<std::byte> buffer_;  ///< records on their way, kept to be filled again
};

}  // namespace rizoma
