#include "store/tags/tags.h"

#include "base/text.h"
#include "base/utf8.h"
#include "store/space/data_files.h"
#include "store/tags/tagged_state.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <tuple>
#include <utility>

namespace rizoma {
namespace {

constexpr std::size_t kLongestName = 200;

}  // namespace

/// Publishes the present state with other tags; on failure they stay as before.  But while the durable state is in
/// doubt, the changed tag stays: the next opening may find either state, and needs the extents of both.
Status Tags::publish_with(std::vector<Tag> tags, Durable durable, ManifestState state) {
  publisher_.mutex.assume_held();
  publisher_.writer.mutex.assume_held();
  const std::size_t wanted = tags.size();
  publisher_.tags.exchange(tags);
  const auto rollback = [&] {
    if (publisher_.writer.committer().healthy() || tags.size() > wanted) publisher_.tags.exchange(tags);
  };
  try {
    Status published = publisher_.install_present(std::move(durable), std::move(state));
    if (!published) rollback();
    return published;
  } catch (const std::bad_alloc&) {
    rollback();
    throw;
  }
}

std::vector<TagInfo> Tags::all() const {
  std::vector<TagInfo> infos;
  for (const Tag& tag : publisher_.tags.all()) infos.push_back({tag.entry.name, tag.entry.nanoseconds});
  return infos;
}

/// A state whose extents are `held`, as a tag that no manifest names yet.
Result<Tag> Tags::write(std::string_view name, std::int64_t nanoseconds, ManifestState state, Durable held) {
  state.locations = publisher_.locations_of(state);
  const std::vector<std::byte> bytes = encode_manifest(state, publisher_.store_id(), 0);
  RIZOMA_ASSIGN(auto lease, publisher_.space.write(bytes));
  const TagEntry entry{std::string(name), nanoseconds, lease->extent(), manifest_id(bytes)};
  return Tag{entry, std::move(lease), std::make_shared<const Durable>(std::move(held))};
}

Status Tags::tag(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name.starts_with('@')) {
    return Error{ErrorCode::invalid_argument,
                 "the name of a tag must have 1 to 200 bytes and not begin with @, unlike " + in_quotes(name)};
  }
  if (!is_utf8(name)) return Error{ErrorCode::invalid_argument, "the name of a tag must be UTF-8 text"};
  return checkpointer_.with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    std::vector<Tag> tags = publisher_.tags.all();
    if (std::any_of(tags.begin(), tags.end(), [&](const Tag& tag) { return tag.entry.name == name; })) {
      return Error{ErrorCode::already_exists,
                   "there is already a tag " + in_quotes(name) + "; remove it first, or choose another name"};
    }
    ManifestState tagged = state;
    durable.put_into(tagged);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    RIZOMA_ASSIGN(tags.emplace_back(), write(name, nanoseconds, std::move(tagged), durable));
    return publish_with(std::move(tags), std::move(durable), std::move(state));
  });
}

/// Copies what tagged states of another store name, each extent once however many of them name it.
class Tags::Copier {
 public:
  Copier(Tags& to, const Tags& from) : to_(to), from_(from) {}

  Result<std::vector<Tag>> copy(std::span<const std::string> names) {
    std::vector<std::pair<TagEntry, ManifestState>> tagged;
    std::size_t num_extents = 0;
    for (const std::string& name : names) {
      RIZOMA_ASSIGN(const TagEntry entry, from_.publisher_.tags.find(name));
      RIZOMA_ASSIGN(ManifestState state, read_tagged(from_.publisher_, entry));
      num_extents += state.extents().size();
      tagged.emplace_back(entry, std::move(state));
    }
    LeaseBook leases(to_.publisher_.space.extents(), num_extents);
    std::vector<Tag> tags;
    for (auto& [entry, state] : tagged) {
      RIZOMA_TRY(state.move_extents([&](const Extent& extent) { return copied(extent, leases); }));
      RIZOMA_ASSIGN(tags.emplace_back(), to_.write(entry.name, entry.nanoseconds, state, Durable::of(state, leases)));
    }
    return tags;
  }

 private:
  Result<Extent> copied(const Extent& extent, LeaseBook& leases) {
    const std::tuple key(extent.location, extent.offset, extent.bytes);
    const auto known = copies_.find(key);
    if (known != copies_.end()) return known->second;
    RIZOMA_ASSIGN(const Mapping mapping, from_.publisher_.space.data()->read(extent));
    RIZOMA_ASSIGN(auto lease, to_.publisher_.space.write(mapping.bytes));
    const Extent copy = lease->extent();
    leases.add(std::move(lease));
    copies_.emplace(key, copy);
    return copy;
  }

  Tags& to_;
  const Tags& from_;
  std::map<std::tuple<unsigned, std::uint64_t, std::uint64_t>, Extent> copies_;
};

Status Tags::take(const Tags& from, std::span<const std::string> names) {
  if (names.empty()) return {};
  RIZOMA_ASSIGN(const std::vector<Tag> taken, Copier(*this, from).copy(names));
  return checkpointer_.with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    std::vector<Tag> tags = publisher_.tags.all();
    tags.insert(tags.end(), taken.begin(), taken.end());
    return publish_with(std::move(tags), std::move(durable), std::move(state));
  });
}

Status Tags::untag(std::string_view name) {
  return checkpointer_.with_all_in_extents([&](ManifestState state, Durable durable) -> Status {
    std::vector<Tag> tags = publisher_.tags.all();
    if (std::erase_if(tags, [&](const Tag& tag) { return tag.entry.name == name; }) == 0) {
      return Error{ErrorCode::not_found, "there is no tag " + in_quotes(name)};
    }
    return publish_with(std::move(tags), std::move(durable), std::move(state));
  });
}

}  // namespace rizoma
