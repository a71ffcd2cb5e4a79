#include "store/loading/share_loader.h"

#include "platform/mutex.h"
#include "store/columns/column_rules.h"
#include "store/disk_format.h"
#include "store/loading/bulk_load_degrees.h"
#include "store/loading/bulk_load_edges.h"
#include "store/loading/share_file.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma {
namespace {

using namespace bulk;

using Numbers = std::vector<std::uint32_t>;

constexpr VertexId kIdsAtOnce = VertexId{1} << 16;

Error too_many_edges() {
  return {ErrorCode::unsupported, "a vertex has 2^32 or more edges, which a section cannot hold"};
}

/// The decisions of the first rank, as its file has them, before the end of each rank's vertices.
struct PlanHead {
  VertexId num_vertices = 0;
  std::uint64_t section_bits = 0;
  std::uint64_t ordered = 0;  ///< vertices get new numbers
};

struct Plan {
  PlanHead head;
  std::vector<VertexId> ends;  ///< of each rank's vertices

  [[nodiscard]] VertexRange of(unsigned rank) const { return {rank == 0 ? 0 : ends[rank - 1], ends[rank]}; }
};

/// Runs of sections with about equally many entries.
std::vector<VertexId> ends_of_ranks(const SharedPlan& plan, unsigned ranks) {
  const VertexId size = VertexId{1} << plan.shape.section_bits;
  const EdgeCount all = sum(plan.out) + sum(plan.in);
  std::vector<VertexId> ends;
  EdgeCount before = 0;
  for (VertexId begin = 0; begin < plan.out.size(); begin += size) {
    const VertexId end = std::min<VertexId>(begin + size, plan.out.size());
    EdgeCount here = sum(std::span(plan.out).subspan(begin, end - begin));
    if (!plan.in.empty()) here += sum(std::span(plan.in).subspan(begin, end - begin));
    // A section belongs to the rank in whose part its middle lies.
    while (ends.size() + 1 < ranks && (2 * before + here) * ranks >= 2 * all * (ends.size() + 1)) ends.push_back(begin);
    before += here;
  }
  ends.resize(ranks, plan.out.size());
  ends.back() = plan.out.size();
  return ends;
}

/// An id column as a block of bytes.
std::vector<std::byte> packed(const IdColumn& ids) {
  std::vector<std::byte> bytes;
  const auto put = [&](const void* data, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
  };
  if (const auto* const numbers = std::get_if<std::vector<std::int64_t>>(&ids)) {
    put(numbers->data(), numbers->size() * sizeof(std::int64_t));
    return bytes;
  }
  const auto& texts = std::get<StringColumn>(ids);
  const std::uint64_t rows = size(ids);
  put(&rows, sizeof(rows));
  put(texts.offsets.data(), texts.offsets.size() * sizeof(texts.offsets[0]));
  put(texts.bytes.data(), texts.bytes.size());
  return bytes;
}

/// Restores the column; the checksum of its block was correct.
IdColumn unpacked(std::span<const std::byte> bytes, IdKind kind) {
  if (kind == IdKind::integer) {
    std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  std::uint64_t rows = 0;
  std::memcpy(&rows, bytes.data(), sizeof(rows));
  StringColumn texts;
  texts.offsets.resize(rows + 1);
  const std::size_t size = texts.offsets.size() * sizeof(texts.offsets[0]);
  std::memcpy(texts.offsets.data(), bytes.data() + sizeof(rows), size);
  const std::span<const std::byte> rest = bytes.subspan(sizeof(rows) + size);
  texts.bytes.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
  return texts;
}

/// Writes images to a file: of each its description, then its bytes.
class ImageFile final : public LoadTarget {
 public:
  ImageFile(Medium& folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  Status begin(const LoadShape&) override { return {}; }
  Status put(const ImageSpec& spec, std::span<const std::byte> image) override {
    const MutexLock lock(mutex_);
    if (!file_) {
      RIZOMA_ASSIGN(file_, ShareFile::create(folder_, name_));
    }
    RIZOMA_TRY(file_->write(std::as_bytes(std::span(&spec, 1))));
    return file_->write(image);
  }
  Status put_dictionary(std::span<const std::byte>) override { return {}; }
  Status publish(const LoadTotals& totals) override {
    totals_.num_entries += totals.num_entries;
    totals_.num_self_loops += totals.num_self_loops;
    return {};
  }

  [[nodiscard]] const LoadTotals& totals() const noexcept { return totals_; }

 private:
  Medium& folder_;
  const std::string name_;
  Mutex mutex_{LockLevel::output};
  std::optional<ShareFile> file_ RIZOMA_GUARDED_BY(mutex_);
  LoadTotals totals_;
};

}  // namespace

struct ShareLoader::Impl {
  Impl(const GraphSchema& graph_schema, const SharePlace& share_place, ShareFile edges_file)
      : schema(graph_schema),
        place(share_place),
        folder(*share_place.folder),
        nowhere(folder, own("images")),
        edges(std::move(edges_file)),
        loader(std::make_unique<BulkLoader>(schema, settings(), nowhere)) {}

  [[nodiscard]] LoadSettings settings() const {
    LoadSettings all;
    all.order = VertexOrder::given;
    all.memory_limit = place.memory_limit;
    all.stays_dense = true;
    all.spill = place.folder;
    return all;
  }
  [[nodiscard]] static std::string name(unsigned rank, const std::string& what) {
    return std::to_string(rank) + "." + what;
  }
  [[nodiscard]] std::string own(const std::string& what) const { return name(place.rank, what); }
  [[nodiscard]] static std::string entries_name(unsigned from, unsigned to, Direction direction) {
    return name(from, name(to, direction == Direction::out ? "out" : "in"));
  }

  Status write_edges() {
    return loader->take_edges([&](std::span<const std::byte> records) { return edges->write(records); });
  }
  Status end();
  Status merge(BulkLoader& whole);
  Status count();
  Status plan(BulkLoader& whole, Executor& executor);
  Status send();
  Status build(Executor& executor);
  Status build_side(Direction direction, const Plan& plan, ImageFile& images, Executor& executor);
  Status publish(LoadTarget& target);

  /// Calls `run` with a record of the edges' kind.
  template <class Run>
  Status with_record(Run&& run) const {
    switch (weight_bytes(schema.weights)) {
      case 4: return run(Edge<std::uint32_t, std::uint32_t>{});
      case 8: return run(Edge<std::uint32_t, std::uint64_t>{});
      default: return run(Edge<std::uint32_t, NoBits>{});
    }
  }
  template <class Record>
  Status count_records(std::span<const std::uint32_t> numbers, DegreeCounts& counts) const;
  template <class Record>
  Status send_records(const Plan& plan, std::span<const std::uint32_t> numbers);
  /// Numbers in the whole graph by those of this share; none: they are the same.
  [[nodiscard]] Result<Numbers> numbers_of_share() const {
    if (schema.ids == IdKind::dense) return Numbers();
    return read_records<std::uint32_t>(folder, own("map"));
  }
  [[nodiscard]] Result<Plan> read_plan() const {
    Plan found;
    RIZOMA_ASSIGN(const auto words, read_records<std::uint64_t>(folder, name(0, "plan")));
    if (words.size() != 3 + place.ranks)
      return Error{ErrorCode::corrupt, "the plan of this import has an unknown form; import again"};
    found.head = {words[0], words[1], words[2]};
    found.ends.assign(words.begin() + 3, words.end());
    return found;
  }

  const GraphSchema schema;
  const SharePlace place;
  Medium& folder;
  ImageFile nowhere;                   ///< where a loader that only numbers would put what it never makes
  std::optional<ShareFile> edges;      ///< until its end, too: once it is removed its space is to be free
  std::unique_ptr<BulkLoader> loader;  ///< of this share, until its end
};

Status ShareLoader::Impl::end() {
  const LoadShare mine = loader->share();
  RIZOMA_TRY(write_records<LoadShare>(folder, own("share"), std::span(&mine, 1)));
  RIZOMA_ASSIGN(ShareFile file, ShareFile::create(folder, own("ids")));
  if (schema.ids == IdKind::dense) {
    const IdColumn given = loader->given_alone();
    if (size(given) > 0) RIZOMA_TRY(file.write(packed(given)));
  } else {
    for (VertexId v = 0; v < mine.vertices; v += kIdsAtOnce) {
      RIZOMA_TRY(file.write(packed(loader->ids({v, std::min(v + kIdsAtOnce, mine.vertices)}))));
    }
  }
  loader.reset();
  edges.reset();
  return {};
}

Status ShareLoader::Impl::merge(BulkLoader& whole) {
  LoadShare all;
  for (unsigned r = 0; r < place.ranks; ++r) {
    RIZOMA_ASSIGN(const auto share, read_records<LoadShare>(folder, name(r, "share")));
    if (share.size() != 1) return Error{ErrorCode::corrupt, "a share of this import has an unknown form; import again"};
    all.vertices = std::max(all.vertices, share[0].vertices);
    all.named = std::max(all.named, share[0].named);
    all.given = std::max(all.given, share[0].given);
    all.edges += share[0].edges;
  }
  RIZOMA_TRY(whole.expect(all));
  for (unsigned r = 0; r < place.ranks; ++r) {
    if (schema.ids == IdKind::dense) {
      RIZOMA_TRY(read_share_file(folder, name(r, "ids"), [&](std::span<const std::byte> block) {
        return whole.add_vertices(unpacked(block, IdKind::integer));
      }));
      continue;
    }
    RIZOMA_ASSIGN(auto map, create_records<std::uint32_t>(folder, name(r, "map")));
    const auto take = [&](std::span<const std::byte> block) -> Status {
      RIZOMA_ASSIGN(const std::vector<VertexId> numbers, whole.number(unpacked(block, schema.ids)));
      for (const VertexId number : numbers) RIZOMA_TRY(map.add(static_cast<std::uint32_t>(number)));
      return {};
    };
    RIZOMA_TRY(read_share_file(folder, name(r, "ids"), take));
    RIZOMA_TRY(map.finish());
  }
  const std::uint64_t vertices = whole.share().vertices;
  if (vertices > format::kMaxNarrowVertices) {
    return Error{ErrorCode::unsupported,
                 "several ranks cannot make a graph of 2^32 vertices or more; import it with one process"};
  }
  return write_records<std::uint64_t>(folder, name(0, "total"), std::span(&vertices, 1));
}

template <class Record>
Status ShareLoader::Impl::count_records(std::span<const std::uint32_t> numbers, DegreeCounts& counts) const {
  EdgeCount records = 0;
  RIZOMA_TRY(for_records<Record>(folder, own("edges"), [&](std::span<Record> some) -> Status {
    for (Record& record : some) {
      if (numbers.empty()) break;
      record.source = numbers[record.source];
      record.target = numbers[record.target];
    }
    count_edges<false>(std::span<const Record>(some), schema.directed, counts.out, counts.in, counts.distances);
    records += some.size();
    return {};
  }));
  // A counter that overflowed leaves the sum too small.
  const EdgeCount entries = schema.directed ? records : 2 * records - counts.distances.counts[0];
  return sum(counts.out) == entries && (!schema.directed || sum(counts.in) == entries) ? Status() : too_many_edges();
}

Status ShareLoader::Impl::count() {
  RIZOMA_ASSIGN(const auto total, read_records<std::uint64_t>(folder, name(0, "total")));
  DegreeCounts counts;
  counts.reach(total.empty() ? 0 : total[0], schema.directed);
  RIZOMA_ASSIGN(const Numbers numbers, numbers_of_share());
  RIZOMA_TRY(with_record([&]<class Record>(Record) { return count_records<Record>(numbers, counts); }));
  RIZOMA_TRY(write_records<EdgeCount>(folder, own("distances"), counts.distances.counts));
  RIZOMA_TRY(write_records<std::uint32_t>(folder, own("outs"), counts.out));
  return write_records<std::uint32_t>(folder, own("ins"), counts.in);
}

Status ShareLoader::Impl::plan(BulkLoader& whole, Executor& executor) {
  DegreeCounts counts;
  counts.reach(whole.share().vertices, schema.directed);
  const auto add = [&](const std::string& file, auto& to) -> Status {
    using Number = typename std::remove_reference_t<decltype(to)>::value_type;
    std::size_t at = 0;
    return for_records<Number>(folder, file, [&](std::span<const Number> some) -> Status {
      for (const Number number : some) {
        if (at == to.size() || number > std::numeric_limits<Number>::max() - to[at]) return too_many_edges();
        to[at++] += number;
      }
      return {};
    });
  };
  for (unsigned r = 0; r < place.ranks; ++r) {
    RIZOMA_TRY(add(name(r, "distances"), counts.distances.counts));
    RIZOMA_TRY(add(name(r, "outs"), counts.out));
    RIZOMA_TRY(add(name(r, "ins"), counts.in));
  }
  RIZOMA_ASSIGN(const SharedPlan made, whole.begin_shared(std::move(counts), executor));
  std::vector<std::uint64_t> words = {made.shape.num_vertices, made.shape.section_bits, made.rank.empty() ? 0U : 1U};
  for (const VertexId end : ends_of_ranks(made, place.ranks)) words.push_back(end);
  RIZOMA_TRY(write_records<std::uint32_t>(folder, name(0, "order"), made.rank));
  return write_records<std::uint64_t>(folder, name(0, "plan"), words);
}

template <class Record>
Status ShareLoader::Impl::send_records(const Plan& plan, std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> owner_of_section;
  for (unsigned r = 0; r < place.ranks; ++r) {
    const VertexId size = VertexId{1} << plan.head.section_bits;
    owner_of_section.resize((plan.ends[r] + size - 1) >> plan.head.section_bits, r);
  }
  std::vector<RecordFile<Record>> out, in;
  const bool both = schema.directed && schema.in_edges;
  for (unsigned r = 0; r < place.ranks; ++r) {
    RIZOMA_ASSIGN(auto file, create_records<Record>(folder, entries_name(place.rank, r, Direction::out)));
    out.push_back(std::move(file));
    if (!both) continue;
    RIZOMA_ASSIGN(auto turned, create_records<Record>(folder, entries_name(place.rank, r, Direction::in)));
    in.push_back(std::move(turned));
  }
  const auto owner = [&](const Record& entry) { return owner_of_section[entry.source >> plan.head.section_bits]; };
  const auto take = [&](std::span<Record> some) -> Status {
    for (Record& edge : some) {
      if (!numbers.empty()) edge = {numbers[edge.source], numbers[edge.target], edge.weight};
      const Record turned{edge.target, edge.source, edge.weight};
      RIZOMA_TRY(out[owner(edge)].add(edge));
      if (both) RIZOMA_TRY(in[owner(turned)].add(turned));
      if (!schema.directed && edge.source != edge.target) RIZOMA_TRY(out[owner(turned)].add(turned));
    }
    return {};
  };
  RIZOMA_TRY(for_records<Record>(folder, own("edges"), take));
  for (RecordFile<Record>& file : out) RIZOMA_TRY(file.finish());
  for (RecordFile<Record>& file : in) RIZOMA_TRY(file.finish());
  return folder.remove(own("edges"));
}

Status ShareLoader::Impl::send() {
  RIZOMA_ASSIGN(const Plan plan, read_plan());
  RIZOMA_ASSIGN(Numbers numbers, numbers_of_share());
  if (plan.head.ordered != 0) {
    RIZOMA_ASSIGN(Numbers order, read_records<std::uint32_t>(folder, name(0, "order")));
    if (schema.ids == IdKind::dense) {
      numbers = std::move(order);
    } else {
      for (std::uint32_t& number : numbers) number = order[number];
    }
  }
  return with_record([&]<class Record>(Record) { return send_records<Record>(plan, numbers); });
}

/// The sections of one direction: a list of entries is a graph of edges from its sources, whose in-edges are not
/// needed.
Status ShareLoader::Impl::build_side(Direction direction, const Plan& plan, ImageFile& images, Executor& executor) {
  GraphSchema entries = schema;
  entries.ids = IdKind::dense;
  entries.directed = true;
  entries.in_edges = false;
  entries.self_loops = SelfLoops::keep;  // those to be dropped have been
  entries.section_bits = static_cast<unsigned>(plan.head.section_bits);
  LoadSettings as_they_are = settings();
  as_they_are.stored_weights = true;
  as_they_are.direction = direction;
  BulkLoader owned(entries, as_they_are, images);
  if (plan.head.num_vertices > 0) {
    RIZOMA_TRY(owned.add_all_below(plan.head.num_vertices));
  }
  for (unsigned r = 0; r < place.ranks; ++r) {
    const std::string file = entries_name(r, place.rank, direction);
    RIZOMA_TRY(
        read_share_file(folder, file, [&](std::span<const std::byte> records) { return owned.add_entries(records); }));
    RIZOMA_TRY(folder.remove(file));
  }
  return owned.finish(executor);
}

Status ShareLoader::Impl::build(Executor& executor) {
  RIZOMA_ASSIGN(const Plan plan, read_plan());
  ImageFile images(folder, own("images"));
  if (!plan.of(place.rank).empty()) RIZOMA_TRY(build_side(Direction::out, plan, images, executor));
  const LoadTotals totals = images.totals();
  if (schema.directed && schema.in_edges && !plan.of(place.rank).empty())
    RIZOMA_TRY(build_side(Direction::in, plan, images, executor));
  return write_records<LoadTotals>(folder, own("totals"), std::span(&totals, 1));
}

Status ShareLoader::Impl::publish(LoadTarget& target) {
  LoadTotals all;
  for (unsigned r = 0; r < place.ranks; ++r) {
    RIZOMA_ASSIGN(const auto totals, read_records<LoadTotals>(folder, name(r, "totals")));
    for (const LoadTotals& some : totals) {
      all.num_entries += some.num_entries;
      all.num_self_loops += some.num_self_loops;
    }
    RIZOMA_ASSIGN(const bool any, folder.exists(name(r, "images")));
    if (!any) continue;
    std::optional<ImageSpec> spec;
    const auto take = [&](std::span<const std::byte> block) -> Status {
      if (spec) {
        RIZOMA_TRY(target.put(*spec, block));
        spec.reset();
      } else {
        std::memcpy(static_cast<void*>(&spec.emplace()), block.data(), std::min(block.size(), sizeof(ImageSpec)));
      }
      return {};
    };
    RIZOMA_TRY(read_share_file(folder, name(r, "images"), take));
    RIZOMA_TRY(folder.remove(name(r, "images")));
  }
  return target.publish(all);
}

ShareLoader::ShareLoader(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
ShareLoader::~ShareLoader() = default;

Result<std::unique_ptr<ShareLoader>> ShareLoader::create(const GraphSchema& schema, const SharePlace& place) {
  if (schema.rows)
    return Error{ErrorCode::unsupported, "several ranks cannot load edges with columns; import with one process"};
  RIZOMA_ASSIGN(ShareFile edges, ShareFile::create(*place.folder, Impl::name(place.rank, "edges")));
  return std::unique_ptr<ShareLoader>(new ShareLoader(std::make_unique<Impl>(schema, place, std::move(edges))));
}

Status ShareLoader::add(const EdgeBatch& edges) {
  RIZOMA_ASSIGN(const std::vector<std::uint8_t> gives_weight, weights_given(impl_->schema, edges));
  if (!gives_weight.empty()) {
    return Error{
        ErrorCode::unsupported,
        "several ranks cannot build a graph together of edges of which some have no weight; import it with one "
        "process"};
  }
  RIZOMA_TRY(impl_->loader->add(edges));
  return impl_->write_edges();
}
Status ShareLoader::add_vertices(const IdColumn& ids) { return impl_->loader->add_vertices(ids); }
Status ShareLoader::end() { return impl_->end(); }
Status ShareLoader::merge(BulkLoader& whole) { return impl_->merge(whole); }
Status ShareLoader::count() { return impl_->count(); }
Status ShareLoader::plan(BulkLoader& whole, Executor& executor) { return impl_->plan(whole, executor); }
Status ShareLoader::send() { return impl_->send(); }
Status ShareLoader::build(Executor& executor) { return impl_->build(executor); }
Status ShareLoader::publish(LoadTarget& target) { return impl_->publish(target); }

}  // namespace rizoma
