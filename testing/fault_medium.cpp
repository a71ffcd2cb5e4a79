#include "testing/fault_medium.h"

#include "base/check.h"
#include "base/random.h"
#include "testing/heap_medium.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace rizoma {
namespace {

using Choice = std::vector<std::size_t>;

/// At most `limit` of the numbers 0..size-1, evenly spread, the first and the last included.
std::vector<std::size_t> spread(std::size_t size, std::size_t limit) {
  std::vector<std::size_t> numbers(std::min(size, limit));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = numbers.size() == 1 ? size - 1 : i * (size - 1) / (numbers.size() - 1);
  }
  return numbers;
}

Choice newest(const std::vector<OpenItem>& items) {
  Choice choice;
  for (const OpenItem& item : items) choice.push_back(item.options - 1);
  return choice;
}

/// The systematic part: none and all, each alone lost, each alone kept, prefixes in order of change.
std::vector<Choice> systematic_choices(const std::vector<OpenItem>& items, std::size_t limit) {
  const Choice all = newest(items);
  const Choice none(items.size(), 0);
  std::vector<Choice> choices{all};
  if (items.empty()) return choices;
  choices.push_back(none);
  if (items.size() == 1) return choices;
  for (const std::size_t i : spread(items.size(), limit)) {
    choices.push_back(all);
    choices.back()[i] = 0;
    choices.push_back(none);
    choices.back()[i] = all[i];
    choices.push_back(none);
    std::copy_n(all.begin(), i, choices.back().begin());
  }
  return choices;
}

/// Number of combinations, or `limit` + 1 if it is greater.
std::uint64_t combinations(const std::vector<OpenItem>& items, std::uint64_t limit) {
  std::uint64_t count = 1;
  for (const OpenItem& item : items) {
    count *= item.options;
    if (count > limit) return limit + 1;
  }
  return count;
}

/// Every combination, the newest values first.
std::vector<Choice> all_choices(const std::vector<OpenItem>& items) {
  std::vector<Choice> choices{newest(items)};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t before = choices.size();
    for (std::size_t value = 0; value + 1 < items[i].options; ++value) {
      for (std::size_t k = 0; k < before; ++k) {
        Choice choice = choices[k];
        choice[i] = value;
        choices.push_back(std::move(choice));
      }
    }
  }
  return choices;
}

void add_random_choices(std::vector<Choice>& choices, const std::vector<OpenItem>& items, unsigned count,
                        Random random) {
  for (unsigned n = 0; n < count && !items.empty(); ++n) {
    Choice& choice = choices.emplace_back();
    for (const OpenItem& item : items) choice.push_back(random.below(item.options));
  }
}

}  // namespace

std::string CrashState::describe() const {
  std::string text = "crash after " + std::to_string(position_) + " operations";
  if (position_ > 0) text += " (the last: " + (*history_)[position_ - 1].describe() + ")";
  text += "; lost:";
  std::size_t lost = 0;
  for (std::size_t i = 0; i < choice_.size(); ++i) {
    if (choice_[i] + 1 == (*items_)[i].options) continue;
    if (++lost <= 12) text += (lost > 1 ? ", " : " ") + model_->describe((*items_)[i]);
  }
  if (lost == 0) return text + " nothing";
  return lost > 12 ? text + " and " + std::to_string(lost - 12) + " more" : text;
}

CrashStates::CrashStates(CrashModel start, std::vector<Operation> history, CrashLimits limits)
    : start_(std::move(start)), history_(std::move(history)), limits_(limits) {
  RIZOMA_CHECK(limits_.stride > 0);
}

CrashStates::Iterator::Iterator(const CrashStates& all)
    : all_(&all), model_(std::make_unique<CrashModel>(all.start_)), items_(std::make_unique<std::vector<OpenItem>>()) {
  state_.model_ = model_.get();
  state_.items_ = items_.get();
  state_.history_ = &all.history_;
  visit(std::min<std::uint64_t>(all.limits_.first_position, all.history_.size()));
}

