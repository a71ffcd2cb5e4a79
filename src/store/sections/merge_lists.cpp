#include "store/sections/merge_lists.h"

#include "base/check.h"
#include "base/radix_sort.h"
#include "store/sections/list_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

constexpr EdgeCount kFew = 32;       // entries for each change that leave runs that are long enough
constexpr std::uint64_t kSpare = 2;  // times the need leaves room for lists that are carried over

/// Entries [begin, end) of these columns.  Target: of image and result; W: weights of both, as list_writer.h has them.
template <class Target, class W>
BaseList<Target, W> list_at(const void* targets, const void* weights, std::uint32_t begin, std::uint32_t end) noexcept {
  const auto* const of_weights = static_cast<const W*>(weights);
  return {static_cast<const Target*>(targets) + begin, of_weights == nullptr ? nullptr : of_weights + begin, nullptr,
          begin, end - begin};
}

/// The lists of the section's image.
template <class Target, class W>
class ImageLists {
 public:
  ImageLists(const ImageSpec& spec, std::span<const std::byte> image) : edges_(view_image<Target>(spec, image)) {
    if (spec.row_bits != 0) rows_.emplace(spec, image);
  }

  [[nodiscard]] const SectionEdges<Target>& edges() const noexcept { return edges_; }
  [[nodiscard]] const Target* targets() const noexcept { return edges_.targets; }
  [[nodiscard]] std::uint32_t begin(std::uint32_t place) const noexcept { return edges_.offsets[place]; }
  [[nodiscard]] std::uint32_t end(std::uint32_t place) const noexcept { return edges_.offsets[place + 1]; }
  [[nodiscard]] std::uint32_t size(std::uint32_t place) const noexcept { return end(place) - begin(place); }
  /// Whether entries can be compared in place: their weights, if any, are present and not packed.
  [[nodiscard]] bool plain() const noexcept {
    return !rows_ && (std::is_same_v<W, Unweighted> || edges_.weights != nullptr);
  }
  [[nodiscard]] BaseList<Target, W> list(std::uint32_t place) const noexcept {
    BaseList<Target, W> list = entries(begin(place), end(place));
    if (rows_) list.rows = &*rows_;
    return list;
  }
  [[nodiscard]] BaseList<Target, W> entries(std::uint32_t begin, std::uint32_t end) const noexcept {
    const void* const weights = std::is_same_v<W, Unweighted> ? nullptr : edges_.weights;
    return list_at<Target, W>(edges_.targets, weights, begin, end);
  }

 private:
  SectionEdges<Target> edges_;
  std::optional<RowNumbers> rows_;  ///< of an image that has them packed
};

/// What a former state of the section had merged on the same image.
template <class Target, class W>
class FormerLists {
 public:
  explicit FormerLists(const MergedLists* former) noexcept : former_(former) {}

  [[nodiscard]] bool any() const noexcept { return former_ != nullptr; }
  [[nodiscard]] const MergedLists& all() const noexcept { return *former_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return former_ == nullptr ? 0 : former_->count; }
  [[nodiscard]] ListBounds bounds(std::uint32_t index) const noexcept { return former_->lists.bounds[index]; }
  [[nodiscard]] bool is_patched(std::uint32_t index) const noexcept {
    return bounds(index).begin >= former_->lists.room_begin;
  }
  /// A list that is copied.
  [[nodiscard]] BaseList<Target, W> copied(ListBounds at) const noexcept {
    return list_at<Target, W>(former_->lists.targets, former_->lists.weights, at.begin, at.end);
  }
  /// Of a list that is patched.
  [[nodiscard]] std::span<const Patch> patches(std::uint32_t index) const noexcept {
    const MergedPatches& patched = former_->patched;
    return std::span(patched.patches).subspan(patched.begins[index], patched.begins[index + 1] - patched.begins[index]);
  }
  /// The entries that a patch adds.
  [[nodiscard]] BaseList<Target, W> entries(const Patch& patch) const noexcept {
    const void* const weights = std::is_same_v<W, Unweighted> ? nullptr : former_->patched.weights.data();
    return list_at<Target, W>(former_->patched.targets.data(), weights, patch.begin, patch.end);
  }
  /// The vertex whose entries a patch changes.
  [[nodiscard]] VertexId target_of(const Patch& patch, const Target* of_image) const noexcept {
    return patch.begin < patch.end ? *entries(patch).targets : of_image[patch.at];
  }
  /// Reserves room for `more` entries after the copied lists, if it exists and no other state has taken it.
  [[nodiscard]] bool claim(EdgeCount more) const {
    ListRoom& room = *former_->copied;
    std::uint64_t end = former_->copied_end;
    return end + more <= room.capacity && room.used.compare_exchange_strong(end, end + more, std::memory_order_relaxed);
  }

