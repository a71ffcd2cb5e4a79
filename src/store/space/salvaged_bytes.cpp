#include "store/space/salvaged_bytes.h"

#include <algorithm>

namespace rizoma {
namespace {

constexpr std::uint64_t kSector = 512;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
constexpr std::byte kUnreadable{0xe1};

}  // namespace

Result<std::uint64_t> read_what_can_be(const MediumFile& file, std::uint64_t offset, std::span<std::byte> out) {
  std::uint64_t unreadable = 0;
  std::uint64_t piece = kPiece;
  while (!out.empty()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(out.size(), piece - offset % piece);
    const Status read = file.read(offset, out.first(bytes));
    if (!read && read.error().code != ErrorCode::io) return read.error();
    if (!read && piece > kSector) {  // sector by sector to the end of this piece
      piece = kSector;
      continue;
    }
    if (!read) {
      std::fill_n(out.begin(), bytes, kUnreadable);
      unreadable += bytes;
    }
    out = out.subspan(bytes);
    offset += bytes;
    if (offset % kPiece == 0) piece = kPiece;
  }
  return unreadable;
}

}  // namespace rizoma
