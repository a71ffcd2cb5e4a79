#include "store/dictionary/text_ids.h"
#include "store/loading/bulk_load.h"

#include "base/check.h"
#include "store/loading/bulk_load_impl.h"
#include "store/loading/bulk_load_plan.h"
#include "store/dictionary/dense_growth.h"
#include "store/dictionary/dictionary_segment.h"
#include "store/dictionary/dictionary_tail.h"
#include "store/disk_format.h"
#include "store/columns/column_rules.h"
#include "store/messages.h"
#include "store/validation/validation.h"
#include "store/sections/order.h"
#include "store/sections/weight_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <new>
#include <random>
#include <type_traits>
#include <utility>
#include <variant>

namespace rizoma {
namespace {

using namespace bulk;

constexpr std::size_t kPieceBytes = std::size_t{384} << 10;  // two arrays of this size fit a core's private cache
constexpr std::uint64_t kRounds = 12;
constexpr EdgeCount kSmallestRound = EdgeCount{1} << 20;
constexpr std::size_t kEndsAtOnce = 256;     // 4 KB
constexpr std::size_t kPartBeingFilled = 8;  // of edges in memory
constexpr std::size_t kAlwaysCells = 64;     // each round has one cell at least, so these are no burden

template <class Number>
std::vector<std::uint32_t> permuted(const std::vector<std::uint32_t>& degrees, std::span<const Number> order) {
  std::vector<std::uint32_t> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = degrees[order[i]];
  return result;
}

std::string fresh_name(std::string_view stem) {
  // Two stores may spill into one directory.
  return std::string(stem) + "." + std::to_string(std::random_device{}());
}

/// The ids of a batch must be of the graph's kind.
Status check_ends(const EdgeBatch& batch, const GraphSchema& schema) {
  if (batch.size() == 0 && rizoma::size(batch.targets) == 0) return {};  // of either kind
  const bool strings_given = std::holds_alternative<StringColumn>(batch.sources);
  if (strings_given != std::holds_alternative<StringColumn>(batch.targets) ||
      rizoma::size(batch.sources) != rizoma::size(batch.targets)) {
    return Error{ErrorCode::invalid_argument, "the columns of sources and targets differ in kind or length"};
  }
  if (strings_given != (schema.ids == IdKind::string)) {
    return Error{ErrorCode::invalid_argument,
                 strings_given
                     ? "the ids are strings, but the graph was created for integers; create it with ids=\"string\""
                     : "the ids are integers, but the graph was created for strings; convert the ids to strings"};
  }
  return {};
}

/// A batch must have the columns that the graph has; those of rows are checked as they are written.
Status check_columns(const EdgeBatch& batch, const GraphSchema& schema) {
  for (const ColumnValues& column : batch.columns.columns) {
    if (schema.rows || (schema.weights != WeightType::none && column.name == kWeightColumn)) continue;
    return Error{ErrorCode::invalid_argument, "the edges of this graph have no column '" + column.name + "'"};
  }
  const std::size_t expected = schema.weights == WeightType::none ? 0 : batch.size();
  if (batch.weights.size() != expected) {
    return Error{ErrorCode::invalid_argument,
                 schema.weights == WeightType::none
                     ? "the edges have weights, but the graph was created without; create it with weights"
                     : "the graph was created with weights, but " + std::to_string(batch.weights.size()) +
                           " came with " + std::to_string(batch.size()) + " edges"};
  }
  return {};
}

/// Divides each side into rounds and pieces; `most`: entries that a round may have.
void plan(std::vector<Side>& sides, const LoadShape& shape, EdgeCount piece_entries, EdgeCount most) {
  EdgeCount all = 0;
  for (const Side& side : sides) all += sum(side.degrees);
  EdgeCount round_entries = std::max(all / kRounds, kSmallestRound);
  round_entries = std::min(round_entries, most);
  for (Side& side : sides) side.plan = plan_load(side.degrees, shape.section_bits, piece_entries, round_entries);
}

/// Moves edges to wider records; `file`: where they were spilled, if they were.
template <class From, class To>
Status move_edges(EdgeBuffer<From>& from, EdgeBuffer<To>& to, SpillFile* file) {
  PageArray<From> read;
  for (EdgeChunk<From>& chunk : from.chunks()) {
    RIZOMA_ASSIGN(const std::span<const From> records, from.load(chunk, read));
    for (const From& record : records) {
      To& moved = to.room(1)[0];
      moved.source = record.source;
      moved.target = record.target;
      if constexpr (std::is_same_v<typename From::Bits, typename To::Bits>) {
        moved.weight = record.weight;
      } else {
        moved.weight = row_bits<typename To::Bits>(record.weight);
      }
      to.added(1);
    }
    RIZOMA_TRY(from.let_go(chunk));
    // What was spilled has been counted; it is spilled again without counting.
    if (chunk.spilled) RIZOMA_TRY(to.spill(*file));
  }
  return {};
}

/// Of edges that name rows by 32 bits: from here on by 64.
template <class Number>
Status widen_rows(AnyEdges<Number>& edges, std::size_t chunk_bytes, SpillFile* file) {
  AnyEdges<Number> narrow = std::exchange(edges, make_edges<Number>(sizeof(double), chunk_bytes));
  return move_edges(std::get<EdgeBuffer<Edge<Number, std::uint32_t>>>(narrow),
                    std::get<EdgeBuffer<Edge<Number, std::uint64_t>>>(edges), file);
}

}  // namespace

// ---- adding ----

template <class Get>
Status BulkLoader::Impl::add_texts(Get&& get, std::vector<VertexId>& numbers) {
  const VertexId before = strings->end();
  strings->find_or_add(numbers.size(), get, numbers.data());
  const Status texts = settings.stored_weights ? Status() : check_new_ids(get, numbers, before);
  if (!texts) strings->rollback(before);
  return texts ? need(strings->end()) : texts;
}

Status BulkLoader::Impl::add(const EdgeBatch& batch) {
  RIZOMA_TRY(check_ends(batch, schema));
  if (with_rows) {
    RIZOMA_ASSIGN(const std::vector<double> rows, row_numbers(batch));
    return batch.size() == 0 ? Status() : add_edges(batch, rows, {});
  }
  RIZOMA_TRY(check_columns(batch, schema));
  if (batch.size() == 0) return {};
  RIZOMA_ASSIGN(const std::vector<std::uint8_t> gives_weight, rizoma::weights_given(schema, batch));
  return add_edges(batch, batch.weights, gives_weight);
}

Status BulkLoader::Impl::add_edges(const EdgeBatch& batch, const std::vector<double>& weights,
                                   std::span<const std::uint8_t> gives_weight) {
  if (schema.ids == IdKind::dense) {
    const auto& sources = std::get<Integers>(batch.sources);
    const auto& targets = std::get<Integers>(batch.targets);
    const VertexId greatest = std::max(greatest_of(sources), greatest_of(targets));
    RIZOMA_TRY(leave_dense_if_far(greatest, 2 * batch.size()));
    if (schema.ids == IdKind::dense) return add_dense(sources, targets, greatest, weights, gives_weight);
  }
  // Source and target of each edge in turn, so that numbers follow first appearance.
  std::vector<VertexId> numbers(2 * batch.size());
  if (integers != nullptr) {
    const auto& sources = std::get<Integers>(batch.sources);
    const auto& targets = std::get<Integers>(batch.targets);
    integers->find_or_add(
        numbers.size(), [&](std::size_t i) { return (i % 2 == 0 ? sources : targets)[i / 2]; }, numbers.data());
    RIZOMA_TRY(need(integers->end()));
  } else {
    const auto& sources = std::get<StringColumn>(batch.sources);
    const auto& targets = std::get<StringColumn>(batch.targets);
    RIZOMA_TRY(add_texts([&](std::size_t i) { return (i % 2 == 0 ? sources : targets)[i / 2]; }, numbers));
  }
  const auto ends_of = [&](std::size_t i, std::span<Ends> ends) {
    for (Ends& end : ends) {
      end = {numbers[2 * i], numbers[2 * i + 1]};
      ++i;
    }
  };
  return add_numbers(batch.size(), ends_of, weights, gives_weight);
}

/// Negative ids, and ids so far apart that their numbers would be mostly gaps, are integers from here on: those before
/// have the numbers that they are, and those of them that nothing names go at the end (leave_out_unnamed).
Status BulkLoader::Impl::leave_dense_if_far(VertexId greatest, std::uint64_t count) {
  if (settings.stays_dense) return {};
  if (greatest < growth_limit(given.end(), num_added + (count + 1) / 2)) return {};
  integers = std::make_unique<DictionaryTail<std::int64_t>>(0);
  std::vector<VertexId> numbers(num_vertices);
  integers->find_or_add(numbers.size(), [](std::size_t i) { return static_cast<std::int64_t>(i); }, numbers.data());
  dense_end = num_vertices;
  schema.ids = IdKind::integer;
  return need(num_vertices);
}

Status BulkLoader::Impl::add_dense(const Integers& sources, const Integers& targets, VertexId greatest,
                                   const std::vector<double>& weights, std::span<const std::uint8_t> gives_weight) {
  if (greatest >= static_cast<VertexId>(kMaxDenseId)) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::int64_t bad = sources[i] < 0 || sources[i] >= kMaxDenseId ? sources[i] : targets[i];
      if (bad >= 0 && bad < kMaxDenseId) continue;
      return Error{ErrorCode::invalid_argument,
                   "edge " + std::to_string(num_added + i) + " (counted from 0) names the vertex " +
                       std::to_string(bad) + (bad < 0 ? ": dense ids cannot be negative" : ": dense ids end at 2^40") +
                       "; create the graph with ids=\"integer\""};
    }
  }
  if (!sources.empty()) {
    named_by_edges = std::max(named_by_edges, greatest + 1);
    RIZOMA_TRY(need(greatest + 1));
  }
  const auto ends_of = [&](std::size_t i, std::span<Ends> ends) {
    for (Ends& end : ends) {
      end = {static_cast<VertexId>(sources[i]), static_cast<VertexId>(targets[i])};
      ++i;
    }
  };
  return add_numbers(sources.size(), ends_of, weights, gives_weight);
}

