// ShareFile: what one of several processes that make a load together has written for another, block by block, with a
// checksum each.  Such files are in a directory that all of them see, and go with it.
#pragma once

#include <rizoma/detail/function_ref.h>
#include <rizoma/result.h>

#include "platform/medium.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rizoma {

/// Writes a new file.
class ShareFile {
 public:
  static Result<ShareFile> create(Medium& folder, const std::string& name);
  Status write(std::span<const std::byte> block);

 private:
  explicit ShareFile(std::unique_ptr<MediumFile> file) noexcept : file_(std::move(file)) {}
  std::unique_ptr<MediumFile> file_;
  std::uint64_t end_ = 0;
};

/// Hands on each block as it was written.  Errors: not_found, corrupt, io, those of `take`.
Status read_share_file(Medium& folder, const std::string& name, FunctionRef<Status(std::span<const std::byte>)> take);

/// Gathers records for a ShareFile.
template <class Record>
class RecordFile {
 public:
  static_assert(std::is_trivially_copyable_v<Record>);
  static constexpr std::size_t kBlock = (std::size_t{1} << 18) / sizeof(Record);

  explicit RecordFile(ShareFile file) : file_(std::move(file)) { buffer_.reserve(kBlock); }
  Status add(const Record& record) {
    buffer_.push_back(record);
    return buffer_.size() < kBlock ? Status() : finish();
  }
  Status add(std::span<const Record> records) {
    for (const Record& record : records) RIZOMA_TRY(add(record));
    return {};
  }
  /// Writes what is left.
  Status finish() {
    if (buffer_.empty()) return {};
    RIZOMA_TRY(file_.write(std::as_bytes(std::span(buffer_))));
    buffer_.clear();
    return {};
  }

 private:
  ShareFile file_;
  std::vector<Record> buffer_;
};

template <class Record>
Result<RecordFile<Record>> create_records(Medium& folder, const std::string& name) {
  RIZOMA_ASSIGN(ShareFile file, ShareFile::create(folder, name));
  return RecordFile<Record>(std::move(file));
}

template <class Record>
Status write_records(Medium& folder, const std::string& name, std::span<const Record> records) {
  RIZOMA_ASSIGN(auto file, create_records<Record>(folder, name));
  RIZOMA_TRY(file.add(records));
  return file.finish();
}

/// Hands on records, many at a time, in memory of their own.
template <class Record, class Take>
Status for_records(Medium& folder, const std::string& name, Take&& take) {
  std::vector<Record> records;
  return read_share_file(folder, name, [&](std::span<const std::byte> block) -> Status {
    records.resize(block.size() / sizeof(Record));
    if (!records.empty())
      std::memcpy(static_cast<void*>(records.data()), block.data(), records.size() * sizeof(Record));
    return take(std::span<Record>(records));
  });
}

template <class Record>
Result<std::vector<Record>> read_records(Medium& folder, const std::string& name) {
  std::vector<Record> all;
  RIZOMA_TRY(for_records<Record>(folder, name, [&](std::span<Record> some) -> Status {
    all.insert(all.end(), some.begin(), some.end());
    return {};
  }));
  return all;
}

}  // namespace rizoma
