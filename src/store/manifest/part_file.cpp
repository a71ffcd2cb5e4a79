#include "store/manifest/part_file.h"

#include "store/messages.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace rizoma {

std::string state_of(const Part& part) {
  char text[64];
  std::snprintf(text, sizeof text, "%016llx%016llx-%llu", static_cast<unsigned long long>(part.store.high),
                static_cast<unsigned long long>(part.store.low), static_cast<unsigned long long>(part.generation));
  return text;
}

Result<std::shared_ptr<const Part>> read_part(Medium& medium, const format::Superblock& block, ManifestState& state) {
  RIZOMA_ASSIGN(const bool is_part, medium.exists(kPartName));
  if (!is_part) return std::shared_ptr<const Part>();
  RIZOMA_ASSIGN(const auto file, medium.open(kPartName, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  const std::string where = medium.describe() + "/" + kPartName;
  std::vector<std::byte> bytes(std::min<std::uint64_t>(size, sizeof(format::PartHeader)));
  RIZOMA_TRY(file->read(0, bytes));
  const unsigned bits = state.schema.section_bits;
  const std::uint64_t sections = (state.num_vertices + (VertexId{1} << bits) - 1) >> bits;
  RIZOMA_ASSIGN(const std::uint64_t expected, part_bytes(bytes, sections, where));
  if (size != expected) return corrupt(where, "has impossible sizes");
  bytes.resize(size);
  RIZOMA_TRY(file->read(0, bytes));
  RIZOMA_ASSIGN(Part part, decode_part(bytes, where));
  if (part.store != block.store || part.generation != block.generation) {
    return corrupt(where, "belongs to another state of the graph than the other files; distribute the graph again");
  }
  if (part.edge_blocks.size() != state.edge_rows.size()) {
    return corrupt(where, "lists other blocks of rows than the manifest");
  }
  for (std::size_t b = 0; b < state.edge_rows.size(); ++b) state.edge_rows[b].here = part.edge_blocks[b];
  return std::make_shared<const Part>(std::move(part));
}

Status expect_whole_store(Medium& medium) {
  RIZOMA_ASSIGN(const bool is_part, medium.exists(kPartName));
  if (!is_part) return {};
  return Error{ErrorCode::unsupported, medium.describe() +
                                           " holds one part of a distributed graph, which only ranks read together "
                                           "(mpiexec -n 4 rizoma run ...); open the store that it was made from"};
}

}  // namespace rizoma
