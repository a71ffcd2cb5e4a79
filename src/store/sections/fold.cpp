#include "store/sections/fold.h"

#include "base/check.h"
#include "store/sections/parallel_edges.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

template <class W>
using Changes = std::vector<Change<W>>;

/// Stable unless order does not show: among added edges without weights.
template <class W>
void sort_bucket(Change<W>* begin, Change<W>* end, bool only_adds) {
  const auto before = [](const Change<W>& a, const Change<W>& b) { return a.target() < b.target(); };
  if (end - begin < 2) return;
  if (std::is_same_v<W, Unweighted> && only_adds) {
    std::sort(begin, end, before);
  } else {
    std::stable_sort(begin, end, before);
  }
}

/// In: targets of the image; Out: targets of the result; W: weights of both.
template <class In, class Out, class W>
class Folder {
  static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;

 public:
  Folder(const FoldInput& input, FoldMemory& memory)
      : input_(input), memory_(memory), base_vertices_(input.image.empty() ? 0 : input.image_spec.num_vertices) {
    if (input.image.empty()) return;
    base_ = view_image<In>(input.image_spec, input.image);
    if (input.image_spec.row_bits != 0) rows_.emplace(input.image_spec, input.image);
  }

  Result<FoldedSection> run() {
    bucket_changes();
    const EdgeCount most = base_entries() + num_changes_;
    if (most > UINT32_MAX) {
      return Error{ErrorCode::unsupported,
                   "section " + std::to_string(input_.shape.section) +
                       " would hold 2^32 edges or more: make the graph with fewer section bits"};
    }
    allocate_result(most);
    std::uint32_t v = 0;
    while (v < input_.shape.num_vertices) {
      std::uint32_t end = v;
      while (end < input_.shape.num_vertices && starts_[end] == starts_[end + 1]) ++end;
      copy_lists(v, end);
      if (end < input_.shape.num_vertices) {
        offsets_[end] = static_cast<std::uint32_t>(filled_);
        merge_list(end, changes_.data() + starts_[end], changes_.data() + starts_[end + 1]);
        ++end;
      }
      v = end;
    }
    offsets_[v] = static_cast<std::uint32_t>(filled_);
    close_gap();
    return std::move(result_);
  }

  std::optional<FoldedLists> run_lists() {
    for (const ChangeRun& run : input_.changes) num_changes_ += run.words.size();
    const std::uint64_t most = base_entries() / 2;
    if (num_changes_ > most || base_entries() + 2 * num_changes_ >= UINT32_MAX) return std::nullopt;
    sort_changes();
    EdgeCount copied = 0, patched = 0;
    const std::vector<ChangedList> lists = changed_lists();
    for (const ChangedList& list : lists) (is_patched(list) ? patched : copied) += entries_of(list);
    if (copied + num_changes_ > most) return std::nullopt;
    FoldedLists folded;
    ListBounds* const bounds = allocate_lists(lists.size(), copied + num_changes_, folded);
    if (patched > 0) allocate_room(copied + num_changes_, patched + num_changes_, folded);
    find_changes(lists);
    std::uint64_t in_room = folded.lists.room_begin;
    for (const ChangedList& list : lists) {
      ListBounds lies{static_cast<std::uint32_t>(filled_), 0};
      if (is_patched(list)) {
        const std::optional<EdgeCount> size = patch_list(list, folded.patched);
        if (!size) continue;  // what came was there
        lies.begin = static_cast<std::uint32_t>(std::exchange(in_room, in_room + *size));
        lies.end = static_cast<std::uint32_t>(in_room);
      } else {
        merge_list(list.place, list.begin, list.end);
        lies.end = static_cast<std::uint32_t>(filled_);
      }
      folded.num_entries += EdgeCount{lies.end - lies.begin} - entries_of(list);
      if (patched > 0) folded.patched.begins.push_back(patches_before_);
      patches_before_ = static_cast<std::uint32_t>(folded.patched.patches.size());
      place_words_[list.place / 64] |= std::uint64_t{1} << (list.place % 64);
      bounds[folded.count++] = lies;
    }
    if (folded.patched.patches.empty()) folded.patched = {};
    else folded.patched.begins.push_back(patches_before_);
    for (std::uint32_t word = 0, before = 0; word <= input_.shape.num_vertices / 64; ++word) {
      words_before_[word] = before;
      before += static_cast<std::uint32_t>(std::popcount(place_words_[word]));
    }
    folded.lists.growth = static_cast<std::int64_t>(folded.num_entries);
    folded.num_entries += base_entries();
    folded.num_self_loops = result_.spec.num_self_loops;
    return folded;
  }

