// Store: creating, opening and recovering.
#include "store/store.h"

#include "base/check.h"
#include "store/data_file.h"
#include "store/messages.h"
#include "store/spill.h"
#include "store/store_id.h"
#include "store/superblock.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace rizoma {
namespace {

/// The whole of a file, aligned to 8 bytes.
Result<std::vector<std::uint64_t>> read_words(Medium& medium, const std::string& name, std::size_t& bytes) {
  RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(bytes, file->size());
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  RIZOMA_TRY(file->read(0, std::as_writable_bytes(std::span(words)).first(bytes)));
  return words;
}

Status check_schema(const GraphSchema& schema) {
  if (schema.section_bits != 0 &&
      (schema.section_bits < format::kMinSectionBits || schema.section_bits > format::kMaxSectionBits)) {
    return Error{ErrorCode::invalid_argument, "section_bits must be 0 or between 2 and 20, not " +
                                                  std::to_string(schema.section_bits)};
  }
  return {};
}

/// What a bulk load left behind that a crash cut off.
void remove_spill_files(Medium& medium) {
  const auto names = medium.list();
  if (!names) return;
  for (const std::string& name : *names) {
    if (name.starts_with(kSpillPrefix) && !medium.remove(name)) return;
  }
}

bool is_our_name(const std::string& name) {
  return name == kDataName || name.starts_with("superblock") || name.starts_with("manifest.") || name.starts_with("log.") ||
         name.starts_with(kSpillPrefix);
}

}  // namespace

/// Applies the operations of a log to a store that is being opened.
class Store::Replayer final : public LogVisitor {
 public:
  explicit Replayer(Store& store) : store_(store) {}

  Status vertices(VertexId num_vertices) override {
    if (store_.schema_.ids != IdKind::dense || num_vertices > format::kMaxVertices) return impossible();
    store_.dictionary_->grow(num_vertices);
    return grown();
  }
  Status ids(const IdColumn& ids) override {
    const bool strings = std::holds_alternative<StringColumn>(ids);
    if (store_.schema_.ids != (strings ? IdKind::string : IdKind::integer)) return impossible();
    RIZOMA_TRY(store_.dictionary_->append(ids));
    return grown();
  }
  Status edges(const EdgeColumns& edges) override {
    const VertexId limit = store_.num_vertices_;
    const auto inside = [&](std::span<const VertexId> ends) {
      return std::all_of(ends.begin(), ends.end(), [&](VertexId v) { return v < limit; });
    };
    const bool weighted = store_.schema_.weights != WeightType::none;
    if (!inside(edges.sources) || !inside(edges.targets) || weighted != !edges.weights.empty()) return impossible();
    return store_.apply(edges, limit);
  }

 private:
  Status grown() {
    RIZOMA_TRY(store_.set_num_vertices(store_.dictionary_->size()));
    return store_.apply({}, store_.dictionary_->size());
  }
  [[nodiscard]] Error impossible() const {
    return corrupt(store_.medium_->describe() + "/" + log_name(store_.file_number_), "holds a change that does not fit the graph");
  }
  Store& store_;
};

std::shared_ptr<SectionContext> Store::make_context(Direction direction) const {
  auto context = std::make_shared<SectionContext>();
  context->data = data_;
  context->direction = direction;
  context->section_bits = schema_.section_bits;
  context->weights = schema_.weights;
  context->parallel_edges = schema_.parallel_edges;
  context->copy_extents = read_only_;
  context->where = medium_->describe() + "/" + kDataName;
  return context;
}

void Store::make_tables() {
  out_.emplace(make_context(Direction::out));
  out_->reserve(num_vertices_);
  in_.reset();
  if (!has_in()) return;
  in_.emplace(make_context(Direction::in));
  in_->reserve(num_vertices_);
}

