#include "ingest/document.h"

#include "base/checksum.h"
#include "ingest/id_kind.h"

#include <rizoma/detail/column_types.h>
#include <rizoma/detail/interpret.h>
#include <rizoma/detail/text_items.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

constexpr std::size_t kBatch = std::size_t{1} << 16;

std::uint64_t hash_of(std::string_view text) noexcept { return checksum(std::as_bytes(std::span(text))) >> 32U; }

unsigned bit_of(ValueKind kind) noexcept { return 1U << static_cast<unsigned>(kind); }

/// The type that holds values of these kinds; nullopt if there is no single one, or no value.
std::optional<ColumnType> type_of(unsigned kinds) {
  kinds &= ~bit_of(ValueKind::null);
  if (kinds == bit_of(ValueKind::boolean)) return ColumnType::boolean;
  if (kinds == bit_of(ValueKind::integer)) return ColumnType::int64;
  if (kinds == bit_of(ValueKind::text)) return ColumnType::string;
  if (kinds == bit_of(ValueKind::list)) return ColumnType::float32_list;
  const bool numbers = kinds != 0 && (kinds & ~(bit_of(ValueKind::integer) | bit_of(ValueKind::number))) == 0;
  return numbers ? std::optional(ColumnType::float64) : std::nullopt;
}

ColumnValues slice(const ColumnValues& from, std::size_t begin, std::size_t end) {
  ColumnValues rows{from.name, from.type, {}, {}, {}};
  const unsigned width = column_width(from.type);
  const auto at = [&](std::size_t row) -> std::size_t {
    if (width != 0) return row * width;
    return row == 0 ? 0 : static_cast<std::size_t>(from.ends[row - 1]);
  };
  const auto part = [](const auto& column, std::size_t first, std::size_t last) {
    return std::span(column).subspan(first, last - first);
  };
  const auto values = part(from.values, at(begin), at(end));
  rows.values.assign(values.begin(), values.end());
  if (width == 0) {
    for (const std::uint64_t next : part(from.ends, begin, end)) rows.ends.push_back(next - at(begin));
  }
  const auto flags = [&](const std::vector<std::uint8_t>& all) {
    const auto some = all.empty() ? std::span<const std::uint8_t>() : part(all, begin, end);
    return std::vector(some.begin(), some.end());
  };
  rows.valid = flags(from.valid);
  rows.given = flags(from.given);
  return rows;
}

ColumnTable slice(const ColumnTable& from, std::size_t begin, std::size_t end) {
  ColumnTable rows;
  for (const ColumnValues& column : from.columns) rows.columns.push_back(slice(column, begin, end));
  return rows;
}

IdColumn take_ids(const IdColumn& ids, std::span<const std::uint64_t> rows) {
  return std::visit(
      [&](const auto& column) -> IdColumn {
        std::remove_cvref_t<decltype(column)> taken;
        for (const std::uint64_t row : rows) taken.push_back(column[row]);
        return taken;
      },
      ids);
}

/// These edges of a batch in the other direction.
EdgeBatch reversed(const EdgeBatch& batch, std::span<const std::uint64_t> rows) {
  EdgeBatch back{take_ids(batch.targets, rows), take_ids(batch.sources, rows), {}, {}};
  if (rows.empty()) return back;
  for (const std::uint64_t row : rows) {
    if (!batch.weights.empty()) back.weights.push_back(batch.weights[row]);
  }
  back.columns = take_rows(batch.columns, rows);
  return back;
}

/// Ids by the numbers of their names.
class Ids {
 public:
  /// Errors: parse.
  static Result<Ids> create(const Document& document, const ReadRequest& request, IdKind kind) {
    Ids ids(document.names, kind);
    if (kind == IdKind::string) return ids;
    ids.numbers_.resize(document.names.size());
    std::vector<bool> known(document.names.size());
    for (const auto* column : {&document.vertices, &document.sources, &document.targets}) {
      for (const std::uint32_t name : *column) {
        if (known[name]) continue;
        known[name] = true;
        RIZOMA_ASSIGN(ids.numbers_[name], ids.number(name, request));
      }
    }
    return ids;
  }

  [[nodiscard]] IdColumn column(std::span<const std::uint32_t> rows) const {
    if (kind_ != IdKind::string) {
      std::vector<std::int64_t> column(rows.size());
      std::ranges::transform(rows, column.begin(), [&](std::uint32_t name) { return numbers_[name]; });
      return column;
    }
    StringColumn column;
    for (const std::uint32_t name : rows) column.push_back(names_[name]);
    return column;
  }

 private:
  Ids(const Names& names, IdKind kind) : names_(names), kind_(kind) {}

