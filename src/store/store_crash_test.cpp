// Crashes at every point of scripted histories: what was acknowledged is there and whole, what was
// not is there whole or not at all, in order; and the store goes on from there.
#include "store/store_model.h"

#include "platform/memory_medium.h"
#include "store/check.h"
#include "store/store.h"
#include "testing/fault_medium.h"

#include <gtest/gtest.h>

#include <functional>

namespace rizoma {
namespace {

/// States of the model after each batch, and the medium's positions when it was begun and acknowledged.
struct Script {
  std::vector<StoreModel> states;
  std::vector<std::uint64_t> begun;
  std::vector<std::uint64_t> acknowledged;
};

StoreOptions small_options(const GraphSchema& schema) {
  StoreOptions options;
  options.schema = schema;
  options.schema.section_bits = 2;
  options.log_limit = 700;
  options.close_limit = 400;
  return options;
}

/// Two runs of a store: batches with checkpoints between, a clean close, reopening, more batches.
Script run_history(FaultMedium& medium, const StoreOptions& options) {
  // The store wants to share its medium; this one outlives it.
  const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
  Script script;
  StoreModel model(options.schema);
  const auto acknowledge = [&](std::uint64_t begun) {
    script.states.push_back(model);
    script.begun.push_back(begun);
    script.acknowledged.push_back(medium.position());
  };
  auto store = Store::create(shared, options);
  EXPECT_TRUE(store) << store.error().message;
  acknowledge(0);
  for (int i = 0; i < 8; ++i) {
    std::vector<StoreModel::Added> added;
    for (int e = 0; e <= i % 3; ++e) added.push_back({{i % 5, (3 * i + e) % 11}, double(i)});
    const std::uint64_t begun = medium.position();
    for (const auto& one : added) model.add(one);
    std::vector<std::int64_t> alone;  // a change of edges and lone vertices is as atomic as one of edges
    if (i % 2 == 1) alone = {11 + i, 20 + i};
    for (const std::int64_t id : alone) model.add_vertex(id);
    const auto status = (*store)->add(model.batch(added), model.column(alone));
    EXPECT_TRUE(status) << status.error().message;
    acknowledge(begun);
    if (i == 2) {
      EXPECT_TRUE((*store)->checkpoint());
    }
    if (i == 4 || i == 6) {
      EXPECT_TRUE((*store)->close());
      store = Store::open(shared, options);
      EXPECT_TRUE(store) << store.error().message;
    }
  }
  return script;
}

/// Number of batches in the store, or -1 if its content is none that the script allows.
int batches_in(const StoreSnapshot& snapshot, const Script& script, std::uint64_t position, std::string& message) {
  for (std::size_t k = 0; k < script.states.size(); ++k) {
    const bool needed = k + 1 < script.states.size() && script.acknowledged[k + 1] <= position;
    const bool possible = script.begun[k] <= position;
    if (needed || !possible) continue;
    const auto same = equals(snapshot, script.states[k]);
    if (!same) message = same.error().message;
    if (same && *same) return static_cast<int>(k);
  }
  return -1;
}

void expect_goes_on(const std::shared_ptr<Medium>& medium, std::unique_ptr<Store> store, StoreModel model,
                    const StoreOptions& options) {
  const std::vector<StoreModel::Added> added{{{1, 2}, 77}, {{10, 3}, 78}};
  const auto status = store->add_edges(model.batch(added));
  ASSERT_TRUE(status) << status.error().message;
  for (const auto& one : added) model.add(one);
  store = nullptr;
  auto opened = Store::open(medium, options);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto same = equals(**(*opened)->snapshot(), model);
  ASSERT_TRUE(same) << same.error().message;
  ASSERT_TRUE(*same) << "after going on";
}

void explore(const StoreOptions& options, std::uint32_t granularity, unsigned systematic) {
  FaultMedium medium(granularity);
  const Script script = run_history(medium, options);
  std::uint64_t states = 0;
  for (const CrashState& state : medium.crash_states({.systematic = systematic, .random = 4})) {
    ++states;
    SCOPED_TRACE(state.describe());
    const std::shared_ptr<Medium> left = state.materialize();
    auto store = Store::open(left, options);
    if (!store && store.error().code == ErrorCode::not_found) {
      ASSERT_LT(state.position(), script.acknowledged[0]) << "the store is gone";
      continue;
    }
    ASSERT_TRUE(store) << store.error().message;
    std::string message;
    const int batches = batches_in(**(*store)->snapshot(), script, state.position(), message);
    ASSERT_GE(batches, 0) << "a content that never was; " << message;
    if (states % 5 == 0) expect_goes_on(left, *std::move(store), script.states[static_cast<std::size_t>(batches)], options);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(states, 300u);
}

TEST(StoreCrash, EveryPointOnADisk) { explore(small_options({}), 512, 16); }

TEST(StoreCrash, EveryPointOnCacheLines) {
  GraphSchema schema;
  schema.directed = true;
  schema.weights = WeightType::float32;
  explore(small_options(schema), 64, 8);
}

TEST(StoreCrash, EveryPointWithNames) {
  GraphSchema schema;
  schema.ids = IdKind::string;
  schema.parallel_edges = ParallelEdges::keep;
  explore(small_options(schema), 4096, 16);
}

TEST(StoreCrash, EveryFailingCallLosesNothingAcknowledged) {
  const StoreOptions options = small_options({});
  for (const OperationKind kind : {OperationKind::write, OperationKind::sync, OperationKind::create, OperationKind::sync_names}) {
    for (std::uint64_t nth = 1; nth < 60 && !HasFailure(); ++nth) {
      SCOPED_TRACE("operation kind " + std::to_string(static_cast<int>(kind)) + ", call " + std::to_string(nth));
      FaultMedium medium;
      const std::shared_ptr<Medium> shared(std::shared_ptr<void>(), &medium);
      auto store = Store::create(shared, options);
      ASSERT_TRUE(store) << store.error().message;
      medium.fail({kind, nth, ErrorCode::io, true});
      StoreModel model(options.schema);
      std::vector<StoreModel> possible{model};
      for (int i = 0; i < 12; ++i) {
        const std::vector<StoreModel::Added> added{{{i % 4, i}, 1}};
        StoreModel next = model;
        next.add(added[0]);
        possible.push_back(next);
        if (!(*store)->add_edges(model.batch(added))) break;
        model = next;
        possible.assign(1, model);
      }
      store = Error{};
      medium.heal();
      auto opened = Store::open(shared, options);
      ASSERT_TRUE(opened) << opened.error().message;
      bool found = false;
      for (const StoreModel& state : possible) {
        const auto same = equals(**(*opened)->snapshot(), state);
        ASSERT_TRUE(same) << same.error().message;
        found |= *same;
      }
      ASSERT_TRUE(found);
    }
  }
}

// ---- damage ----

std::vector<std::byte> read_all(Medium& medium, const std::string& name) {
  auto file = medium.open(name, FileMode::read);
  std::vector<std::byte> bytes(*(*file)->size());
  EXPECT_TRUE((*file)->read(0, bytes));
  return bytes;
}

/// A copy of the store's files, with one byte of one of them changed.
std::shared_ptr<Medium> damaged_copy(Medium& medium, const std::string& name, std::size_t at, std::byte mask) {
  std::shared_ptr<Medium> copy = make_memory_medium();
  const auto names = medium.list();
  for (const std::string& each : *names) {
    std::vector<std::byte> bytes = read_all(medium, each);
    if (each == name) bytes[at] ^= mask;
    auto file = copy->open(each, FileMode::create);
    EXPECT_TRUE((*file)->write(0, bytes));
  }
  return copy;
}

TEST(StoreDamage, AnyChangedByteGivesAnErrorOrTheRightAnswer) {
  GraphSchema schema;
  schema.directed = true;
  schema.weights = WeightType::int32;
  schema.ids = IdKind::integer;
  StoreOptions options = small_options(schema);
  options.log_limit = 1 << 20;
  options.close_limit = 1 << 20;
  const std::shared_ptr<Medium> medium = make_memory_medium();
  StoreModel model(schema);
  {
    auto store = Store::create(medium, options);
    const auto add = [&](std::vector<StoreModel::Added> added) {
      for (const auto& one : added) model.add(one);
      ASSERT_TRUE((*store)->add_edges(model.batch(added)));
    };
    add({{{1, 2}, 3}, {{2, 3}, 4}, {{3, 1}, 5}, {{1, 4}, 5}, {{1, 5}, 5}, {{1, 6}, 5}, {{1, 7}, 1}, {{2, 7}, 1}, {{2, 9}, 1}});
    ASSERT_TRUE((*store)->checkpoint());
    add({{{1, 3}, 6}});
    ASSERT_TRUE((*store)->checkpoint());  // a delta
    add({{{7, 1}, 8}, {{8, 8}, 9}});
    ASSERT_TRUE((*store)->close());
  }
  const auto names = medium->list();
  std::size_t refused = 0;
  for (const std::string& name : *names) {
    const std::size_t size = read_all(*medium, name).size();
    for (std::size_t at = 0; at < size; ++at) {
      const auto copy = damaged_copy(*medium, name, at, std::byte{static_cast<unsigned char>(1u << at % 8)});
      auto store = Store::open(copy, options);
      if (!store) {
        ++refused;
        continue;
      }
      const auto same = equals(**(*store)->snapshot(), model);
      refused += same ? 0 : 1;
      ASSERT_TRUE(!same || *same) << "a wrong answer after damage to byte " << at << " of " << name;
    }
  }
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace rizoma
