// Edges as lines of text, for CSV and edge lists: one edge a line, after a header for readers.
#pragma once

#include "ingest/byte_sink.h"
#include "ingest/import_format.h"

namespace rizoma {

/// Fails if CSV, or else an edge list, cannot hold an id so that it is read again.  Errors: unsupported.
Status check_text_ids(const IdColumn& ids, const std::filesystem::path& file, bool csv);

/// `csv`: separated by commas (tabs in .tsv), fields quoted where they must be, with a header; else an edge list.
/// Errors: unsupported (as `check_text_ids`), io, out_of_space, cancelled.
Status write_text(const WriteRequest& request, ReplacingFile& out, Executor& executor, bool csv);

}  // namespace rizoma