CrashStates::Iterator& CrashStates::Iterator::operator++() {
  if (++next_ < choices_.size()) {
    show();
  } else if (state_.position_ == all_->history_.size()) {
    done_ = true;
  } else {
    visit(std::min<std::uint64_t>(state_.position_ + all_->limits_.stride, all_->history_.size()));
  }
  return *this;
}

void CrashStates::Iterator::visit(std::uint64_t position) {
  for (; state_.position_ < position; ++state_.position_) model_->apply(all_->history_[state_.position_]);
  *items_ = model_->open_items();
  state_.exhaustive_ = combinations(*items_, all_->limits_.exhaustive) <= all_->limits_.exhaustive;
  if (state_.exhaustive_) {
    choices_ = all_choices(*items_);
  } else {
    choices_ = systematic_choices(*items_, all_->limits_.systematic);
    add_random_choices(choices_, *items_, all_->limits_.random, Random(mix64(all_->limits_.seed) + position));
  }
  next_ = 0;
  show();
}

void CrashStates::Iterator::show() { state_.choice_ = choices_[next_]; }

/// What a FaultMedium and its open files share: the live files, the history, the faults.
class FaultMedium::Core {
 public:
  explicit Core(std::uint32_t granularity) : live(make_heap_medium(granularity)), start(granularity) {}

  /// The error that all changes get from the death of the process on.
  Status alive(OperationKind kind, std::string_view name) {
    if (!dies_at || history.size() < *dies_at) return {};
    if (!struck_at) struck_at = history.size();
    return Error{ErrorCode::io, std::string("the process is dead: ") + name_of(kind) + " " + std::string(name)};
  }

  /// The error that the faults give to this operation, if any.  Call once an operation.
  Status admit(OperationKind kind, std::string_view name) {
    ++counts[static_cast<std::size_t>(kind)];
    Status status;
    for (auto& [fault, seen] : faults) {
      if (fault.kind != kind) continue;
      ++seen;
      if (seen == fault.nth || (fault.lasting && seen > fault.nth)) {
        status = Error{fault.code, std::string("injected fault: ") + name_of(kind) + " " + std::string(name)};
        if (!struck_at) struck_at = history.size();
      }
    }
    return status;
  }

  std::mutex mutex;
  std::unique_ptr<Medium> live;
  CrashModel start;
  std::map<std::string, FileNumber, std::less<>> names;
  FileNumber next_file = 1;
  std::vector<Operation> history;
  std::vector<std::pair<Fault, std::uint64_t>> faults;  // with the operations of the kind seen since
  std::optional<std::uint64_t> dies_at;
  std::optional<std::uint64_t> struck_at;
  std::uint64_t counts[static_cast<std::size_t>(OperationKind::read) + 1] = {};
};

class FaultMedium::File final : public MediumFile {
 public:
  File(std::shared_ptr<Core> core, std::unique_ptr<MediumFile> live, FileNumber number, std::string name)
      : core_(std::move(core)), live_(std::move(live)), number_(number), name_(std::move(name)) {}

  [[nodiscard]] Result<std::uint64_t> size() const override { return live_->size(); }