namespace {

/// The rows of a batch that give their weight, or those that do not, with their weights.
struct MarkedRows {
  std::vector<std::size_t> rows;
  std::vector<double> weights;

  MarkedRows(const std::vector<double>& of_batch, std::span<const std::uint8_t> gives_weight, bool gives) {
    for (std::size_t i = 0; i < of_batch.size(); ++i) {
      if ((gives_weight[i] != 0) != gives) continue;
      rows.push_back(i);
      weights.push_back(of_batch[i]);
    }
  }
};

}  // namespace

/// Edges that do not give their weight come before all others, so that any other row of an edge replaces theirs.
Status BulkLoader::Impl::add_numbers(std::size_t count, EndsOf ends_of, const std::vector<double>& weights,
                                     std::span<const std::uint8_t> gives_weight) {
  for (std::size_t i = 0; i < gives_weight.size(); ++i) {
    if (!weight_fits(schema.weights, weights[i])) return refused_weight(schema.weights, weights[i], num_added + i);
  }
  const auto is_wide = [most = static_cast<double>(settings.most_narrow_rows)](double row) { return row > most; };
  if (schema.rows && !wide_rows && std::any_of(weights.begin(), weights.end(), is_wide)) {
    wide_rows = true;
    RIZOMA_TRY(std::visit([&](auto& any) { return widen_rows(any, memory.chunk_bytes(), spill_file.get()); }, edges));
  }
  const auto add = [&](std::size_t some, EndsOf of, const std::vector<double>& of_them, bool early) {
    const auto to = [&](auto& buffer) { return append(buffer, some, of, of_them, early); };
    return std::visit([&](auto& any) { return std::visit(to, any); }, edges);
  };
  if (gives_weight.empty()) RIZOMA_TRY(add(count, ends_of, weights, false));
  for (const bool early : {true, false}) {
    if (gives_weight.empty()) break;
    const MarkedRows some(weights, gives_weight, !early);
    const auto of_marked = [&](std::size_t i, std::span<Ends> ends) {
      for (std::size_t j = 0; j < ends.size(); ++j) ends_of(some.rows[i + j], ends.subspan(j, 1));
    };
    RIZOMA_TRY(add(some.rows.size(), of_marked, some.weights, early));
  }
  num_added += count;
  return {};
}

