#include "store/sections/merge_lists.h"

#include "base/check.h"
#include "store/sections/list_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace rizoma {
namespace {

constexpr EdgeCount kFew = 32;       // one change to so many entries leaves runs that are long enough
constexpr std::uint64_t kSpare = 2;  // times what is needed has the room for lists that are carried over

/// Target: of image and result; W: weights of both.
template <class Target, class W>
class ListMerger {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;
  static constexpr std::uint32_t kWeightBytes = kWeighted ? sizeof(W) : 0;

 public:
  ListMerger(const MergeInput& input, const MergeLimits& limits, const MergedLists* former, MergeArena& memory)
      : input_(input),
        great_(limits.great),
        most_(limits.most),
        former_(former),
        memory_(memory),
        writer_(input.parallel_edges) {
    base_ = view_image<Target>(input.image_spec, input.image);
    if (input.image_spec.row_bits != 0) rows_.emplace(input.image_spec, input.image);
    if (former == nullptr) return;
    before_ = base_;
    before_.changed = &former->lists;
  }

  std::optional<MergedLists> run() {
    for (const ChangeRun& run : input_.changes) num_changes_ += run.words.size();
    if (num_changes_ > most_) return std::nullopt;
    sort_changes();
    find_lists();
    EdgeCount copied = former_ == nullptr ? 0 : former_->copied_entries;
    EdgeCount patched = former_ == nullptr ? 0 : former_->patched_entries;
    EdgeCount anew = 0;  // entries that are copied now
    for (const ChangedList& list : lists_) {
      if (list.known) (list.was_patched ? patched : copied) -= list.size;
      (list.patched ? patched : anew) += list.size;
    }
    anew += num_changes_;
    if (copied + anew > most_ || kSpare * most_ + patched + num_changes_ + 1 >= UINT32_MAX) return std::nullopt;
    start(anew, copied + anew, patched);
    find_changes();
    for (ChangedList& list : lists_) {
      carry_over_to(list.index);
      if (list.known) ++carried_;
      list.patched ? patch_list(list) : merge_list(list);
    }
    if (former_ != nullptr) carry_over_to(former_->count);
    finish();
    return std::move(merged_image_);
  }

 private:
  /// A list that has changes.
  struct ChangedList {
    std::uint32_t place;
    std::span<Change<W>> changes;
    std::uint32_t size = 0;    ///< entries before them
    std::uint32_t index = 0;   ///< so many lists of the former state lie before it
    bool known = false;        ///< it is one of those
    bool was_patched = false;  ///< and patched there
    bool patched = false;      ///< it is from now on
  };

  [[nodiscard]] EdgeCount base_entries() const noexcept { return input_.image_spec.num_entries; }
  [[nodiscard]] std::uint32_t size_in_image(std::uint32_t place) const noexcept {
    return base_.offsets[place + 1] - base_.offsets[place];
  }
  [[nodiscard]] std::span<const Patch> former_patches(const ChangedList& list) const noexcept {
    if (!list.was_patched) return {};
    const MergedPatches& patched = former_->patched;
    return std::span(patched.patches)
        .subspan(patched.begins[list.index], patched.begins[list.index + 1] - patched.begins[list.index]);
  }
  [[nodiscard]] bool former_is_patched(std::uint32_t index) const noexcept {
    return former_->lists.bounds[index].begin >= former_->lists.room_begin;
  }

  /// All changes, those of a vertex together, in order of arrival.
  void sort_changes() {
    changes_.reserve(num_changes_);
    for (const ChangeRun& run : input_.changes) {
      for (std::size_t i = 0; i < run.words.size(); ++i) changes_.push_back(change_of<W>(run, i, run.words[i]));
    }
    std::stable_sort(changes_.begin(), changes_.end(), [](const Change<W>& a, const Change<W>& b) {
      return change_place(a.word) < change_place(b.word);
    });
  }

  /// The lists that have changes, and what is to become of each.
  void find_lists() {
    for (std::size_t begin = 0, end = 0; begin < changes_.size(); begin = end) {
      const std::uint32_t place = change_place(changes_[begin].word);
      while (end < changes_.size() && change_place(changes_[end].word) == place) ++end;
      lists_.push_back({place, std::span(changes_).subspan(begin, end - begin)});
      decide(lists_.back());
    }
  }

