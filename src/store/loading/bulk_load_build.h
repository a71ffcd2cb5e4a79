// Builder: the edges of a load, all added -> section images, handed to the target.  See bulk_load.h.
#pragma once

#include <rizoma/executor.h>
#include <rizoma/result.h>
#include <rizoma/schema.h>

#include "base/check.h"
#include "base/first_failure.h"
#include "platform/mutex.h"
#include "store/loading/bulk_load.h"
#include "store/loading/bulk_load_combine.h"
#include "store/loading/bulk_load_degrees.h"
#include "store/loading/bulk_load_edges.h"
#include "store/loading/bulk_load_plan.h"
#include "store/loading/bulk_load_sort.h"
#include "store/loading/load_memory.h"
#include "store/loading/partition_buffers.h"
#include "store/sections/image.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::bulk {

/// Memory for the buckets of all threads, which need varying amounts in each round.
template <class Record>
class Slabs {
 public:
  /// 2 MiB and no less, so that they lie on huge pages.
  static constexpr std::size_t kRecords = ((std::size_t{1} << 21) + sizeof(Record) - 1) / sizeof(Record);

  [[nodiscard]] PageArray<Record> take() {
    const MutexLock lock(mutex_);
    if (free_.empty()) return PageArray<Record>(kRecords);
    PageArray<Record> slab = std::move(free_.back());
    free_.pop_back();
    return slab;
  }
  void give(std::vector<PageArray<Record>>& slabs) {
    const MutexLock lock(mutex_);
    for (PageArray<Record>& slab : slabs) free_.push_back(std::move(slab));
    slabs.clear();
  }

 private:
  Mutex mutex_{LockLevel::last};
  std::vector<PageArray<Record>> free_ RIZOMA_GUARDED_BY(mutex_);
};

/// Buckets of one thread, one for each piece of a round, as chains of small blocks.
template <class Record>
class Buckets {
 public:
  explicit Buckets(Slabs<Record>& memory) noexcept : memory_(&memory) {}

  void start(std::size_t buckets) {
    chains_.assign(buckets, {});
    memory_->give(slabs_);
    used_ = 0;
  }
  void add(std::size_t bucket, const Record& record) {
    Chain& chain = chains_[bucket];
    if (chain.next == chain.end) extend(chain);
    *chain.next++ = record;
  }
  [[nodiscard]] std::size_t size(std::size_t bucket) const noexcept {
    const Chain& chain = chains_[bucket];
    return chain.blocks.size() * kBlock - static_cast<std::size_t>(chain.end - chain.next);
  }
  /// Calls visit with the bucket's records, in runs, in the order in which they were added.
  template <class Visit>
  void for_runs(std::size_t bucket, Visit&& visit) const {
    std::size_t left = size(bucket);
    for (const Record* block : chains_[bucket].blocks) {
      const std::size_t count = std::min(left, kBlock);
      visit(std::span<const Record>(block, count));
      left -= count;
    }
  }

 private:
  static constexpr std::size_t kBlock = 8192 / sizeof(Record);
  static constexpr std::size_t kSlab = Slabs<Record>::kRecords / kBlock;  ///< blocks
  struct Chain {
    Record* next = nullptr;
    Record* end = nullptr;
    std::vector<Record*> blocks;
  };
  [[gnu::noinline]] void extend(Chain& chain) {  // once a block, and twice in the loop over edges
    if (used_ == slabs_.size() * kSlab) slabs_.push_back(memory_->take());
    Record* block = slabs_[used_ / kSlab].data() + used_ % kSlab * kBlock;
    ++used_;
    chain.blocks.push_back(block);
    chain.next = block;
    chain.end = block + kBlock;
  }
  Slabs<Record>* memory_;
  std::vector<PageArray<Record>> slabs_;
  std::size_t used_ = 0;
  std::vector<Chain> chains_;
};

/// One direction of the graph: the entries that an edge has in it, and the state of its lists.
struct Side {
  Direction direction = Direction::out;
  bool forward = true;                 ///< an edge u->v has the entry u->v
  bool backward = false;               ///< and v->u
  std::vector<std::uint32_t> degrees;  ///< by final number; shortened as parallel edges are merged
  LoadPlan plan;
};

