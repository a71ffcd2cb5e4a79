// Store: creating and opening.
#include "store/store.h"

#include "store/columns/column_rules.h"
#include "store/disk_format.h"
#include "store/manifest/part_file.h"
#include "store/recovery/discarded.h"
#include "store/recovery/store_probe.h"

#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace rizoma {
namespace {

Status check_schema(const GraphSchema& schema) {
  if (schema.section_bits != 0 &&
      (schema.section_bits < format::kMinSectionBits || schema.section_bits > format::kMaxSectionBits)) {
    return Error{ErrorCode::invalid_argument,
                 "section_bits must be 0 or between 2 and 20, not " + std::to_string(schema.section_bits)};
  }
  RIZOMA_TRY(check_edge_columns(schema));
  return check_vertex_columns(schema);
}

}  // namespace

bool Store::makes_file(const std::string& name) { return store_makes_file(name); }

Result<bool> Store::exists(Medium& medium) { return store_exists(medium); }

Result<std::unique_ptr<Store>> Store::create(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  RIZOMA_TRY(check_schema(options.schema));
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  // Before the lock, which writes a file: the directory may belong to another program.
  if (auto found = exists(*store->medium_); !found) return std::move(found).error();
  RIZOMA_TRY(store->writer_.lock_directory());
  RIZOMA_ASSIGN(const bool found, exists(*store->medium_));
  if (found) {
    return Error{ErrorCode::already_exists,
                 "there is already a graph at " + store->medium_->describe() + "; give another path, or open it"};
  }
  RIZOMA_ASSIGN(const bool discarded, is_discarded(*store->medium_));
  if (discarded) RIZOMA_TRY(remove_discarded(*store->medium_));
  const auto rollback = [&store] {
    store->writer_.assume_alone();
    store->writer_.end();
    remove_files(store->publisher_);
    store->writer_.unlock_directory_and_remove_lock();
  };
  try {
    if (const Status created = store->recovery_.create(); !created) {
      rollback();
      return created.error();
    }
  } catch (const std::bad_alloc&) {
    rollback();
    throw;
  }
  return opened(std::move(store));
}

Result<std::unique_ptr<Store>> Store::opened(std::unique_ptr<Store> store) {
  store->reorderer_.note_change();  // replayed changes count as made now
  if (!store->options_.background) return store;
  try {
    store->checkpointer_.start([reorderer = &store->reorderer_] { return reorderer->look(); });
    if (store->reorderer_.wants_a_look()) store->checkpointer_.wake();
  } catch (const std::system_error& error) {
    return Error{ErrorCode::io, "cannot start a thread for " + store->medium_->describe() + ": " + error.what()};
  }
  return store;
}

Result<std::unique_ptr<Store>> Store::open(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  if (!options.at.empty()) {
    return Error{ErrorCode::invalid_argument, "a tagged state can only be read; open it with mode=\"read_only\""};
  }
  std::unique_ptr<Store> store(new Store(std::move(medium), options, false));
  RIZOMA_TRY(expect_store(*store->medium_));  // before the lock, as above
  RIZOMA_TRY(expect_whole_store(*store->medium_));
  RIZOMA_TRY(store->writer_.lock_directory());
  RIZOMA_TRY(store->recovery_.open_for_writing());
  return opened(std::move(store));
}

Result<bool> Store::upgrade(std::shared_ptr<Medium> medium, StoreOptions options) {
  options.upgrade = true;
  RIZOMA_ASSIGN(const auto store, open(std::move(medium), options));
  const bool needed = store->publisher_.format() < format::kFormat;
  if (needed) RIZOMA_TRY(store->checkpoint());
  RIZOMA_TRY(store->close());
  return needed;
}

Result<std::unique_ptr<Store>> Store::open_read_only(std::shared_ptr<Medium> medium, const StoreOptions& options) {
  // A writer may publish between our reading of the superblock and of the files it names, and append
  // while we read its log: what looks missing or damaged by that does not twice.
  constexpr int kAttempts = 20;
  constexpr int kCorruptAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    std::unique_ptr<Store> store(new Store(medium, options, true));
    Status recovered = store->recovery_.open_for_reading();
    if (recovered) return store;
    const ErrorCode code = recovered.error().code;
    const int attempts = code == ErrorCode::not_found ? kAttempts : code == ErrorCode::corrupt ? kCorruptAttempts : 1;
    if (attempt >= attempts) return std::move(recovered).error();
  }
}

}  // namespace rizoma