  [[nodiscard]] Result<std::int64_t> number(std::uint32_t name, const ReadRequest& request) const {
    const std::string_view text = names_[name];
    std::int64_t number = 0;
    const char* expected = nullptr;
    if (!is_integer(text, number)) {
      expected = kExpectsInteger;
    } else if (has_leading_zero(text) && !request.options.leading_zeros) {
      expected = kExpectsNoZeros;
    }
    if (expected == nullptr) return number;
    return Error{ErrorCode::parse, request.file.string() + ": found " + shown(text) + ", expected " + expected};
  }

  const Names& names_;
  IdKind kind_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

std::uint32_t Names::add(std::string_view text) {
  if (texts_.size() >= kFull - 1) return kFull;
  if (places_.size() <= 2 * texts_.size()) grow();
  const std::uint64_t hash = hash_of(text);
  for (std::size_t place = hash & (places_.size() - 1);; place = (place + 1) & (places_.size() - 1)) {
    const std::uint64_t found = places_[place];
    if (found == 0) {
      texts_.push_back(text);
      places_[place] = hash << 32U | texts_.size();
      return size() - 1;
    }
    const auto number = static_cast<std::uint32_t>(found) - 1;
    if (found >> 32U == hash && texts_[number] == text) return number;
  }
}

void Names::grow() {
  const std::vector<std::uint64_t> before = std::exchange(places_, {});
  places_.resize(std::max<std::size_t>(64, 2 * before.size()));
  for (const std::uint64_t found : before) {
    if (found == 0) continue;
    std::size_t place = (found >> 32U) & (places_.size() - 1);
    while (places_[place] != 0) place = (place + 1) & (places_.size() - 1);
    places_[place] = found;
  }
}

std::string two_values_of(std::string_view name) {
  return "there are two values of " + shown(name) + " in one node or edge; leave one of them out";
}

DocumentValues::DocumentValues(const std::vector<KeptColumn>& kept) {
  for (const KeptColumn& column : kept) {
    if (numbers_.contains(column.name)) continue;
    numbers_.emplace(column.name, slots_.size());
    Slot slot;
    slot.name = column.name;
    slot.kept = true;
    slot.column = table_.columns.size();
    const ColumnKind kind = column_kind(column.type);
    slot.may_round = kind == ColumnKind::real || kind == ColumnKind::list;
    slots_.push_back(std::move(slot));
    table_.columns.push_back({column.name, column.type, {}, {}, {}});
  }
}

std::size_t DocumentValues::slot_of(std::string_view name) {
  if (next_ >= slots_.size() || slots_[next_].name != name) {
    const auto found = numbers_.find(name);
    next_ = found == numbers_.end() ? slots_.size() : found->second;
    if (found == numbers_.end()) {
      numbers_.emplace(name, slots_.size());
      slots_.emplace_back().name = name;
    }
  }
  return next_++;
}

void DocumentValues::set(std::string_view name, ValueKind kind, std::string_view text) {
  const std::size_t number = slot_of(name);
  Slot& slot = slots_[number];
  if (slot.kinds == 0) order_.push_back(number);
  slot.kinds |= bit_of(is_empty_list(kind, text) ? ValueKind::null : kind);
  if (!slot.kept) return;
  slot.twice = slot.twice || slot.cell.present;
  slot.cell.kind = kind;
  slot.cell.text = text;
  slot.cell.present = true;
}

std::string DocumentValues::misfit(const ColumnValues& column, std::string_view text) {
  std::string said =
      "the " + column.name + " " + shown(text) + " cannot be stored as " + std::string(column_type_name(column.type));
  const std::optional<double> number = number_in(text);
  const bool large = number && column_kind(column.type) == ColumnKind::real && !fits<double>(text, *number);
  if (large) return said + ": " + std::string(kTooLarge);
  const bool is_list = column_kind(column.type) == ColumnKind::text && text.starts_with('[');
  return is_list ? said + ": a list is kept as its texts with " + kItemSeparator + " between, so give texts without it"
                 : said;
}

void DocumentValues::declare(std::string_view name, ColumnType type) {
  Slot& slot = slots_[slot_of(name)];
  slot.declares_others = slot.declares_others || (slot.declared && *slot.declared != type);
  slot.declared = type;
}

void DocumentValues::set_default(std::string_view name, ValueKind kind, std::string_view text) {
  Slot& slot = slots_[slot_of(name)];
  slot.otherwise = {kind, std::string(text), true};
}

std::string DocumentValues::end_row() {
  ++rows_;
  next_ = 0;
  for (ColumnValues& column : table_.columns) {
    Slot& slot = slots_[static_cast<std::size_t>(&column - table_.columns.data())];
    const Cell& cell = slot.cell.present ? slot.cell : slot.otherwise;
    if (std::exchange(slot.twice, false)) return two_values_of(slot.name);
    if (!cell.present) {
      column.push_absent();
    } else if (!put_value(column, cell.kind, cell.text)) {
      return misfit(column, cell.text);
    } else if (slot.may_round && rounds_last(column, cell.text)) {
      slot.rounded = true;
    }
    slot.cell.present = false;
  }
  return {};
}

void DocumentValues::forget(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) slots_[found->second].kinds = 0;
}