/// A section under construction, with pieces from several threads.
struct OpenSection {
  PageArray<std::byte> image;
  ImageSpec spec;                      ///< sizes before parallel edges are merged
  std::vector<EdgeCount> piece_begin;  ///< place and number of entries of each piece
  std::vector<EdgeCount> piece_size;
  std::atomic<std::size_t> pieces_left{0};
  std::atomic<EdgeCount> self_loops{0};
};

/// Bytes of the weight in a record; 0: none.
template <class Record>
inline constexpr std::size_t weight_size = Record::kWeighted ? sizeof(typename Record::Bits) : 0;

struct BuildSettings {
  GraphSchema schema;
  LoadShape shape;
  EdgeCount piece_entries = 0;   ///< size of most pieces
  std::size_t weight_bytes = 0;  ///< of a record
};

/// What does not look into a record, so that it is compiled once for all of them: the sections of a round.
class SectionBuilder {
 public:
  SectionBuilder(const BuildSettings& settings, Executor& executor, LoadTarget& target)
      : settings_(settings), executor_(executor), target_(target) {}
  virtual ~SectionBuilder() = default;

  /// Builds and delivers all sections, and publishes them; frees the edges as it reads them.
  Status build_all(std::vector<Side>& sides);

 protected:
  /// Rows of edges that became one.
  [[nodiscard]] virtual MergedRows take_merged_rows() = 0;
  /// Moves the edges of a round to the buckets of its pieces.
  virtual Status collect(const Side& side, EdgeEnd end, std::size_t round) = 0;
  /// Sorts a piece and puts its lists.
  virtual Status build_piece(Side& side, const Round& round, std::size_t piece, unsigned thread) = 0;
  /// The sorted lists of a piece.
  struct Lists {
    const void* targets;
    const void* weights;  ///< none: null
    bool may_have_loops;
  };
  Status put_lists(const Side& side, const Round& round, std::size_t piece, const Lists& lists);

  const BuildSettings& settings_;
  Executor& executor_;
  LoadTarget& target_;

 private:
  Status build(Side& side, EdgeEnd end, std::size_t round);
  void open_sections(const Side& side, const Round& round);
  [[nodiscard]] std::byte* image_of(OpenSection& section);
  void keep(PageArray<std::byte> image);
  Status close_section(const Side& side, OpenSection& section);
  [[nodiscard]] VertexRange section_range(SectionId section) const {
    const VertexId begin = section << settings_.shape.section_bits;
    return {begin, std::min(begin + (VertexId{1} << settings_.shape.section_bits), settings_.shape.num_vertices)};
  }

  std::vector<OpenSection> open_;            ///< sections of the round, by section - first of round
  std::vector<PageArray<std::byte>> spare_;  ///< of images delivered, one for each thread
  LoadTotals totals_;
  Mutex mutex_{LockLevel::last};
};

template <class Record>
class Builder : public SectionBuilder {
 public:
  Builder(const BuildSettings& settings, Executor& executor, LoadTarget& target, PartitionBuffers<Record>& cells)
      : SectionBuilder(settings, executor, target),
        cells_(cells),
        scratch_(executor.threads()),
        combine_(settings.schema, target) {
    for (unsigned thread = 0; thread < executor.threads(); ++thread) buckets_.emplace_back(slabs_);
  }

 private:
  [[nodiscard]] MergedRows take_merged_rows() override { return combine_.take_rows(); }
  Status collect(const Side& side, EdgeEnd end, std::size_t round) override;
  Status build_piece(Side& side, const Round& round, std::size_t piece, unsigned thread) override;
  void sort_into_lists(PieceScratch<Record>& scratch, std::size_t bucket, const LoadPiece& piece,
                       std::span<const std::uint32_t> degrees) const;

  PartitionBuffers<Record>& cells_;
  std::vector<PieceScratch<Record>> scratch_;  ///< by thread
  Slabs<Record> slabs_;
  std::vector<Buckets<Record>> buckets_;  ///< by thread
  ParallelCombine<Record> combine_;
};

/// Puts the entries that the edges of `records` have in the round into the buckets of their pieces.
template <class Record>
void bucket_entries(std::span<const Record> records, const Side& side, const Round& round, Buckets<Record>& buckets) {
  const VertexId begin = round.vertices.begin;
  const VertexId size = round.vertices.size();
  const LoadPlan& plan = side.plan;
  const std::size_t first = round.first_piece;
  for (const Record& record : records) {
    if (side.forward && record.source - begin < size) buckets.add(plan.piece_of(record.source) - first, record);
    if (side.backward && record.target - begin < size && !(side.forward && record.source == record.target)) {
      buckets.add(plan.piece_of(record.target) - first, Record{record.target, record.source, record.weight});
    }
  }
}