 private:
  const MergedLists* former_;
};

/// How much room a result needs.
struct MergeSizes {
  std::uint32_t places = 0;  ///< vertices of the section
  std::size_t lists = 0;
  EdgeCount anew = 0;     ///< entries that are copied now,
  EdgeCount copied = 0;   ///< and with those of the former state
  EdgeCount patched = 0;  ///< entries of lists that are patched,
  EdgeCount changes = 0;  ///< and those that may be added
};

std::size_t aligned_to_8(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// The next state has another index: in a slab it would keep much else there, or be kept by it.
std::shared_ptr<std::byte> index_for_now(std::size_t bytes) {
  auto index = std::make_shared_for_overwrite<std::byte[]>(bytes);
  std::byte* const begin = index.get();
  return {std::move(index), begin};
}

/// The result while it is made: room for it, and lists that are put there one by one, in order of their places.
template <class Target, class W>
class MergeResult {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;
  static constexpr std::uint32_t kWeightBytes = kWeighted ? sizeof(W) : 0;

 public:
  MergeResult(const FormerLists<Target, W>& former, MergeArena& arena, ParallelEdges policy)
      : former_(former), arena_(arena), writer_(policy) {}

  /// Makes room for entries that are copied now after those of the former state, where that is possible, or together
  /// with them, and for lists that are patched.
  void start(const MergeSizes& sizes, const ImageSpec& image) {
    shares_ = former_.any() && former_.claim(sizes.anew);
    const std::uint64_t capacity = former_.any() ? kSpare * sizes.copied : sizes.copied;
    place_index(sizes, capacity);
    if (shares_) {
      lists_.copied = former_.all().copied;
    } else if (former_.any()) {
      auto room = arena_.reserve(aligned_to_8(capacity * sizeof(Target)) + capacity * kWeightBytes);
      std::byte* const at = room.get();
      use_room(std::move(room), at, at + aligned_to_8(capacity * sizeof(Target)), capacity);
    }
    writer_.write_to(lists_.copied->targets, lists_.copied->weights, shares_ ? former_.all().copied_end : 0);
    lists_.num_entries = former_.any() ? former_.all().num_entries : image.num_entries;
    lists_.num_self_loops = former_.any() ? former_.all().num_self_loops : image.num_self_loops;
    lists_.weight_bytes = kWeightBytes;
    if (former_.any()) std::copy_n(former_.all().lists.places, sizes.places / 64 + 1, place_words_);
    if (sizes.patched > 0) make_room_for_patched(sizes.patched + sizes.changes);
  }

  [[nodiscard]] ListWriter<Target, W>& writer() noexcept { return writer_; }
  [[nodiscard]] std::size_t num_patches() const noexcept { return lists_.patched.patches.size(); }
  void add_self_loops(std::int64_t more) noexcept { lists_.num_self_loops += static_cast<EdgeCount>(more); }
  /// The list of a place has `size` entries, and had `before`.
  void resize(EdgeCount size, EdgeCount before) noexcept { lists_.num_entries += size - before; }
  /// Whether the list of a place is one of those merged here.
  void mark(std::uint32_t place, bool changed) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    place_words_[place / 64] = changed ? place_words_[place / 64] | bit : place_words_[place / 64] & ~bit;
  }

  /// Puts a list that the writer has copied since it had `begin` entries.  Returns its length.
  EdgeCount put_copied_from(std::uint64_t begin) {
    const ListBounds lies{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(writer_.filled())};
    lists_.copied_entries += lies.end - lies.begin;
    put(lies);
    return lies.end - lies.begin;
  }
  /// Puts a list that the former state has copied.
  void put_former(ListBounds at) {
    if (shares_) {
      lists_.copied_entries += at.end - at.begin;
      return put(at);
    }
    const std::uint64_t begin = writer_.filled();
    writer_.copy(former_.copied(at));
    put_copied_from(begin);
  }
  /// Puts a list of this length whose patches were added since the last list.
  void put_patched(EdgeCount size) {
    lists_.patched_entries += size;
    const std::uint64_t begin = std::exchange(in_room_, in_room_ + size);
    put({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(in_room_)});
  }
  /// Adds a patch and its entries.
  void add_patch(Patch patch, std::span<const Target> targets, [[maybe_unused]] const W* weights) {
    MergedPatches& to = lists_.patched;
    patch.begin = static_cast<std::uint32_t>(to.targets.size() / sizeof(Target));
    patch.end = patch.begin + static_cast<std::uint32_t>(targets.size());
    append(to.targets, std::as_bytes(targets));
    if constexpr (kWeighted) append(to.weights, std::as_bytes(std::span(weights, targets.size())));
    to.patches.push_back(patch);
  }

  MergedLists finish(const MergeInput& input) {
    if (lists_.patched.patches.empty()) lists_.patched = {};
    else lists_.patched.begins.push_back(patches_before_);
    for (std::uint32_t word = 0, before = 0; word <= input.shape.num_vertices / 64; ++word) {
      words_before_[word] = before;
      before += static_cast<std::uint32_t>(std::popcount(place_words_[word]));
    }
    lists_.copied_end = writer_.filled();
    lists_.copied->used.store(lists_.copied_end, std::memory_order_relaxed);
    DeltaLists& lists = lists_.lists;
    lists.places = place_words_;
    lists.before = words_before_;
    lists.bounds = bounds_;
    lists.targets = lists_.copied->targets;
    lists.weights = lists_.copied->weights;
    lists.growth =
        static_cast<std::int64_t>(lists_.num_entries) - static_cast<std::int64_t>(input.image_spec.num_entries);
    return std::move(lists_);
  }

 private:
  /// Makes the index; without a former state the copied lists lie right after it: a look-up finds all nearby, until
  /// there are many.
  void place_index(const MergeSizes& sizes, std::uint64_t capacity) {
    const std::size_t words = std::size_t{sizes.places} / 64 + 1;
    std::size_t bytes = 0;
    const auto room_for = [&](std::size_t length) { return std::exchange(bytes, bytes + aligned_to_8(length)); };
    const std::size_t places = room_for(words * sizeof(std::uint64_t));
    const std::size_t before = room_for(words * sizeof(std::uint32_t));
    const std::size_t bounds = room_for(sizes.lists * sizeof(ListBounds));
    const std::size_t targets = room_for(former_.any() ? 0 : capacity * sizeof(Target));
    const std::size_t weights = room_for(former_.any() ? 0 : capacity * kWeightBytes);
    lists_.index = former_.any() ? index_for_now(bytes) : arena_.take(bytes);
    std::byte* const begin = lists_.index.get();
    place_words_ = reinterpret_cast<std::uint64_t*>(begin + places);
    words_before_ = reinterpret_cast<std::uint32_t*>(begin + before);
    bounds_ = reinterpret_cast<ListBounds*>(begin + bounds);
    if (!former_.any()) use_room(lists_.index, begin + targets, begin + weights, capacity);
  }

  void use_room(std::shared_ptr<std::byte> bytes, std::byte* targets, std::byte* weights, std::uint64_t capacity) {
    lists_.copied = std::make_shared<ListRoom>();
    lists_.copied->bytes = std::move(bytes);
    lists_.copied->targets = targets;
    if (kWeighted) lists_.copied->weights = weights;
    lists_.copied->capacity = capacity;
  }

  /// Most of it is never written.
  void make_room_for_patched(EdgeCount most) {
    lists_.room = arena_.reserve(aligned_to_8(most * sizeof(Target)) + most * kWeightBytes);
    lists_.target_room = lists_.room.get();
    if (kWeighted) lists_.weight_room = lists_.room.get() + aligned_to_8(most * sizeof(Target));
    lists_.lists.room_begin = static_cast<std::uint32_t>(lists_.copied->capacity + 1);  // no copied list begins there
    in_room_ = lists_.lists.room_begin;
  }

  void put(ListBounds lies) {
    if (lists_.room != nullptr) lists_.patched.begins.push_back(patches_before_);
    patches_before_ = static_cast<std::uint32_t>(lists_.patched.patches.size());
    bounds_[lists_.count++] = lies;
  }

  const FormerLists<Target, W>& former_;
  MergeArena& arena_;
  bool shares_ = false;  ///< copied lists go after those of the former state
  MergedLists lists_;
  std::uint32_t patches_before_ = 0;  ///< those of the lists before
  std::uint64_t in_room_ = 0;
  std::uint64_t* place_words_ = nullptr;
  std::uint32_t* words_before_ = nullptr;
  ListBounds* bounds_ = nullptr;
  ListWriter<Target, W> writer_;
};

