#include <rizoma/export.h>

#include "base/check.h"
#include "ingest/format.h"

namespace rizoma {

Status export_edges(const GraphView& view, const IdColumn& ids, const std::filesystem::path& file,
                    std::string_view format, Executor& executor) {
  RIZOMA_CHECK(size(ids) == view.num_vertices());
  return write_edges({view, ids, file}, format, executor);
}

Status export_edges(const Snapshot& snapshot, const std::filesystem::path& file, std::string_view format,
                    Executor& executor) {
  RIZOMA_ASSIGN(const GraphView view, snapshot.view(executor));
  RIZOMA_ASSIGN(const IdColumn ids, snapshot.ids(VertexRange{0, view.num_vertices()}));
  return export_edges(view, ids, file, format, executor);
}

}  // namespace rizoma
