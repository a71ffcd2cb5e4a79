// Linked into a test program whose sources hold mutants.
//   RIZOMA_MUTANT=k          makes the program mutant k.
//   RIZOMA_MUTANT_MARKS=F    appends to F a line for each test: its name, seconds of processor time, seconds, whether
//                            it passed, and which mutants it passed (`+`: would differ there).
//   RIZOMA_MUTANT_LIMITS=F   a line for each test: its name, the processor seconds and the seconds it may take. The
//                            program ends by SIGPROF or SIGALRM beyond them.
#include "switch.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace rizoma::mutants {

constinit std::array<std::atomic<unsigned char>, kMost> marks{};
constinit unsigned chosen = kMost;

namespace {

/// Before any other variable is initialized, since that may run code that holds mutants.
[[gnu::constructor(101)]] void choose() {
  if (const char* number = std::getenv("RIZOMA_MUTANT")) chosen = static_cast<unsigned>(std::atoi(number));
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void arm(int timer, double seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  limit.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(limit.it_value.tv_sec)) * 1e6);
  setitimer(timer, &limit, nullptr);
}

class Listener : public ::testing::EmptyTestEventListener {
 public:
  Listener() {
    if (const char* name = std::getenv("RIZOMA_MUTANT_MARKS")) out_.open(name, std::ios::app);
    const char* limits = std::getenv("RIZOMA_MUTANT_LIMITS");
    std::ifstream in(limits == nullptr ? "" : limits);
    std::string name;
    for (std::pair<double, double> limit; std::getline(in, name, '\t') && in >> limit.first >> limit.second;) {
      limits_[name] = limit;
      in.ignore();
    }
  }

  void OnTestStart(const ::testing::TestInfo& test) override {
    for (auto& mark : marks) mark.store(0, std::memory_order_relaxed);
    processor_ = processor_seconds();
    begin_ = std::chrono::steady_clock::now();
    const auto found = limits_.find(name_of(test));
    if (found == limits_.end()) return;
    arm(ITIMER_PROF, found->second.first);
    arm(ITIMER_REAL, found->second.second);
  }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    arm(ITIMER_PROF, 0);
    arm(ITIMER_REAL, 0);
    if (!out_.is_open()) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    out_ << name_of(test) << '\t' << processor_seconds() - processor_ << '\t' << taken.count() << '\t'
         << test.result()->Passed() << '\t';
    for (unsigned number = 0; number < kMost; ++number) {
      const unsigned char mark = marks[number].load(std::memory_order_relaxed);
      if (mark != 0) out_ << number << ((mark & kDiffers) != 0 ? "+ " : " ");
    }
    out_ << std::endl;
  }

 private:
  static std::string name_of(const ::testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + '.' + test.name();
  }

  std::ofstream out_;
  std::map<std::string, std::pair<double, double>> limits_;
  double processor_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

const bool listening = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

}  // namespace
}  // namespace rizoma::mutants