/// A search for a target in a list of the image: among `size` entries from `first` on.
template <class Target>
struct Search {
  const Target* first;
  std::uint32_t size;
  Target target;
};

/// Side by side, for lists that are not in the cache: the memory is waited for once a step of all searches.
template <class Target>
void search_side_by_side(std::span<Search<Target>> searches) {
  for (bool more = true; more;) {
    more = false;
    for (Search<Target>& each : searches) {
      if (each.size == 0) continue;
      const std::uint32_t half = each.size / 2;
      const bool above = each.first[half] < each.target;
      each.first += above ? half + 1 : 0;
      each.size = above ? each.size - half - 1 : half;
      __builtin_prefetch(each.first + each.size / 2);
      more = more || each.size > 0;
    }
  }
}

/// A list that has changes.
template <class W>
struct ChangedList {
  std::uint32_t place;
  std::span<Change<W>> changes;
  std::uint32_t size = 0;    ///< entries before them
  std::uint32_t index = 0;   ///< lists of the former state that are before it
  bool known = false;        ///< it is one of those
  bool was_patched = false;  ///< and patched there
  bool patched = false;      ///< it is from now on
};

/// Makes the patches of long lists: the former ones, and the changes since.
template <class Target, class W>
class ListPatcher {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;

 public:
  ListPatcher(const MergeInput& input, const ImageLists<Target, W>& image, const FormerLists<Target, W>& former,
              MergeResult<Target, W>& result)
      : input_(input), image_(image), former_(former), result_(result) {}

