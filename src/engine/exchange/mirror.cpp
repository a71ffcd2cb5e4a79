#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "base/check.h"
#include "engine/exchange/boundary_lists.h"
#include "engine/exchange/turns.h"
#include "engine/exchange/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

/// How the values of a list travel.
enum class Form : std::uint8_t {
  whole,  ///< all of them, one after the other
  some,   ///< those that have changed (or are active), each after the distance from the one before
  bits,   ///< a bit for each of the list; then the values of those whose bit is set
};

/// A bit for each place of a list; in memory as they travel.
struct Flags {
  explicit Flags(std::size_t places) : words((places + 63) / 64), size(places) {}
  [[nodiscard]] std::size_t bytes() const noexcept { return (size + 7) / 8; }
  [[nodiscard]] bool has(std::size_t place) const noexcept { return ((words[place / 64] >> (place % 64)) & 1) != 0; }
  /// f(place) for those that are set.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (std::uint64_t left = words[word]; left != 0; left &= left - 1)
        f(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }

  std::vector<std::uint64_t> words;
  std::size_t size;
};

void copy_value(void* to, const void* from, std::size_t bytes) noexcept {
  if (bytes == 4) std::memcpy(to, from, 4);
  else if (bytes == 8) std::memcpy(to, from, 8);
  else std::memcpy(to, from, bytes);
}

bool same_value(const void* a, const void* b, std::size_t bytes) noexcept {
  if (bytes == 4) return std::memcmp(a, b, 4) == 0;
  if (bytes == 8) return std::memcmp(a, b, 8) == 0;
  return std::memcmp(a, b, bytes) == 0;
}

/// The places of a rank's own vertices among them, which come in ascending order.
class OwnPlaces {
 public:
  explicit OwnPlaces(std::span<const VertexRange> ranges) noexcept : range_(ranges.data()) {}
  [[nodiscard]] std::size_t of(VertexId v) noexcept {
    for (; v >= range_->end; ++range_) before_ += range_->size();
    return before_ + (v - range_->begin);
  }

 private:
  const VertexRange* range_;
  std::size_t before_ = 0;
};

}  // namespace

struct Mirror::Impl {
  Engine* engine;
  Ranks* ranks;
  GraphView graph;
  Direction direction;
  std::size_t bytes;
  std::shared_ptr<const BoundaryLists> boundary;
  std::vector<std::byte> last = {};                 ///< values of own vertices that all ranks have; empty: none
  bool told = false;                                ///< others have the values of the last refresh
  std::optional<RankMemory> memory = std::nullopt;  ///< room for two copies of all values, once it was asked for
  unsigned copy = 0;                                ///< the one to be written next
  static constexpr VertexId kMuch = 8;              ///< more than n / kMuch values
  /// A list of changed values is given up once it is longer than all values: by one change at most.
  static constexpr std::size_t kMostOfSome = sizeof(Form) + kMaxVarintBytes + sizeof(std::uint64_t);

  Status find();
  [[nodiscard]] bool reads_much() const noexcept { return boundary->all > graph.num_vertices() / kMuch; }
  Result<bool> refresh_in_memory(std::byte* values);
  [[nodiscard]] unsigned turns() const noexcept { return turns_of(boundary->all * bytes, ranks->size()); }
  [[nodiscard]] std::span<const VertexRange> own() const noexcept { return ranks->ranges_of(ranks->rank()); }
  [[nodiscard]] VertexId own_vertices() const noexcept;
  std::optional<Flags> changes_since(const std::byte* values, const std::byte* before);
  std::optional<Flags> note_changes(const std::byte* values);
  Status refresh(std::byte* values, const std::optional<Flags>& changed);
  [[nodiscard]] std::vector<std::byte> all_for(unsigned rank, const std::byte* values) const;
  [[nodiscard]] std::vector<std::byte> changes_for(unsigned rank, const std::byte* values, const Flags& changed) const;
  Status take_changes(unsigned rank, std::span<const std::byte> payload, std::byte* values) const;
  [[nodiscard]] std::vector<std::byte> active_for(unsigned rank, const std::byte* values,
                                                  const std::uint64_t* bits) const;
  Status take_active(unsigned rank, std::span<const std::byte> payload, std::byte* values, std::uint64_t* bits) const;
};

Status Mirror::Impl::find() {
  if (boundary != nullptr) return {};
  RIZOMA_ASSIGN(boundary, ranks->boundary_of(*engine, graph, direction));
  return {};
}

