#include "store/dictionary/dictionary.h"

#include "base/check.h"
#include "store/dictionary/dense_growth.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/dictionary/dictionary_tail.h"
#include "store/messages.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {

using Segment = std::shared_ptr<const DictionarySegment>;
using IntegerTail = DictionaryTail<std::int64_t>;
using StringTail = DictionaryTail<std::string_view>;

/// Replaced whole at a checkpoint; between checkpoints only the tail grows.
struct DictionaryState {
  /// Shared by all states of a dictionary: equal identities mean equal numbers.
  std::shared_ptr<const IdKind> numbering;
  IdKind kind = IdKind::dense;
  std::string where;
  std::vector<Segment> segments;
  std::variant<std::monostate, std::shared_ptr<IntegerTail>, std::shared_ptr<StringTail>> tail;  ///< none for dense

  template <class Key>
  [[nodiscard]] DictionaryTail<Key>& tail_of() const {
    return *std::get<std::shared_ptr<DictionaryTail<Key>>>(tail);
  }
  [[nodiscard]] VertexId durable() const noexcept { return segments.empty() ? 0 : segments.back()->end(); }
};

namespace {

using Integers = std::vector<std::int64_t>;

Error wrong_kind(IdKind kind, std::string_view given) {
  const std::string have = kind == IdKind::string ? "strings" : "integers";
  return {ErrorCode::invalid_argument, "the ids of this graph are " + have + ", not " + std::string(given) +
                                           "; convert them, or create the graph with the other kind of ids"};
}

Error bad_dense_id(std::int64_t id) {
  return {ErrorCode::invalid_argument, "vertex id " + std::to_string(id) +
                                           (id < 0 ? " is negative" : " is too large for dense ids (limit 2^40)") +
                                           "; create the graph with ids=\"integer\", which takes any 64-bit ids"};
}

void start_tail(DictionaryState& state, VertexId first) {
  if (state.kind == IdKind::integer) state.tail = std::make_shared<IntegerTail>(first);
  if (state.kind == IdKind::string) state.tail = std::make_shared<StringTail>(first);
}

/// Number of an id of a hash-indexed kind among those below `limit`, or kNoVertex.
template <class Key>
Result<VertexId> find_indexed(const DictionaryState& state, Key id, VertexId limit) {
  if (const VertexId number = state.tail_of<Key>().find(id, limit); number != kNoVertex) return number;
  for (const Segment& segment : state.segments) {
    RIZOMA_ASSIGN(const VertexId number, segment->find(id));
    if (number != kNoVertex) return number < limit ? number : kNoVertex;
  }
  return kNoVertex;
}

/// As find_indexed for each id, with cache misses overlapped.
template <class Key, class Column>
Status find_all_indexed(const DictionaryState& state, const Column& ids, VertexId limit,
                        std::vector<VertexId>& numbers) {
  state.tail_of<Key>().find(ids.size(), [&](std::size_t i) { return Key(ids[i]); }, limit, numbers.data());
  constexpr std::size_t kGroup = 16;
  for (const Segment& segment : state.segments) {
    for (std::size_t begin = 0; begin < numbers.size(); begin += kGroup) {
      const std::size_t end = std::min(begin + kGroup, numbers.size());
      for (std::size_t i = begin; i < end; ++i) {
        if (numbers[i] == kNoVertex) segment->prefetch(Key(ids[i]));
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (numbers[i] != kNoVertex) continue;
        RIZOMA_ASSIGN(const VertexId number, segment->find(Key(ids[i])));
        if (number < limit) numbers[i] = number;
      }
    }
  }
  return {};
}

Result<VertexId> find_dense(const DictionaryState& state, std::int64_t id, VertexId limit) {
  if (id < 0 || static_cast<std::uint64_t>(id) >= limit) return kNoVertex;
  const auto number = static_cast<VertexId>(id);
  if (number >= state.durable()) return number;
  return state.segments[0]->find(id);
}

/// Numbers of dense ids, which become vertices; `size` becomes more than the greatest of them.
Result<std::vector<VertexId>> number_dense(const DictionaryState& state, const Integers& ids, VertexId& size) {
  VertexId grown = size;
  if (about_greatest_of(ids) >= size) {
    const VertexId greatest = greatest_of(ids);
    const auto allowed = [](std::int64_t id) { return id >= 0 && id < kMaxDenseId; };
    if (greatest >= static_cast<VertexId>(kMaxDenseId)) {
      return bad_dense_id(*std::find_if_not(ids.begin(), ids.end(), allowed));
    }
    grown = std::max(size, greatest + 1);
  }
  std::vector<VertexId> numbers(ids.begin(), ids.end());
  for (std::size_t i = 0; state.durable() > 0 && i < ids.size(); ++i) {
    RIZOMA_ASSIGN(numbers[i], find_dense(state, ids[i], grown));
  }
  size = grown;
  return numbers;
}

Result<VertexId> find_number(const DictionaryState& state, std::int64_t id, VertexId limit) {
  return state.kind == IdKind::dense ? find_dense(state, id, limit) : find_indexed(state, id, limit);
}
Result<VertexId> find_number(const DictionaryState& state, std::string_view id, VertexId limit) {
  return find_indexed(state, id, limit);
}

const DictionarySegment& segment_of(const DictionaryState& state, VertexId number) {
  const auto place = std::upper_bound(state.segments.begin(), state.segments.end(), number,
                                      [](VertexId v, const Segment& segment) { return v < segment->end(); });
  return **place;
}

Result<std::int64_t> integer_of(const DictionaryState& state, VertexId number) {
  if (number < state.durable()) return segment_of(state, number).integer(number);
  return state.kind == IdKind::dense ? static_cast<std::int64_t>(number) : state.tail_of<std::int64_t>()[number];
}
Result<std::string_view> text_of(const DictionaryState& state, VertexId number) {
  if (number < state.durable()) return segment_of(state, number).text(number);
  return state.tail_of<std::string_view>()[number];
}

Error no_vertex(VertexId number, VertexId limit) {
  return {ErrorCode::invalid_argument,
          "there is no vertex with internal id " + std::to_string(number) + ": the graph has " + std::to_string(limit)};
}

/// The ids of number(0) .. number(count - 1), all below `limit`.
template <class Number>
Result<IdColumn> gather(const DictionaryState& state, VertexId limit, std::size_t count, Number&& number) {
  for (std::size_t i = 0; i < count; ++i) {
    if (number(i) >= limit) return no_vertex(number(i), limit);
  }
  if (state.kind == IdKind::string) {
    StringColumn column;
    for (std::size_t i = 0; i < count; ++i) {
      RIZOMA_ASSIGN(const std::string_view id, text_of(state, number(i)));
      column.push_back(id);
    }
    return IdColumn(std::move(column));
  }
  Integers column(count);
  for (std::size_t i = 0; i < count; ++i) {
    RIZOMA_ASSIGN(column[i], integer_of(state, number(i)));
  }
  return IdColumn(std::move(column));
}

/// Appends the ids of consecutive numbers, those of each segment together.
template <class Column, class Get>
Status append_range(const DictionaryState& state, VertexRange range, Column& ids, Get&& get) {
  VertexId v = range.begin;
  for (const VertexId durable = std::min(range.end, state.durable()); v < durable;) {
    const DictionarySegment& segment = segment_of(state, v);
    const VertexRange some{v, std::min(durable, segment.end())};
    RIZOMA_TRY(segment.append_to(ids, some));
    v = some.end;
  }
  for (; v < range.end; ++v) ids.push_back(get(v));
  return {};
}

/// Numbers of all ids; unknown ids get the next numbers.
template <class Key, class Column>
Status add_indexed(const DictionaryState& state, const Column& ids, std::vector<VertexId>& numbers) {
  DictionaryTail<Key>& tail = state.tail_of<Key>();
  if (state.segments.empty()) {
    tail.find_or_add(ids.size(), [&](std::size_t i) { return Key(ids[i]); }, numbers.data());
    return {};
  }
  RIZOMA_TRY(find_all_indexed<Key>(state, ids, kNoVertex, numbers));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (numbers[i] == kNoVertex) numbers[i] = tail.find_or_add(Key(ids[i]));
  }
  return {};
}

