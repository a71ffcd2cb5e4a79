// A real process that holds one state of a graph on disk while this one, the writer, goes on: it reads the
// same for as long as it likes, and its space is given back once it has ended, by itself or by SIGKILL.
#include "platform/file_medium.h"
#include "store/manifest/publish.h"
#include "store/store.h"
#include "testing/ingest_support.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::int64_t kVertices = 1 << 14;

/// Adds an edge from every vertex to the one `step` further on, so that every section changes.
void add_steps(Store& store, std::int64_t first, std::int64_t last) {
  for (std::int64_t step = first; step < last; ++step) {
    std::vector<std::int64_t> sources, targets;
    for (std::int64_t v = 0; v < kVertices; ++v) {
      sources.push_back(v);
      targets.push_back((v + step) % kVertices);
    }
    ASSERT_TRUE(store.add_edges({std::move(sources), std::move(targets), {}}));
  }
  const Status status = store.checkpoint();
  ASSERT_TRUE(status) << status.error().message;
}

/// Edges of every vertex as a view has them; 0 if they differ or cannot be read.
std::uint64_t degree_of_all(const StoreSnapshot& snapshot) {
  SerialExecutor serial;
  const auto view = snapshot.view(serial);
  if (!view) return 0;
  return view->with_out([&](const auto& out) -> std::uint64_t {
    const std::uint64_t degree = out.neighbors(0).size();
    for (VertexId v = 0; v < kVertices; ++v) {
      const auto list = out.neighbors(v);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list.size() != degree || (list[i] + kVertices - v) % kVertices > degree) return 0;
      }
    }
    return degree;
  });
}

/// A process that opens the graph and answers whenever it is asked.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) {
    int ask[2], answer[2];
    if (::pipe(ask) != 0 || ::pipe(answer) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ask[1]);
      ::close(answer[0]);
      serve(path, ask[0], answer[1]);
      ::_exit(0);
    }
    ::close(ask[0]);
    ::close(answer[1]);
    ask_ = ask[1];
    answer_ = answer[0];
    EXPECT_EQ(receive(), kOpen);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { end(SIGKILL); }

  std::uint64_t degree() {
    const char question = '?';
    return ::write(ask_, &question, 1) == 1 ? receive() : 0;
  }
  /// Without a signal it ends by itself.
  void end(int signal_number) {
    if (process_ == 0) return;
    const char stop = '.';  // the pipe's end would not do: later readers have it too
    if (signal_number != 0 || ::write(ask_, &stop, 1) != 1) ::kill(process_, SIGKILL);
    ::close(ask_);
    ::waitpid(std::exchange(process_, 0), nullptr, 0);
    ::close(answer_);
  }

 private:
  static constexpr std::uint64_t kOpen = 77;
  /// Opens at once, and reads nothing of the sections before it is asked.
  static void serve(const std::filesystem::path& path, int ask, int answer) {
    auto store = Store::open_read_only(std::shared_ptr<Medium>(*open_file_medium_read_only(path)));
    if (!store) ::_exit(1);
    std::uint64_t reply = kOpen;
    char question = 0;
    while (::write(answer, &reply, sizeof reply) == sizeof reply && ::read(ask, &question, 1) == 1 && question == '?') {
      reply = degree_of_all(**(*store)->snapshot());
    }
  }
  std::uint64_t receive() const {
    std::uint64_t reply = 0;
    return ::read(answer_, &reply, sizeof reply) == sizeof reply ? reply : 0;
  }

  pid_t process_ = 0;
  int ask_ = -1;
  int answer_ = -1;
};

class ReaderProcess : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    StoreOptions options;
    options.schema.directed = true;
    options.schema.in_edges = false;
    options.schema.section_bits = 9;
    store_ = *Store::create(std::shared_ptr<Medium>(*open_file_medium(path_, true)), options);
    add_steps(*store_, 1, 9);
  }
  std::uint64_t data_on_disk() const {
    return *(*(*open_file_medium_read_only(path_))->open(kDataName, FileMode::read))->allocated();
  }
  /// The same edges again, so that everything is rewritten and stays as large.
  void rewrite(int times) {
    for (int i = 0; i < times; ++i) add_steps(*store_, 1, 9);
  }

  testing::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "graph.rz";
  std::unique_ptr<Store> store_;
};

TEST_P(ReaderProcess, KeepsItsStateAndItsSpaceComesBack) {
  const std::uint64_t fresh = data_on_disk();
  Reader early(path_), late(path_);
  EXPECT_EQ(early.degree(), 8u);
  for (std::int64_t step = 9; step < 15; ++step) add_steps(*store_, step, step + 1);
  EXPECT_EQ(late.degree(), 8u) << "it had read nothing before";
  early.end(GetParam());
  rewrite(6);
  EXPECT_EQ(late.degree(), 8u);
  EXPECT_GT(data_on_disk(), 2 * fresh);
  late.end(GetParam());
  rewrite(2);
  EXPECT_LT(data_on_disk(), 5 * fresh / 2) << "14 edges a vertex instead of 8";
  Reader next(path_);
  EXPECT_EQ(next.degree(), 14u);
}

TEST_P(ReaderProcess, IsMindedByTheNextWriterToo) {
  store_ = nullptr;  // before the fork: the other process must share nothing with this one
  Reader reader(path_);
  for (const std::int64_t step : {9, 10}) {
    store_ = nullptr;
    store_ = *Store::open(std::shared_ptr<Medium>(*open_file_medium(path_)));
    add_steps(*store_, step, step + 1);
  }
  rewrite(8);
  EXPECT_EQ(reader.degree(), 8u);
  reader.end(GetParam());
}

/// A child made by fork has its parent's snapshots, also when the parent has let go of them.
TEST_P(ReaderProcess, MayBeAForkedChildWithASnapshot) {
  const std::uint64_t fresh = data_on_disk();
  auto snapshot = *store_->snapshot();
  ASSERT_EQ(degree_of_all(*snapshot), 8u);
  int go[2];
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char asked = 0;
    ::_exit(::read(go[0], &asked, 1) == 1 && degree_of_all(*snapshot) == 8 ? 0 : 1);
  }
  snapshot = nullptr;
  for (std::int64_t step = 9; step < 15; ++step) add_steps(*store_, step, step + 1);
  const bool killed = GetParam() != 0;
  if (killed) {
    ::kill(child, SIGKILL);
  } else {
    EXPECT_EQ(::write(go[1], "?", 1), 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
      << "it read something else, or was ended by signal " << WTERMSIG(status);
  rewrite(2);
  EXPECT_LT(data_on_disk(), 5 * fresh / 2) << "14 edges a vertex instead of 8";
}

INSTANTIATE_TEST_SUITE_P(Ends, ReaderProcess, ::testing::Values(0, SIGKILL),
                         [](const auto& instance) { return instance.param == 0 ? "by_itself" : "killed"; });

}  // namespace
}  // namespace rizoma
