#include "store/log/log.h"

#include "base/check.h"
#include "base/checksum.h"
#include "platform/calendar.h"
#include "store/file_names.h"
#include "store/messages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t align8(std::uint64_t bytes) noexcept { return (bytes + 7) / 8 * 8; }

std::uint64_t header_checksum(const format::LogHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::LogHeader, checksum)),
                  format::kSeedLogHeader);
}

/// Seeded by the log's number too: records of an older log in the same blocks are never taken for new ones.
std::uint64_t record_checksum(const format::LogRecord& record, std::uint64_t log_number) {
  return checksum(std::as_bytes(std::span(&record, 1)).first(offsetof(format::LogRecord, checksum)),
                  format::kSeedLogRecord ^ (log_number << 24));
}

/// The record at `at` if it is whole.
std::optional<format::LogRecord> record_at(std::span<const std::byte> bytes, std::uint64_t at,
                                           std::uint64_t log_number) {
  format::LogRecord record;
  if (at > bytes.size() || bytes.size() - at < sizeof record) return std::nullopt;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  if (record.magic != format::kRecordMagic || record.checksum != record_checksum(record, log_number))
    return std::nullopt;
  if (record.payload_bytes > bytes.size() - at - sizeof record) return std::nullopt;
  const auto payload = bytes.subspan(at + sizeof record, record.payload_bytes);
  if (record.payload_checksum != checksum(payload, format::kSeedLogPayload)) return std::nullopt;
  return record;
}

/// The next whole record at `at` or after it, which then is where it begins.
std::optional<format::LogRecord> next_record(std::span<const std::byte> bytes, std::uint64_t& at,
                                             std::uint64_t log_number) {
  for (; at + sizeof(format::LogRecord) <= bytes.size(); at += 8) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, bytes.data() + at, sizeof magic);
    if (magic != format::kRecordMagic) continue;
    if (const auto record = record_at(bytes, at, log_number)) return record;
  }
  return std::nullopt;
}

/// True if a whole record after `bad` shows that the bytes at `bad` were durable once.
bool was_durable(std::span<const std::byte> bytes, std::uint64_t bad, std::uint64_t log_number) {
  for (std::uint64_t at = bad + 8;; at += 8) {
    const auto record = next_record(bytes, at, log_number);
    if (!record) return false;
    if (record->synced > bad) return true;
  }
}

/// Reads columns of 8-byte values from the body of an operation.
class BodyReader {
 public:
  explicit BodyReader(std::span<const std::byte> body) noexcept : body_(body) {}
  template <class T>
  [[nodiscard]] std::span<const T> column(std::uint64_t count) {
    if (count > body_.size() / sizeof(T)) {
      ok_ = false;
      return {};
    }
    // The log is read into memory aligned to 8 bytes and every part of it is a multiple of 8.
    RIZOMA_CHECK(reinterpret_cast<std::uintptr_t>(body_.data()) % alignof(T) == 0);
    const std::span<const T> values(reinterpret_cast<const T*>(body_.data()), count);
    body_ = body_.subspan(count * sizeof(T));
    return values;
  }
  [[nodiscard]] std::span<const std::byte> rest() const noexcept { return body_; }
  [[nodiscard]] bool done() const noexcept { return ok_ && body_.empty(); }
  [[nodiscard]] bool ok() const noexcept { return ok_; }

 private:
  std::span<const std::byte> body_;
  bool ok_ = true;
};

Error bad_sizes(std::string_view where) { return corrupt(where, "holds a change with impossible sizes"); }

Result<StringColumn> read_strings(BodyReader reader, std::uint64_t count, std::string_view where) {
  const auto offsets = reader.column<std::uint64_t>(count + 1);
  if (!reader.ok() || count == UINT64_MAX) return corrupt(where, "holds a damaged list of ids");
  const auto text = reader.rest();
  StringColumn column;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (offsets[i] > offsets[i + 1] || offsets[i + 1] > text.size())
      return corrupt(where, "holds a damaged list of ids");
    column.push_back({reinterpret_cast<const char*>(text.data()) + offsets[i], offsets[i + 1] - offsets[i]});
  }
  return column;
}