template <class Key>
Result<std::vector<Key>> collect(const DictionaryState& state, VertexRange range) {
  std::vector<Key> ids(range.size());
  for (VertexId v = range.begin; v < range.end; ++v) {
    if constexpr (std::is_same_v<Key, std::int64_t>) {
      RIZOMA_ASSIGN(ids[v - range.begin], integer_of(state, v));
    } else {
      RIZOMA_ASSIGN(ids[v - range.begin], text_of(state, v));
    }
  }
  return ids;
}

template <class Key>
void carry_over(const DictionaryState& from, DictionaryState& to, VertexRange range) {
  for (VertexId v = range.begin; v < range.end; ++v) to.tail_of<Key>().find_or_add(from.tail_of<Key>()[v]);
}

Status check_segments(const DictionaryState& state, VertexId size) {
  const SegmentKind expected = state.kind == IdKind::dense     ? SegmentKind::permutation
                               : state.kind == IdKind::integer ? SegmentKind::integer
                                                               : SegmentKind::string;
  VertexId next = 0;
  for (const Segment& segment : state.segments) {
    if (segment->kind() != expected || segment->first() != next || segment->size() == 0) {
      return corrupt(state.where, "has dictionary segments that do not belong together");
    }
    next = segment->end();
  }
  const bool whole = state.kind == IdKind::dense ? state.segments.size() <= 1 && next <= size : next == size;
  if (!whole) {
    return corrupt(state.where,
                   "has a dictionary of " + std::to_string(next) + " vertices for a graph of " + std::to_string(size));
  }
  return {};
}

}  // namespace

