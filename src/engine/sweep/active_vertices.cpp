#include <rizoma/detail/active_vertices.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace rizoma {

ActiveVertices::ActiveVertices(Engine& engine, VertexId universe)
    : engine_(engine), universe_(universe), found_(engine.threads()) {}

void ActiveVertices::start(std::span<const VertexId> vertices, EdgeCount entries) {
  list_.assign(vertices.begin(), vertices.end());
  size_ = list_.size();
  entries_ = entries;
  form_ = Form::list;
  has_list_ = true;
  has_set_ = false;
}

void ActiveVertices::start_all(EdgeCount entries) {
  size_ = universe_;
  entries_ = entries;
  form_ = Form::all;
  has_list_ = has_set_ = false;
}

std::span<const VertexId> ActiveVertices::list() {
  if (has_list_) return list_;
  list_.clear();
  if (form_ == Form::all) {
    list_.resize(universe_);
    std::iota(list_.begin(), list_.end(), VertexId{0});
  } else {
    set_.for_each([this](VertexId v) { list_.push_back(v); });
  }
  has_list_ = true;
  return list_;
}

std::uint64_t* ActiveVertices::bits() {
  if (has_set_) return set_.words();
  if (set_.universe() != universe_) set_ = engine_.make_set(universe_);
  else set_.clear();
  for (const VertexId v : list()) set_.add(v);
  has_set_ = true;
  return set_.words();
}

std::uint64_t* ActiveVertices::next_bits() {
  if (next_.universe() != universe_) next_ = engine_.make_set(universe_);
  else if (!next_is_clear_) next_.clear();
  next_is_clear_ = false;
  return next_.words();
}

void ActiveVertices::take_counts() {
  size_ = 0;
  entries_ = 0;
  for (Found& found : found_) {
    size_ += found.vertices;
    entries_ += found.entries;
    found.vertices = 0;
    found.entries = 0;
  }
}

void ActiveVertices::close_lists() {
  take_counts();
  list_.clear();
  for (Found& found : found_) {
    if (list_.empty()) std::swap(list_, found.list);
    else list_.insert(list_.end(), found.list.begin(), found.list.end());
    found.list.clear();
  }
  size_ = list_.size();
  form_ = Form::list;
  has_list_ = true;
  has_set_ = false;
}

void ActiveVertices::close_set() {
  in_vain_ = 0;
  for (Found& found : found_) *in_vain_ += std::exchange(found.in_vain, 0);
  take_counts();
  std::swap(set_, next_);
  form_ = Form::set;
  has_list_ = false;
  has_set_ = true;
}

}  // namespace rizoma
