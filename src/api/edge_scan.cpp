// EdgeScan: a prefix sum over blocks of vertices finds the lists of any range of edge numbers.
#include <rizoma/export.h>

#include "platform/pages.h"

#include "platform/mutex.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace rizoma {

/// A pool of released column memory for the next columns: a reader that lets go of each
/// chunk is served from warm memory.  Any thread.
class ColumnPool : public std::enable_shared_from_this<ColumnPool> {
 public:
  ColumnPool() { idle_.reserve(kMostIdle); }
  ColumnPool(const ColumnPool&) = delete;
  ColumnPool& operator=(const ColumnPool&) = delete;
  ~ColumnPool() {
    for (const Idle& idle : idle_) release_pages(idle.memory, idle.bytes);
  }

  std::shared_ptr<void> take(std::size_t bytes) {
    void* memory = find(bytes);
    if (memory == nullptr) memory = allocate_pages(bytes);
    return {memory, [pool = shared_from_this(), bytes](void* data) { pool->give_back(data, bytes); }};
  }

 private:
  static constexpr std::size_t kMostIdle = 16;
  struct Idle {
    void* memory;
    std::size_t bytes;
  };

  void* find(std::size_t bytes) {
    const MutexLock guard(mutex_);
    const auto found = std::find_if(idle_.begin(), idle_.end(), [&](const Idle& idle) { return idle.bytes == bytes; });
    if (found == idle_.end()) return nullptr;
    void* memory = std::exchange(*found, idle_.back()).memory;
    idle_.pop_back();
    return memory;
  }

  void give_back(void* data, std::size_t bytes) noexcept {
    if (data == nullptr) return;
    const MutexLock guard(mutex_);
    if (idle_.size() < kMostIdle) {
      idle_.push_back({data, bytes});  // within what is reserved
    } else {
      release_pages(data, bytes);
    }
  }

  Mutex mutex_;
  std::vector<Idle> idle_ RIZOMA_GUARDED_BY(mutex_);
};

namespace {

constexpr VertexId kBlockVertices = 256;
constexpr EdgeCount kPieceEdges = EdgeCount{1} << 14;  ///< edges that a thread fills at a time

/// Place in v's list where the edges begin that are listed under v.
template <class A>
std::size_t first_listed(const A& out, bool directed, VertexId v) {
  if (directed) return 0;
  const auto list = out.neighbors(v);
  return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), v) - list.begin());
}

VertexRange block_range(std::uint64_t block, VertexId num_vertices) {
  return {block * kBlockVertices, std::min(num_vertices, (block + 1) * kBlockVertices)};
}

template <class T>
ScanColumn<T> make_column(ColumnPool& pool, std::size_t rows, bool wanted = true) {
  if (!wanted) return {};
  return {pool.take(rows * sizeof(T)), rows};
}

EdgeChunk make_chunk(ColumnPool& pool, WeightType type, std::size_t rows, EdgeScanColumns wanted) {
  EdgeChunk chunk{
      make_column<std::int64_t>(pool, rows, wanted.sources), make_column<std::int64_t>(pool, rows, wanted.targets), {}};
  switch (wanted.weights ? type : WeightType::none) {
    case WeightType::none: break;
    case WeightType::int32: chunk.weights = make_column<std::int32_t>(pool, rows); break;
    case WeightType::float32: chunk.weights = make_column<float>(pool, rows); break;
    case WeightType::float64: chunk.weights = make_column<double>(pool, rows); break;
  }
  return chunk;
}

std::int64_t name(std::monostate, VertexId v) { return static_cast<std::int64_t>(v); }
template <class T>
std::int64_t name(const std::vector<T>& ids, VertexId v) {
  return static_cast<std::int64_t>(ids[v]);
}

/// Entries [first, first + count) of v's list go to the rows from `row` on, in the columns that exist.
template <class A, class Ids>
struct ListCopy {
  const A& out;
  const Ids& ids;
  EdgeChunk& chunk;

  void operator()(VertexId v, std::size_t first, std::size_t count, std::size_t row) const {
    if (std::int64_t* to = chunk.sources.data()) std::fill_n(to + row, count, name(ids, v));
    if (std::int64_t* to = chunk.targets.data()) copy_targets(out.neighbors(v).subspan(first, count), to + row);
    copy_weights(v, first, count, row);
  }

  template <class Targets>
  void copy_targets(const Targets& targets, std::int64_t* to) const {
    for (std::size_t i = 0; i < targets.size(); ++i) to[i] = name(ids, targets[i]);
  }

