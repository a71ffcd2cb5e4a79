// Repair against the truth: stores whose history is known are damaged at random, and what open, check and repair say
// and do is compared with what was there.  A repair that says that nothing was lost must have brought back all; no
// change is lost in silence.
#include "store/repair/store_check.h"
#include "store/repair/store_repair.h"
#include "testing/directory_medium.h"
#include "testing/environment.h"
#include "testing/fault_medium.h"
#include "testing/heap_medium.h"
#include "testing/store_damager.h"
#include "testing/store_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace rizoma {
namespace {

constexpr const char* kHome = "store";

/// The store's own directory among all that are in a medium, which outlives it.
std::shared_ptr<Medium> home_of(Medium& whole) { return std::make_shared<DirectoryMedium>(whole, kHome); }

/// A store with all that it was; files are named "DIRECTORY:NAME".
struct Truth {
  StoreOptions options;  ///< no `open_location`: that is of a medium
  bool closed = false;   ///< cleanly
  std::vector<FileContents> versions;
  std::vector<StoreModel> moments;  ///< the last one is what is there

  /// To open it in a medium that outlives it.
  [[nodiscard]] StoreOptions options_in(Medium& whole) const {
    StoreOptions reach = options;
    reach.open_location = directories_in(whole);
    return reach;
  }
};

using Paths = std::vector<std::string>;

/// A checkpoint that fails leaves a second log in the chain.
Status failing_checkpoint(FaultMedium& medium, StoreHistory& history) {
  medium.fail({OperationKind::create, 2, ErrorCode::out_of_space, false});
  const Status failed = history.step('c');
  medium.clear_faults();
  return failed ? Status(Error{ErrorCode::io, "the checkpoint did not fail"}) : Status();
}

Truth make_truth(std::uint64_t seed) {
  constexpr const char* kScripts[] = {"aacrraR", "aarrRaa", "arcarrcr", "laRrca",  "aacrRrRa", "rarrXrrR",
                                      "aroacra", "rrRcR",   "raXrXa",   "aakRRa",  "drRdaR",   "srrRo",
                                      "atrR",    "atortR",  "vatkrRtr", "axrtRxra"};
  static_assert(std::size(kScripts) % 3 != 0, "each script with columns, and not closed");
  Truth truth;
  GraphSchema schema = schema_number(seed * 5 + 1 + seed / 3);
  const std::string script = kScripts[seed % std::size(kScripts)];
  if (script[0] == 'd') schema.ids_fixed = false;
  truth.options = World{.log_limit = 1 << 20, .close_limit = 1 << 20, .log_ahead = 512 * (seed % 3)}.options(schema);
  truth.closed = seed % 3 != 0;
  if (seed / 2 % 2 == 1) truth.options.locations = seed % 2 == 0 ? Paths{"a", "b"} : Paths{"", "a"};
  const auto medium = std::make_shared<FaultMedium>();
  StoreHistory history(home_of(*medium), medium.get(), truth.options_in(*medium), seed);
  EXPECT_TRUE(history.create());
  truth.versions.push_back(read_files(*medium));
  for (const char step : script) {
    const Status done = step == 'X' ? failing_checkpoint(*medium, history) : history.step(step);
    EXPECT_TRUE(done) << done.error().message;
    truth.versions.push_back(read_files(*medium));
  }
  if (truth.closed) {
    history.drop();
    truth.versions.push_back(read_files(*medium));
  }
  for (const Moment& moment : history.moments()) truth.moments.push_back(moment.state);
  return truth;
}

/// What came of damages.
struct Outcomes {
  unsigned refused = 0;   ///< too little was left
  unsigned unproven = 0;  ///< nothing was found, and it was said that more may have been there
  unsigned unharmed = 0;  ///< nothing was found, and all was there
  unsigned restored = 0;  ///< all of it, and it was said so
  unsigned told = 0;      ///< something was lost, and it was said so
  unsigned feared = 0;    ///< something may be lost, it was said, and all was there
};

using Complaint = std::optional<std::string>;

class Judge {
 public:
  Judge(const Truth& truth, const DamagedStore& damaged, Outcomes& tally)
      : truth_(truth), damaged_(damaged), tally_(tally) {}