/// Operations on edges: what they do, and whether weights follow.
struct EdgeOperation {
  format::LogKind kind;
  ChangeKind change;
  bool weighted;
};
constexpr EdgeOperation kEdgeOperations[] = {
    {format::LogKind::edges, ChangeKind::add, false},
    {format::LogKind::weighted_edges, ChangeKind::add, true},
    {format::LogKind::remove_edges, ChangeKind::remove, false},
    {format::LogKind::remove_one, ChangeKind::remove_one, false},
    {format::LogKind::remove_one_weighted, ChangeKind::remove_one, true},
    {format::LogKind::set_weights, ChangeKind::set_weight, true},
};

format::LogKind log_kind(ChangeKind change, bool weighted) {
  const auto* found =
      std::find_if(std::begin(kEdgeOperations), std::end(kEdgeOperations),
                   [&](const EdgeOperation& each) { return each.change == change && each.weighted == weighted; });
  RIZOMA_CHECK(found != std::end(kEdgeOperations));
  return found->kind;
}

Status visit_edges(const format::LogOperation& operation, BodyReader reader, std::string_view where,
                   LogVisitor& visitor) {
  const auto* found = std::find_if(std::begin(kEdgeOperations), std::end(kEdgeOperations),
                                   [&](const EdgeOperation& each) { return each.kind == operation.kind; });
  if (found == std::end(kEdgeOperations)) {
    return Error{ErrorCode::unsupported, std::string(where) + " holds a change of kind " +
                                             std::to_string(static_cast<std::uint32_t>(operation.kind)) +
                                             ", which this release does not know; use a newer release of Rizoma"};
  }
  EdgeColumns edges;
  edges.sources = reader.column<std::uint64_t>(operation.count);
  edges.targets = reader.column<std::uint64_t>(operation.count);
  if (found->weighted) edges.weights = reader.column<double>(operation.count);
  if (!reader.done()) return bad_sizes(where);
  return visitor.edges(found->change, edges);
}

Status visit_operation(const format::LogOperation& operation, std::span<const std::byte> body, std::string_view where,
                       LogVisitor& visitor) {
  BodyReader reader(body);
  switch (operation.kind) {
    case format::LogKind::vertices: {
      const auto value = reader.column<std::uint64_t>(1);
      if (!reader.done()) break;
      return visitor.vertices(value[0]);
    }
    case format::LogKind::integer_ids: {
      const auto ids = reader.column<std::int64_t>(operation.count);
      if (!reader.done()) break;
      return visitor.ids(IdColumn(std::vector<std::int64_t>(ids.begin(), ids.end())));
    }
    case format::LogKind::string_ids: {
      RIZOMA_ASSIGN(StringColumn ids, read_strings(reader, operation.count, where));
      return visitor.ids(IdColumn(std::move(ids)));
    }
    case format::LogKind::remove_vertices:
    case format::LogKind::restore_vertices: {
      const auto vertices = reader.column<std::uint64_t>(operation.count);
      if (!reader.done()) break;
      return operation.kind == format::LogKind::remove_vertices ? visitor.remove_vertices(vertices)
                                                                : visitor.restore_vertices(vertices);
    }
    case format::LogKind::rows: return visitor.rows(body);
    default: return visit_edges(operation, reader, where, visitor);
  }
  return bad_sizes(where);
}

Status visit_payload(std::span<const std::byte> payload, std::string_view where, LogVisitor& visitor) {
  while (!payload.empty()) {
    format::LogOperation operation;
    if (payload.size() < sizeof operation) return corrupt(where, "holds a change that is cut short");
    std::memcpy(&operation, payload.data(), sizeof operation);
    payload = payload.subspan(sizeof operation);
    if (operation.body_bytes > payload.size()) return corrupt(where, "holds a change that is cut short");
    RIZOMA_TRY(visit_operation(operation, payload.first(operation.body_bytes), where, visitor));
    payload = payload.subspan(std::min<std::uint64_t>(align8(operation.body_bytes), payload.size()));
  }
  return {};
}

