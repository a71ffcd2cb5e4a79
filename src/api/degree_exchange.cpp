#include "api/degree_exchange.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace rizoma {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const T* values, std::size_t count) {
  const auto more = std::as_bytes(std::span(values, count));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
bool take(std::span<const std::byte>& bytes, T* values, std::size_t count) {
  if (count > bytes.size() / sizeof(T)) return false;
  if (count > 0) std::memcpy(values, bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
  return true;
}

/// Self-loops, the number of lists, and their lengths.
void append(std::vector<std::byte>& bytes, const ListLengths& lists) {
  const std::uint64_t head[] = {lists.num_self_loops, lists.lengths.size()};
  append(bytes, head, 2);
  append(bytes, lists.lengths.data(), lists.lengths.size());
}

bool take(std::span<const std::byte>& bytes, ListLengths& lists) {
  std::uint64_t head[2];
  if (!take(bytes, head, 2) || head[1] > bytes.size() / sizeof(std::uint32_t)) return false;
  lists.num_self_loops = head[0];
  lists.lengths.resize(head[1]);
  return take(bytes, lists.lengths.data(), lists.lengths.size());
}

}  // namespace

Status exchange_degrees(Ranks& ranks, std::vector<ListLengths>& sections) {
  const std::vector<unsigned>& owners = ranks.settings().owners;
  std::vector<std::byte> mine;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    if (owners[s] == ranks.rank()) append(mine, sections[s]);
  }
  std::vector<std::vector<std::byte>> to(ranks.size(), mine);
  to[ranks.rank()].clear();
  RIZOMA_ASSIGN(const auto came, ranks.collective(CollectiveKind::lists, std::move(to)));
  std::vector<std::span<const std::byte>> rest(came.begin(), came.end());
  bool whole = true;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    if (owners[s] != ranks.rank()) whole = whole && take(rest[owners[s]], sections[s]);
  }
  for (unsigned r = 0; r < ranks.size(); ++r) whole = whole && (r == ranks.rank() || rest[r].empty());
  if (whole) return {};
  return Error{
      ErrorCode::corrupt,
      "another rank has sent lengths of lists that this graph does not have; open the same state on all ranks"};
}

}  // namespace rizoma
