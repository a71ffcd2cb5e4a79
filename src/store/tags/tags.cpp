// Publisher: states that are kept under a name.
//
// A tagged state is its manifest, in an extent of `data`, and the leases of everything that it names: sections are
// immutable, so keeping them costs nothing until others take their place.  The present manifest lists the tags; it
// comes and goes with them atomically.
#include "store/publishing/publisher.h"

#include "base/utf8.h"
#include "store/messages.h"
#include "store/space/data_files.h"
#include "store/space/distinct_extents.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kLongestName = 200;

/// The header checksum of a manifest.
std::uint64_t manifest_id(std::span<const std::byte> manifest) noexcept {
  std::uint64_t id = 0;
  std::memcpy(&id, manifest.data() + offsetof(format::ManifestHeader, checksum), sizeof id);
  return id;
}

std::string in_quotes(std::string_view name) { return '"' + std::string(name) + '"'; }

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

/// The state of a tag, as its manifest has it.
Result<ManifestState> Publisher::read_tagged(const TagEntry& tag) const {
  const std::string where = access_.where() + "/" + kDataName + ": the tagged state " + in_quotes(tag.name);
  if (!space_.data()->has(tag.extent.location)) return corrupt(where, "is in a location that the store does not have");
  RIZOMA_ASSIGN(const Mapping mapping, space_.data()->read(tag.extent));
  const std::span<const std::byte> bytes = mapping.bytes;
  if (bytes.size() < sizeof(format::ManifestHeader) || manifest_id(bytes) != tag.id) {
    return corrupt(where, "is damaged");
  }
  RIZOMA_ASSIGN(ManifestFile file, decode_manifest(bytes, store_id_, 0, where));
  if (!file.state.tags.empty()) return corrupt(where, "has tags of its own");
  return std::move(file.state);
}

/// What nobody may overwrite; nothing for a reader, who overwrites nothing, and for a damaged tag, which leads nowhere.
/// Errors: io, which leaves open what it is (load_manifest).
Result<std::optional<ManifestState>> Publisher::to_be_kept(const TagEntry& tag) const {
  if (read_only_) return std::optional<ManifestState>();
  auto state = read_tagged(tag);
  if (state) return std::optional(*std::move(state));
  if (state.error().code == ErrorCode::corrupt || state.error().code == ErrorCode::unsupported) {
    return std::optional<ManifestState>();
  }
  return std::move(state).error();
}

/// Every extent once, however many states name it.
std::vector<Extent> Publisher::all_extents(const ManifestState& state,
                                           const std::vector<std::optional<ManifestState>>& tagged) {
  std::vector<Extent> all = state.extents();
  for (const auto& each : tagged) {
    if (!each) continue;
    const std::vector<Extent> extents = each->extents();
    all.insert(all.end(), extents.begin(), extents.end());
  }
  return distinct_extents(std::move(all));
}

void Publisher::hold_tagged(const ManifestState& state, const std::vector<std::optional<ManifestState>>& tagged,
                            LeaseBook& leases) {
  tags_.clear();
  for (std::size_t i = 0; i < state.tags.size(); ++i) {
    Tag& tag = tags_.emplace_back(Tag{state.tags[i], leases.of(state.tags[i].extent), nullptr});
    if (!tagged[i]) continue;
    tag.held = std::make_shared<const Durable>(Durable::of(*tagged[i], leases));
  }
}

/// The tagged state that this store was opened for.
Result<ManifestState> Publisher::state_at(const ManifestState& present) const {
  const TagEntry* tag = tag_at(present.tags, options_.at);
  if (tag == nullptr) {
    std::string known;
    for (const TagEntry& each : present.tags) known += (known.empty() ? "" : ", ") + in_quotes(each.name);
    return Error{ErrorCode::not_found, access_.where() + " has no tag " + in_quotes(options_.at) +
                                           (known.empty() ? ": it has none" : ": there are " + known)};
  }
  RIZOMA_ASSIGN(ManifestState state, read_tagged(*tag));
  state.locations = present.locations;  // where they lie by now
  state.generation = present.generation;
  return state;
}

/// Publishes with other tags; if that fails they are as before.  But if nobody knows whether it failed, the tag that
/// came or went stays: whatever an opening finds is to have its space.
Status Publisher::use_tags(std::vector<Tag> tags, FunctionRef<Status()> publish) {
  const auto exchange = [&] {
    const MutexLock guard(contents_.mutex);
    tags_.swap(tags);
  };
  const auto rollback = [&] {
    if (writer_.committer().healthy() || tags.size() > tags_.size()) exchange();
  };
  exchange();
  try {
    Status published = publish();
    if (!published) rollback();
    return published;
  } catch (const std::bad_alloc&) {
    rollback();
    throw;
  }
}

std::vector<TagInfo> Publisher::tags() const {
  const MutexLock guard(contents_.mutex);
  std::vector<TagInfo> infos;
  for (const Tag& tag : tags_) infos.push_back({tag.entry.name, tag.entry.nanoseconds});
  return infos;
}