  [[nodiscard]] Complaint judge() {
    SerialExecutor serial;
    const std::shared_ptr<Medium> medium = home_of(*whole_);
    StoreOptions reach;
    reach.open_location = options_.open_location;
    const auto checked = check_store(medium, serial, reach);
    if (!checked) return refused(checked.error());
    if (Complaint wrong = judge_open(*checked)) return wrong;
    if (checked->findings.empty()) {
      Complaint wrong = checked->unproven.empty() ? judge_all_tags(medium) : judge_open_tags(medium);
      return wrong ? wrong : judge_content(medium, untouched(*checked));
    }
    if (Complaint wrong = judge_open_tags(medium)) return wrong;
    const std::shared_ptr<Medium> fresh = make_heap_medium();
    const auto report = repair_store(medium, fresh, serial, reach);
    if (!report) return refused(report.error());
    const auto whole = check_store(fresh, serial);
    if (!whole) return "the repaired store: " + whole.error().message;
    if (!whole->findings.empty()) return "the repaired store is damaged: " + whole->findings[0].what;
    if (Complaint wrong = judge_open_tags(fresh)) return "repaired: " + *wrong;
    return judge_content(fresh, *report);
  }

 private:
  [[nodiscard]] bool shows(Store& store, const StoreModel& model) const { return compared(store, model) == true; }
  /// Nothing if the store cannot be read.
  [[nodiscard]] std::optional<bool> compared(Store& store, const StoreModel& model) const {
    try {
      const auto same = equals(**store.snapshot(), model);
      return same ? std::optional(*same) : std::nullopt;
    } catch (const std::invalid_argument&) {  // an id that took the place of a lost one is not a number
      return false;
    }
  }
  /// An error, or what was there; what was there earlier only where nothing tells any more that the store was closed
  /// later, and `check` says so.
  [[nodiscard]] Complaint judge_open(const CheckReport& checked) const {
    const std::shared_ptr<Medium> whole = damaged_.medium();  // another, for it is written to
    const auto store = Store::open(home_of(*whole), truth_.options_in(*whole));
    if (!store) return {};
    const auto same = equals(**(*store)->snapshot(), truth_.moments.back());
    if (!same || *same) return {};
    const bool earlier = std::any_of(truth_.moments.begin(), truth_.moments.end(),
                                     [&](const StoreModel& each) { return shows(**store, each); });
    if (!earlier) return "it opens with a wrong answer";
    if (truth_.closed && has_whole_manifest()) return "it opens without changes from before it was closed";
    return checked.findings.empty() && checked.unproven.empty() ? Complaint("it is said to be whole, and is older")
                                                                : Complaint();
  }
  /// Each tag that opens shows what it did at some moment.
  [[nodiscard]] Complaint judge_open_tags(const std::shared_ptr<Medium>& medium) const {
    std::set<std::string> names;
    for (const StoreModel& moment : truth_.moments) {
      for (const auto& [name, state] : moment.tags()) names.insert(name);
    }
    for (const std::string& name : names) {
      const auto store = open_at(medium, name);
      if (!store) continue;
      const bool right = std::any_of(truth_.moments.begin(), truth_.moments.end(), [&](const StoreModel& moment) {
        const auto found = moment.tags().find(name);
        return found != moment.tags().end() && compared(**store, *found->second).value_or(true);
      });
      if (!right) return "the tagged state " + name + " opens with a wrong answer";
    }
    return {};
  }
  /// Where nothing was found, each tag is there.
  [[nodiscard]] Complaint judge_all_tags(const std::shared_ptr<Medium>& medium) const {
    for (const auto& [name, state] : truth_.moments.back().tags()) {
      const auto store = open_at(medium, name);
      if (!store) return "the tagged state " + name + " is gone, and nothing is found: " + store.error().message;
      if (!shows(**store, *state)) return "the tagged state " + name + " is another, and nothing is found";
    }
    return {};
  }
  [[nodiscard]] Result<std::unique_ptr<Store>> open_at(const std::shared_ptr<Medium>& medium,
                                                       const std::string& tag) const {
    StoreOptions at = options_;
    at.at = tag;
    return Store::open_read_only(medium, at);
  }
  /// A repair says which tagged states it cannot keep: no name is missing where all else is there.
  [[nodiscard]] Complaint judge_named_tags(const Store& store, const RepairReport& report) const {
    if (!report.unproven.empty()) return {};
    const std::vector<TagInfo> kept = store.tags();
    for (const auto& tagged : truth_.moments.back().tags()) {
      const std::string& name = tagged.first;
      const bool there = std::any_of(kept.begin(), kept.end(), [&](const TagInfo& tag) { return tag.name == name; });
      const bool said = std::any_of(report.lost.begin(), report.lost.end(), [&](const std::string& lost) {
        return !lost.starts_with(kTagLost) || lost.starts_with(std::string(kTagLost) + name + "\": ");
      });
      if (!there && !said) return "the tagged state " + name + " is gone, and no report says so";
    }
    return {};
  }
  /// Whether one copy of the manifest is as it was.
  [[nodiscard]] bool has_whole_manifest() const {
    for (const auto& version : truth_.versions.back()) {
      const std::string& name = version.first;
      const auto found = damaged_.files.find(name);
      const bool readable = std::none_of(damaged_.unreadable.begin(), damaged_.unreadable.end(),
                                         [&](const UnreadableRange& range) { return range.file == name; });
      const bool same = found != damaged_.files.end() && found->second == version.second;
      if (name.starts_with(std::string(kHome) + ":manifest") && same && readable) return true;
    }
    return false;
  }
  [[nodiscard]] Complaint judge_content(const std::shared_ptr<Medium>& medium, const RepairReport& report) {
    const auto store = Store::open_read_only(medium, options_);
    if (!store) return "what is said to be whole does not open: " + store.error().message;
    const bool all = shows(**store, truth_.moments.back());
    if (Complaint wrong = judge_named_tags(**store, report)) return wrong;
    const bool but_tags = std::any_of(report.lost.begin(), report.lost.end(),
                                      [](const std::string& lost) { return !lost.starts_with(kTagLost); });
    if (but_tags) {
      ++(all ? tally_.feared : tally_.told);
      return {};
    }
    if (!all && report.unproven.empty()) return "something is lost, and no report says so";
    if (!report.unproven.empty()) {
      ++tally_.unproven;
      return {};
    }
    ++(report.restored.empty() ? tally_.unharmed : tally_.restored);
    return {};
  }
  [[nodiscard]] Complaint refused(const Error& error) {
    ++tally_.refused;
    return error.message.empty() ? Complaint("an error that says nothing") : Complaint();
  }