  void decide(ChangedList& list) const {
    const std::uint32_t in_image = size_in_image(list.place);
    EdgeCount patches = list.changes.size();
    bool may_be_patched = in_image >= great_ && !rows_ && (!kWeighted || base_.weights != nullptr);
    list.size = in_image;
    if (former_ != nullptr) {
      list.index = former_->lists.index(list.place);
      list.known = former_->lists.has(list.place);
    }
    if (list.known) {
      list.was_patched = former_is_patched(list.index);
      list.size = static_cast<std::uint32_t>(former_->lists.size(list.place));
      may_be_patched = list.was_patched;
      patches += former_patches(list).size();
    }
    list.patched = may_be_patched && patches * kFew <= in_image;
  }

  /// Makes room for `anew` entries that are copied now, behind those of the former state where that is possible, or
  /// together with these, `copied` in all, and for lists that are patched and have so many entries.
  void start(EdgeCount anew, EdgeCount copied, EdgeCount patched) {
    const std::size_t words = std::size_t{input_.shape.num_vertices} / 64 + 1;
    const std::size_t lists = lists_.size() + (former_ == nullptr ? 0 : former_->count);
    shares_ = former_ != nullptr && claim(*former_, anew);
    const std::uint64_t capacity = former_ == nullptr ? copied : kSpare * copied;
    std::size_t bytes = 0;
    const auto room_for = [&](std::size_t length) { return std::exchange(bytes, bytes + (length + 7) / 8 * 8); };
    const std::size_t places = room_for(words * sizeof(std::uint64_t));
    const std::size_t before = room_for(words * sizeof(std::uint32_t));
    const std::size_t bounds = room_for(lists * sizeof(ListBounds));
    // Who looks for a list finds all that tells of it nearby, until there are many.
    const std::size_t targets = room_for(former_ == nullptr ? capacity * sizeof(Target) : 0);
    const std::size_t weights = room_for(former_ == nullptr ? capacity * kWeightBytes : 0);
    merged_image_.index = former_ == nullptr ? memory_.take(bytes) : index_for_now(bytes);
    std::byte* const begin = merged_image_.index.get();
    place_words_ = reinterpret_cast<std::uint64_t*>(begin + places);
    words_before_ = reinterpret_cast<std::uint32_t*>(begin + before);
    bounds_ = reinterpret_cast<ListBounds*>(begin + bounds);
    if (shares_) {
      merged_image_.copied = former_->copied;
    } else if (former_ == nullptr) {
      make_room(merged_image_.index, begin + targets, begin + weights, capacity);
    } else {
      const std::size_t of_targets = (capacity * sizeof(Target) + 7) / 8 * 8;
      auto room = memory_.reserve(of_targets + capacity * kWeightBytes);
      std::byte* const at = room.get();
      make_room(std::move(room), at, at + of_targets, capacity);
    }
    writer_.write_to(merged_image_.copied->targets, merged_image_.copied->weights, shares_ ? former_->copied_end : 0);
    merged_image_.num_entries = former_ == nullptr ? base_entries() : former_->num_entries;
    merged_image_.num_self_loops = former_ == nullptr ? input_.image_spec.num_self_loops : former_->num_self_loops;
    merged_image_.weight_bytes = kWeightBytes;
    if (former_ != nullptr) std::copy_n(former_->lists.places, words, place_words_);
    if (patched > 0) make_room_for_patched(patched + num_changes_);
  }

  /// The next state has another one: in a slab it would keep much else there, or be kept by it.
  static std::shared_ptr<std::byte> index_for_now(std::size_t bytes) {
    auto index = std::make_shared_for_overwrite<std::byte[]>(bytes);
    std::byte* const begin = index.get();
    return {std::move(index), begin};
  }

  /// Whether `anew` entries may be put behind what the former state has in its room; they are ours then.
  static bool claim(const MergedLists& former, EdgeCount anew) {
    ListRoom& room = *former.copied;
    std::uint64_t end = former.copied_end;
    return end + anew <= room.capacity && room.used.compare_exchange_strong(end, end + anew, std::memory_order_relaxed);
  }

  void make_room(std::shared_ptr<std::byte> bytes, std::byte* targets, std::byte* weights, std::uint64_t capacity) {
    merged_image_.copied = std::make_shared<ListRoom>();
    merged_image_.copied->bytes = std::move(bytes);
    merged_image_.copied->targets = targets;
    if (kWeighted) merged_image_.copied->weights = weights;
    merged_image_.copied->capacity = capacity;
  }