Error no_vertex(std::int64_t id) { return {ErrorCode::not_found, "no vertex has the id " + std::to_string(id)}; }
Error no_vertex(std::string_view id) {
  return {ErrorCode::not_found, "no vertex has the id '" + std::string(id) + "'"};
}

// ---- view ----

DictionaryView::DictionaryView(std::shared_ptr<const DictionaryState> state, VertexId limit) noexcept
    : state_(std::move(state)), limit_(limit) {}

IdKind DictionaryView::kind() const noexcept { return state_->kind; }
VertexId DictionaryView::stored() const noexcept {
  return state_->kind == IdKind::dense ? std::min(limit_, state_->durable()) : limit_;
}
bool DictionaryView::is_identity() const noexcept { return state_->kind == IdKind::dense && state_->segments.empty(); }
bool DictionaryView::continues(const DictionaryView& earlier) const noexcept {
  return state_->numbering == earlier.state_->numbering && earlier.limit_ <= limit_;
}

Result<VertexId> DictionaryView::find(std::int64_t id) const {
  if (kind() == IdKind::string) return wrong_kind(kind(), "the integer " + std::to_string(id));
  RIZOMA_ASSIGN(const VertexId number, find_number(*state_, id, limit_));
  if (number == kNoVertex) return no_vertex(id);
  return number;
}

Result<VertexId> DictionaryView::find(std::string_view id) const {
  if (kind() != IdKind::string) return wrong_kind(kind(), "the string '" + std::string(id) + "'");
  RIZOMA_ASSIGN(const VertexId number, find_number(*state_, id, limit_));
  if (number == kNoVertex) return no_vertex(id);
  return number;
}

Result<std::vector<VertexId>> DictionaryView::find(const IdColumn& ids) const {
  // No ids are ids of every kind.
  if (limit_ == 0 || rizoma::size(ids) == 0) return std::vector<VertexId>(rizoma::size(ids), kNoVertex);
  const bool strings = std::holds_alternative<StringColumn>(ids);
  if (strings != (kind() == IdKind::string)) return wrong_kind(kind(), strings ? "strings" : "integers");
  std::vector<VertexId> numbers(rizoma::size(ids));
  if (strings) {
    RIZOMA_TRY(find_all_indexed<std::string_view>(*state_, std::get<StringColumn>(ids), limit_, numbers));
  } else if (kind() == IdKind::integer) {
    RIZOMA_TRY(find_all_indexed<std::int64_t>(*state_, std::get<Integers>(ids), limit_, numbers));
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      RIZOMA_ASSIGN(numbers[i], find_dense(*state_, std::get<Integers>(ids)[i], limit_));
    }
  }
  return numbers;
}

