#include "store/manifest/close_records.h"

#include "platform/calendar.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <tuple>

namespace rizoma {
namespace {

using Words = std::array<std::uint64_t, sizeof(format::PublishRecord) / 8>;

Words words_of(std::span<const std::byte> bytes) {
  Words words{};
  std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), sizeof words));
  return words;
}

/// Whether a crash can leave `bytes` of a `record` written after the end of a file: words of it, or zeros.
bool torn_from(std::span<const std::byte> bytes, const format::PublishRecord& record) {
  if (bytes.size() > sizeof record) return false;
  const Words found = words_of(bytes);
  Words written = words_of(std::as_bytes(std::span(&record, 1)));
  std::memset(reinterpret_cast<char*>(written.data()) + bytes.size(), 0, sizeof written - bytes.size());
  return std::equal(found.begin(), found.end(), written.begin(),
                    [](std::uint64_t there, std::uint64_t whole) { return there == 0 || there == whole; });
}

/// The last close of the store, as this copy knows it.
std::tuple<bool, std::uint64_t, std::uint64_t> last_close(const ManifestFile& file) {
  return {file.closed, file.log_number, file.log_end};
}

}  // namespace

CloseDamage close_damage(const ManifestFile& first, const ManifestFile& second) {
  const std::size_t missing = second.records.size();
  if (!second.behind.empty() && first.records.size() <= missing) return CloseDamage::both;
  if (first.records.size() < missing) return CloseDamage::first;
  if (second.behind.empty()) return CloseDamage::none;
  const auto torn = [&](const format::PublishRecord& record) { return torn_from(second.behind, record); };
  return std::any_of(first.records.begin(), first.records.end(), torn) ? CloseDamage::none : CloseDamage::second;
}

ManifestFile of_two_copies(const ManifestFile& first, const ManifestFile& second) {
  const bool second_knows_more = last_close(first) < last_close(second);
  ManifestFile file = second_knows_more ? second : first;
  if (last_close(first) == last_close(second)) file.changed = first.changed || second.changed;
  return file;
}

LogChainStart chain_start(const ManifestFile& manifest) {
  LogChainStart start{manifest.store,  manifest.state.log_number, manifest.state.log_sequence,
                      manifest.closed, manifest.log_number,       manifest.log_end};
  // A record that is not whole was written when the log was, or was whole once: the log reaches as far as it says.
  if (manifest.behind.size() < sizeof(format::PublishRecord)) return start;
  format::PublishRecord record;
  std::memcpy(&record, manifest.behind.data(), sizeof record);
  const bool told = record.magic == format::kPublishMagic && record.log_number >= start.number;
  if (told && std::tuple(record.log_number, record.log_end) > std::tuple(start.closed_number, start.closed_end)) {
    start.hinted_number = record.log_number;
    start.hinted_end = record.log_end;
  }
  return start;
}

LogEvidence evidence_of(const LogChainEnd& chain, const ManifestFile& manifest) {
  LogEvidence evidence;
  evidence.next_sequence = chain.end.next_sequence;
  evidence.last_time = chain.end.time;
  evidence.complete =
      manifest.closed && !manifest.changed && !chain.end.torn && chain.end.next_sequence == manifest.next_sequence;
  return evidence;
}

std::string not_proven(const LogEvidence& evidence) {
  std::string text = "changes from batch " + std::to_string(evidence.next_sequence) + " on";
  if (evidence.last_time != 0) text += ", made after " + utc_text(evidence.last_time);
  return text + ", if there were any: the graph was not closed, or the record of its closing is damaged";
}

}  // namespace rizoma