  /// A list of the former state in which nothing has changed since.
  void carry_list(std::uint32_t index, EdgeCount size) {
    for (const Patch& patch : former_.patches(index)) put_former(patch);
    result_.put_patched(size);
  }

  /// A list whose changes were searched for: `found` is where the first one's target is, or would be.
  void patch_list(const ChangedList<W>& list, VertexId self, const Search<Target>* found) {
    const std::size_t none = result_.num_patches();
    const std::span<const Patch> former = list.was_patched ? former_.patches(list.index) : std::span<const Patch>();
    auto old = former.begin();
    growth_ = 0;
    for (auto change = list.changes.begin(); change < list.changes.end();) {
      const VertexId target = change->target();
      const auto of_others =
          std::find_if(change, list.changes.end(), [target](const Change<W>& each) { return each.target() != target; });
      for (; old != former.end() && target_of(*old) < target; ++old) move_former(*old, list.place);
      const bool again = old != former.end() && target_of(*old) == target;
      const auto at = static_cast<std::uint32_t>(found->first - image_.targets());
      found += of_others - change;
      put_patch(list.place, self, at, again ? &*old : nullptr, std::span<const Change<W>>(change, of_others));
      if (again) ++old;
      change = of_others;
    }
    for (; old != former.end(); ++old) move_former(*old, list.place);
    const auto size = static_cast<EdgeCount>(std::int64_t{image_.size(list.place)} + growth_);
    result_.resize(size, list.size);
    const bool changed = result_.num_patches() > none;  // otherwise the new entry existed
    result_.mark(list.place, changed);
    if (changed) result_.put_patched(size);
  }