/// Where much of what ranks have is read by others, and they share memory, all of it goes there and back from one place
/// to the next, which takes less time than a choice here and there.  False, on all ranks: otherwise.
Result<bool> Mirror::Impl::refresh_in_memory(std::byte* values) {
  if (!reads_much()) return false;
  const VertexId n = graph.num_vertices();
  if (!memory) {
    RIZOMA_ASSIGN(memory, RankMemory::take(*ranks, 2 * n * bytes));
  }
  if (!*memory) return false;
  // Others may still read the copy before.
  std::byte* const shared = memory->data() + std::exchange(copy, 1 - copy) * n * bytes;
  const auto each_range = [&](unsigned rank, std::byte* to, const std::byte* from) {
    for (const VertexRange range : ranks->ranges_of(rank))
      std::copy_n(from + range.begin * bytes, range.size() * bytes, to + range.begin * bytes);
  };
  each_range(ranks->rank(), shared, values);
  RIZOMA_TRY(ranks->barrier());
  for (unsigned rank = 0; rank < ranks->size(); ++rank) {
    if (rank == ranks->rank()) continue;
    each_range(rank, values, shared);
    ranks->sent_[rank].bytes += boundary->mirrored[rank].size() * bytes;
  }
  return true;
}

/// The places of own vertices whose values others do not have yet, which they do from now on; none: they have none.
std::optional<Flags> Mirror::Impl::note_changes(const std::byte* values) {
  std::optional<Flags> changed;
  if (!last.empty()) changed.emplace(own_vertices());
  last.resize(own_vertices() * bytes);
  std::size_t place = 0;
  for (const VertexRange range : own()) {
    for (VertexId v = range.begin; v < range.end; ++v, ++place) {
      std::byte* const old = last.data() + place * bytes;
      const std::byte* const value = values + v * bytes;
      if (changed && same_value(old, value, bytes)) continue;
      copy_value(old, value, bytes);
      if (changed) changed->words[place / 64] |= std::uint64_t{1} << (place % 64);
    }
  }
  return changed;
}

/// The same where the caller has the values that others have, unless they are null.
std::optional<Flags> Mirror::Impl::changes_since(const std::byte* values, const std::byte* before) {
  last = {};
  if (!std::exchange(told, true) || before == nullptr) return std::nullopt;
  Flags changed(own_vertices());
  std::size_t place = 0;
  for (const VertexRange range : own()) {
    for (VertexId v = range.begin; v < range.end; ++v, ++place) {
      if (!same_value(before + v * bytes, values + v * bytes, bytes))
        changed.words[place / 64] |= std::uint64_t{1} << (place % 64);
    }
  }
  return changed;
}

VertexId Mirror::Impl::own_vertices() const noexcept {
  VertexId all = 0;
  for (const VertexRange range : own()) all += range.size();
  return all;
}

std::vector<std::byte> Mirror::Impl::all_for(unsigned rank, const std::byte* values) const {
  const VertexSequence& list = boundary->mirrored[rank];
  std::vector<std::byte> message;
  message.reserve(sizeof(Form) + list.size() * bytes + 1);  // a round adds its kind
  message.resize(sizeof(Form) + list.size() * bytes);
  message[0] = static_cast<std::byte>(Form::whole);
  std::byte* const first = message.data() + sizeof(Form);
  list.for_each([&](std::size_t i, VertexId v) { copy_value(first + i * bytes, values + v * bytes, bytes); });
  return message;
}

std::vector<std::byte> Mirror::Impl::changes_for(unsigned rank, const std::byte* values, const Flags& changed) const {
  const VertexSequence& list = boundary->mirrored[rank];
  const std::size_t most = list.size() * bytes;
  {
    WireWriter some;
    some.reserve(kMostOfSome + most);
    some.put(Form::some);
    std::size_t before = 0;
    OwnPlaces places(own());
    list.for_each([&](std::size_t i, VertexId v) {
      if (some.size() > most || !changed.has(places.of(v))) return;
      some.put_varint(i - before);
      some.put_bytes(values + v * bytes, bytes);
      before = i;
    });
    if (some.size() <= most) return std::move(some).take();
  }  // gives its room back before the other is made
  return all_for(rank, values);
}

Status Mirror::Impl::take_changes(unsigned rank, std::span<const std::byte> payload, std::byte* values) const {
  const VertexSequence& list = boundary->read[rank];
  WireReader reader(payload);
  if (reader.get<Form>() == Form::whole) {
    const std::span<const std::byte> all = reader.rest();
    RIZOMA_CHECK(reader.ok() && all.size() == list.size() * bytes);
    list.for_each([&](std::size_t i, VertexId v) { copy_value(values + v * bytes, all.data() + i * bytes, bytes); });
    return {};
  }
  VertexSequence::Cursor vertices(list);
  for (std::size_t i = 0; !reader.empty();) {
    i += reader.get_varint();
    RIZOMA_CHECK(i < list.size());
    reader.get_bytes(values + vertices.at(i) * bytes, bytes);
  }
  RIZOMA_CHECK(reader.ok());
  return {};
}

