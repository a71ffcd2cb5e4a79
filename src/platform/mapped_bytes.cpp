#include "platform/mapped_bytes.h"

#include "platform/pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <string>

namespace rizoma {
namespace {

constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ, which the headers of older systems lack

}  // namespace

Status populate_mapped(std::span<const std::byte> mapped, std::string_view where, std::uint64_t offset) {
  if (mapped.empty()) return {};
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t first = begin / page_bytes() * page_bytes();
  const std::size_t bytes = begin - first + mapped.size();
  int done = 0;
  do {
    done = ::madvise(reinterpret_cast<void*>(first), bytes, kPopulateRead);
  } while (done != 0 && (errno == EINTR || errno == EAGAIN));
  // EFAULT: touching a page would raise SIGBUS; EHWPOISON: its memory is broken.
  if (done == 0 || (errno != EFAULT && errno != EHWPOISON)) return {};
  return Error{ErrorCode::io, "cannot read " + std::string(where) + ": the device gives an error for some of the " +
                                  std::to_string(mapped.size()) + " bytes at byte " + std::to_string(offset)};
}

}  // namespace rizoma