template <class Record>
Status Builder<Record>::collect(const Side& side, EdgeEnd end_of_edges, std::size_t round_number) {
  const Round& round = side.plan.rounds[round_number];
  for (Buckets<Record>& buckets : buckets_) buckets.start(round.end_piece - round.first_piece);
  const auto edges = cells_.edges_of(end_of_edges, round_number);
  const unsigned threads = executor_.threads();
  FirstFailure failure;
  executor_.parallel([&](unsigned thread) {
    // Threads take consecutive shares, so that the buckets of all threads in turn keep the order.
    const std::size_t begin = edges.size() * thread / threads;
    const std::size_t end = edges.size() * (thread + 1) / threads;
    PageArray<Record> buffer;
    for (std::size_t run = begin; run < end && !failure.failed(); ++run) {
      if (executor_.stopping()) return failure.note(load_cancelled());
      const Result<std::span<const Record>> loaded = edges.load(run, buffer);
      if (!loaded) {
        failure.note(loaded.error());
        return;
      }
      bucket_entries(*loaded, side, round, buckets_[thread]);
      failure.note(edges.let_go(run));
    }
  });
  return failure.status();
}

inline void SectionBuilder::open_sections(const Side& side, const Round& round) {
  const unsigned bits = settings_.shape.section_bits;
  const SectionId first = round.vertices.begin >> bits;
  const SectionId end = ((round.vertices.end - 1) >> bits) + 1;
  open_ = std::vector<OpenSection>(end - first);
  for (std::size_t p = round.first_piece; p < round.end_piece; ++p) {
    const LoadPiece& piece = side.plan.pieces[p];
    for (SectionId s = piece.vertices.begin >> bits; s <= (piece.vertices.end - 1) >> bits; ++s) {
      OpenSection& section = open_[s - first];
      const VertexRange range = section_range(s);
      const VertexId piece_end = std::min(piece.vertices.end, range.end);
      EdgeCount entries = 0;
      for (VertexId v = std::max(piece.vertices.begin, range.begin); v < piece_end; ++v) entries += side.degrees[v];
      section.piece_begin.push_back(section.spec.num_entries);
      section.spec.num_entries += entries;
      section.piece_size.push_back(entries);
      section.pieces_left.fetch_add(1, std::memory_order_relaxed);
    }
  }
  for (SectionId s = first; s < end; ++s) {
    ImageSpec& spec = open_[s - first].spec;
    spec.section = s;
    spec.direction = side.direction;
    spec.target_bytes = settings_.shape.target_bytes;
    spec.weights = settings_.schema.weights;
    if (settings_.schema.rows && settings_.weight_bytes == sizeof(std::uint32_t)) spec.row_bits = kWholeRowBits;
    spec.num_vertices = static_cast<std::uint32_t>(section_range(s).size());
    spec.target_bound = settings_.shape.num_vertices;
  }
}

/// Makes the memory of an image on first use by any of its pieces' threads.
inline std::byte* SectionBuilder::image_of(OpenSection& section) {
  const MutexLock lock(mutex_);
  if (section.image.data() != nullptr) return section.image.data();
  const std::size_t bytes = image_layout(section.spec).bytes;
  const auto fits = [&](const PageArray<std::byte>& image) { return image.size() >= bytes; };
  const auto spare = std::find_if(spare_.begin(), spare_.end(), fits);
  if (spare == spare_.end()) {
    section.image = PageArray<std::byte>(bytes);
  } else {
    section.image = std::move(*spare);
    spare_.erase(spare);
  }
  return section.image.data();
}
/// Keeps the memory of an image that was delivered for a later one, unless it is so large that the limit of a load
/// would not cover several.
inline void SectionBuilder::keep(PageArray<std::byte> image) {
  if (image.size() > kChunkBytes) return;
  const MutexLock lock(mutex_);
  spare_.push_back(std::move(image));
  if (spare_.size() > executor_.threads()) spare_.erase(spare_.begin());
}