Status check_header(std::span<const std::byte> bytes, const LogExpectation& expected, std::string_view where) {
  format::LogHeader header;
  if (bytes.size() < sizeof header) return corrupt(where, "is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != format::kLogMagic) return corrupt(where, "is not a log");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kVersion) return future_version(where, header.version);
  if (header.store != expected.store || header.number != expected.number ||
      header.first_sequence != expected.first_sequence) {
    return corrupt(where, "belongs to another store");
  }
  return {};
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte each) { return each == std::byte{0}; });
}

}  // namespace

// ---- LogPayload ----

void LogPayload::put(const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), begin, begin + bytes);
}

void LogPayload::pad() { bytes_.resize(align8(bytes_.size())); }

void LogPayload::begin(format::LogKind kind, std::uint64_t count, std::uint64_t body_bytes) {
  const format::LogOperation operation{kind, 0, count, body_bytes};
  bytes_.reserve(bytes_.size() + sizeof operation + align8(body_bytes));
  put(&operation, sizeof operation);
}

void LogPayload::vertices(VertexId num_vertices) {
  begin(format::LogKind::vertices, 1, sizeof num_vertices);
  put(&num_vertices, sizeof num_vertices);
}

void LogPayload::ids(const IdColumn& ids) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&ids)) {
    begin(format::LogKind::integer_ids, integers->size(), integers->size() * sizeof(std::int64_t));
    put(integers->data(), integers->size() * sizeof(std::int64_t));
    return;
  }
  const auto& strings = std::get<StringColumn>(ids);
  const std::size_t offset_bytes = strings.offsets.size() * sizeof(std::uint64_t);
  begin(format::LogKind::string_ids, strings.size(), offset_bytes + strings.bytes.size());
  put(strings.offsets.data(), offset_bytes);
  put(strings.bytes.data(), strings.bytes.size());
  pad();
}

void LogPayload::edges(ChangeKind kind, const EdgeColumns& edges) {
  const bool weighted = !edges.weights.empty();
  RIZOMA_CHECK(edges.sources.size() == edges.targets.size() &&
               (!weighted || edges.weights.size() == edges.sources.size()));
  const std::size_t column = edges.sources.size_bytes();
  begin(log_kind(kind, weighted), edges.sources.size(), column * (weighted ? 3 : 2));
  put(edges.sources.data(), column);
  put(edges.targets.data(), column);
  if (weighted) put(edges.weights.data(), column);
}

void LogPayload::put_vertices(format::LogKind kind, std::span<const VertexId> vertices) {
  begin(kind, vertices.size(), vertices.size_bytes());
  put(vertices.data(), vertices.size_bytes());
}

void LogPayload::remove_vertices(std::span<const VertexId> vertices) {
  put_vertices(format::LogKind::remove_vertices, vertices);
}

void LogPayload::restore_vertices(std::span<const VertexId> vertices) {
  put_vertices(format::LogKind::restore_vertices, vertices);
}

void LogPayload::rows(std::uint64_t count, std::span<const std::byte> block) {
  RIZOMA_CHECK(block.size() >= sizeof(format::RowsHeader));
  begin(format::LogKind::rows, count, block.size());
  put(block.data(), block.size());
}

// ---- replay ----

std::string log_name(std::uint64_t number) { return std::string(kLogPrefix) + std::to_string(number); }

Result<bool> continues_log(std::span<const std::byte> bytes, const LogExpectation& expected, std::string_view where) {
  format::LogHeader header;
  const bool used = bytes.size() > sizeof header && !all_zero(bytes.subspan(sizeof header));
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  const bool whole = bytes.size() >= sizeof header && header.magic == format::kLogMagic &&
                     header.checksum == header_checksum(header) && header.store == expected.store;
  if (!whole || header.version > format::kVersion) {
    if (used) RIZOMA_TRY(check_header(bytes, expected, where));
    return false;
  }
  const auto start = static_cast<LogStart>(header.anew);
  if (start != LogStart::continues) {
    // A prepared log has nothing that the logs before it lack until the superblock names it.
    const bool repeats = start == LogStart::prepared &&
                         (expected.beside_writer ||
                          remains_behind(bytes, sizeof header, header.number).next_sequence <= expected.first_sequence);
    if (used && !repeats) return corrupt(where, "holds changes to a state that the superblock no longer names");
    return false;
  }
  if (header.first_sequence > expected.first_sequence) {
    return corrupt(where, "continues with batch " + std::to_string(header.first_sequence) +
                              ", but the logs before it end with " + std::to_string(expected.first_sequence) +
                              ": the changes between them are damaged");
  }
  return used;
}

