#include <rizoma/detail/rank_memory.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include "base/check.h"
#include "engine/exchange/boundary_lists.h"
#include "engine/exchange/pieces.h"
#include "engine/exchange/turns.h"
#include "engine/exchange/wire.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

/// How the values of a piece travel; one without any is empty.
enum class Form : std::uint8_t {
  whole,  ///< all of them, one after the other
  some,   ///< their number and the distance of each from the one before; then the values
  bits,   ///< a bit for each member of the piece; then the values of those whose bit is set
};

/// A bit for each member of a piece; in memory as they travel.
class Flags {
 public:
  explicit Flags(std::size_t members) : size_(members) { std::fill_n(words_.begin(), (members + 63) / 64, 0); }
  void set(std::size_t place, bool is_set = true) noexcept {
    words_[place / 64] |= std::uint64_t{is_set ? 1U : 0U} << (place % 64);
    count_ += is_set ? 1 : 0;
  }
  [[nodiscard]] bool has(std::size_t place) const noexcept { return ((words_[place / 64] >> (place % 64)) & 1) != 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  [[nodiscard]] Form form() const noexcept { return count_ * 8 < size_ ? Form::some : Form::bits; }
  /// Less than a value more or less.
  [[nodiscard]] std::size_t bytes() const noexcept { return form() == Form::some ? count_ : (size_ + 7) / 8; }
  void write(WireWriter& writer) const {
    writer.put(form());
    if (form() == Form::bits) return writer.put_bytes(words_.data(), bytes());
    writer.put_varint(count_);
    for (std::size_t word = 0, before = 0; word * 64 < size_; ++word) {
      for (std::uint64_t left = words_[word]; left != 0; left &= left - 1) {
        const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        writer.put_varint(place - std::exchange(before, place));
      }
    }
  }
  void read(Form form, WireReader& reader) {
    if (form == Form::bits) return reader.get_bytes(words_.data(), (size_ + 7) / 8);
    const std::uint64_t count = reader.get_varint();
    std::uint64_t place = 0;
    for (std::uint64_t k = 0; k < count && reader.ok(); ++k) {
      place += reader.get_varint();
      RIZOMA_CHECK(place < size_);
      set(place);
    }
  }

 private:
  std::array<std::uint64_t, (VertexSequence::kMost + 63) / 64> words_;  ///< those of the members
  std::size_t size_;
  std::size_t count_ = 0;
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

/// A rank's own vertices, and their places among them.
class OwnVertices {
 public:
  explicit OwnVertices(std::span<const VertexRange> ranges) : ranges_(ranges) {
    for (const VertexRange range : ranges) before_.push_back(before_.back() + range.size());
  }
  [[nodiscard]] VertexId size() const noexcept { return before_.back(); }
  /// f(place, v) for some places.
  template <class F>
  void for_each(VertexRange places, F&& f) const {
    auto range = static_cast<std::size_t>(std::ranges::upper_bound(before_, places.begin) - before_.begin()) - 1;
    for (VertexId place = places.begin; place < places.end; ++range) {
      const VertexId end = std::min(places.end, before_[range + 1]);
      for (VertexId v = ranges_[range].begin + (place - before_[range]); place < end; ++place, ++v) f(place, v);
    }
  }
  /// The places of ascending vertices.
  class Places {
   public:
    explicit Places(const OwnVertices& own) noexcept : own_(own) {}
    [[nodiscard]] VertexId of(VertexId v) noexcept {
      if (v >= end_) find(v);
      return v - shift_;
    }

   private:
    void find(VertexId v) noexcept {
      const auto range = std::ranges::upper_bound(own_.ranges_, v, {}, &VertexRange::end);
      end_ = range->end;
      shift_ = range->begin - own_.before_[static_cast<std::size_t>(range - own_.ranges_.begin())];
    }
    const OwnVertices& own_;
    VertexId end_ = 0;    ///< of the range
    VertexId shift_ = 0;  ///< of its vertices' places
  };

 private:
  std::span<const VertexRange> ranges_;
  std::vector<VertexId> before_{0};  ///< each range, and at last how many there are
};

/// Writes the values of the members of a piece that are `wanted`; or all, if they may go and take no more bytes.
template <class Wanted>
void pack_piece(const VertexSequence& list, std::size_t piece, const std::byte* values, std::size_t bytes,
                bool all_may_go, Wanted wanted, WireWriter& writer) {
  Flags flags(list.size_of(piece));
  list.for_each_in(piece, [&](std::size_t i, VertexId v) { flags.set(i, wanted(v)); });
  if (flags.count() == 0) return;
  if (all_may_go && flags.size() * bytes <= flags.bytes() + flags.count() * bytes) {
    writer.put(Form::whole);
    std::byte* const to = writer.grow(flags.size() * bytes);
    return list.for_each_in(piece,
                            [&](std::size_t i, VertexId v) { copy_value(to + i * bytes, values + v * bytes, bytes); });
  }
  flags.write(writer);
  if (bytes == 0) return;
  std::byte* to = writer.grow(flags.count() * bytes);
  list.for_each_in(piece, [&](std::size_t i, VertexId v) {
    if (flags.has(i)) copy_value(std::exchange(to, to + bytes), values + v * bytes, bytes);
  });
}

/// Puts the values of a piece in their places, and calls note(v) for each.
template <class Note>
void unpack_piece(const VertexSequence& list, std::size_t piece, std::span<const std::byte> packed, std::byte* values,
                  std::size_t bytes, Note note) {
  if (packed.empty()) return;
  WireReader reader(packed);
  const Form form = reader.get<Form>();
  Flags flags(list.size_of(piece));
  if (form != Form::whole) flags.read(form, reader);
  const std::byte* from = reader.rest().data();
  const std::byte* const end = from + reader.rest().size();
  list.for_each_in(piece, [&](std::size_t i, VertexId v) {
    if (form != Form::whole && !flags.has(i)) return;
    note(v);
    RIZOMA_CHECK(static_cast<std::size_t>(end - from) >= bytes);
    if (bytes > 0) copy_value(values + v * bytes, std::exchange(from, from + bytes), bytes);
  });
  RIZOMA_CHECK(reader.ok() && from == end);
}

}  // namespace

struct Mirror::Impl {
  /// A bit for each own vertex whose value others do not have.
  using Changed = std::vector<std::uint64_t>;

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
  static constexpr std::uint64_t kGrain = 1 << 14;  ///< own vertices that a thread looks at: whole words of bits