Result<bool> Store::exists(Medium& medium) {
  RIZOMA_ASSIGN(const bool found, medium.exists(kSuperblockName));
  if (found) return true;
  RIZOMA_ASSIGN(const auto names, medium.list());
  for (const std::string& name : names) {
    // A creation that was cut off leaves no more than the first manifest, an empty log and no data.
    const bool begun = name == manifest_name(1) || name == "superblock.new";
    bool empty = name == log_name(1) || name == kDataName;
    if (empty) {
      RIZOMA_ASSIGN(const auto file, medium.open(name, FileMode::read));
      RIZOMA_ASSIGN(const std::uint64_t size, file->size());
      empty = size <= (name == kDataName ? 0 : sizeof(format::LogHeader));
    }
    if (begun || empty) continue;
    if (is_our_name(name)) {
      return corrupt(medium.describe(), "holds parts of a Rizoma store (" + name + ") but no superblock");
    }
    return Error{ErrorCode::already_exists, medium.describe() + " holds other files (" + name + ") and no Rizoma store"};
  }
  return false;
}

Result<std::unique_ptr<Store>> Store::create(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  RIZOMA_TRY(check_schema(options.schema));
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  RIZOMA_ASSIGN(store->lock_, store->medium_->lock_for_writing());
  RIZOMA_ASSIGN(const bool found, exists(*store->medium_));
  if (found) {
    return Error{ErrorCode::already_exists, "there is a graph at " + store->medium_->describe() + " already"};
  }
  RIZOMA_TRY(store->create_files());
  return store;
}

Status Store::create_files() {
  schema_ = options_.schema;
  bits_fixed_ = schema_.section_bits != 0;
  if (!bits_fixed_) schema_.section_bits = 14;
  if (!schema_.directed) schema_.in_edges = true;
  target_bytes_ = options_.min_target_bytes;
  store_id_ = make_store_id();
  RIZOMA_ASSIGN(auto data, medium_->open(kDataName, FileMode::create));
  RIZOMA_TRY(data->sync());
  data_ = std::make_shared<DataFile>(std::move(data));
  RIZOMA_TRY(data_->mark_in_use());
  dictionary_ = std::make_shared<Dictionary>(schema_.ids);
  make_tables();
  ManifestState state = manifest_state({});
  state.generation = 1;
  state.log_sequence = 1;
  const std::uint64_t number = next_file_number_++;
  RIZOMA_ASSIGN(Published published, write_manifest(*medium_, store_id_, state, number));
  RIZOMA_TRY(create_superblock(*medium_, superblock_for(store_id_, state, number)));
  adopt(std::move(published), state);
  return {};
}

Result<std::unique_ptr<Store>> Store::open(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  RIZOMA_ASSIGN(store->lock_, store->medium_->lock_for_writing());
  RIZOMA_TRY(store->recover());
  remove_spill_files(*store->medium_);
  remove_stale_files(*store->medium_, store->file_number_);
  return store;
}

Result<std::unique_ptr<Store>> Store::open_read_only(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  // A writer may publish between our reading of the superblock and of the files it names.
  constexpr int kAttempts = 20;
  for (int attempt = 1;; ++attempt) {
    std::unique_ptr<Store> store(new Store(medium, options, true));
    Status status = store->recover();
    if (status) return store;
    if (status.error().code != ErrorCode::not_found || attempt == kAttempts) return std::move(status).error();
  }
}

Status Store::recover() {
  RIZOMA_ASSIGN(const bool found, exists(*medium_));
  if (!found) return Error{ErrorCode::not_found, "there is no graph at " + medium_->describe()};
  RIZOMA_ASSIGN(const SuperblockSlots slots, read_superblock(*medium_));
  const format::Superblock& block = *slots.newest();
  store_id_ = block.store;
  file_number_ = block.manifest_number;
  RIZOMA_TRY(choose_next_number(slots));

  const std::string name = manifest_name(file_number_);
  std::size_t bytes = 0;
  RIZOMA_ASSIGN(const auto words, read_words(*medium_, name, bytes));
  RIZOMA_ASSIGN(const ManifestFile manifest,
                decode_manifest(std::as_bytes(std::span(words)).first(bytes), store_id_, file_number_,
                                medium_->describe() + "/" + name));
  if (manifest.state.generation != block.generation || manifest.state.log_number != file_number_) {
    return corrupt(medium_->describe() + "/" + name, "is not the one that the superblock names");
  }
  manifest_end_ = manifest.append_at;
  RIZOMA_TRY(load_manifest(manifest.state));
  return replay(manifest);
}