Result<IdColumn> DictionaryView::ids(VertexRange range) const {
  if (range.empty()) return kind() == IdKind::string ? IdColumn(StringColumn{}) : IdColumn(Integers{});
  if (range.end > limit_) return no_vertex(std::max(range.begin, limit_), limit_);
  if (kind() == IdKind::string) {
    StringColumn ids;
    ids.offsets.reserve(range.size() + 1);
    RIZOMA_TRY(append_range(*state_, range, ids, [&](VertexId v) { return state_->tail_of<std::string_view>()[v]; }));
    return IdColumn(std::move(ids));
  }
  Integers ids;
  ids.reserve(range.size());
  const bool dense = kind() == IdKind::dense;
  RIZOMA_TRY(append_range(*state_, range, ids, [&](VertexId v) {
    return dense ? static_cast<std::int64_t>(v) : state_->tail_of<std::int64_t>()[v];
  }));
  return IdColumn(std::move(ids));
}

Result<IdColumn> DictionaryView::ids(std::span<const VertexId> vertices) const {
  return gather(*state_, limit_, vertices.size(), [&](std::size_t i) { return vertices[i]; });
}

// ---- dictionary ----

Dictionary::Dictionary(std::shared_ptr<const DictionaryState> state, VertexId size)
    : mutex_(std::make_unique<std::mutex>()), state_(std::move(state)), size_(size) {}

Dictionary::Dictionary(IdKind kind) : Dictionary(nullptr, 0) {
  auto state = std::make_shared<DictionaryState>();
  state->numbering = std::make_shared<const IdKind>(kind);
  state->kind = kind;
  start_tail(*state, 0);
  state_ = std::move(state);
}

Dictionary::Dictionary(Dictionary&&) noexcept = default;
Dictionary& Dictionary::operator=(Dictionary&&) noexcept = default;
Dictionary::~Dictionary() = default;

Result<Dictionary> Dictionary::open(IdKind kind, VertexId size, std::vector<Mapping> segments, std::string where) {
  auto state = std::make_shared<DictionaryState>();
  state->numbering = std::make_shared<const IdKind>(kind);
  state->kind = kind;
  state->where = std::move(where);
  for (Mapping& mapping : segments) {
    RIZOMA_ASSIGN(Segment segment, DictionarySegment::open(std::move(mapping), state->where));
    state->segments.push_back(std::move(segment));
  }
  RIZOMA_TRY(check_segments(*state, size));
  start_tail(*state, size);
  return Dictionary(std::move(state), size);
}

Result<Dictionary> Dictionary::as_integers(std::vector<Mapping> segments) const {
  RIZOMA_CHECK(kind() == IdKind::dense);
  RIZOMA_ASSIGN(const Dictionary integers, open(IdKind::integer, size_, std::move(segments), state_->where));
  auto next = std::make_shared<DictionaryState>(*integers.state_);
  next->numbering = state_->numbering;  // a caller that knows a vertex by its number continues to use it
  return Dictionary(std::move(next), size_);
}

std::shared_ptr<const DictionaryState> Dictionary::state() const {
  const std::lock_guard lock(*mutex_);
  return state_;
}

IdKind Dictionary::kind() const noexcept { return state()->kind; }

DictionaryView Dictionary::view(VertexId limit) const { return {state(), limit}; }

