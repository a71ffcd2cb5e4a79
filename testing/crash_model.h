// CrashModel: what the rules of src/platform/medium.h leave of a set of files when the power fails.
//
// How: each granule of a file, each file's size and each change of a name has a list of values that
// it may have after a crash: the last one known durable, and every one it took since.  A successful
// sync strikes all but the newest; after a failed one the values of that moment stay open permanently,
// until the granule is written and synced again (rule 4).  A size that is open permanently reaches at least as
// far as what was written and synced since.  Names, and what a resizing did, are settled by the next
// sync.  A crash state picks one value for each.
#pragma once

#include "platform/medium.h"
#include "testing/store_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rizoma {

enum class OperationKind { write, resize, discard, sync, create, remove, rename, sync_names, read };

[[nodiscard]] const char* name_of(OperationKind kind) noexcept;

/// Number of a file, whatever its name.
using FileNumber = std::uint64_t;

/// One operation as it took effect.
struct Operation {
  OperationKind kind = OperationKind::write;
  bool failed = false;  ///< sync, sync_names: it reported an error
  FileNumber file = 0;
  std::string name;              ///< create, remove: the name; rename: from; others: for messages
  std::string new_name;          ///< rename: to
  std::uint64_t offset = 0;      ///< write, discard
  std::uint64_t size = 0;        ///< resize, discard
  std::vector<std::byte> bytes;  ///< write
  [[nodiscard]] std::string describe() const;
};

/// Values that something may have after a crash, oldest first; never empty.
template <class T>
class OpenValue {
 public:
  explicit OpenValue(T durable) : values_{std::move(durable)} {}
  [[nodiscard]] bool open() const noexcept { return values_.size() > 1; }
  [[nodiscard]] std::size_t count() const noexcept { return values_.size(); }
  [[nodiscard]] const T& at(std::size_t i) const { return values_[i]; }
  [[nodiscard]] const T& newest() const { return values_.back(); }
  /// `by_file_system`: a record of the file system, not bytes that the next sync has to write.
  void change(T value, bool by_file_system) {
    values_.push_back(std::move(value));
    by_file_system_ = by_file_system;
    adrift_ = false;
  }
  /// None is less than `least` any more.
  void raise(T least) {
    for (T& value : values_) value = std::max(value, least);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    adrift_ = adrift_ && open();
  }
  void settle(bool sync_failed) {
    if (sync_failed) {
      adrift_ = adrift_ || (open() && !by_file_system_);
    } else if (!adrift_) {
      values_.erase(values_.begin(), values_.end() - 1);
    }
  }

 private:
  std::vector<T> values_;
  bool by_file_system_ = false;
  bool adrift_ = false;  // a failed sync met the newest value
};

using Bytes = std::vector<std::byte>;

/// Something that a crash decides: `options` values, 0 the oldest, the last one the newest.
struct OpenItem {
  enum class What { granule, size, name } what = What::granule;
  FileNumber file = 0;
  std::uint64_t index = 0;  ///< granule number, or number of the pending name change
  std::size_t options = 0;
  std::uint64_t since = 0;                    ///< count of operations when it last changed
  const OpenValue<Bytes>* granule = nullptr;  ///< its values, valid until the model changes
};

class CrashModel {
 public:
  explicit CrashModel(std::uint32_t granularity) : granularity_(granularity) {}

  [[nodiscard]] std::uint32_t granularity() const noexcept { return granularity_; }
  /// A file that was there, durable, before the first operation.
  void add_durable(FileNumber file, const std::string& name, std::span<const std::byte> bytes);
  void apply(const Operation& operation);
  /// In the order of their last change.
  [[nodiscard]] std::vector<OpenItem> open_items() const;
  /// The files after a crash that gives items[i] its value number choice[i].
  [[nodiscard]] FileContents contents(const std::vector<OpenItem>& items, const std::vector<std::size_t>& choice) const;
  [[nodiscard]] std::string describe(const OpenItem& item) const;

 private:
  struct OpenGranule {
    OpenValue<Bytes> value;
    std::uint64_t since = 0;  // count of operations when it last changed
  };
  struct File {
    Bytes settled;  // the bytes of whole granules; of those that are open, what they were before; after it zeros
    std::map<std::uint64_t, OpenGranule> open;
    OpenValue<std::uint64_t> size{0};
    std::uint64_t size_changed = 0;
    std::uint64_t written = 0;  // up to here at most, since a sync failed
    std::string name;           // for messages
  };
  struct NameChange {
    Operation operation;
    std::uint64_t since = 0;
  };
  using Names = std::map<std::string, FileNumber>;

  void put(File& file, std::uint64_t offset, std::span<const std::byte> bytes);
  void put_zeros(File& file, std::uint64_t offset, std::uint64_t size);
  void change_granules(File& file, std::uint64_t offset, std::span<const std::byte> bytes, bool by_file_system);
  void set_size(File& file, std::uint64_t size, bool by_file_system);
  void settle(File& file, bool failed);
  void settle_names();
  /// The bytes of a file that has been settled so far, from granule `index` on; zeros where it ends.
  [[nodiscard]] Bytes settled_granule(const File& file, std::uint64_t index) const;
  /// What is settled of a file, in a size.
  [[nodiscard]] static Bytes settled_bytes(const File& file, std::uint64_t size);
  /// Puts the value of an open granule where it belongs, as far as the file reaches.
  void put_granule(Bytes& bytes, std::uint64_t index, const Bytes& value) const;
  static void change_names(Names& names, const Operation& operation);

  std::uint32_t granularity_;
  std::uint64_t operations_ = 0;
  std::map<FileNumber, File> files_;
  Names durable_names_;
  std::vector<NameChange> name_changes_;
};

}  // namespace rizoma