std::vector<std::byte> Mirror::Impl::active_for(unsigned rank, const std::byte* values,
                                                const std::uint64_t* bits) const {
  const VertexSequence& list = boundary->mirrored[rank];
  Flags flags(list.size());
  std::size_t active = 0;
  list.for_each([&](std::size_t i, VertexId v) {
    const std::uint64_t is_active = (bits[v / 64] >> (v % 64)) & 1;
    flags.words[i / 64] |= is_active << (i % 64);
    active += is_active;
  });
  if (active == 0) return {};
  WireWriter writer;
  if (active * 8 < list.size()) {
    writer.put(Form::some);
    writer.put_varint(active);
    std::size_t before = 0;
    flags.for_each([&](std::size_t i) {
      writer.put_varint(i - before);
      before = i;
    });
  } else {
    writer.put(Form::bits);
    writer.put_bytes(flags.words.data(), flags.bytes());
  }
  if (bytes == 0) return std::move(writer).take();
  VertexSequence::Cursor vertices(list);
  flags.for_each([&](std::size_t i) { writer.put_bytes(values + vertices.at(i) * bytes, bytes); });
  return std::move(writer).take();
}

Status Mirror::Impl::take_active(unsigned rank, std::span<const std::byte> payload, std::byte* values,
                                 std::uint64_t* bits) const {
  const VertexSequence& list = boundary->read[rank];
  if (payload.empty()) return {};
  WireReader reader(payload);
  Flags flags(list.size());
  if (reader.get<Form>() == Form::some) {
    const std::uint64_t count = reader.get_varint();
    std::size_t i = 0;
    for (std::uint64_t k = 0; k < count && reader.ok(); ++k) {
      i += reader.get_varint();
      RIZOMA_CHECK(i < list.size());
      flags.words[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  } else {
    reader.get_bytes(flags.words.data(), flags.bytes());
  }
  VertexSequence::Cursor vertices(list);
  flags.for_each([&](std::size_t i) {
    RIZOMA_CHECK(i < list.size());
    const VertexId v = vertices.at(i);
    bits[v / 64] |= std::uint64_t{1} << (v % 64);
    if (bytes > 0) reader.get_bytes(values + v * bytes, bytes);
  });
  RIZOMA_CHECK(reader.ok() && reader.empty());
  return {};
}

Mirror::Mirror(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction, std::size_t bytes)
    : impl_(new Impl{&engine, &ranks, graph, direction, bytes, nullptr}) {}
Mirror::~Mirror() = default;
Mirror::Mirror(Mirror&&) noexcept = default;
Mirror& Mirror::operator=(Mirror&&) noexcept = default;

Result<bool> Mirror::reads_much() {
  RIZOMA_TRY(impl_->find());
  return impl_->reads_much();
}

Status Mirror::refresh(void* values) {
  RIZOMA_TRY(impl_->find());
  auto* const data = static_cast<std::byte*>(values);
  RIZOMA_ASSIGN(const bool is_done, impl_->refresh_in_memory(data));
  return is_done ? Status() : impl_->refresh(data, impl_->note_changes(data));
}

Status Mirror::refresh(void* values, const void* before) {
  RIZOMA_TRY(impl_->find());
  auto* const data = static_cast<std::byte*>(values);
  RIZOMA_ASSIGN(const bool is_done, impl_->refresh_in_memory(data));
  return is_done ? Status() : impl_->refresh(data, impl_->changes_since(data, static_cast<const std::byte*>(before)));
}

/// `changed`: the places of own vertices whose values others lack; none: they lack all.
Status Mirror::Impl::refresh(std::byte* values, const std::optional<Flags>& changed) {
  const auto make = [&](unsigned rank) {
    return changed ? changes_for(rank, values, *changed) : all_for(rank, values);
  };
  const auto take = [&](unsigned rank, std::span<const std::byte> payload) {
    return take_changes(rank, payload, values);
  };
  return exchange_in_turns(*ranks, CollectiveKind::values, turns(), make, take);
}

Status Mirror::refresh_active(void* values, std::uint64_t* bits) {
  RIZOMA_TRY(impl_->find());
  auto* const data = static_cast<std::byte*>(values);
  impl_->told = false;  // others have newer values of those that are active
  impl_->last = {};
  const auto make = [&](unsigned rank) { return impl_->active_for(rank, data, bits); };
  const auto take = [&](unsigned rank, std::span<const std::byte> payload) {
    return impl_->take_active(rank, payload, data, bits);
  };
  constexpr unsigned kTurns = 1;  // mostly few are active
  return exchange_in_turns(*impl_->ranks, CollectiveKind::active, kTurns, make, take);
}

}  // namespace rizoma