Result<std::vector<VertexId>> Dictionary::find_or_add(const IdColumn& ids) {
  const DictionaryState& state = *state_;
  if (rizoma::size(ids) == 0) return std::vector<VertexId>();
  const bool strings = std::holds_alternative<StringColumn>(ids);
  if (strings != (state.kind == IdKind::string)) return wrong_kind(state.kind, strings ? "strings" : "integers");
  if (state.kind == IdKind::dense) return number_dense(state, std::get<Integers>(ids), size_);
  std::vector<VertexId> numbers(rizoma::size(ids));
  const Status added = strings ? add_indexed<std::string_view>(state, std::get<StringColumn>(ids), numbers)
                               : add_indexed<std::int64_t>(state, std::get<Integers>(ids), numbers);
  if (!added) {
    rollback(size_);
    return added.error();
  }
  size_ = strings ? state.tail_of<std::string_view>().end() : state.tail_of<std::int64_t>().end();
  return numbers;
}

Result<IdColumn> Dictionary::added_since(VertexId first) const {
  RIZOMA_CHECK(first <= size_);
  if (state_->kind == IdKind::dense) return IdColumn(Integers{});
  return view(size_).ids(VertexRange{first, size_});
}

Status Dictionary::append(const IdColumn& ids) {
  RIZOMA_CHECK(state_->kind != IdKind::dense);
  const VertexId before = size_;
  RIZOMA_ASSIGN(const std::vector<VertexId> numbers, find_or_add(ids));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != before + i) {
      rollback(before);
      return corrupt(state_->where, "adds a vertex id that is known already");
    }
  }
  return {};
}

void Dictionary::grow(VertexId size) {
  RIZOMA_CHECK(state_->kind == IdKind::dense);
  size_ = std::max(size_, size);
}

void Dictionary::rollback(VertexId size) {
  RIZOMA_CHECK(size <= size_ && size >= state_->durable());
  if (state_->kind == IdKind::integer) state_->tail_of<std::int64_t>().rollback(size);
  if (state_->kind == IdKind::string) state_->tail_of<std::string_view>().rollback(size);
  size_ = size;
}

std::optional<DictionaryPlan> Dictionary::plan() const {
  if (state_->kind == IdKind::dense || size_ == state_->durable()) return std::nullopt;
  DictionaryPlan plan{state_->durable(), size_, 0};
  // A segment stays if it is more than twice what would be merged into it: their number is logarithmic.
  for (auto it = state_->segments.rbegin(); it != state_->segments.rend(); ++it) {
    if ((*it)->size() > 2 * (plan.end - plan.first)) break;
    plan.first = (*it)->first();
    ++plan.replaced;
  }
  return plan;
}

Result<std::vector<std::byte>> Dictionary::encode(const DictionaryPlan& plan) const {
  const auto state = this->state();
  if (state->kind == IdKind::string) {
    RIZOMA_ASSIGN(const std::vector<std::string_view> ids, collect<std::string_view>(*state, {plan.first, plan.end}));
    return encode_strings(plan.first, ids);
  }
  RIZOMA_ASSIGN(const std::vector<std::int64_t> ids, collect<std::int64_t>(*state, {plan.first, plan.end}));
  return encode_integers(plan.first, ids);
}

Result<std::shared_ptr<const DictionaryState>> Dictionary::with(const DictionaryPlan& plan, Mapping mapping) const {
  auto next = std::make_shared<DictionaryState>();
  next->numbering = state_->numbering;
  next->kind = state_->kind;
  next->where = state_->where;
  next->segments.assign(state_->segments.begin(), state_->segments.end() - static_cast<std::ptrdiff_t>(plan.replaced));
  RIZOMA_ASSIGN(Segment segment, DictionarySegment::open(std::move(mapping), state_->where));
  next->segments.push_back(std::move(segment));
  RIZOMA_TRY(check_segments(*next, plan.end));
  start_tail(*next, plan.end);
  // Ids added between encode and here stay in memory.
  next->kind == IdKind::string ? carry_over<std::string_view>(*state_, *next, {plan.end, size_})
                               : carry_over<std::int64_t>(*state_, *next, {plan.end, size_});
  return std::shared_ptr<const DictionaryState>(std::move(next));
}

void Dictionary::publish(std::shared_ptr<const DictionaryState>& state) noexcept {
  const std::lock_guard lock(*mutex_);
  state_.swap(state);
}

Status Dictionary::verify() const {
  for (const Segment& segment : state()->segments) RIZOMA_TRY(segment->verify());
  return {};
}

}  // namespace rizoma