Result<TagEntry> Publisher::find_tag(std::string_view name) const {
  const MutexLock guard(contents_.mutex);
  for (const Tag& tag : tags_) {
    if (tag.entry.name == name) return tag.entry;
  }
  return Error{ErrorCode::not_found, "there is no tag " + in_quotes(name)};
}

/// A state whose extents are `held`, as a tag that no manifest names yet.
Result<Publisher::Tag> Publisher::write_tagged(std::string_view name, std::int64_t nanoseconds, ManifestState state,
                                               Durable held) {
  state.locations = locations_of(state);
  const std::vector<std::byte> bytes = encode_manifest(state, store_id_, 0);
  RIZOMA_ASSIGN(auto lease, space_.write(bytes));
  const TagEntry entry{std::string(name), nanoseconds, lease->extent(), manifest_id(bytes)};
  return Tag{entry, std::move(lease), std::make_shared<const Durable>(std::move(held))};
}

Status Publisher::tag(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name.starts_with('@')) {
    return Error{ErrorCode::invalid_argument,
                 "a tag needs a name of 1 to 200 bytes that does not begin with @, not " + in_quotes(name)};
  }
  if (!is_utf8(name)) return Error{ErrorCode::invalid_argument, "the name of a tag is text in UTF-8"};
  return with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    std::vector<Tag> tags = tags_;
    if (std::any_of(tags.begin(), tags.end(), [&](const Tag& tag) { return tag.entry.name == name; })) {
      return Error{ErrorCode::already_exists, "there is a tag " + in_quotes(name) + " already: untag it first"};
    }
    ManifestState tagged = state;
    durable.put_into(tagged);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    RIZOMA_ASSIGN(tags.emplace_back(), write_tagged(name, nanoseconds, std::move(tagged), durable));
    return use_tags(std::move(tags), [&] { return install_present(durable, state); });
  });
}

/// Copies what tagged states of another store name, each extent once however many of them name it.
class Publisher::TagCopier {
 public:
  TagCopier(Publisher& to, const Publisher& from) : to_(to), from_(from) {}

  Result<std::vector<Tag>> copy(std::span<const std::string> names) {
    std::vector<std::pair<TagEntry, ManifestState>> tagged;
    std::size_t num_extents = 0;
    for (const std::string& name : names) {
      RIZOMA_ASSIGN(const TagEntry entry, from_.find_tag(name));
      RIZOMA_ASSIGN(ManifestState state, from_.read_tagged(entry));
      num_extents += state.extents().size();
      tagged.emplace_back(entry, std::move(state));
    }
    LeaseBook leases(to_.space_.extents(), num_extents);
    std::vector<Tag> tags;
    for (auto& [entry, state] : tagged) {
      RIZOMA_TRY(state.move_extents([&](const Extent& extent) { return copied(extent, leases); }));
      RIZOMA_ASSIGN(tags.emplace_back(),
                    to_.write_tagged(entry.name, entry.nanoseconds, state, Durable::of(state, leases)));
    }
    return tags;
  }

 private:
  Result<Extent> copied(const Extent& extent, LeaseBook& leases) {
    const std::tuple key(extent.location, extent.offset, extent.bytes);
    const auto known = copies_.find(key);
    if (known != copies_.end()) return known->second;
    RIZOMA_ASSIGN(const Mapping mapping, from_.space_.data()->read(extent));
    RIZOMA_ASSIGN(auto lease, to_.space_.write(mapping.bytes));
    const Extent copy = lease->extent();
    leases.add(std::move(lease));
    copies_.emplace(key, copy);
    return copy;
  }

  Publisher& to_;
  const Publisher& from_;
  std::map<std::tuple<unsigned, std::uint64_t, std::uint64_t>, Extent> copies_;
};

Status Publisher::take_tags(const Publisher& from, std::span<const std::string> names) {
  if (names.empty()) return {};
  RIZOMA_ASSIGN(const std::vector<Tag> taken, TagCopier(*this, from).copy(names));
  return with_all_in_extents([&](const ManifestState& state, const Durable& durable) -> Status {
    std::vector<Tag> tags = tags_;
    tags.insert(tags.end(), taken.begin(), taken.end());
    return use_tags(std::move(tags), [&] { return install_present(durable, state); });
  });
}

Status Publisher::untag(std::string_view name) {
  RIZOMA_TRY(with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    std::vector<Tag> tags = tags_;
    if (std::erase_if(tags, [&](const Tag& tag) { return tag.entry.name == name; }) == 0) {
      return Error{ErrorCode::not_found, "there is no tag " + in_quotes(name)};
    }
    return use_tags(std::move(tags), [&] { return install_present(durable, state); });
  }));
  if (maintenance_->running() && reordering_wants_a_look()) maintenance_->call();  // tags kept the order
  return {};
}

}  // namespace rizoma