template <class Record>
Status BulkLoader::Impl::append(EdgeBuffer<Record>& buffer, std::size_t count, EndsOf ends_of,
                                const std::vector<double>& weights, bool early) {
  using Number = typename Record::Number;
  const bool drop = schema.self_loops == SelfLoops::drop;
  std::array<Ends, kEndsAtOnce> ends;
  for (std::size_t i = 0; i < count;) {
    const std::span<Record> room = buffer.room(std::min(count - i, kEndsAtOnce), early);
    ends_of(i, std::span(ends).first(room.size()));
    std::size_t kept = 0;
    for (std::size_t j = 0; j < room.size(); ++j, ++i) {
      const auto [source, target_vertex] = ends[j];
      Record& record = room[kept];
      record.source = static_cast<Number>(source);
      record.target = static_cast<Number>(target_vertex);
      if constexpr (Record::kWeighted) {
        using Bits = typename Record::Bits;
        if (!settings.stored_weights && !weight_fits(schema.weights, weights[i]))
          return refused_weight(schema.weights, weights[i], num_added + i);
        record.weight = schema.rows ? row_bits<Bits>(weights[i]) : weight_bits<Bits>(schema.weights, weights[i]);
      }
      const bool dropped = drop && source == target_vertex;
      if (dropped && may_have_gaps()) given.add(source);
      kept += !dropped;
    }
    buffer.added(kept);
    if (memory.limited() && buffer.memory_bytes() > memory.for_edges() / 2) RIZOMA_TRY(spill(buffer));
  }
  return {};
}