std::vector<FoundValues> DocumentValues::found() const {
  std::vector<FoundValues> found;
  const auto add = [&](const Slot& slot, unsigned kinds) {
    found.push_back({slot.name, type_of(kinds), (kinds & ~bit_of(ValueKind::null)) == 0});
  };
  const auto with_default = [](const Slot& slot) {
    return slot.kinds | (slot.otherwise.present ? bit_of(slot.otherwise.kind) : 0);
  };
  for (const std::size_t number : order_) {
    if (slots_[number].kinds != 0) add(slots_[number], with_default(slots_[number]));
  }
  for (const Slot& slot : slots_) {
    if (slot.kinds == 0 && slot.otherwise.present && rows_ > 0) {
      add(slot, with_default(slot));
    } else if (slot.kinds == 0 && slot.declared && !slot.declares_others) {
      found.push_back({slot.name, slot.declared, true});
    }
  }
  return found;
}

std::vector<std::string> DocumentValues::guesses() const {
  std::vector<std::string> guesses;
  for (const Slot& slot : slots_) {
    if (slot.rounded) guesses.push_back(rounding_guess(slot.name, table_.columns[slot.column].type));
  }
  return guesses;
}

void DocumentWeights::add(std::string_view text, bool is_integer) {
  const double weight = number_in(text).value_or(1);
  if (!odd_ && !fits<double>(text, weight)) odd_ = std::string(text);
  constexpr double kBound = 2147483648.0;
  if (values_.empty()) {
    values_.assign(rows_, 1);
    given_.assign(rows_, 0);
  }
  ++rows_;
  values_.push_back(weight);
  given_.push_back(1);
  great_ += is_integer && std::abs(weight) >= kFirstRounded<double> ? 1 : 0;
  whole_ = whole_ && is_integer && weight > -kBound && weight < kBound;
}

void DocumentWeights::add_text(std::string_view text) {
  const std::string_view trimmed = without_blanks(text);
  if (number_in(trimmed)) return add(trimmed, is_whole(trimmed));
  add_none();
  if (!odd_) odd_ = std::string(text);
}

WeightType DocumentWeights::type() const noexcept {
  if (values_.empty() || odd_) return WeightType::none;
  return whole_ ? WeightType::int32 : WeightType::float64;
}

void Document::finish(bool integers) {
  if (vertices.empty() && sources.empty()) {
    ids_ = IdKind::dense;
  } else if (!integers) {
    ids_ = IdKind::string;
  } else {
    std::vector<bool> known(names.size());
    std::uint64_t count = 0;
    for (const auto* column : {&vertices, &sources, &targets}) {
      for (const std::uint32_t name : *column) {
        count += known[name] ? 0 : 1;
        known[name] = true;
      }
    }
    bool dense = true;
    for (std::uint32_t name = 0; name < names.size() && dense; ++name) {
      std::int64_t number = 0;
      dense = !known[name] ||
              (is_integer(names[name], number) && number >= 0 && static_cast<std::uint64_t>(number) < count);
    }
    ids_ = dense ? IdKind::dense : IdKind::integer;
  }
}

Status Document::deliver(const ReadRequest& request, IdKind ids, BatchSink& sink) const {
  RIZOMA_ASSIGN(const Ids column, Ids::create(*this, request, ids));
  for (std::size_t begin = 0; begin < vertices.size(); begin += kBatch) {
    const std::size_t end = std::min(vertices.size(), begin + kBatch);
    IdColumn rows = column.column(std::span(vertices).subspan(begin, end - begin));
    if (vertex_values.table().empty()) {
      RIZOMA_TRY(sink.vertices(std::move(rows)));
    } else {
      RIZOMA_TRY(sink.vertex_values(std::move(rows), slice(vertex_values.table(), begin, end)));
    }
  }
  const bool wants_both = request.options.directed.value_or(directed);
  for (std::size_t begin = 0; begin < sources.size(); begin += kBatch) {
    const std::size_t end = std::min(sources.size(), begin + kBatch);
    EdgeBatch batch{column.column(std::span(sources).subspan(begin, end - begin)),
                    column.column(std::span(targets).subspan(begin, end - begin)),
                    {},
                    slice(edge_values.table(), begin, end)};
    if (!weights.values().empty()) {
      const auto some = std::span(weights.values()).subspan(begin, end - begin);
      batch.weights.assign(some.begin(), some.end());
      if (weights.missing() > 0) mark_weights(batch, std::span(weights.given()).subspan(begin, end - begin));
    }
    EdgeBatch reverse;
    if (wants_both) reverse = reversed(batch, both_ways(begin, end));
    RIZOMA_TRY(deliver_edges(sink, std::move(batch)));
    RIZOMA_TRY(deliver_edges(sink, std::move(reverse)));
  }
  return {};
}

