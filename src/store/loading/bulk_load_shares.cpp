// What a load that several processes make together needs of a BulkLoader.
#include "store/loading/bulk_load_impl.h"

#include "base/check.h"

namespace rizoma {

using namespace bulk;

Status BulkLoader::Impl::take_edges(FunctionRef<Status(std::span<const std::byte>)> take) {
  auto* const narrow = std::get_if<AnyEdges<std::uint32_t>>(&edges);
  if (narrow == nullptr) {
    RIZOMA_TRY(check_gaps());
    return Error{ErrorCode::unsupported,
                 "several ranks cannot make a graph of 2^32 vertices or more; import it with one process"};
  }
  return std::visit(
      [&]<class Record>(EdgeBuffer<Record>& buffer) -> Status {
        PageArray<Record> read;
        for (const EdgeChunk<Record>& chunk : buffer.chunks()) {
          RIZOMA_ASSIGN(const std::span<const Record> records, buffer.load(chunk, read));
          RIZOMA_TRY(take(std::as_bytes(records)));
        }
        buffer = EdgeBuffer<Record>(memory.chunk_bytes());
        return {};
      },
      *narrow);
}

IdColumn BulkLoader::Impl::ids(VertexRange numbers) const {
  if (integers != nullptr) {
    Integers column;
    for (VertexId v = numbers.begin; v < numbers.end; ++v) column.push_back((*integers)[v]);
    return column;
  }
  RIZOMA_CHECK(strings != nullptr);
  StringColumn column;
  for (VertexId v = numbers.begin; v < numbers.end; ++v) column.push_back((*strings)[v]);
  return column;
}

IdColumn BulkLoader::Impl::given_alone() const { return given.beyond(); }

Status BulkLoader::Impl::expect(const LoadShare& all) {
  named_by_edges = std::max(named_by_edges, all.named);
  given.add_all_below(all.given);
  num_added += all.edges;
  RIZOMA_TRY(check_gaps());
  return schema.ids == IdKind::dense ? need(all.vertices) : Status{};
}

}  // namespace rizoma