  static constexpr const char* kTagLost = "the tagged state \"";

  const Truth& truth_;
  const DamagedStore& damaged_;
  Outcomes& tally_;
  std::shared_ptr<Medium> whole_ = damaged_.medium();
  StoreOptions options_ = truth_.options_in(*whole_);
};

TEST(RepairAgainstTheTruth, LosesNothingInSilence) {
  const std::uint64_t damages = from_environment("RIZOMA_DAMAGES", 500);
  const std::uint64_t first = from_environment("RIZOMA_DAMAGE_SEED", 1);
  constexpr std::uint64_t kOfEach = 25;
  Outcomes tally;
  std::uint64_t complaints = 0;
  for (std::uint64_t seed = first; (seed - first) * kOfEach < damages; ++seed) {
    const Truth truth = make_truth(seed);
    const Truth other = make_truth(seed + 7);
    const StoreDamager damager(truth.versions, other.versions.back());
    for (std::uint64_t i = 0; i < kOfEach; ++i) {
      Random random(seed * 1000 + i);
      const DamagedStore damaged = damager.damage(random, 1 + static_cast<unsigned>(random.below(5)));
      const Complaint complaint = Judge(truth, damaged, tally).judge();
      if (!complaint) continue;
      ++complaints;
      if (complaints > 20) continue;
      ADD_FAILURE() << "seed " << seed << ", damage " << i << (truth.closed ? ", closed: " : ", not closed: ")
                    << damaged.what << *complaint;
    }
  }
  EXPECT_EQ(complaints, 0U);
  RecordProperty("refused", static_cast<int>(tally.refused));
  RecordProperty("unproven", static_cast<int>(tally.unproven));
  RecordProperty("unharmed", static_cast<int>(tally.unharmed));
  RecordProperty("restored", static_cast<int>(tally.restored));
  RecordProperty("told", static_cast<int>(tally.told));
  RecordProperty("feared", static_cast<int>(tally.feared));
  EXPECT_GT(tally.told, damages / 20);
  EXPECT_GT(tally.restored + tally.unharmed, damages / 20);
}

}  // namespace
}  // namespace rizoma