  /// Most of it is never written to.
  void make_room_for_patched(EdgeCount most) {
    const std::size_t targets = (most * sizeof(Target) + 7) / 8 * 8;
    merged_image_.room = memory_.reserve(targets + most * kWeightBytes);
    merged_image_.target_room = merged_image_.room.get();
    if (kWeighted) merged_image_.weight_room = merged_image_.room.get() + targets;
    merged_image_.lists.room_begin =
        static_cast<std::uint32_t>(merged_image_.copied->capacity + 1);  // no copied list begins there
    in_room_ = merged_image_.lists.room_begin;
  }
  [[nodiscard]] bool has_patched() const noexcept { return merged_image_.room != nullptr; }

  /// The next list, whose patches have been put there.
  void put(ListBounds lies) {
    if (has_patched()) merged_image_.patched.begins.push_back(patches_before_);
    patches_before_ = static_cast<std::uint32_t>(merged_image_.patched.patches.size());
    bounds_[merged_image_.count++] = lies;
  }
  /// So many entries of a patched list have their place in the room.
  ListBounds take_room(EdgeCount size) {
    merged_image_.patched_entries += size;
    const std::uint64_t begin = std::exchange(in_room_, in_room_ + size);
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(in_room_)};
  }
  void mark(std::uint32_t place, bool changed) {
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    place_words_[place / 64] = changed ? place_words_[place / 64] | bit : place_words_[place / 64] & ~bit;
  }

