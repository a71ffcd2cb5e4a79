// Edge spool: what was read of a file, kept in another until a store is made of it.  Module: ingest.
//
// What: ranks that import together read files of any format each for itself; one of them then makes the store of what
// all have read, in the order of the files, as if it had read them itself.
// How: batches of edges and of vertices one behind the other as they come, with a checksum each: integers in 4 bytes
// where those of a batch allow it, else in 8; strings by their lengths; weights in 8 bytes.
// Cost: 8 to 24 bytes an edge, or its text and 8 bytes; memory for a few batches.
#pragma once

#include <rizoma/ingest.h>

#include <filesystem>
#include <memory>

namespace rizoma {

class MediumFile;

/// Writes what it is told to a new file.
class EdgeSpool final : public BatchSink {
 public:
  /// `weighted`: whether weights are of use.  Errors: not_found (there is no such directory), io.
  static Result<EdgeSpool> create(const std::filesystem::path& file, bool weighted);
  EdgeSpool(EdgeSpool&&) noexcept;
  EdgeSpool& operator=(EdgeSpool&&) noexcept;
  ~EdgeSpool() override;

  Status edges(EdgeBatch&& batch) override;
  Status vertices(IdColumn&& ids) override;
  void left_out(const LeftOut& lines) override;

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] const LeftOut& not_read() const noexcept { return not_read_; }

 private:
  EdgeSpool(std::unique_ptr<MediumFile> file, bool weighted);
  std::unique_ptr<MediumFile> file_;
  bool weighted_;
  std::uint64_t end_ = 0;
  std::uint64_t rows_ = 0;
  LeftOut not_read_;
};

/// Tells the sink what a spool was told, in the same order.  Errors: not_found, corrupt, io, those of the sink.
Status read_spool(const std::filesystem::path& file, Executor& executor, BatchSink& sink);

}  // namespace rizoma