template <class Record>
Status BulkLoader::Impl::spill(EdgeBuffer<Record>& buffer) {
  RIZOMA_CHECK(settings.spill != nullptr);
  if (spill_file == nullptr) {
    RIZOMA_ASSIGN(spill_file, SpillFile::create(*settings.spill, fresh_name("edges")));
  }
  counts.reach(num_vertices, schema.directed);
  for (const EdgeChunk<Record>& chunk : buffer.chunks()) {
    if (!chunk.spilled)
      count_edges<false>(std::span<const Record>(chunk.edges()), schema.directed, counts.out, counts.in,
                         counts.distances);
  }
  const std::uint64_t before = spill_file->size();
  RIZOMA_TRY(buffer.spill(*spill_file));
  spilled_bytes += spill_file->size() - before;
  return {};
}

Status BulkLoader::Impl::add_entries(std::span<const std::byte> records) {
  auto& narrow = std::get<AnyEdges<std::uint32_t>>(edges);
  return std::visit(
      [&]<class Record>(EdgeBuffer<Record>& buffer) -> Status {
        const std::size_t count = records.size() / sizeof(Record);
        RIZOMA_CHECK(count * sizeof(Record) == records.size());
        for (std::size_t done = 0; done < count;) {
          const std::span<Record> room = buffer.room(count - done);
          std::memcpy(static_cast<void*>(room.data()), records.data() + done * sizeof(Record), room.size_bytes());
          buffer.added(room.size());
          done += room.size();
          if (memory.limited() && buffer.memory_bytes() > memory.for_edges() / 2) RIZOMA_TRY(spill(buffer));
        }
        num_added += count;
        return {};
      },
      narrow);
}

/// The graph has at least `size` vertices: numbers may have to be wider from now on.
Status BulkLoader::Impl::need(VertexId size) {
  num_vertices = std::max(num_vertices, size);
  RIZOMA_TRY(memory.hold(num_vertices, integers != nullptr ? 48 : strings != nullptr ? 96 : 0));
  const bool narrow = std::holds_alternative<AnyEdges<std::uint32_t>>(edges);
  return narrow && num_vertices > format::kMaxNarrowVertices ? widen() : Status{};
}

Status BulkLoader::Impl::widen() {
  Edges narrow = std::exchange(edges, make_edges<std::uint64_t>(bits_bytes(schema, wide_rows), memory.chunk_bytes()));
  const auto copy = [&]<class Narrow>(EdgeBuffer<Narrow>& from) -> Status {
    using Wide = Edge<std::uint64_t, typename Narrow::Bits>;
    return move_edges(from, std::get<EdgeBuffer<Wide>>(std::get<AnyEdges<std::uint64_t>>(edges)), spill_file.get());
  };
  return std::visit(copy, std::get<AnyEdges<std::uint32_t>>(narrow));
}