 private:
  [[nodiscard]] EdgeCount base_entries() const noexcept {
    return input_.image.empty() ? 0 : input_.image_spec.num_entries;
  }
  [[nodiscard]] std::uint32_t base_begin(std::uint32_t v) const noexcept {
    return v < base_vertices_ ? base_.offsets[v] : 0;
  }
  [[nodiscard]] std::uint32_t base_end(std::uint32_t v) const noexcept {
    return v < base_vertices_ ? base_.offsets[v + 1] : 0;
  }

  struct ChangedList {
    std::uint32_t place;
    Change<W>* begin;
    Change<W>* end;
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end - begin); }
  };
  /// The lists that have changes, which are sorted by place.
  [[nodiscard]] std::vector<ChangedList> changed_lists() {
    std::vector<ChangedList> lists;
    for (Change<W>& change : changes_) {
      const std::uint32_t place = change_place(change.word);
      if (lists.empty() || lists.back().place != place) lists.push_back({place, &change, &change});
      lists.back().end = &change + 1;
    }
    return lists;
  }
  /// Its entries in the image.
  [[nodiscard]] EdgeCount entries_of(const ChangedList& list) const noexcept {
    return base_end(list.place) - base_begin(list.place);
  }
  [[nodiscard]] bool is_patched(const ChangedList& list) const noexcept {
    constexpr EdgeCount kFew = 32;  // one change to so many entries leaves runs that are long enough
    const EdgeCount entries = entries_of(list);
    return entries >= input_.great && list.size() * kFew <= entries && sizeof(In) == sizeof(Out) && !rows_ &&
           (!kWeighted || base_.weights != nullptr);
  }

  /// All changes, those of a vertex together, in order of arrival.
  void sort_changes() {
    changes_.reserve(num_changes_);
    for (const ChangeRun& run : input_.changes) {
      check_weights(run);
      for (std::size_t i = 0; i < run.words.size(); ++i) {
        Change<W>& change = changes_.emplace_back();
        change.word = run.words[i];
        set_weight(change, run, i);
      }
    }
    std::stable_sort(changes_.begin(), changes_.end(), [](const Change<W>& a, const Change<W>& b) {
      return change_place(a.word) < change_place(b.word);
    });
  }

  static void check_weights(const ChangeRun& run) {
    constexpr bool kMayLack = std::is_same_v<W, double>;  // numbers of rows: none are 0
    RIZOMA_CHECK(!kWeighted || kMayLack || run.words.empty() || run.weights != nullptr);
  }
  static void set_weight([[maybe_unused]] Change<W>& change, const ChangeRun& run, std::size_t i) {
    if constexpr (kWeighted) change.weight = run.weights == nullptr ? W{} : static_cast<W>(run.weights[i]);
  }

  /// changes_[starts_[v], starts_[v+1]) are those of vertex v, in order of arrival.
  void bucket_changes() {
    starts_.assign(std::size_t{input_.shape.num_vertices} + 1, 0);
    for (const ChangeRun& run : input_.changes) {
      check_weights(run);
      for (const std::uint64_t word : run.words) {
        RIZOMA_DCHECK(change_place(word) < input_.shape.num_vertices);
        ++starts_[change_place(word)];
      }
      num_changes_ += run.words.size();
    }
    std::uint64_t sum = 0;
    for (std::uint64_t& start : starts_) {
      const std::uint64_t count = start;
      start = sum;
      sum += count;
    }
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    changes_.resize(num_changes_);
    for (const ChangeRun& run : input_.changes) {
      for (std::size_t i = 0; i < run.words.size(); ++i) {
        Change<W>& change = changes_[next[change_place(run.words[i])]++];
        change.word = without_place(run.words[i]);
        set_weight(change, run, i);
      }
    }
  }

  /// Room for all entries that there can be; merging may leave some of it empty.
  void allocate_result(EdgeCount most) {
    result_.spec = input_.shape;
    result_.spec.num_entries = most;
    result_.spec.num_self_loops = input_.image.empty() ? 0 : input_.image_spec.num_self_loops;
    const ImageLayout layout = image_layout(result_.spec);
    result_.bytes = memory_.take(layout.bytes);
    offsets_ = reinterpret_cast<std::uint32_t*>(result_.bytes.get() + layout.offsets);
    targets_ = reinterpret_cast<Out*>(result_.bytes.get() + layout.targets);
    if constexpr (kWeighted) weights_ = reinterpret_cast<W*>(result_.bytes.get() + layout.weights);
  }

  /// Room for so many lists, of which those that are not patched have `most` entries at most, side by side: who looks
  /// for a list finds all that tells of it nearby.  Gives where their bounds are to be.
  ListBounds* allocate_lists(std::size_t lists, EdgeCount most, FoldedLists& to) {
    const std::size_t words = input_.shape.num_vertices / 64 + 1;
    std::size_t bytes = 0;
    const auto room_for = [&](std::size_t length) { return std::exchange(bytes, bytes + (length + 7) / 8 * 8); };
    const std::size_t places = room_for(words * sizeof(std::uint64_t));
    const std::size_t before = room_for(words * sizeof(std::uint32_t));
    const std::size_t bounds = room_for(lists * sizeof(ListBounds));
    const std::size_t targets = room_for(most * sizeof(Out));
    const std::size_t weights = room_for(kWeighted ? most * sizeof(*weights_) : 0);
    to.bytes = memory_.take(bytes);
    std::byte* const begin = to.bytes.get();
    place_words_ = reinterpret_cast<std::uint64_t*>(begin + places);
    words_before_ = reinterpret_cast<std::uint32_t*>(begin + before);
    targets_ = reinterpret_cast<Out*>(begin + targets);
    if constexpr (kWeighted) weights_ = reinterpret_cast<W*>(begin + weights);
    auto* const of_lists = reinterpret_cast<ListBounds*>(begin + bounds);
    to.lists.places = place_words_;
    to.lists.before = words_before_;
    to.lists.bounds = of_lists;
    to.lists.targets = targets_;
    if constexpr (kWeighted) to.lists.weights = weights_;
    result_.spec.num_self_loops = input_.image_spec.num_self_loops;
    return of_lists;
  }

  /// Room for patched lists, of which the first entry has the number `begin`: most of it is never written to.
  void allocate_room(EdgeCount begin, EdgeCount most, FoldedLists& to) {
    const std::size_t targets = (most * sizeof(Out) + 7) / 8 * 8;
    to.weight_bytes = kWeighted ? sizeof(*weights_) : 0;
    to.room = memory_.reserve(targets + most * to.weight_bytes);
    to.target_room = to.room.get();
    if (kWeighted) to.weight_room = to.room.get() + targets;
    to.lists.room_begin = static_cast<std::uint32_t>(begin);
  }

  /// Lists [v, end), which have no changes.
  void copy_lists(std::uint32_t v, std::uint32_t end) {
    const std::uint32_t base_end = std::min(end, base_vertices_);
    if (v < base_end) {
      const std::uint32_t first = base_.offsets[v];
      const std::uint32_t length = base_.offsets[base_end] - first;
      const auto shift = static_cast<std::uint32_t>(filled_) - first;
      for (; v < base_end; ++v) offsets_[v] = base_.offsets[v] + shift;
      std::copy_n(base_.targets + first, length, targets_ + filled_);
      copy_weights(first, length);
      filled_ += length;
    }
    for (; v < end; ++v) offsets_[v] = static_cast<std::uint32_t>(filled_);
  }

  /// The list of v with its changes, behind what there is.
  void merge_list(std::uint32_t v, Change<W>* change, Change<W>* change_end) {
    const bool only_adds = std::all_of(change, change_end,
                                       [](const Change<W>& each) { return change_kind(each.word) == ChangeKind::add; });
    sort_bucket(change, change_end, only_adds);
    const std::uint32_t first = base_begin(v);
    const std::uint32_t last = base_end(v);
    const std::uint64_t begin = filled_;
    only_adds ? add_to_list(first, last, change, change_end) : change_list(first, last, {change, change_end});
    const auto self = static_cast<Out>((input_.shape.section << input_.section_bits) + v);
    result_.spec.num_self_loops += count(targets_ + begin, targets_ + filled_, self);
    if (first < last) {
      result_.spec.num_self_loops -= count(base_.targets + first, base_.targets + last, static_cast<In>(self));
    }
  }

  /// A search for a target in a list of the image: among `size` entries from `first` on.
  struct Search {
    const In* first;
    std::uint32_t size;
    In target;
  };

  /// Sorts the changes of each list that is patched, and searches the list for their targets.
  void find_changes(const std::vector<ChangedList>& lists) {
    for (const ChangedList& list : lists) {
      if (!is_patched(list)) {
        __builtin_prefetch(base_.targets + base_begin(list.place));
        continue;
      }
      sort_bucket(list.begin, list.end, false);
      const In* const first = base_.targets + base_begin(list.place);
      const auto size = static_cast<std::uint32_t>(entries_of(list));
      for (const Change<W>* change = list.begin; change < list.end; ++change)
        searches_.push_back({first, size, static_cast<In>(change->target())});
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

  /// What differs in a great list, whose changes have been found; gives its length, if anything does.
  std::optional<EdgeCount> patch_list(const ChangedList& list, FoldedPatches& to) {
    const Search* const found = searches_.data() + std::exchange(searches_read_, searches_read_ + list.size());
    const std::uint32_t first = base_begin(list.place);
    const std::uint32_t last = base_end(list.place);
    const std::size_t before = to.patches.size();
    const auto self = static_cast<VertexId>((input_.shape.section << input_.section_bits) + list.place);
    std::uint32_t size = last - first;
    for (Change<W>* change = list.begin; change < list.end;) {
      const VertexId target = change->target();
      Change<W>* const of_others =
          std::find_if(change, list.end, [target](const Change<W>& each) { return each.target() != target; });
      const auto e = static_cast<std::uint32_t>(found[change - list.begin].first - base_.targets);
      std::uint32_t gone = 0;
      while (e + gone < last && base_.targets[e + gone] == target) ++gone;
      const std::uint32_t came = put_patch({e, gone, 0, 0, e - first + size - (last - first)}, {change, of_others}, to);
      if (target == self) result_.spec.num_self_loops += came - EdgeCount{gone};
      size += came - gone;
      change = of_others;
    }
    return to.patches.size() == before ? std::nullopt : std::optional<EdgeCount>(size);
  }

  /// Adds a patch for the changes to one target, unless it changes nothing; returns how many entries to it there are.
  std::uint32_t put_patch(Patch patch, std::span<const Change<W>> changes, FoldedPatches& to) {
    const std::uint32_t e = patch.at;
    std::vector<W> weights;
    merge_changes<W>(
        patch.gone, [&](std::size_t i) { return VertexId{base_.targets[e + i]}; },
        [&](std::size_t i) { return base_weight(e + i); }, changes, input_.parallel_edges, group_,
        [&](VertexId, const W& weight) { weights.push_back(weight); });
    const auto came = static_cast<std::uint32_t>(weights.size());
    bool same = came == patch.gone;
    for (std::uint32_t i = 0; i < came && same; ++i) same = same_weight(weights[i], base_weight(e + i));
    if (same) return came;
    patch.begin = static_cast<std::uint32_t>(to.targets.size() / sizeof(Out));
    patch.end = patch.begin + came;
    const auto target = static_cast<Out>(changes.front().target());
    for (const W& weight : weights) {
      append(to.targets, target);
      if constexpr (kWeighted) append(to.weights, weight);
    }
    to.patches.push_back(patch);
    return came;
  }
  template <class Value>
  static void append(std::vector<std::byte>& bytes, const Value& value) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof(Value));
  }

  /// How often a sorted list has the target.
  template <class Target>
  static EdgeCount count(const Target* begin, const Target* end, Target target) {
    const auto range = std::equal_range(begin, end, target);
    return static_cast<EdgeCount>(range.second - range.first);
  }

  /// The entries [e, end) of the image and added edges.
  void add_to_list(std::uint32_t e, std::uint32_t end, const Change<W>* change, const Change<W>* change_end) {
    const std::uint64_t begin = filled_;
    for (; change < change_end; ++change) {
      while (e < end && base_.targets[e] <= change->target()) put_base(e++);
      put_added(*change, begin);
    }
    const std::uint32_t rest = end - e;
    std::copy_n(base_.targets + e, rest, targets_ + filled_);
    copy_weights(e, rest);
    filled_ += rest;
  }

  /// Those of entries [e, e + count) of the image, which has none if the graph got its first columns after it.
  void copy_weights(std::uint32_t e, std::uint32_t count) {
    if constexpr (kWeighted) {
      if (rows_) {
        W* const out = weights_ + filled_;
        rows_->for_each(e, std::size_t{e} + count,
                        [out, e](std::size_t i, double row) { out[i - e] = static_cast<W>(row); });
      } else if (base_.weights == nullptr) {
        std::fill_n(weights_ + filled_, count, W{});
      } else {
        std::copy_n(static_cast<const W*>(base_.weights) + e, count, weights_ + filled_);
      }
    }
  }
  W base_weight(std::size_t e) const {
    if constexpr (kWeighted) {
      if (rows_) return static_cast<W>((*rows_)[e]);
      if (base_.weights != nullptr) return static_cast<const W*>(base_.weights)[e];
    }
    return W{};
  }

  /// The entries [e, end) of the image and changes of every kind.
  void change_list(std::uint32_t e, std::uint32_t end, std::span<const Change<W>> changes) {
    const auto weight_at = [&](std::size_t i) { return base_weight(e + i); };
    merge_changes<W>(
        end - e, [&](std::size_t i) { return VertexId{base_.targets[e + i]}; }, weight_at, changes,
        input_.parallel_edges, group_,
        [&](VertexId target, const W& weight) {
          targets_[filled_] = static_cast<Out>(target);
          if constexpr (kWeighted) weights_[filled_] = weight;
          ++filled_;
        });
  }

  void put_base(std::uint32_t e) {
    targets_[filled_] = base_.targets[e];
    if constexpr (kWeighted) weights_[filled_] = base_weight(e);
    ++filled_;
  }

  /// `begin`: where the list begins.
  void put_added(const Change<W>& change, std::uint64_t begin) {
    const Out target = static_cast<Out>(change.target());
    const bool known = filled_ > begin && targets_[filled_ - 1] == target;
    if (!known || input_.parallel_edges == ParallelEdges::keep) targets_[filled_++] = target;
    if constexpr (kWeighted) weights_[filled_ - 1] = change.weight;
  }

  /// Merging made the targets fewer than was reserved: the weights move up behind them.
  void close_gap() {
    const std::size_t weights_from = image_layout(result_.spec).weights;
    result_.spec.num_entries = filled_;
    const std::size_t weights_to = image_layout(result_.spec).weights;
    if constexpr (kWeighted) {
      std::memmove(result_.bytes.get() + weights_to, result_.bytes.get() + weights_from, filled_ * sizeof(W));
    }
  }

  const FoldInput& input_;
  FoldMemory& memory_;
  SectionEdges<In> base_;
  std::optional<RowNumbers> rows_;  ///< of an image that has them packed
  std::uint32_t base_vertices_;
  std::vector<std::uint64_t> starts_;
  Changes<W> changes_;
  std::uint64_t num_changes_ = 0;
  std::vector<Search> searches_;      ///< one for each change to a list that is patched
  std::size_t searches_read_ = 0;     ///< those of the lists before
  std::uint32_t patches_before_ = 0;  ///< the same
  FoldedSection result_;
  std::uint32_t* offsets_ = nullptr;
  Out* targets_ = nullptr;
  std::conditional_t<kWeighted, W, std::byte>* weights_ = nullptr;
  std::uint64_t filled_ = 0;
  std::uint64_t* place_words_ = nullptr;   ///< of the lists that have changes
  std::uint32_t* words_before_ = nullptr;  ///< and how many of them lie before each word
  std::vector<W> group_;
};