 private:
  [[nodiscard]] VertexId target_of(const Patch& patch) const noexcept {
    return former_.target_of(patch, image_.targets());
  }
  void put_former(const Patch& patch) {
    const BaseList<Target, W> came = former_.entries(patch);
    result_.add_patch(patch, std::span(came.targets, came.size), kWeighted ? came.weights : nullptr);
  }
  /// A patch of a list in which other patches have changed.
  void move_former(Patch patch, std::uint32_t place) {
    patch.to = place_in_list(patch.at, place);
    growth_ += std::int64_t{patch.end - patch.begin} - patch.gone;
    put_former(patch);
  }
  [[nodiscard]] std::uint32_t place_in_list(std::uint32_t at, std::uint32_t place) const noexcept {
    return static_cast<std::uint32_t>(std::int64_t{at - image_.begin(place)} + growth_);
  }

  /// Adds a patch for the changes to one target, whose entries in the image begin at `at` or are those of `former`,
  /// unless they equal the image's.
  void put_patch(std::uint32_t place, VertexId self, std::uint32_t at, const Patch* former,
                 std::span<const Change<W>> changes) {
    const VertexId target = changes.front().target();
    std::uint32_t gone = 0;
    while (at + gone < image_.end(place) && image_.targets()[at + gone] == target) ++gone;
    const BaseList<Target, W> image = image_.entries(at, at + gone);
    const BaseList<Target, W> before = former == nullptr ? image : former_.entries(*former);
    came_.clear();
    merge_changes<W>(
        before.size, [&](std::size_t) { return target; }, [&](std::size_t i) { return before.weight(i); }, changes,
        input_.parallel_edges, group_, [&](VertexId, const W& weight) { came_.push_back(weight); });
    if (target == self)
      result_.add_self_loops(static_cast<std::int64_t>(came_.size()) - static_cast<std::int64_t>(before.size));
    bool same = came_.size() == gone;
    for (std::uint32_t i = 0; i < gone && same; ++i) same = same_weight(came_[i], image.weight(i));
    if (same) return;
    const Patch patch{at, gone, 0, 0, place_in_list(at, place)};
    growth_ += static_cast<std::int64_t>(came_.size()) - gone;
    came_targets_.assign(came_.size(), static_cast<Target>(target));
    result_.add_patch(patch, came_targets_, came_.data());
  }

  const MergeInput& input_;
  const ImageLists<Target, W>& image_;
  const FormerLists<Target, W>& former_;
  MergeResult<Target, W>& result_;
  std::int64_t growth_ = 0;  ///< by the patches of a list that were added
  std::vector<Target> came_targets_;
  std::vector<W> came_, group_;
};

template <class Target, class W>
class ListMerger {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;