  Status read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::lock_guard guard(core_->mutex);
    RIZOMA_TRY(core_->admit(OperationKind::read, name_));
    return live_->read(offset, out);
  }

  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::lock_guard guard(core_->mutex);
    RIZOMA_TRY(core_->alive(OperationKind::write, name_));
    Status fault = core_->admit(OperationKind::write, name_);
    if (!fault) bytes = bytes.first(bytes.size() / 2);
    RIZOMA_TRY(live_->write(offset, bytes));
    Operation operation = describe(OperationKind::write);
    operation.offset = offset;
    operation.bytes.assign(bytes.begin(), bytes.end());
    core_->history.push_back(std::move(operation));
    return fault;
  }

  Status sync() override {
    const std::lock_guard guard(core_->mutex);
    RIZOMA_TRY(core_->alive(OperationKind::sync, name_));
    Status fault = core_->admit(OperationKind::sync, name_);
    if (fault) RIZOMA_TRY(live_->sync());
    Operation operation = describe(OperationKind::sync);
    operation.failed = !fault;
    core_->history.push_back(std::move(operation));
    return fault;
  }

  Status resize(std::uint64_t size) override {
    const std::lock_guard guard(core_->mutex);
    RIZOMA_TRY(core_->alive(OperationKind::resize, name_));
    RIZOMA_TRY(core_->admit(OperationKind::resize, name_));
    RIZOMA_TRY(live_->resize(size));
    Operation operation = describe(OperationKind::resize);
    operation.size = size;
    core_->history.push_back(std::move(operation));
    return {};
  }

  Status discard(std::uint64_t offset, std::uint64_t size) override {
    const std::lock_guard guard(core_->mutex);
    RIZOMA_TRY(core_->alive(OperationKind::discard, name_));
    RIZOMA_TRY(core_->admit(OperationKind::discard, name_));
    RIZOMA_TRY(live_->discard(offset, size));
    Operation operation = describe(OperationKind::discard);
    operation.offset = offset;
    operation.size = size;
    core_->history.push_back(std::move(operation));
    return {};
  }

  [[nodiscard]] Result<Mapping> map(std::uint64_t offset, std::uint64_t size) const override {
    return live_->map(offset, size);
  }

  [[nodiscard]] Result<bool> mark_in_use() override { return live_->mark_in_use(); }
  [[nodiscard]] Result<bool> has_only_mark() override { return live_->has_only_mark(); }
  [[nodiscard]] Result<std::shared_ptr<const void>> pin(std::uint64_t number) const override {
    return live_->pin(number);
  }
  [[nodiscard]] Result<std::vector<std::uint64_t>> pins(std::uint64_t end) const override { return live_->pins(end); }

 private:
  [[nodiscard]] Operation describe(OperationKind kind) const {
    Operation operation;
    operation.kind = kind;
    operation.file = number_;
    operation.name = name_;
    return operation;
  }

  std::shared_ptr<Core> core_;
  std::unique_ptr<MediumFile> live_;
  FileNumber number_;
  std::string name_;
};

namespace {

Operation name_operation(OperationKind kind, FileNumber file, std::string_view name, std::string_view new_name = {}) {
  Operation operation;
  operation.kind = kind;
  operation.file = file;
  operation.name = name;
  operation.new_name = new_name;
  return operation;
}

}  // namespace

FaultMedium::FaultMedium(std::uint32_t granularity) : core_(std::make_shared<Core>(granularity)) {}

FaultMedium::FaultMedium(Medium& initial) : core_(std::make_shared<Core>(initial.granularity())) {
  const std::vector<std::string> names = *initial.list();
  for (const std::string& name : names) {
    const auto from = *initial.open(name, FileMode::read);
    std::vector<std::byte> bytes(*from->size());
    RIZOMA_CHECK(from->read(0, bytes).ok());
    RIZOMA_CHECK((*core_->live->open(name, FileMode::create))->write(0, bytes).ok());
    const FileNumber number = core_->next_file++;
    core_->names[name] = number;
    core_->start.add_durable(number, name, bytes);
  }
}

FaultMedium::~FaultMedium() = default;

void FaultMedium::fail(Fault fault) {
  const std::lock_guard guard(core_->mutex);
  core_->faults.emplace_back(fault, 0);
}

void FaultMedium::clear_faults() {
  const std::lock_guard guard(core_->mutex);
  core_->dies_at.reset();
  core_->faults.clear();
  core_->struck_at.reset();
}