/// Calls f(folder) with the one for the types of the input.
template <class In, class Out, class F>
auto with_weighted(const FoldInput& input, FoldMemory& memory, F&& f) {
  switch (input.shape.weights) {
    case WeightType::none: return f(Folder<In, Out, Unweighted>(input, memory));
    case WeightType::int32: return f(Folder<In, Out, std::int32_t>(input, memory));
    case WeightType::float32: return f(Folder<In, Out, float>(input, memory));
    case WeightType::float64: return f(Folder<In, Out, double>(input, memory));
  }
  RIZOMA_CHECK(false);
}

template <class F>
auto with_folder(const FoldInput& input, FoldMemory& memory, F&& f) {
  const unsigned in = input.image.empty() ? input.shape.target_bytes : input.image_spec.target_bytes;
  RIZOMA_CHECK(in <= input.shape.target_bytes);
  RIZOMA_CHECK(input.image.empty() || input.image_spec.num_vertices <= input.shape.num_vertices);
  if (input.shape.target_bytes == 4) return with_weighted<std::uint32_t, std::uint32_t>(input, memory, f);
  if (in == 4) return with_weighted<std::uint32_t, std::uint64_t>(input, memory, f);
  return with_weighted<std::uint64_t, std::uint64_t>(input, memory, f);
}

}  // namespace

Result<FoldedSection> fold(const FoldInput& input, FoldMemory& memory) {
  return with_folder(input, memory, [](auto folder) { return folder.run(); });
}

std::optional<FoldedLists> fold_lists(const FoldInput& input, FoldMemory& memory) {
  RIZOMA_CHECK(!input.image.empty());
  return with_folder(input, memory, [](auto folder) { return folder.run_lists(); });
}

}  // namespace rizoma
