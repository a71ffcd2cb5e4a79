// Linked into a test program whose sources hold mutants, in the place of the ordinary main.
//   RIZOMA_MUTANT=k          makes the program mutant k.
//   RIZOMA_MUTANT_MARKS=F    appends to F a line for each test: its name, seconds of processor time, seconds, whether
//                            it passed, and which mutants it passed (`+`: would differ there).
//   RIZOMA_MUTANT_SERVER=1   reads a line for each mutant: its number, a directory to run in, a file for the output, a
//                            file of limits and a filter of tests, with tabs between. A child runs these tests, and its
//                            exit status, or minus its signal, is written: starting a program anew costs ten times what
//                            most tests do. Limits: a line for each test, its name, the processor seconds and the
//                            seconds it may take; beyond them SIGPROF or SIGALRM end the child.
#include "switch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
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

constexpr double kBetween = 120;  // seconds that the end of a program may take

class Listener : public ::testing::EmptyTestEventListener {
 public:
  Listener() {
    if (const char* name = std::getenv("RIZOMA_MUTANT_MARKS")) out_.open(name, std::ios::app);
  }

  void take_limits(const std::string& file) {
    std::ifstream in(file);
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
    arm(ITIMER_REAL, limits_.empty() ? 0 : kBetween);
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

/// Runs the tests of one command in this process, a child.
[[noreturn]] void run_child(std::istringstream words, Listener& listener) {
  std::string number, directory, output, limits, filter;
  std::getline(words, number, '\t');
  std::getline(words, directory, '\t');
  std::getline(words, output, '\t');
  std::getline(words, limits, '\t');
  std::getline(words, filter);
  setsid();
  if (std::freopen(output.c_str(), "w", stdout) == nullptr || chdir(directory.c_str()) != 0) std::exit(2);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  close(STDIN_FILENO);
  setenv("TMPDIR", directory.c_str(), 1);
  chosen = static_cast<unsigned>(std::stoul(number));
  listener.take_limits(limits);
  GTEST_FLAG_SET(filter, filter);
  GTEST_FLAG_SET(fail_fast, true);
  const int status = RUN_ALL_TESTS();
  std::exit(status);
}

int serve(Listener& listener) {
  for (std::string command; std::getline(std::cin, command);) {
    const pid_t child = fork();
    if (child == 0) run_child(std::istringstream(command), listener);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
    kill(-child, SIGKILL);  // what it has started, too
    std::cout << (WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status)) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace rizoma::mutants

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  auto* const listener = new rizoma::mutants::Listener;
  testing::UnitTest::GetInstance()->listeners().Append(listener);
  return std::getenv("RIZOMA_MUTANT_SERVER") != nullptr ? rizoma::mutants::serve(*listener) : RUN_ALL_TESTS();
}