Result<std::vector<VertexId>> BulkLoader::Impl::number(const IdColumn& ids) {
  if (rizoma::size(ids) == 0) return std::vector<VertexId>();  // of either kind
  if (std::holds_alternative<StringColumn>(ids) != (schema.ids == IdKind::string)) {
    return Error{ErrorCode::invalid_argument, "the vertex ids are not of the kind that the graph was created for"};
  }
  if (schema.ids == IdKind::dense) {
    RIZOMA_TRY(leave_dense_if_far(greatest_of(std::get<Integers>(ids)), rizoma::size(ids)));
  }
  std::vector<VertexId> numbers(rizoma::size(ids));
  if (strings != nullptr) {
    const auto& column = std::get<StringColumn>(ids);
    RIZOMA_TRY(add_texts([&](std::size_t i) { return column[i]; }, numbers));
    return numbers;
  }
  const auto& column = std::get<Integers>(ids);
  if (integers != nullptr) {
    integers->find_or_add(column.size(), [&](std::size_t i) { return column[i]; }, numbers.data());
    RIZOMA_TRY(need(integers->end()));
    return numbers;
  }
  std::copy(column.begin(), column.end(), numbers.begin());
  for (const std::int64_t id : column) {
    if (id < 0 || id >= kMaxDenseId) {
      return Error{ErrorCode::invalid_argument,
                   "vertex id " + std::to_string(id) +
                       (id < 0 ? " is negative" : " is too large for dense ids (limit 2^40)") +
                       "; create the graph with ids=\"integer\""};
    }
    RIZOMA_TRY(need(static_cast<VertexId>(id) + 1));
    given.add(static_cast<VertexId>(id));
  }
  return numbers;
}

Status BulkLoader::Impl::add_vertices(const IdColumn& ids) {
  RIZOMA_ASSIGN(const std::vector<VertexId> numbers, number(ids));
  static_cast<void>(numbers);
  return {};
}

Status BulkLoader::Impl::add_all_below(VertexId end) {
  given.add_all_below(end);
  return need(end);
}

// ---- finishing ----

/// A single edge to an id far away would take memory for each number in between.
Status BulkLoader::Impl::check_gaps() const {
  if (named_by_edges <= growth_limit(given.end(), num_added)) return {};
  return Error{ErrorCode::invalid_argument, "an edge names vertex " + std::to_string(named_by_edges - 1) +
                                                ", but there are only " + std::to_string(num_added) +
                                                " edges, and ranks count the vertices of dense ids by the greatest id; "
                                                "for ids with gaps load with ids=\"integer\""};
}

template <class Record>
Status BulkLoader::Impl::count(EdgeBuffer<Record>& buffer, Executor& executor) {
  const EdgeCount before = buffer.size();
  if (buffer.spilled()) RIZOMA_TRY(spill(buffer));
  counts.reach(num_vertices, schema.directed);
  if (!buffer.spilled()) RIZOMA_TRY(count_in_memory(buffer, num_vertices, schema.directed, executor, counts));
  EdgeCount loops = counts.distances.counts[0];
  const EdgeCount entries = schema.directed ? before : 2 * before - loops;
  // A counter that overflowed leaves the sum too small.
  if (sum(counts.out) != entries || (schema.directed && sum(counts.in) != entries)) {
    return Error{ErrorCode::unsupported, "a vertex has 2^32 or more edges, which a section cannot hold"};
  }
  return {};
}

template <class Number>
Status BulkLoader::Impl::put_dictionary(std::span<const Number> order) {
  if (num_vertices == 0 || (schema.ids == IdKind::dense && order.empty())) return {};
  if (schema.ids == IdKind::dense) return target.put_dictionary(encode_permutation(order));
  if (integers == nullptr && strings == nullptr) {  // they were dense, and have gaps
    return target.put_dictionary(encode_integers(0, Integers(order.begin(), order.end())));
  }
  const auto in_order = [&](const auto& tail, auto& ids) {
    for (VertexId v = 0; v < num_vertices; ++v) ids[v] = tail[order.empty() ? v : order[v]];
  };
  if (integers != nullptr) {
    Integers ids(num_vertices);
    in_order(*integers, ids);
    integers.reset();
    return target.put_dictionary(encode_integers(0, ids));
  }
  std::vector<std::string_view> ids(num_vertices);
  in_order(*strings, ids);
  const std::vector<std::byte> segment = encode_strings(0, ids);
  strings.reset();
  return target.put_dictionary(segment);
}

/// A dense id becomes a vertex only if an edge or a vertex names it: unnamed ids get no final number, and the graph's
/// ids become integers.
template <class Number>
void BulkLoader::Impl::leave_out_unnamed(std::vector<Number>& order) {
  if (schema.ids == IdKind::dense) dense_end = num_vertices;
  const auto is_named = [&](VertexId v) {
    return v >= dense_end || given.contains(v) || counts.out[v] != 0 || (schema.directed && counts.in[v] != 0);
  };
  VertexId named = 0;
  for (VertexId v = 0; v < num_vertices; ++v) named += is_named(v) ? 1 : 0;
  if (named == num_vertices) return;
  if (order.empty()) {
    order.resize(num_vertices);
    std::iota(order.begin(), order.end(), Number{0});
  }
  std::erase_if(order, [&](Number v) { return !is_named(v); });
  num_vertices = named;
  schema.ids = IdKind::integer;
}

