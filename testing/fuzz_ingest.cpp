#include "testing/fuzz_ingest.h"

#include "ingest/import_format.h"
#include "testing/ingest_support.h"

#include <stdexcept>

namespace rizoma::testing {
namespace {

/// What one reading gave.  Of a failed one the message alone is compared: how many edges were delivered
/// before the error depends on the chunks.
struct Outcome {
  std::vector<CollectingSink::Edge> edges;
  std::string message;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read_once(const std::filesystem::path& file, std::size_t chunk_bytes, const ByteRange& bytes = {}) {
  CollectingSink sink;
  SerialExecutor executor;
  const ReadOptions options{.bytes = bytes};
  const Status status = read_request({.file = file, .options = options, .chunk_bytes = chunk_bytes}, executor, sink);
  if (!status) return {{}, status.error().message};
  return {std::move(sink.collected), {}};
}

/// The same of two ranges, one after the other, as two processes would read them.
Outcome read_cut(const std::filesystem::path& file, std::uint64_t cut) {
  Outcome first = read_once(file, 7, {0, cut});
  if (!first.message.empty()) return first;
  Outcome second = read_once(file, 7, {cut, ByteRange{}.end});
  if (!second.message.empty()) return second;
  first.edges.insert(first.edges.end(), second.edges.begin(), second.edges.end());
  return first;
}

}  // namespace

void fuzz_read(const std::string& name, const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory directory;
  const auto file = directory.write(name, {reinterpret_cast<const char*>(data), size});
  // A Graphalytics graph needs its vertices too.
  if (file.extension() == ".e") static_cast<void>(directory.write("case.v", "0\n1\n2\n"));
  const Outcome whole = read_once(file, 1000);
  if (read_once(file, 5) != whole) throw std::logic_error(name + ": two readings with other chunk sizes disagree");
  const auto summary = inspect(file, {});
  if (!summary || !summary->in_ranges || summary->header || size == 0) return;  // a header is in the first range
  if (read_cut(file, data[size / 2] * size / 256) != whole) throw std::logic_error(name + ": ranges disagree");
}

}  // namespace rizoma::testing
