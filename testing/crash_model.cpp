#include "testing/crash_model.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rizoma {

const char* name_of(OperationKind kind) noexcept {
  switch (kind) {
    case OperationKind::write: return "write";
    case OperationKind::resize: return "resize";
    case OperationKind::discard: return "discard";
    case OperationKind::sync: return "sync";
    case OperationKind::create: return "create";
    case OperationKind::remove: return "remove";
    case OperationKind::rename: return "rename";
    case OperationKind::sync_names: return "sync_names";
    case OperationKind::read: return "read";
  }
  return "?";
}

std::string Operation::describe() const {
  std::string text = name_of(kind);
  if (!name.empty()) text += " " + name;
  if (kind == OperationKind::rename) text += " -> " + new_name;
  if (kind == OperationKind::write) {
    text += " [" + std::to_string(offset) + ", " + std::to_string(offset + bytes.size()) + ")";
  }
  if (kind == OperationKind::discard) {
    text += " [" + std::to_string(offset) + ", " + std::to_string(offset + size) + ")";
  }
  if (kind == OperationKind::resize) text += " to " + std::to_string(size);
  if (failed) text += ", failed";
  return text;
}

void CrashModel::add_durable(FileNumber file, const std::string& name, std::span<const std::byte> bytes) {
  File& added = files_[file];
  added.name = name;
  put(added, 0, bytes);
  settle(added, false);
  durable_names_[name] = file;
}

void CrashModel::apply(const Operation& operation) {
  ++operations_;
  File& file = files_[operation.file];
  switch (operation.kind) {
    case OperationKind::write: put(file, operation.offset, operation.bytes); break;
    case OperationKind::discard: put_zeros(file, operation.offset, operation.size); break;
    case OperationKind::resize:
      if (operation.size < file.size.newest()) {
        put_zeros(file, operation.size, file.size.newest() - operation.size);
      }
      set_size(file, operation.size, true);
      break;
    case OperationKind::sync: settle(file, operation.failed); break;
    case OperationKind::create: file.name = operation.name; [[fallthrough]];
    case OperationKind::remove:
    case OperationKind::rename: name_changes_.push_back({operation, operations_}); break;
    case OperationKind::sync_names:
      if (!operation.failed) settle_names();
      break;
    case OperationKind::read: break;
  }
}

void CrashModel::put(File& file, std::uint64_t offset, std::span<const std::byte> bytes) {
  change_granules(file, offset, bytes, false);
  const std::uint64_t end = offset + bytes.size();
  if (end > file.size.newest()) set_size(file, end, false);
  file.written = std::max(file.written, end);
}

void CrashModel::change_granules(File& file, std::uint64_t offset, std::span<const std::byte> bytes,
                                 bool by_file_system) {
  const std::uint64_t end = offset + bytes.size();
  for (std::uint64_t at = offset; at < end;) {
    const std::uint64_t index = at / granularity_;
    const std::uint64_t within = at % granularity_;
    const std::size_t length = std::min<std::uint64_t>(granularity_ - within, end - at);
    auto place = file.open.find(index);
    if (place == file.open.end()) {
      place = file.open.emplace(index, OpenGranule{OpenValue<Bytes>(settled_granule(file, index))}).first;
    }
    OpenGranule& granule = place->second;
    Bytes value = granule.value.newest();
    std::memcpy(value.data() + within, bytes.data() + (at - offset), length);
    // Of a block that is cut in two the zeros are bytes like others.
    granule.value.change(std::move(value), by_file_system && within == 0);
    granule.since = operations_;
    at += length;
  }
}

void CrashModel::put_zeros(File& file, std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t end = std::min(offset + size, file.size.newest());
  if (offset < end) change_granules(file, offset, Bytes(end - offset), true);
}

void CrashModel::set_size(File& file, std::uint64_t size, bool by_file_system) {
  if (size == file.size.newest()) return;
  file.size.change(size, by_file_system);
  file.size_changed = operations_;
}

