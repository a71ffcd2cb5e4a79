#include "static_csr.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace rizoma::yardstick {
namespace {

Vertex target_of(Vertex entry) { return entry; }
Vertex target_of(const WeightedTarget& entry) { return entry.target; }

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, std::ios::binary), path_(path) {}

  [[nodiscard]] bool opened() const { return file_.is_open(); }
  template <class T>
  bool read(T* out, std::int64_t count) {
    const auto bytes = static_cast<std::streamsize>(count * static_cast<std::int64_t>(sizeof(T)));
    file_.read(reinterpret_cast<char*>(out), bytes);
    return file_.gcount() == bytes;
  }
  [[nodiscard]] Error corrupt(const std::string& what) const { return {ErrorCode::corrupt, path_ + ": " + what}; }

 private:
  std::ifstream file_;
  std::string path_;
};

template <class Entry>
Status read_lists(Reader& reader, std::int64_t n, std::int64_t m, Lists<Entry>& lists) {
  lists.offsets = make_array<std::int64_t>(static_cast<std::uint64_t>(n) + 1);
  lists.entries = make_array<Entry>(static_cast<std::uint64_t>(m));
  if (!reader.read(lists.offsets.get(), n + 1)) return reader.corrupt("ends within the offsets");
  const std::int64_t* offsets = lists.offsets.get();
  if (offsets[0] != 0 || offsets[n] != m || !std::is_sorted(offsets, offsets + n + 1)) {
    return reader.corrupt("the offsets are not those of " + std::to_string(m) + " entries");
  }
  if (!reader.read(lists.entries.get(), m)) return reader.corrupt("ends within the edge entries");
  const auto outside = [n](const Entry& entry) { return target_of(entry) < 0 || target_of(entry) >= n; };
  if (std::any_of(lists.entries.get(), lists.entries.get() + m, outside)) {
    return reader.corrupt("an edge leads to a vertex that does not exist");
  }
  return {};
}

template <class Entry>
Result<StaticCsr<Entry>> read_graph(const std::string& path) {
  Reader reader(path);
  if (!reader.opened()) return Error{ErrorCode::not_found, path + ": cannot be opened"};
  std::uint8_t directed = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  if (!reader.read(&directed, 1) || !reader.read(&m, 1) || !reader.read(&n, 1)) {
    return reader.corrupt("ends within the header");
  }
  if (directed > 1 || m < 0 || n < 0 || n >= std::numeric_limits<Vertex>::max()) {
    return reader.corrupt("the header is not that of a serialized GAP graph");
  }
  StaticCsr<Entry> graph;
  graph.directed = directed != 0;
  graph.num_vertices = static_cast<Vertex>(n);
  graph.num_entries = m;
  RIZOMA_TRY(read_lists(reader, n, m, graph.out));
  if (graph.directed) RIZOMA_TRY(read_lists(reader, n, m, graph.transpose));
  return graph;
}

}  // namespace

Result<Csr> read_sg(const std::string& path) { return read_graph<Vertex>(path); }
Result<WeightedCsr> read_wsg(const std::string& path) { return read_graph<WeightedTarget>(path); }

}  // namespace rizoma::yardstick