/// The entries of a bucket -> the lists of a piece.
template <class Record>
void Builder<Record>::sort_into_lists(PieceScratch<Record>& scratch, std::size_t bucket, const LoadPiece& piece,
                                      std::span<const std::uint32_t> degrees) const {
  begin_lists(scratch, degrees);
  const auto for_runs = [&](auto&& visit) {
    for (const Buckets<Record>& buckets : buckets_) buckets.for_runs(bucket, visit);
  };
  if (are_short(degrees)) {
    for_runs([&](std::span<const Record> run) { scatter_by_source(scratch, run, piece.vertices.begin); });
    return sort_short_lists(scratch, degrees);
  }
  Record* end = scratch.from.data();
  for_runs([&](std::span<const Record> run) { end = std::copy(run.begin(), run.end(), end); });
  sort_by_target(scratch, piece.entries, settings_.shape.num_vertices);
  scatter_by_source(scratch, std::span<const Record>(scratch.from.data(), piece.entries), piece.vertices.begin);
}

template <class Record>
Status Builder<Record>::build_piece(Side& side, const Round& round, std::size_t piece_number, unsigned thread) {
  const LoadPiece& piece = side.plan.pieces[piece_number];
  PieceScratch<Record>& scratch = scratch_[thread];
  scratch.reserve(std::max(piece.entries, settings_.piece_entries));
  const std::size_t bucket = piece_number - round.first_piece;
  std::size_t count = 0;
  for (const Buckets<Record>& buckets : buckets_) count += buckets.size(bucket);
  RIZOMA_CHECK(count == piece.entries);
  const std::span<std::uint32_t> degrees(side.degrees.data() + piece.vertices.begin, piece.vertices.size());
  sort_into_lists(scratch, bucket, piece, degrees);
  if (combine_.active()) {
    const bool out = side.direction == Direction::out;
    RIZOMA_TRY(combine_.merge(scratch, piece.vertices, degrees, out && !side.backward, out));
  } else if (settings_.schema.parallel_edges == ParallelEdges::merge) {
    merge_parallel(scratch, degrees);
  }
  const void* weights = nullptr;
  if constexpr (Record::kWeighted) weights = scratch.weights.data();
  return put_lists(side, round, piece_number, {scratch.targets.data(), weights, scratch.has_loops});
}

/// Entries v->v in the lists of `vertices`, which are sorted and lie one after the other from `list` on.
template <class Number>
EdgeCount count_loops(const Number* list, VertexRange vertices, const std::vector<std::uint32_t>& degrees) {
  constexpr std::uint32_t kShort = 16;  // a search takes longer than a look at each of these
  EdgeCount loops = 0;
  for (VertexId v = vertices.begin; v < vertices.end; list += degrees[v++]) {
    const auto self = static_cast<Number>(v);
    if (degrees[v] <= kShort) {
      for (std::uint32_t i = 0; i < degrees[v]; ++i) loops += list[i] == self ? 1 : 0;
    } else {
      const auto [low, high] = std::equal_range(list, list + degrees[v], self);
      loops += static_cast<EdgeCount>(high - low);
    }
  }
  return loops;
}

inline Status SectionBuilder::put_lists(const Side& side, const Round& round, std::size_t piece_number,
                                        const Lists& lists) {
  const std::size_t target_bytes = settings_.shape.target_bytes, weight_bytes = settings_.weight_bytes;
  const unsigned bits = settings_.shape.section_bits;
  const VertexRange& piece = side.plan.pieces[piece_number].vertices;
  std::size_t read = 0;
  for (SectionId s = piece.begin >> bits; s <= (piece.end - 1) >> bits; ++s) {
    OpenSection& section = open_[s - (round.vertices.begin >> bits)];
    const VertexRange range = section_range(s);
    const std::size_t part = piece_number - side.plan.piece_of(range.begin);
    const VertexRange vertices{std::max(piece.begin, range.begin), std::min(piece.end, range.end)};
    EdgeCount size = 0;
    for (VertexId v = vertices.begin; v < vertices.end; ++v) size += side.degrees[v];
    EdgeCount loops = 0;
    if (lists.may_have_loops) {
      loops = target_bytes == sizeof(std::uint32_t)
                  ? count_loops(static_cast<const std::uint32_t*>(lists.targets) + read, vertices, side.degrees)
                  : count_loops(static_cast<const std::uint64_t*>(lists.targets) + read, vertices, side.degrees);
    }
    section.self_loops.fetch_add(loops, std::memory_order_relaxed);
    if (size > 0) {
      std::byte* image = image_of(section);
      const ImageLayout layout = image_layout(section.spec);
      const EdgeCount begin = section.piece_begin[part];
      const auto copy = [&](std::size_t to, const void* from, std::size_t width) {
        std::memcpy(image + to + begin * width, static_cast<const std::byte*>(from) + read * width, size * width);
      };
      copy(layout.targets, lists.targets, target_bytes);
      if (lists.weights != nullptr) copy(layout.weights, lists.weights, weight_bytes);
    }
    section.piece_size[part] = size;
    read += size;
    if (section.pieces_left.fetch_sub(1, std::memory_order_acq_rel) == 1) RIZOMA_TRY(close_section(side, section));
  }
  return {};
}