void CrashModel::settle(File& file, bool failed) {
  for (auto place = file.open.begin(); place != file.open.end();) {
    OpenValue<Bytes>& value = place->second.value;
    value.settle(failed);
    if (value.open()) {
      ++place;
      continue;
    }
    const std::uint64_t offset = place->first * granularity_;
    if (file.settled.size() < offset + granularity_) file.settled.resize(offset + granularity_);
    std::copy(value.newest().begin(), value.newest().end(), file.settled.begin() + static_cast<std::ptrdiff_t>(offset));
    place = file.open.erase(place);
  }
  if (failed) file.written = 0;
  if (!failed) file.size.raise(std::min(file.written, file.size.newest()));
  file.size.settle(failed);
}

Bytes CrashModel::settled_granule(const File& file, std::uint64_t index) const {
  Bytes granule(granularity_);
  const std::uint64_t offset = index * granularity_;
  if (offset < file.settled.size()) std::memcpy(granule.data(), file.settled.data() + offset, granularity_);
  return granule;
}

void CrashModel::settle_names() {
  for (const NameChange& change : name_changes_) change_names(durable_names_, change.operation);
  name_changes_.clear();
}

void CrashModel::change_names(Names& names, const Operation& operation) {
  if (operation.kind != OperationKind::create) names.erase(operation.name);
  if (operation.kind == OperationKind::create) names[operation.name] = operation.file;
  if (operation.kind == OperationKind::rename) names[operation.new_name] = operation.file;
}

std::vector<OpenItem> CrashModel::open_items() const {
  std::vector<OpenItem> items;
  for (const auto& [number, file] : files_) {
    for (const auto& [index, granule] : file.open) {
      items.push_back({OpenItem::What::granule, number, index, granule.value.count(), granule.since, &granule.value});
    }
    if (file.size.open()) items.push_back({OpenItem::What::size, number, 0, file.size.count(), file.size_changed});
  }
  for (std::size_t i = 0; i < name_changes_.size(); ++i) {
    const NameChange& change = name_changes_[i];
    items.push_back({OpenItem::What::name, change.operation.file, i, 2, change.since});
  }
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.since < b.since; });
  return items;
}

FileContents CrashModel::contents(const std::vector<OpenItem>& items, const std::vector<std::size_t>& choice) const {
  Names names = durable_names_;
  std::map<FileNumber, std::uint64_t> sizes;
  for (std::size_t i = 0; i < items.size(); ++i) {  // changes of names are in their order among the items
    const OpenItem& item = items[i];
    if (item.what == OpenItem::What::name && choice[i] == 1) change_names(names, name_changes_[item.index].operation);
    if (item.what == OpenItem::What::size) sizes[item.file] = files_.at(item.file).size.at(choice[i]);
  }
  FileContents contents;
  std::multimap<FileNumber, Bytes*> by_number;
  for (const auto& [name, number] : names) {
    const File& file = files_.at(number);
    const auto size = sizes.find(number);
    Bytes& bytes = contents[name] = settled_bytes(file, size == sizes.end() ? file.size.at(0) : size->second);
    by_number.emplace(number, &bytes);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].what != OpenItem::What::granule) continue;
    const auto [begin, end] = by_number.equal_range(items[i].file);
    for (auto found = begin; found != end; ++found) {
      put_granule(*found->second, items[i].index, items[i].granule->at(choice[i]));
    }
  }
  return contents;
}

Bytes CrashModel::settled_bytes(const File& file, std::uint64_t size) {
  const std::uint64_t present = std::min<std::uint64_t>(size, file.settled.size());
  Bytes bytes;
  bytes.reserve(size);
  bytes.assign(file.settled.begin(), file.settled.begin() + static_cast<std::ptrdiff_t>(present));
  bytes.resize(size);
  return bytes;
}

void CrashModel::put_granule(Bytes& bytes, std::uint64_t index, const Bytes& value) const {
  const std::uint64_t offset = index * granularity_;
  if (offset >= bytes.size()) return;
  std::memcpy(bytes.data() + offset, value.data(), std::min<std::uint64_t>(granularity_, bytes.size() - offset));
}

std::string CrashModel::describe(const OpenItem& item) const {
  if (item.what == OpenItem::What::name) return name_changes_[item.index].operation.describe();
  const std::string& file = files_.at(item.file).name;
  return item.what == OpenItem::What::size ? file + " size" : file + " granule " + std::to_string(item.index);
}

}  // namespace rizoma
