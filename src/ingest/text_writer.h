// Edges as lines of text, for CSV and edge lists: one edge a line, after a header for readers.
#pragma once

#include "ingest/byte_sink.h"
#include "ingest/import_format.h"

namespace rizoma {

/// `csv`: separated by commas (tabs in .tsv), fields quoted where they must be, with a header; else an edge list.
/// Errors: unsupported (a name cannot are in the format), io, out_of_space, cancelled.
Status write_text(const WriteRequest& request, ReplacingFile& out, Executor& executor, bool csv);

}  // namespace rizoma
