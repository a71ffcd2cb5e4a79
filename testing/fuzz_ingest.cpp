#include "testing/fuzz_ingest.h"

#include "ingest/format.h"
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

Outcome read_once(const std::filesystem::path& file, std::size_t chunk_bytes) {
  CollectingSink sink;
  SerialExecutor executor;
  const Status status = read_request({.file = file, .chunk_bytes = chunk_bytes}, executor, sink);
  if (!status) return {{}, status.error().message};
  return {std::move(sink.collected), {}};
}

}  // namespace

void fuzz_read(const std::string& name, const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory directory;
  const auto file = directory.write(name, {reinterpret_cast<const char*>(data), size});
  // A Graphalytics graph needs its vertices too.
  if (file.extension() == ".e") static_cast<void>(directory.write("case.v", "0\n1\n2\n"));
  if (read_once(file, 5) == read_once(file, 1000)) return;
  throw std::logic_error(name + ": two readings with other chunk sizes disagree");
}

}  // namespace rizoma::testing