Result<LogEnd> replay_log(std::span<const std::byte> bytes, const LogExpectation& expected, std::string_view where,
                          LogVisitor& visitor) {
  RIZOMA_TRY(check_header(bytes, expected, where));
  LogEnd end{sizeof(format::LogHeader), expected.first_sequence, false, sizeof(format::LogHeader), 0};
  while (const auto record = record_at(bytes, end.offset, expected.number)) {
    if (record->sequence != end.next_sequence) break;
    const std::string place = std::string(where) + " at byte " + std::to_string(end.offset);
    RIZOMA_TRY(visit_payload(bytes.subspan(end.offset + sizeof *record, record->payload_bytes), place, visitor));
    end.offset += sizeof *record + align8(record->payload_bytes);
    end.durable = std::max(end.durable, record->synced);
    end.time = record->time;
    ++end.next_sequence;
  }
  RIZOMA_CHECK(end.offset <= align8(bytes.size()));
  end.durable = std::min(std::max(end.durable, expected.whole_until), end.offset);
  end.torn = !all_zero(bytes.subspan(std::min<std::uint64_t>(end.offset, bytes.size())));
  if (end.offset < expected.whole_until || was_durable(bytes, end.offset, expected.number)) {
    return corrupt(where, "is damaged at byte " + std::to_string(end.offset) + ": changes from batch " +
                              std::to_string(end.next_sequence) + " on cannot be read");
  }
  return end;
}

Result<std::uint64_t> replay_record(std::span<const std::byte> bytes, std::uint64_t log_number, std::uint64_t sequence,
                                    std::string_view where, LogVisitor& visitor) {
  const auto record = record_at(bytes, 0, log_number);
  if (!record || record->sequence != sequence) {
    return corrupt(where, "does not have batch " + std::to_string(sequence) + " where it was written");
  }
  RIZOMA_TRY(visit_payload(bytes.subspan(sizeof *record, record->payload_bytes), where, visitor));
  return sizeof *record + align8(record->payload_bytes);
}

LogEnd whole_part(std::span<const std::byte> bytes, const LogExpectation& expected) {
  LogEnd end{0, expected.first_sequence, true, 0, 0};
  if (!check_header(bytes, expected, "")) return end;
  end.offset = sizeof(format::LogHeader);
  while (const auto record = record_at(bytes, end.offset, expected.number)) {
    if (record->sequence != end.next_sequence) break;
    end.offset += sizeof *record + align8(record->payload_bytes);
    end.time = record->time;
    ++end.next_sequence;
  }
  RIZOMA_CHECK(end.offset <= align8(bytes.size()));
  end.torn = !all_zero(bytes.subspan(std::min<std::uint64_t>(end.offset, bytes.size())));
  return end;
}

LogRemains remains_behind(std::span<const std::byte> bytes, std::uint64_t end, std::uint64_t log_number) {
  LogRemains remains;
  for (std::uint64_t at = (end + 7) / 8 * 8;; at += 8) {
    const auto record = next_record(bytes, at, log_number);
    if (!record) return remains;
    remains.next_sequence = std::max(remains.next_sequence, record->sequence + 1);
    remains.was_durable |= record->synced > end;
  }
}

// ---- Log ----