/// Never a number that a file has or had.  If a slot of the superblock is lost, a log beyond the
/// manifest's that holds changes shows that the lost slot named a later state.
Status Store::choose_next_number(const SuperblockSlots& slots) {
  next_file_number_ = file_number_ + 1;
  RIZOMA_ASSIGN(const auto names, medium_->list());
  for (const std::string& name : names) {
    if (!name.starts_with("log.")) continue;
    const std::uint64_t number = std::strtoull(name.c_str() + 4, nullptr, 10);
    next_file_number_ = std::max(next_file_number_, number + 1);
    if (number <= file_number_ || (slots.slots[0] && slots.slots[1])) continue;
    RIZOMA_ASSIGN(const auto file, medium_->open(name, FileMode::read));
    RIZOMA_ASSIGN(const std::uint64_t size, file->size());
    if (size > sizeof(format::LogHeader)) {
      return corrupt(medium_->describe() + "/" + kSuperblockName, "has lost its newer copy: changes in " + name + " would be lost");
    }
  }
  return {};
}

Status Store::load_manifest(const ManifestState& state) {
  RIZOMA_ASSIGN(auto data, medium_->open(kDataName, read_only_ ? FileMode::read : FileMode::write));
  data_ = std::make_shared<DataFile>(std::move(data));
  std::uint64_t floor = 0;
  if (!read_only_) {
    RIZOMA_ASSIGN(const bool alone, data_->mark_in_use());
    if (!alone) {
      RIZOMA_ASSIGN(floor, data_->size());
    }
  }
  RIZOMA_TRY(extents_->reset(state.extents(), floor));
  schema_ = state.schema;
  bits_fixed_ = state.bits_fixed;
  target_bytes_ = std::max(state.target_bytes, options_.min_target_bytes);
  order_ = state.order;
  ordered_entries_ = state.ordered_entries;
  num_vertices_ = state.num_vertices;
  generation_ = state.generation;
  RIZOMA_TRY(load_dictionary(state));
  make_tables();
  out_->replace(to_parts(state.out, extents_));
  if (in_) in_->replace(to_parts(state.in, extents_));
  return {};
}

Status Store::load_dictionary(const ManifestState& state) {
  std::vector<Mapping> segments;
  for (const Extent& extent : state.dictionary) {
    RIZOMA_ASSIGN(Mapping mapping, read_only_ ? data_->copy(extent) : data_->map(extent));
    segments.push_back(std::move(mapping));
    dictionary_extents_.push_back(std::make_shared<const ExtentLease>(extents_, extent));
  }
  RIZOMA_ASSIGN(Dictionary dictionary,
                Dictionary::open(schema_.ids, num_vertices_, std::move(segments), medium_->describe() + "/" + kDataName));
  dictionary_ = std::make_shared<Dictionary>(std::move(dictionary));
  return {};
}

Status Store::replay(const ManifestFile& manifest) {
  const std::string name = log_name(file_number_);
  std::size_t bytes = 0;
  RIZOMA_ASSIGN(const auto words, read_words(*medium_, name, bytes));
  LogExpectation expected;
  expected.store = store_id_;
  expected.number = file_number_;
  expected.first_sequence = manifest.state.log_sequence;
  expected.whole_until = manifest.closed ? manifest.log_end : 0;
  Replayer replayer(*this);
  RIZOMA_ASSIGN(const LogEnd end, replay_log(std::as_bytes(std::span(words)).first(bytes), expected,
                                             medium_->describe() + "/" + name, replayer));
  checkpoint_at_ = options_.log_limit;
  if (read_only_) return {};
  RIZOMA_ASSIGN(log_, Log::reopen(*medium_, file_number_, end));
  return {};
}

}  // namespace rizoma