inline Status SectionBuilder::close_section(const Side& side, OpenSection& section) {
  if (section.spec.num_entries == 0) return {};
  const ImageLayout before = image_layout(section.spec);
  std::byte* image = section.image.data();
  ImageSpec spec = section.spec;
  spec.num_entries = 0;
  for (const EdgeCount size : section.piece_size) spec.num_entries += size;
  spec.num_self_loops = section.self_loops.load(std::memory_order_relaxed);
  const ImageLayout after = image_layout(spec);
  // Close the gaps that merged edges left: everything moves towards the front, targets before weights.
  const auto close_gaps = [&](std::size_t from, std::size_t to, std::size_t width) {
    for (std::size_t p = 0; p < section.piece_size.size(); ++p) {
      std::byte* source = image + from + section.piece_begin[p] * width;
      if (source != image + to) std::memmove(image + to, source, section.piece_size[p] * width);
      to += section.piece_size[p] * width;
    }
  };
  close_gaps(before.targets, after.targets, settings_.shape.target_bytes);
  if (settings_.weight_bytes != 0) close_gaps(before.weights, after.weights, settings_.weight_bytes);

  auto* offsets = reinterpret_cast<std::uint32_t*>(image + after.offsets);
  const VertexRange range = section_range(spec.section);
  std::uint32_t offset = 0;
  for (VertexId v = range.begin; v < range.end; ++v) {
    offsets[v - range.begin] = offset;
    offset += side.degrees[v];
  }
  offsets[range.size()] = offset;
  if (settings_.schema.rows && spec.weights != WeightType::none) spec = pack_rows(spec, {image, after.bytes});
  const std::span<std::byte> bytes(image, image_layout(spec).bytes);
  seal_image(spec, bytes);
  RIZOMA_TRY(target_.put(spec, bytes));
  keep(std::exchange(section.image, {}));
  if (side.direction == Direction::out) {
    const MutexLock lock(mutex_);
    totals_.num_entries += spec.num_entries;
    totals_.num_self_loops += spec.num_self_loops;
  }
  return {};
}

inline Status SectionBuilder::build(Side& side, EdgeEnd end, std::size_t round_number) {
  const Round& round = side.plan.rounds[round_number];
  open_sections(side, round);
  RIZOMA_TRY(collect(side, end, round_number));
  FirstFailure failure;
  RIZOMA_TRY(executor_.for_blocks(round.end_piece - round.first_piece, 1, [&](VertexRange block, unsigned thread) {
    if (!failure.failed()) failure.note(build_piece(side, round, round.first_piece + block.begin, thread));
  }));
  return failure.status();
}

inline Status SectionBuilder::build_all(std::vector<Side>& sides) {
  EdgeCount done = 0, total = 0;
  for (const Side& side : sides) total += sum(side.degrees);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    Side& side = sides[s];
    // From the last round to the first: in an order by degree the first has the largest sections, and
    // by then the edges' own memory is free.
    for (std::size_t r = side.plan.rounds.size(); r-- > 0;) {
      RIZOMA_TRY(executor_.report("write", static_cast<double>(done), static_cast<double>(total)));
      const Round& round = side.plan.rounds[r];
      RIZOMA_TRY(build(side, s == 0 ? EdgeEnd::source : EdgeEnd::target, r));
      done += round.entries;
    }
  }
  RIZOMA_TRY(executor_.report("write", static_cast<double>(done), static_cast<double>(total)));
  if (MergedRows merged = take_merged_rows(); !merged.ends.empty()) {
    RIZOMA_TRY(target_.combine_rows(std::move(merged)));
  }
  return target_.publish(totals_);
}

}  // namespace rizoma::bulk