/// Rows of a batch, counted from its first, whose edges count in both directions.
std::vector<std::uint64_t> Document::both_ways(std::size_t begin, std::size_t end) const {
  std::vector<std::uint64_t> rows;
  for (std::size_t edge = begin; edge < end; ++edge) {
    const bool both = directed ? edge < undirected.size() && undirected[edge] : says_undirected;
    if (both && sources[edge] != targets[edge]) rows.push_back(edge - begin);
  }
  return rows;
}

namespace {

/// Fails if weights are asked for, and some are odd or all are missing; else says what is so.
Status settle_weights(const ReadRequest& request, const Document& document, FileSummary& summary) {
  const DocumentWeights& weights = document.weights;
  summary.weights = weights.type();
  if (weights.odd()) {
    const bool large = number_in(*weights.odd()).has_value();
    const std::string odd =
        "an edge is " + shown(*weights.odd()) + (large ? ", which is beyond 1.8e308" : ", which is not a number");
    if (request.options.weighted) {
      return Error{ErrorCode::parse, request.file.string() + ": the weight of " + odd +
                                         "; correct it, or read it without weights (weights=False)"};
    }
    summary.guesses.push_back("'weight' is not read as the weight, because that of " + odd);
  } else if (summary.weights == WeightType::none) {
    return expect_weights(request, false, summary.num_edges > 0);
  } else if (weights.missing() > 0) {
    summary.guesses.push_back(std::to_string(weights.missing()) + " of " + std::to_string(summary.num_edges) +
                              " edges have no weight: each of them weighs 1, or keeps the weight that the edge has");
  }
  if (weights.great() > 0) summary.guesses.push_back(great_weights_guess(weights.great()));
  return {};
}

}  // namespace

Result<FileSummary> inspect_document(const ReadRequest& request, Result<Document> (*parse)(const ReadRequest&)) {
  RIZOMA_ASSIGN(Document parsed, parse(request));
  const auto document = std::make_shared<const Document>(std::move(parsed));
  FileSummary summary{.directed = request.options.directed.value_or(document->directed)};
  RIZOMA_ASSIGN(summary.bytes, file_bytes(request.file));
  summary.ids = request.options.ids.value_or(document->ids());
  if (document->directed && !summary.directed) {
    summary.notes.emplace_back(kReadWithoutDirection);
  } else if (!document->undirected.empty()) {
    summary.notes.emplace_back(
        "some edges have a direction and others none; those without one count in both directions");
  }
  summary.num_vertices = document->vertices.size();
  summary.num_edges = document->sources.size();
  summary.edge_values = document->edge_values.found();
  summary.vertex_values = document->vertex_values.found();
  summary.guesses = document->guesses;
  summary.notes.insert(summary.notes.end(), document->notes.begin(), document->notes.end());
  std::string unread;
  for (const std::string& name : document->of_graph) unread += (unread.empty() ? "\"" : ", \"") + name + '"';
  if (!unread.empty()) summary.notes.push_back("not read, of the graph itself: " + unread);
  for (const DocumentValues* values : {&document->edge_values, &document->vertex_values})
    for (const std::string& guess : values->guesses()) summary.guesses.push_back(guess);
  RIZOMA_TRY(settle_weights(request, *document, summary));
  summary.document = document;
  return summary;
}

namespace {

/// Fails if no record has a column that is to be kept.
Status check_kept(const ReadRequest& request, const std::vector<KeptColumn>& kept,
                  const std::vector<FoundValues>& found, std::uint64_t rows) {
  std::set<std::string> names;
  for (const FoundValues& each : found) names.insert(each.name);
  for (const KeptColumn& column : kept) {
    if (rows == 0 || names.contains(column.name)) continue;
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Error{ErrorCode::invalid_argument, request.file.string() + " has no values called " + shown(column.name) +
                                                  " (there are " + (known.empty() ? "none" : known) + ")"};
  }
  return {};
}

}  // namespace

Status read_document(const ReadRequest& request, const FileSummary& summary, Executor& /*executor*/, BatchSink& sink) {
  RIZOMA_CHECK(summary.document != nullptr);
  const Document& document = *summary.document;
  RIZOMA_TRY(check_kept(request, request.options.edge_columns, summary.edge_values, summary.num_edges));
  RIZOMA_TRY(check_kept(request, request.options.vertex_columns, summary.vertex_values, summary.num_vertices));
  return document.deliver(request, request.options.ids.value_or(summary.ids), sink);
}

}  // namespace rizoma
