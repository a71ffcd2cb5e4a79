// Formats whose malformed lines may be skipped: the results of a piece of a file, and their delivery.
#pragma once

#include "ingest/import_format.h"

#include <string>
#include <utility>

namespace rizoma {

/// The results of a piece of the file.
struct ParsedLines {
  EdgeBatch edges;
  LeftOut left_out;

  /// One more malformed line, of which `error` is the message.
  void add_bad(const Error& error) {
    ++left_out.skipped_errors;
    if (left_out.first_bad.empty()) left_out.first_bad = error.message;
  }
};

/// Delivers batches, and counts the skipped lines.  Errors: parse, if they exceed the options' limit.
class SkipErrors {
 public:
  SkipErrors(const ReadOptions& options, BatchSink& sink) : options_(options), sink_(sink) {}

  Status operator()(ParsedLines&& parsed) {
    RIZOMA_TRY(count(parsed.left_out));
    return deliver_edges(sink_, std::move(parsed.edges));
  }

  Status count(const LeftOut& found) {
    if (all_.first_bad.empty()) all_.first_bad = found.first_bad;
    all_.skipped_errors += found.skipped_errors;
    if (all_.skipped_errors > options_.skip_errors) {
      return Error{ErrorCode::parse, "more than the " + std::to_string(options_.skip_errors) +
                                         " malformed lines that may be left out; the first is " + all_.first_bad};
    }
    if (!found.empty()) sink_.left_out(found);
    return {};
  }

 private:
  const ReadOptions& options_;
  BatchSink& sink_;
  LeftOut all_;
};

}  // namespace rizoma
