#include "store/tags/tagged_state.h"

#include "base/text.h"
#include "store/messages.h"
#include "store/space/data_files.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

/// The tag that `at` names (StoreOptions::at), or null.
const TagEntry* tag_at(const std::vector<TagEntry>& tags, std::string_view at) {
  const auto named = std::find_if(tags.begin(), tags.end(), [&](const TagEntry& tag) { return tag.name == at; });
  if (named != tags.end()) return &*named;
  std::int64_t time = 0;
  if (!at.starts_with('@')) return nullptr;
  if (std::from_chars(at.data() + 1, at.data() + at.size(), time).ec != std::errc()) return nullptr;
  const TagEntry* last = nullptr;
  for (const TagEntry& tag : tags) {
    if (tag.nanoseconds <= time && (last == nullptr || tag.nanoseconds >= last->nanoseconds)) last = &tag;
  }
  return last;
}

}  // namespace

std::uint64_t manifest_id(std::span<const std::byte> manifest) noexcept {
  std::uint64_t id = 0;
  std::memcpy(&id, manifest.data() + offsetof(format::ManifestHeader, checksum), sizeof id);
  return id;
}

Result<ManifestState> read_tagged(const Publisher& publisher, const TagEntry& tag) {
  const std::string where = publisher.access.where() + "/" + kDataName + ": the tagged state " + in_quotes(tag.name);
  const DataFiles& data = *publisher.space.data();
  if (!data.has(tag.extent.location)) return corrupt(where, "is in a location that the store does not have");
  RIZOMA_ASSIGN(const Mapping mapping, data.read(tag.extent));
  const std::span<const std::byte> bytes = mapping.bytes;
  if (bytes.size() < sizeof(format::ManifestHeader) || manifest_id(bytes) != tag.id) {
    return corrupt(where, "is damaged");
  }
  RIZOMA_ASSIGN(ManifestFile file, decode_manifest(bytes, publisher.store_id(), 0, where));
  if (!file.state.tags.empty()) return corrupt(where, "has tags of its own");
  return std::move(file.state);
}

Result<ManifestState> tagged_state_at(const Publisher& publisher, const ManifestState& present) {
  const std::string& at = publisher.options.at;
  const TagEntry* tag = tag_at(present.tags, at);
  if (tag == nullptr) {
    std::string known;
    for (const TagEntry& each : present.tags) known += (known.empty() ? "" : ", ") + in_quotes(each.name);
    return Error{ErrorCode::not_found, publisher.access.where() + " has no tag " + in_quotes(at) +
                                           (known.empty() ? "; it has none" : "; there are " + known)};
  }
  RIZOMA_ASSIGN(ManifestState state, read_tagged(publisher, *tag));
  state.locations = present.locations;  // where they are by now
  state.generation = present.generation;
  return state;
}

Result<std::optional<ManifestState>> state_to_keep(const Publisher& publisher, const TagEntry& tag) {
  if (publisher.read_only) return std::optional<ManifestState>();
  auto state = read_tagged(publisher, tag);
  if (state) return std::optional(*std::move(state));
  if (state.error().code == ErrorCode::corrupt || state.error().code == ErrorCode::unsupported) {
    return std::optional<ManifestState>();
  }
  return std::move(state).error();
}

}  // namespace rizoma