void FaultMedium::kill_at(std::uint64_t position) {
  const std::lock_guard guard(core_->mutex);
  core_->dies_at = position;
  core_->struck_at.reset();
}

void FaultMedium::revive() {
  const std::lock_guard guard(core_->mutex);
  core_->dies_at.reset();
}

std::optional<std::uint64_t> FaultMedium::struck_at() const {
  const std::lock_guard guard(core_->mutex);
  return core_->struck_at;
}

std::uint64_t FaultMedium::position() const {
  const std::lock_guard guard(core_->mutex);
  return core_->history.size();
}

std::uint64_t FaultMedium::count(OperationKind kind) const {
  const std::lock_guard guard(core_->mutex);
  return core_->counts[static_cast<std::size_t>(kind)];
}

CrashStates FaultMedium::crash_states(CrashLimits limits) const {
  const std::lock_guard guard(core_->mutex);
  return CrashStates(core_->start, core_->history, limits);
}

Result<std::unique_ptr<MediumFile>> FaultMedium::open(std::string_view name, FileMode mode) {
  const std::lock_guard guard(core_->mutex);
  if (mode == FileMode::create) {
    RIZOMA_TRY(core_->alive(OperationKind::create, name));
    RIZOMA_TRY(core_->admit(OperationKind::create, name));
  }
  RIZOMA_ASSIGN(auto live, core_->live->open(name, mode));
  const auto known = core_->names.find(name);
  const bool created = known == core_->names.end();
  const FileNumber number = created ? core_->next_file++ : known->second;
  if (created) {
    core_->names.emplace(name, number);
    core_->history.push_back(name_operation(OperationKind::create, number, name));
  } else if (mode == FileMode::create) {
    core_->history.push_back(name_operation(OperationKind::resize, number, name));  // emptied: size 0
  }
  return std::unique_ptr<MediumFile>(std::make_unique<File>(core_, std::move(live), number, std::string(name)));
}

Result<bool> FaultMedium::exists(std::string_view name) const { return core_->live->exists(name); }

Result<std::vector<std::string>> FaultMedium::list() const { return core_->live->list(); }

Status FaultMedium::remove(std::string_view name) {
  const std::lock_guard guard(core_->mutex);
  RIZOMA_TRY(core_->alive(OperationKind::remove, name));
  RIZOMA_TRY(core_->admit(OperationKind::remove, name));
  RIZOMA_TRY(core_->live->remove(name));
  const auto known = core_->names.find(name);
  core_->history.push_back(name_operation(OperationKind::remove, known->second, name));
  core_->names.erase(known);
  return {};
}

Status FaultMedium::rename(std::string_view from, std::string_view to) {
  const std::lock_guard guard(core_->mutex);
  RIZOMA_TRY(core_->alive(OperationKind::rename, from));
  RIZOMA_TRY(core_->admit(OperationKind::rename, from));
  RIZOMA_TRY(core_->live->rename(from, to));
  if (from == to) return {};
  const auto known = core_->names.find(from);
  const FileNumber number = known->second;
  core_->history.push_back(name_operation(OperationKind::rename, number, from, to));
  core_->names.erase(known);
  core_->names.insert_or_assign(std::string(to), number);
  return {};
}

Status FaultMedium::sync_names() {
  const std::lock_guard guard(core_->mutex);
  RIZOMA_TRY(core_->alive(OperationKind::sync_names, ""));
  Status fault = core_->admit(OperationKind::sync_names, "");
  Operation operation = name_operation(OperationKind::sync_names, 0, "");
  operation.failed = !fault;
  core_->history.push_back(std::move(operation));
  return fault;
}

Result<std::unique_ptr<WriterLock>> FaultMedium::lock_for_writing() { return core_->live->lock_for_writing(); }

std::uint32_t FaultMedium::granularity() const noexcept { return core_->live->granularity(); }

std::string FaultMedium::describe() const { return ":faults:"; }

}  // namespace rizoma