/// Degrees by final number, and the section bits that suit them.
template <class Number>
std::vector<Side> BulkLoader::Impl::make_sides(LoadShape& shape, std::span<const Number> order) {
  const auto final_degrees = [&](std::vector<std::uint32_t>& degrees) {
    std::vector<std::uint32_t> taken = std::move(degrees);
    return order.empty() ? taken : permuted<Number>(taken, order);
  };
  std::vector<Side> sides(1);
  sides[0].direction = settings.direction;
  sides[0].backward = !schema.directed;
  sides[0].degrees = final_degrees(counts.out);
  if (schema.directed && schema.in_edges) {
    sides.push_back({Direction::in, false, true, final_degrees(counts.in), {}});
  }
  counts = {};
  const std::size_t entry_bytes = sizeof(Number) + weight_bytes(schema.weights);
  const EdgeCount most =
      !memory.limited() ? std::numeric_limits<EdgeCount>::max() : memory.for_edges() / 4 / entry_bytes;
  shape.section_bits = schema.section_bits;
  for (const Side& side : sides) {
    if (schema.section_bits != 0) break;
    const unsigned bits = section_bits_for(side.degrees, most);
    shape.section_bits = shape.section_bits == 0 ? bits : std::min(shape.section_bits, bits);
  }
  return sides;
}

/// The edges -> cells, with their final numbers.
template <class Record>
Result<PartitionBuffers<Record>> BulkLoader::Impl::move_to_partitions(EdgeBuffer<Record>& buffer,
                                                                      std::span<const typename Record::Number> rank,
                                                                      const std::vector<Side>& sides,
                                                                      Executor& executor) {
  const Side& last = sides.back();  // the one that targets have entries in, if any has them
  const std::size_t room = buffer.spilled() ? memory.for_edges() / 4 : buffer.memory_bytes() / kPartBeingFilled;
  const std::size_t most = std::max(room / smallest_block(!buffer.spilled()), kAlwaysCells);
  PartitionMap map(sides.front().plan, last.backward ? &last.plan : nullptr, num_vertices, most);
  std::unique_ptr<SpillFile> file;
  if (buffer.spilled()) {
    RIZOMA_ASSIGN(file, SpillFile::create(*settings.spill, fresh_name("cells")));
  }
  PartitionBuffers<Record> cells(std::move(map), std::move(file), room);
  RIZOMA_TRY(cells.take(buffer, rank, executor));
  spill_file.reset();
  return cells;
}

template <class Number>
Result<Begun<Number>> BulkLoader::Impl::begin(const EdgesToOrder<Number>& loaded, const Executor& executor) {
  Begun<Number> made;
  made.shape.target_bytes = sizeof(Number);
  const VertexId provisional = num_vertices;
  const OrderFacts facts{schema, settings, counts, num_vertices, memory.for_edges()};
  RIZOMA_ASSIGN(std::vector<Number> order, decide_order(facts, loaded, executor, made.shape));
  if (may_have_gaps()) leave_out_unnamed(order);
  made.shape.num_vertices = num_vertices;
  made.shape.ids = schema.ids;
  made.sides = make_sides<Number>(made.shape, order);
  for (const Side& side : made.sides) {
    if (largest_section(side.degrees, made.shape.section_bits) <= std::numeric_limits<std::uint32_t>::max()) continue;
    return Error{ErrorCode::unsupported,
                 "a section would have 2^32 or more entries; create the graph with fewer section bits"};
  }
  RIZOMA_TRY(target.begin(made.shape));
  RIZOMA_TRY(put_dictionary<Number>(order));
  made.rank.resize(order.empty() ? 0 : provisional);
  for (std::size_t i = 0; i < order.size(); ++i) made.rank[order[i]] = static_cast<Number>(i);
  return made;
}

Result<SharedPlan> BulkLoader::Impl::begin_shared(DegreeCounts&& all, Executor& executor) {
  counts = std::move(all);
  const auto none = [](Neighbors<std::uint32_t>&) { return Status(); };
  RIZOMA_ASSIGN(auto made, begin(EdgesToOrder<std::uint32_t>{0, true, none}, executor));
  SharedPlan plan{made.shape, std::move(made.rank), std::move(made.sides[0].degrees), {}};
  if (made.sides.size() > 1) plan.in = std::move(made.sides[1].degrees);
  return plan;
}