 public:
  ListMerger(const MergeInput& input, const MergeLimits& limits, const MergedLists* former, MergeArena& memory)
      : input_(input),
        great_(limits.great),
        most_(limits.most),
        image_(input.image_spec, input.image),
        former_(former),
        result_(former_, memory, input.parallel_edges),
        patcher_(input, image_, former_, result_) {}

  std::optional<MergedLists> run() {
    for (const ChangeRun& run : input_.changes) num_changes_ += run.words.size();
    if (num_changes_ > most_) return std::nullopt;
    sort_changes();
    find_lists();
    EdgeCount copied = former_.any() ? former_.all().copied_entries : 0;
    EdgeCount patched = former_.any() ? former_.all().patched_entries : 0;
    EdgeCount anew = 0;  // entries that are copied now
    for (const ChangedList<W>& list : lists_) {
      if (list.known) (list.was_patched ? patched : copied) -= list.size;
      (list.patched ? patched : anew) += list.size;
    }
    anew += num_changes_;
    if (copied + anew > most_ || kSpare * most_ + patched + num_changes_ + 1 >= UINT32_MAX) return std::nullopt;
    result_.start(
        {input_.shape.num_vertices, lists_.size() + former_.count(), anew, copied + anew, patched, num_changes_},
        input_.image_spec);
    find_changes();
    for (ChangedList<W>& list : lists_) {
      carry_over_to(list.index);
      if (list.known) ++carried_;
      list.patched ? patch_list(list) : merge_list(list);
    }
    carry_over_to(former_.count());
    return result_.finish(input_);
  }

 private:
  /// All changes, those of a vertex together, in order of arrival.
  void sort_changes() {
    changes_ = changes_of<W>(input_.changes, input_.shape.weights);
    radix_sort(changes_, [](const Change<W>& change) { return change_place(change.word); });
  }

  /// The lists that have changes, and how each is merged.
  void find_lists() {
    for (std::size_t begin = 0, end = 0; begin < changes_.size(); begin = end) {
      const std::uint32_t place = change_place(changes_[begin].word);
      while (end < changes_.size() && change_place(changes_[end].word) == place) ++end;
      lists_.push_back({place, std::span(changes_).subspan(begin, end - begin)});
      decide(lists_.back());
    }
  }

  void decide(ChangedList<W>& list) const {
    const std::uint32_t in_image = image_.size(list.place);
    EdgeCount patches = list.changes.size();
    bool may_be_patched = in_image >= great_ && image_.plain();
    list.size = in_image;
    if (former_.any()) {
      list.index = former_.all().lists.index(list.place);
      list.known = former_.all().lists.has(list.place);
    }
    if (list.known) {
      list.was_patched = former_.is_patched(list.index);
      list.size = static_cast<std::uint32_t>(former_.all().lists.size(list.place));
      may_be_patched = list.was_patched;
      if (list.was_patched) patches += former_.patches(list.index).size();
    }
    list.patched = may_be_patched && patches * kFew <= in_image;
  }

  /// Sorts the changes of each list that is patched, and searches the list for their targets.
  void find_changes() {
    for (const ChangedList<W>& list : lists_) {
      const bool copied_before = list.known && !list.was_patched;
      const Target* const first = copied_before ? former_.copied(former_.bounds(list.index)).targets
                                                : image_.targets() + image_.begin(list.place);
      if (!list.patched) {
        __builtin_prefetch(first);
        continue;
      }
      sort_changes_of_list(list.changes, false);
      for (const Change<W>& change : list.changes)
        searches_.push_back({first, image_.size(list.place), static_cast<Target>(change.target())});
    }
    constexpr std::size_t kSideBySide = 64;
    for (std::size_t begin = 0; begin < searches_.size(); begin += kSideBySide) {
      const std::size_t count = std::min(kSideBySide, searches_.size() - begin);
      search_side_by_side(std::span(searches_).subspan(begin, count));
    }
  }