  /// Lists of the former state, up to that one, in which nothing has changed since.
  void carry_over_to(std::uint32_t end) {
    if (former_ == nullptr) return;
    const ListBounds* const bounds = former_->lists.bounds;
    for (; carried_ < end; ++carried_) {
      const ListBounds at = bounds[carried_];
      if (former_is_patched(carried_)) {
        carry_patches(carried_);
        put(take_room(at.end - at.begin));
        continue;
      }
      merged_image_.copied_entries += at.end - at.begin;
      if (shares_) {
        put(at);
      } else {
        const std::uint64_t begin = writer_.filled();
        writer_.copy(copied_list(at));
        put(bounds_from(begin));
      }
    }
  }
  [[nodiscard]] ListBounds bounds_from(std::uint64_t begin) const noexcept {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(writer_.filled())};
  }

  [[nodiscard]] static BaseList<Target, W> list_at(const void* targets, const void* weights, std::uint32_t begin,
                                                   std::uint32_t end) noexcept {
    const auto* const of_weights = static_cast<const W*>(weights);
    return {static_cast<const Target*>(targets) + begin, of_weights == nullptr ? nullptr : of_weights + begin, nullptr,
            begin, end - begin};
  }
  /// One that the former state has copied.
  [[nodiscard]] BaseList<Target, W> copied_list(ListBounds at) const noexcept {
    return list_at(former_->lists.targets, former_->lists.weights, at.begin, at.end);
  }
  /// Where the image has it.
  [[nodiscard]] BaseList<Target, W> list_in_image(std::uint32_t place) const noexcept {
    BaseList<Target, W> list =
        list_at(base_.targets, kWeighted ? base_.weights : nullptr, base_.offsets[place], base_.offsets[place + 1]);
    if (rows_) list.rows = &*rows_;
    return list;
  }

  /// A list with its changes, copied behind the others.
  void merge_list(const ChangedList& list) {
    const std::uint64_t begin = writer_.filled();
    merged_image_.num_self_loops += static_cast<EdgeCount>(writer_.merge(as_it_was(list), list.changes, self(list)));
    const ListBounds lies = bounds_from(begin);
    merged_image_.copied_entries += lies.end - lies.begin;
    merged_image_.num_entries += EdgeCount{lies.end - lies.begin} - list.size;
    mark(list.place, true);
    put(lies);
  }
  [[nodiscard]] BaseList<Target, W> as_it_was(const ChangedList& list) {
    if (!list.known) return list_in_image(list.place);
    if (!list.was_patched) return copied_list(former_->lists.bounds[list.index]);
    scratch_.clear();
    scratch_weights_.clear();
    before_.for_runs(list.place, 0, list.size, [&](const auto& run) {
      const BaseList<Target, W> part = list_at(run.targets, kWeighted ? run.weights : nullptr, run.begin, run.end);
      scratch_.insert(scratch_.end(), part.targets, part.targets + part.size);
      if constexpr (kWeighted) scratch_weights_.insert(scratch_weights_.end(), part.weights, part.weights + part.size);
      return true;
    });
    return list_at(scratch_.data(), kWeighted ? scratch_weights_.data() : nullptr, 0, list.size);
  }
  [[nodiscard]] VertexId self(const ChangedList& list) const noexcept {
    return (input_.shape.section << input_.section_bits) + list.place;
  }

  /// A search for a target in a list of the image: among `size` entries from `first` on.
  struct Search {
    const Target* first;
    std::uint32_t size;
    Target target;
  };

  /// Sorts the changes of each list that is patched, and searches the list for their targets.
  void find_changes() {
    for (const ChangedList& list : lists_) {
      const bool copied_before = list.known && !list.was_patched;
      const Target* const first = copied_before ? copied_list(former_->lists.bounds[list.index]).targets
                                                : base_.targets + base_.offsets[list.place];
      if (!list.patched) {
        __builtin_prefetch(first);
        continue;
      }
      sort_changes_of_list(list.changes, false);
      for (const Change<W>& change : list.changes)
        searches_.push_back({first, size_in_image(list.place), static_cast<Target>(change.target())});
    }
    constexpr std::size_t kSideBySide = 64;
    for (std::size_t begin = 0; begin < searches_.size(); begin += kSideBySide)
      search(std::span(searches_).subspan(begin, std::min(kSideBySide, searches_.size() - begin)));
  }

  /// Side by side, for lists that are not in the cache: the memory is waited for once a step of all searches.
  static void search(std::span<Search> searches) {
    for (bool more = true; more;) {
      more = false;
      for (Search& each : searches) {
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

  /// What differs in a great list, whose changes have been found: the former patches, and what changed since.
  void patch_list(const ChangedList& list) {
    const Search* found = searches_.data() + searches_read_;
    searches_read_ += list.changes.size();
    const std::size_t none = merged_image_.patched.patches.size();
    const std::span<const Patch> former = former_patches(list);
    auto old = former.begin();
    growth_ = 0;
    for (auto change = list.changes.begin(); change < list.changes.end();) {
      const VertexId target = change->target();
      const auto of_others =
          std::find_if(change, list.changes.end(), [target](const Change<W>& each) { return each.target() != target; });
      for (; old != former.end() && target_of(*old) < target; ++old) carry_patch(*old, list.place);
      const bool again = old != former.end() && target_of(*old) == target;
      const auto at = static_cast<std::uint32_t>(found->first - base_.targets);
      found += of_others - change;
      put_patch(list, at, again ? &*old : nullptr, std::span<const Change<W>>(change, of_others));
      if (again) ++old;
      change = of_others;
    }
    for (; old != former.end(); ++old) carry_patch(*old, list.place);
    const auto size = static_cast<EdgeCount>(std::int64_t{size_in_image(list.place)} + growth_);
    merged_image_.num_entries += size - list.size;
    const bool changed = merged_image_.patched.patches.size() > none;  // or else what came was there
    mark(list.place, changed);
    if (changed) put(take_room(size));
  }

  /// Whose entries a former patch tells.
  [[nodiscard]] VertexId target_of(const Patch& patch) const {
    return patch.begin < patch.end ? former_came()[patch.begin] : base_.targets[patch.at];
  }
  [[nodiscard]] const Target* former_came() const noexcept {
    return reinterpret_cast<const Target*>(former_->patched.targets.data());
  }
  [[nodiscard]] const W* former_came_weights() const noexcept {
    return reinterpret_cast<const W*>(former_->patched.weights.data());
  }

  void carry_patches(std::uint32_t index) {
    for (std::uint32_t i = former_->patched.begins[index]; i < former_->patched.begins[index + 1]; ++i) {
      Patch patch = former_->patched.patches[i];
      const auto came = std::span(former_came() + patch.begin, former_came() + patch.end);
      put_entries(patch, came, kWeighted ? former_came_weights() + patch.begin : nullptr);
    }
  }
  /// One of a list in which other patches have changed.
  void carry_patch(Patch patch, std::uint32_t place) {
    patch.to = place_in_list(patch.at, place);
    growth_ += std::int64_t{patch.end - patch.begin} - patch.gone;
    const auto came = std::span(former_came() + patch.begin, former_came() + patch.end);
    put_entries(patch, came, kWeighted ? former_came_weights() + patch.begin : nullptr);
  }
  [[nodiscard]] std::uint32_t place_in_list(std::uint32_t at, std::uint32_t place) const noexcept {
    return static_cast<std::uint32_t>(std::int64_t{at - base_.offsets[place]} + growth_);
  }

  /// Adds a patch for the changes to one target, whose entries in the image begin at `at` or were told by `former`,
  /// unless they are what the image has.
  void put_patch(const ChangedList& list, std::uint32_t at, const Patch* former, std::span<const Change<W>> changes) {
    const VertexId target = changes.front().target();
    std::uint32_t gone = 0;
    while (at + gone < base_.offsets[list.place + 1] && base_.targets[at + gone] == target) ++gone;
    const BaseList<Target, W> image = list_at(base_.targets, kWeighted ? base_.weights : nullptr, at, at + gone);
    BaseList<Target, W> before = image;
    if (former != nullptr) {
      before = list_at(former_came(), kWeighted ? former_came_weights() : nullptr, former->begin, former->end);
    }
    came_.clear();
    merge_changes<W>(
        before.size, [&](std::size_t) { return target; }, [&](std::size_t i) { return before.weight(i); }, changes,
        input_.parallel_edges, group_, [&](VertexId, const W& weight) { came_.push_back(weight); });
    if (target == self(list)) merged_image_.num_self_loops += came_.size() - EdgeCount{before.size};
    bool same = came_.size() == gone;
    for (std::uint32_t i = 0; i < gone && same; ++i) same = same_weight(came_[i], image.weight(i));
    if (same) return;
    const Patch patch{at, gone, 0, 0, place_in_list(at, list.place)};
    growth_ += static_cast<std::int64_t>(came_.size()) - gone;
    came_targets_.assign(came_.size(), static_cast<Target>(target));
    put_entries(patch, came_targets_, came_.data());
  }

  /// A patch and the entries that it brings.
  void put_entries(Patch patch, std::span<const Target> targets, [[maybe_unused]] const W* weights) {
    MergedPatches& to = merged_image_.patched;
    patch.begin = static_cast<std::uint32_t>(to.targets.size() / sizeof(Target));
    patch.end = patch.begin + static_cast<std::uint32_t>(targets.size());
    append(to.targets, std::as_bytes(targets));
    if constexpr (kWeighted) append(to.weights, std::as_bytes(std::span(weights, targets.size())));
    to.patches.push_back(patch);
  }
  static void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

  void finish() {
    if (merged_image_.patched.patches.empty()) merged_image_.patched = {};
    else merged_image_.patched.begins.push_back(patches_before_);
    for (std::uint32_t word = 0, before = 0; word <= input_.shape.num_vertices / 64; ++word) {
      words_before_[word] = before;
      before += static_cast<std::uint32_t>(std::popcount(place_words_[word]));
    }
    merged_image_.copied_end = writer_.filled();
    merged_image_.copied->used.store(merged_image_.copied_end, std::memory_order_relaxed);
    DeltaLists& lists = merged_image_.lists;
    lists.places = place_words_;
    lists.before = words_before_;
    lists.bounds = bounds_;
    lists.targets = merged_image_.copied->targets;
    lists.weights = merged_image_.copied->weights;
    lists.growth = static_cast<std::int64_t>(merged_image_.num_entries) - static_cast<std::int64_t>(base_entries());
  }

  const MergeInput& input_;
  std::uint32_t great_;
  EdgeCount most_;
  const MergedLists* former_;
  MergeArena& memory_;
  SectionEdges<Target> base_;
  SectionEdges<Target> before_;     ///< as the former state has the lists
  std::optional<RowNumbers> rows_;  ///< of an image that has them packed
  std::vector<Change<W>> changes_;
  std::uint64_t num_changes_ = 0;
  std::vector<ChangedList> lists_;
  bool shares_ = false;           ///< copied lists go behind those of the former state
  std::uint32_t carried_ = 0;     ///< lists of the former state that are done with
  std::vector<Search> searches_;  ///< one for each change to a list that is patched
  std::size_t searches_read_ = 0;
  std::uint32_t patches_before_ = 0;  ///< those of the lists before
  std::int64_t growth_ = 0;           ///< by the patches of a list that have been put there
  MergedLists merged_image_;
  std::uint64_t in_room_ = 0;
  std::uint64_t* place_words_ = nullptr;
  std::uint32_t* words_before_ = nullptr;
  ListBounds* bounds_ = nullptr;
  ListWriter<Target, W> writer_;
  std::vector<Target> scratch_, came_targets_;
  std::vector<W> scratch_weights_, came_, group_;
};

template <class Target>
std::optional<MergedLists> merge_to(const MergeInput& input, const MergeLimits& limits, const MergedLists* former,
                                    MergeArena& memory) {
  switch (input.shape.weights) {
    case WeightType::none: return ListMerger<Target, Unweighted>(input, limits, former, memory).run();
    case WeightType::int32: return ListMerger<Target, std::int32_t>(input, limits, former, memory).run();
    case WeightType::float32: return ListMerger<Target, float>(input, limits, former, memory).run();
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