template <class Record>
Status BulkLoader::Impl::run(EdgeBuffer<Record>& buffer, Executor& executor) {
  RIZOMA_TRY(executor.report("sort", 0, static_cast<double>(buffer.size())));
  RIZOMA_TRY(count(buffer, executor));
  using Number = typename Record::Number;
  const auto add_to = [&](Neighbors<Number>& neighbors) { return neighbors.add(buffer, executor); };
  const EdgesToOrder<Number> loaded{buffer.size(), !buffer.spilled(), add_to};
  RIZOMA_ASSIGN(Begun<Number> begun, begin(loaded, executor));
  auto& [shape, rank, sides] = begun;
  const BuildSettings build{schema, shape, kPieceBytes / sizeof(Record), weight_size<Record>};
  const EdgeCount most =
      !memory.limited() ? std::numeric_limits<EdgeCount>::max() : memory.for_edges() / 4 / sizeof(Record);
  plan(sides, shape, build.piece_entries, most);
  RIZOMA_ASSIGN(PartitionBuffers<Record> cells, move_to_partitions<Record>(buffer, rank, sides, executor));
  rank = decltype(begun.rank)();  // an empty list of initializers would keep the memory

  Builder<Record> builder(build, executor, target, cells);
  return builder.build_all(sides);
}

Status BulkLoader::Impl::finish(Executor& executor) {
  RIZOMA_TRY(check_gaps());
  return std::visit([&](auto& any) { return std::visit([&](auto& buffer) { return run(buffer, executor); }, any); },
                    edges);
}

// ---- the class ----

namespace {

/// Runs `step`; memory that is missing is an Error.
template <class Step>
Status guarded(Step&& step) {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory,
                 "not enough memory for the load; set a memory limit, or if ids are few but large, create the graph "
                 "with ids=\"integer\""};
  } catch (const std::length_error&) {
    return Error{ErrorCode::out_of_memory,
                 "the ids are too large for a graph with dense ids; create it with ids=\"integer\""};
  }
}

}  // namespace

BulkLoader::BulkLoader(const GraphSchema& schema, const LoadSettings& settings, LoadTarget& target)
    : impl_(std::make_unique<Impl>(schema, settings, target)) {}
BulkLoader::~BulkLoader() = default;

std::uint64_t BulkLoader::spilled_bytes() const noexcept { return impl_->spilled_bytes; }

Status BulkLoader::add(const EdgeBatch& edges) {
  return guarded([&]() -> Status { return impl_->add(edges); });
}
Status BulkLoader::add_vertices(const IdColumn& ids) {
  return guarded([&] { return impl_->add_vertices(ids); });
}
Status BulkLoader::add_all_below(VertexId end) {
  return guarded([&] { return impl_->add_all_below(end); });
}
Status BulkLoader::finish(Executor& executor) {
  return guarded([&] { return impl_->finish(executor); });
}

Status BulkLoader::take_edges(FunctionRef<Status(std::span<const std::byte>)> take) { return impl_->take_edges(take); }
LoadShare BulkLoader::share() const noexcept { return impl_->share(); }
IdColumn BulkLoader::ids(VertexRange numbers) const { return impl_->ids(numbers); }
IdColumn BulkLoader::given_alone() const { return impl_->given_alone(); }
Result<std::vector<VertexId>> BulkLoader::number(const IdColumn& ids) { return impl_->number(ids); }
Status BulkLoader::expect(const LoadShare& all) { return impl_->expect(all); }
Result<SharedPlan> BulkLoader::begin_shared(DegreeCounts&& all, Executor& executor) {
  return impl_->begin_shared(std::move(all), executor);
}
Status BulkLoader::add_entries(std::span<const std::byte> records) { return impl_->add_entries(records); }

// ---- rebuilding ----