  /// Lists of the former state, up to that one, in which nothing has changed since.
  void carry_over_to(std::uint32_t end) {
    for (; carried_ < end; ++carried_) {
      const ListBounds at = former_.bounds(carried_);
      former_.is_patched(carried_) ? patcher_.carry_list(carried_, at.end - at.begin) : result_.put_former(at);
    }
  }

  void patch_list(const ChangedList<W>& list) {
    const Search<Target>* const found = searches_.data() + searches_read_;
    searches_read_ += list.changes.size();
    patcher_.patch_list(list, self(list), found);
  }

  /// A list with its changes, copied after the others.
  void merge_list(const ChangedList<W>& list) {
    ListWriter<Target, W>& writer = result_.writer();
    const std::uint64_t begin = writer.filled();
    result_.add_self_loops(writer.merge(as_it_was(list), list.changes, self(list)));
    result_.mark(list.place, true);
    result_.resize(result_.put_copied_from(begin), list.size);
  }

  [[nodiscard]] BaseList<Target, W> as_it_was(const ChangedList<W>& list) {
    if (!list.known) return image_.list(list.place);
    if (!list.was_patched) return former_.copied(former_.bounds(list.index));
    scratch_.clear();
    scratch_weights_.clear();
    SectionEdges<Target> before = image_.edges();
    before.changed = &former_.all().lists;
    before.for_runs(list.place, 0, list.size, [&](const auto& run) {
      const auto part = list_at<Target, W>(run.targets, kWeighted ? run.weights : nullptr, run.begin, run.end);
      scratch_.insert(scratch_.end(), part.targets, part.targets + part.size);
      if constexpr (kWeighted) scratch_weights_.insert(scratch_weights_.end(), part.weights, part.weights + part.size);
      return true;
    });
    return list_at<Target, W>(scratch_.data(), kWeighted ? scratch_weights_.data() : nullptr, 0, list.size);
  }

  [[nodiscard]] VertexId self(const ChangedList<W>& list) const noexcept {
    return (input_.shape.section << input_.section_bits) + list.place;
  }

  const MergeInput& input_;
  std::uint32_t great_;
  EdgeCount most_;
  ImageLists<Target, W> image_;
  FormerLists<Target, W> former_;
  MergeResult<Target, W> result_;
  ListPatcher<Target, W> patcher_;
  std::vector<Change<W>> changes_;
  std::uint64_t num_changes_ = 0;
  std::vector<ChangedList<W>> lists_;
  std::uint32_t carried_ = 0;             ///< lists of the former state that are done with
  std::vector<Search<Target>> searches_;  ///< one for each change to a list that is patched
  std::size_t searches_read_ = 0;
  std::vector<Target> scratch_;
  std::vector<W> scratch_weights_;
};

template <class Target>
std::optional<MergedLists> merge_to(const MergeInput& input, const MergeLimits& limits, const MergedLists* former,
                                    MergeArena& memory) {
  switch (input.shape.weights) {
    case WeightType::none: return ListMerger<Target, Unweighted>(input, limits, former, memory).run();
    case WeightType::int32:
    case WeightType::float32: return ListMerger<Target, std::uint32_t>(input, limits, former, memory).run();
    case WeightType::float64: return ListMerger<Target, double>(input, limits, former, memory).run();
  }
  RIZOMA_CHECK(false);
}

}  // namespace

std::optional<MergedLists> merge_lists(const MergeInput& input, const MergeLimits& limits, const MergedLists* former,
                                       MergeArena& memory) {
  RIZOMA_CHECK(!input.image.empty() && input.image_spec.num_vertices == input.shape.num_vertices);
  RIZOMA_CHECK(input.image_spec.target_bytes == input.shape.target_bytes);
  RIZOMA_CHECK(input.image_spec.weights == input.shape.weights);
  return input.shape.target_bytes == 4 ? merge_to<std::uint32_t>(input, limits, former, memory)
                                       : merge_to<std::uint64_t>(input, limits, former, memory);
}

}  // namespace rizoma