  Status find();
  [[nodiscard]] bool reads_much() const noexcept { return boundary->all > graph.num_vertices() / kMuch; }
  Result<bool> refresh_in_memory(std::byte* values);
  [[nodiscard]] OwnVertices own() const { return OwnVertices(ranks->ranges_of(ranks->rank())); }
  template <class IsNew>
  Result<Changed> changed_if(const OwnVertices& own, IsNew is_new);
  Result<std::optional<Changed>> changes_since(const std::byte* values, const std::byte* before);
  Result<std::optional<Changed>> note_changes(const std::byte* values);
  Status refresh(std::byte* values, const std::optional<Changed>& changed);
  template <class WantedOf>
  Status exchange(CollectiveKind kind, std::byte* values, std::uint64_t* bits, WantedOf wanted_of);
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
  const auto copy_all = [&](Whose whose, std::byte* to, const std::byte* from) {
    return for_vertices_of(*engine, whose, [&](VertexRange range, unsigned) {
      std::copy_n(from + range.begin * bytes, range.size() * bytes, to + range.begin * bytes);
    });
  };
  RIZOMA_TRY(copy_all(Whose::own, shared, values));
  ranks->count_packed(own().size() * bytes, false);
  RIZOMA_TRY(ranks->barrier());
  RIZOMA_TRY(copy_all(Whose::others, values, shared));
  ranks->count_unpacked((n - own().size()) * bytes, false);
  for (unsigned rank = 0; rank < ranks->size(); ++rank) {
    if (rank != ranks->rank()) ranks->sent_[rank].bytes += boundary->mirrored[rank].size() * bytes;
  }
  return true;
}

/// The own vertices with is_new(place, v).
template <class IsNew>
Result<Mirror::Impl::Changed> Mirror::Impl::changed_if(const OwnVertices& own, IsNew is_new) {
  Changed changed((own.size() + 63) / 64);
  RIZOMA_TRY(engine->for_blocks(own.size(), kGrain, [&](VertexRange places, unsigned) {
    own.for_each(places, [&](VertexId place, VertexId v) {
      if (is_new(place, v)) changed[place / 64] |= std::uint64_t{1} << (place % 64);
    });
  }));
  return changed;
}

/// The own vertices whose values others do not have yet, which they do from now on; none: they have none.
Result<std::optional<Mirror::Impl::Changed>> Mirror::Impl::note_changes(const std::byte* values) {
  const OwnVertices mine = own();
  const bool is_first = last.empty();
  last.resize(mine.size() * bytes);
  RIZOMA_ASSIGN(Changed changed, changed_if(mine, [&](VertexId place, VertexId v) {
                  std::byte* const old = last.data() + place * bytes;
                  if (!is_first && same_value(old, values + v * bytes, bytes)) return false;
                  copy_value(old, values + v * bytes, bytes);
                  return true;
                }));
  return is_first ? std::nullopt : std::optional(std::move(changed));
}

/// The same where the caller has the values that others have, unless they are null.
Result<std::optional<Mirror::Impl::Changed>> Mirror::Impl::changes_since(const std::byte* values,
                                                                         const std::byte* before) {
  last = {};
  if (!std::exchange(told, true) || before == nullptr) return std::optional<Changed>();
  RIZOMA_ASSIGN(Changed changed, changed_if(own(), [&](VertexId, VertexId v) {
                  return !same_value(before + v * bytes, values + v * bytes, bytes);
                }));
  return std::optional(std::move(changed));
}

/// Sends others the values that they read of own vertices which `wanted_of()`, for a piece each, says; with `bits`, it
/// notes there which have come.
template <class WantedOf>
Status Mirror::Impl::exchange(CollectiveKind kind, std::byte* values, std::uint64_t* bits, WantedOf wanted_of) {
  const bool of_active = bits != nullptr;  // mostly few are
  const unsigned turns = of_active ? 1 : turns_of(boundary->all * bytes, ranks->size());
  const auto make = [&](unsigned rank) {
    const VertexSequence& list = boundary->mirrored[rank];
    const std::size_t room = of_active ? 0 : list.size() * bytes + list.pieces() * (sizeof(PieceLength) + sizeof(Form));
    return pack_pieces(*engine, list.pieces(), room, 1, [&](std::size_t piece, WireWriter& writer) {
      pack_piece(list, piece, values, bytes, !of_active, wanted_of(), writer);
    });
  };
  const auto take = [&](unsigned rank, std::span<const std::byte> message) {
    const VertexSequence& list = boundary->read[rank];
    return unpack_pieces(*engine, message, [&](std::size_t piece, std::span<const std::byte> packed, unsigned) {
      RIZOMA_CHECK(piece < list.pieces());
      unpack_piece(list, piece, packed, values, bytes, [bits](VertexId v) {
        if (bits != nullptr) bits[v / 64] |= std::uint64_t{1} << (v % 64);  // pieces have their own words
      });
    });
  };
  return exchange_in_turns(*ranks, kind, turns, make, take);
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
  if (is_done) return {};
  RIZOMA_ASSIGN(const auto changed, impl_->note_changes(data));
  return impl_->refresh(data, changed);
}

Status Mirror::refresh(void* values, const void* before) {
  RIZOMA_TRY(impl_->find());
  auto* const data = static_cast<std::byte*>(values);
  RIZOMA_ASSIGN(const bool is_done, impl_->refresh_in_memory(data));
  if (is_done) return {};
  RIZOMA_ASSIGN(const auto changed, impl_->changes_since(data, static_cast<const std::byte*>(before)));
  return impl_->refresh(data, changed);
}

/// `changed`: the own vertices whose values others lack; none: they lack all.
Status Mirror::Impl::refresh(std::byte* values, const std::optional<Changed>& changed) {
  if (!changed) return exchange(CollectiveKind::values, values, nullptr, [] { return [](VertexId) { return true; }; });
  const OwnVertices mine = own();
  return exchange(CollectiveKind::values, values, nullptr, [&] {
    return [&, places = OwnVertices::Places(mine)](VertexId v) mutable {
      const VertexId place = places.of(v);
      return (((*changed)[place / 64] >> (place % 64)) & 1) != 0;
    };
  });
}

Status Mirror::refresh_active(void* values, std::uint64_t* bits) {
  RIZOMA_TRY(impl_->find());
  impl_->told = false;  // others have newer values of those that are active
  impl_->last = {};
  const auto is_active = [bits](VertexId v) { return ((bits[v / 64] >> (v % 64)) & 1) != 0; };
  return impl_->exchange(CollectiveKind::active, static_cast<std::byte*>(values), bits, [&] { return is_active; });
}

}  // namespace rizoma