namespace {

/// Weight of entry `e` of an array.
double weight_at(const void* weights, WeightType type, std::uint32_t e) {
  switch (type) {
    case WeightType::int32: return static_cast<const std::int32_t*>(weights)[e];
    case WeightType::float32: return static_cast<double>(static_cast<const float*>(weights)[e]);
    case WeightType::float64: return static_cast<const double*>(weights)[e];
    case WeightType::none: break;
  }
  return 0;
}

/// The edges of one section, an undirected edge where its smaller end lies.
template <class Target>
void list_edges(const Adjacency<Target>& out, SectionId section, const GraphView& view, std::vector<Ends>& pairs,
                std::vector<double>& weights) {
  pairs.clear();
  weights.clear();
  const VertexRange range = out.range_of(section);
  const SectionEdges<Target>& edges = out.section(section);
  for (VertexId v = range.begin; v < range.end; ++v) {
    const auto list = edges.list(v - range.begin);
    for (std::uint32_t e = list.begin; e < list.end; ++e) {
      if (!view.directed() && list.targets[e] < v) continue;
      pairs.emplace_back(v, list.targets[e]);
      if (view.weight_type() != WeightType::none) weights.push_back(weight_at(list.weights, view.weight_type(), e));
    }
  }
}

}  // namespace

/// Dense graphs are loaded by id, so that "as given" means the ids again.  Gives the number of each
/// vertex in the load; empty: its own.
Result<std::vector<VertexId>> BulkLoader::Impl::add_dense(const GraphView& view, const DictionaryView& ids) {
  RIZOMA_TRY(add_all_below(view.num_vertices()));
  if (ids.is_identity()) return std::vector<VertexId>();
  RIZOMA_ASSIGN(const IdColumn column, ids.ids(VertexRange{0, view.num_vertices()}));
  const auto& external = std::get<Integers>(column);
  RIZOMA_TRY(validate_permutation(external, "the dictionary"));
  return std::vector<VertexId>(external.begin(), external.end());
}

/// Other graphs are loaded without the removed vertices.  As add_dense.
Result<std::vector<VertexId>> BulkLoader::Impl::add_live(const GraphView& view, const DictionaryView& ids) {
  constexpr VertexId kSlice = VertexId{1} << 20;
  const bool holes = view.num_live() < view.num_vertices();
  std::vector<VertexId> numbers(holes ? view.num_vertices() : 0, kNoVertex), slice;
  VertexId next = 0;
  for (VertexId v = 0; v < view.num_vertices(); v += kSlice) {
    slice.clear();
    for (VertexId u = v; u < std::min(v + kSlice, view.num_vertices()); ++u) {
      if (!view.is_live(u)) continue;
      slice.push_back(u);
      if (holes) numbers[u] = next++;
    }
    RIZOMA_ASSIGN(const IdColumn column, ids.ids(slice));
    RIZOMA_TRY(add_vertices(column));
  }
  if (num_vertices != view.num_live())
    return corrupt("the dictionary", "gives two vertices one id; run `rizoma check`");
  return numbers;
}

Status BulkLoader::Impl::add_view(const GraphView& view, const DictionaryView& ids, const Executor& executor) {
  const bool stored = std::exchange(settings.stored_weights, true);
  Status added = add_lists(view, ids, executor);
  settings.stored_weights = stored;
  return added;
}

Status BulkLoader::Impl::add_lists(const GraphView& view, const DictionaryView& ids, const Executor& executor) {
  RIZOMA_ASSIGN(const std::vector<VertexId> numbers,
                schema.ids == IdKind::dense ? add_dense(view, ids) : add_live(view, ids));
  const auto number = [&](VertexId v) { return numbers.empty() ? v : numbers[v]; };
  return view.with_out([&](const auto& out) -> Status {
    std::vector<Ends> pairs;
    std::vector<double> weights;
    const auto ends_of = [&](std::size_t i, std::span<Ends> ends) {
      for (Ends& end : ends) {
        end = {number(pairs[i].first), number(pairs[i].second)};
        ++i;
      }
    };
    for (SectionId s = 0; s < out.num_sections(); ++s) {
      if (executor.stopping()) return order_stopped();
      list_edges(out, s, view, pairs, weights);
      RIZOMA_TRY(add_numbers(pairs.size(), ends_of, weights));
    }
    return {};
  });
}

Status BulkLoader::add_graph(const GraphView& view, const DictionaryView& ids, const Executor& executor) {
  return guarded([&] { return impl_->add_view(view, ids, executor); });
}

Status rebuild(const GraphSchema& schema, const GraphView& view, const DictionaryView& ids,
               const LoadSettings& settings, Executor& executor, LoadTarget& target) {
  BulkLoader loader(schema, settings, target);
  RIZOMA_TRY(loader.add_graph(view, ids, executor));
  return loader.finish(executor);
}

}  // namespace rizoma