  void copy_weights(VertexId v, std::size_t first, std::size_t count, std::size_t row) const {
    std::visit(
        [&](auto& column) {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(column)>, std::monostate>) {
            using W = std::remove_cvref_t<decltype(*column.data())>;
            std::copy_n(out.template weights<W>(v).data() + first, count, column.data() + row);
          }
        },
        chunk.weights);
  }
};

/// Calls copy(v, first, count, row) for the lists that hold edges [begin, end); `row` counts from `row`.
template <class A, class Copy>
void walk(const A& out, bool directed, const std::vector<EdgeCount>& starts, EdgeCount begin, EdgeCount end,
          std::size_t row, Copy copy) {
  const auto after = std::upper_bound(starts.begin(), starts.end(), begin);
  const std::uint64_t block = static_cast<std::uint64_t>(after - starts.begin()) - 1;
  EdgeCount number = starts[block];  // of the first edge under v
  for (VertexId v = block * kBlockVertices; number < end; ++v) {
    const std::size_t first = first_listed(out, directed, v);
    const EdgeCount past = number + out.degree(v) - first;
    if (past > begin) {
      const EdgeCount from = std::max(number, begin);
      const EdgeCount to = std::min(past, end);
      copy(v, first + (from - number), to - from, row);
      row += to - from;
    }
    number = past;
  }
}

/// True if every vertex has its internal id as id.
bool are_numbers(const std::vector<std::int64_t>& ids) {
  for (std::size_t v = 0; v < ids.size(); ++v) {
    if (ids[v] != static_cast<std::int64_t>(v)) return false;
  }
  return true;
}

bool fit_32_bits(const std::vector<std::int64_t>& ids) {
  return std::all_of(ids.begin(), ids.end(), [](std::int64_t id) { return id >= 0 && id <= UINT32_MAX; });
}

}  // namespace

EdgeScan::EdgeScan(GraphView view, Ids ids)
    : view_(std::move(view)), ids_(std::move(ids)), pool_(std::make_shared<ColumnPool>()) {}

// Targets are looked up at random: half the bytes is twice as many ids in the caches.
EdgeScan::Ids EdgeScan::pack(const std::vector<std::int64_t>& ids) {
  if (are_numbers(ids)) return std::monostate{};
  if (fit_32_bits(ids)) return std::vector<std::uint32_t>(ids.begin(), ids.end());
  return ids;
}

Result<EdgeScan> EdgeScan::create(GraphView view, const std::vector<std::int64_t>& ids, Executor& executor) {
  const VertexId n = view.num_vertices();
  if (!ids.empty() && ids.size() != n) {
    return Error{ErrorCode::invalid_argument,
                 "a scan of " + std::to_string(n) + " vertices got " + std::to_string(ids.size()) + " ids"};
  }
  EdgeScan scan(std::move(view), pack(ids));
  const std::uint64_t blocks = (n + kBlockVertices - 1) / kBlockVertices;
  std::vector<EdgeCount> counts(blocks + 1, 0);
  RIZOMA_TRY(scan.view_.with_out([&](const auto& out) {
    return executor.for_blocks(blocks, 16, [&](VertexRange some, unsigned) {
      for (std::uint64_t block = some.begin; block < some.end; ++block) {
        const VertexRange range = block_range(block, n);
        for (VertexId v = range.begin; v < range.end; ++v) {
          counts[block] += out.degree(v) - first_listed(out, scan.view_.directed(), v);
        }
      }
    });
  }));
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), EdgeCount{0});
  scan.starts_ = std::move(counts);
  return scan;
}

Result<EdgeChunk> EdgeScan::read(EdgeCount begin, EdgeCount end, Executor& executor, EdgeScanColumns wanted) const {
  end = std::min(end, size());
  begin = std::min(begin, end);
  EdgeChunk chunk = make_chunk(*pool_, view_.weight_type(), end - begin, wanted);
  RIZOMA_TRY(view_.with_out([&]<class A>(const A& out) {
    return std::visit(
        [&]<class I>(const I& ids) {
          const ListCopy<A, I> copy{out, ids, chunk};
          return executor.for_blocks(end - begin, kPieceEdges, [&](VertexRange rows, unsigned) {
            walk(out, view_.directed(), starts_, begin + rows.begin, begin + rows.end, rows.begin, copy);
          });
        },
        ids_);
  }));
  return chunk;
}

}  // namespace rizoma