Result<std::unique_ptr<Log>> Log::create(Medium& medium, const format::StoreId& store, std::uint64_t number,
                                         std::uint64_t first_sequence, LogGrowth growth) {
  RIZOMA_ASSIGN(auto file, medium.open(log_name(number), FileMode::create));
  format::LogHeader header;
  header.store = store;
  header.number = number;
  header.first_sequence = first_sequence;
  header.anew = static_cast<std::uint64_t>(growth.start);
  header.checksum = header_checksum(header);
  RIZOMA_TRY(file->write(0, std::as_bytes(std::span(&header, 1))));
  RIZOMA_TRY(file->sync());
  return std::unique_ptr<Log>(new Log(std::move(file), number, sizeof header, first_sequence, growth));
}

Result<std::unique_ptr<Log>> Log::reopen(Medium& medium, std::uint64_t number, const LogEnd& end, LogGrowth growth) {
  RIZOMA_ASSIGN(auto file, medium.open(log_name(number), FileMode::write));
  std::unique_ptr<Log> log(new Log(std::move(file), number, end.offset, end.next_sequence, growth));
  if (end.durable == end.offset && !end.torn) return log;
  RIZOMA_TRY(log->write_again(end.durable));
  // A whole record beyond the torn one could be taken for the successor of a new record; and the size
  // is as little durable as the bytes.
  RIZOMA_TRY(log->rollback());
  return log;
}

Status Log::write_again(std::uint64_t from) {
  constexpr std::uint64_t kPiece = 1 << 20;
  while (from < end_) {
    buffer_.resize(std::min(end_ - from, kPiece));
    RIZOMA_TRY(file_->read(from, buffer_));
    RIZOMA_TRY(file_->write(from, buffer_));
    from += buffer_.size();
  }
  return {};
}

/// Encodes one batch at `at` of the buffer; returns where the next one begins.
std::size_t Log::put_record(std::size_t at, std::span<const std::byte> batch, std::uint64_t sequence) {
  RIZOMA_CHECK(sequence < format::kMostNumber && at + sizeof(format::LogRecord) + batch.size() <= buffer_.size());
  format::LogRecord record;
  record.time = static_cast<std::uint32_t>(std::min<std::uint64_t>(seconds_since_1970(), UINT32_MAX));
  record.sequence = sequence;
  record.synced = synced_;
  record.payload_bytes = batch.size();
  record.payload_checksum = checksum(batch, format::kSeedLogPayload);
  record.checksum = record_checksum(record, number_);
  std::memcpy(buffer_.data() + at, &record, sizeof record);
  at += sizeof record;
  std::memcpy(buffer_.data() + at, batch.data(), batch.size());
  std::memset(buffer_.data() + at + batch.size(), 0, align8(batch.size()) - batch.size());
  return at + align8(batch.size());
}

/// A device without space for the zeros may still have some for the records.
void Log::reserve_ahead(std::uint64_t end) {
  static constexpr std::array<std::byte, 64 << 10> zeros{};
  if (growth_.ahead == 0 || end <= reserved_) return;
  reserved_ = end + std::min(end, growth_.ahead);
  try {
    for (std::uint64_t at = end; at < reserved_; at += zeros.size()) {
      const std::uint64_t bytes = std::min<std::uint64_t>(reserved_ - at, zeros.size());
      if (!file_->write(at, std::span(zeros).first(bytes))) return;
    }
  } catch (const std::bad_alloc&) {  // as little a failure of the append as that of the device
  }
}

Status Log::append(std::span<const std::span<const std::byte>> batches) {
  std::size_t bytes = 0;
  for (const auto& batch : batches) bytes += sizeof(format::LogRecord) + align8(batch.size());
  buffer_.resize(bytes);
  std::size_t at = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) at = put_record(at, batches[i], next_sequence_ + i);
  RIZOMA_CHECK(at == bytes);
  RIZOMA_TRY(file_->write(end_, buffer_));
  end_ += bytes;
  next_sequence_ += batches.size();
  reserve_ahead(end_);
  return {};
}

Status Log::sync() {
  RIZOMA_TRY(file_->sync());
  synced_ = end_;
  return {};
}

Status Log::rollback() {
  RIZOMA_TRY(file_->resize(end_));
  reserved_ = end_;
  return sync();
}

Status Log::trim() {
  reserved_ = end_;
  return file_->resize(end_);
}

}  // namespace rizoma
