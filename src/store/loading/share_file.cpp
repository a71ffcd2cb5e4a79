#include "store/loading/share_file.h"

#include "base/checksum.h"

namespace rizoma {
namespace {

constexpr std::uint64_t kMagic = 0x3130'4552'4148'5352;  // "RSHARE01"
constexpr std::uint64_t kLongest = std::uint64_t{1} << 40;

struct Head {
  std::uint64_t magic = kMagic;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

}  // namespace

Result<ShareFile> ShareFile::create(Medium& folder, const std::string& name) {
  RIZOMA_ASSIGN(auto file, folder.open(name, FileMode::create));
  return ShareFile(std::move(file));
}

Status ShareFile::write(std::span<const std::byte> block) {
  const Head head{kMagic, block.size(), checksum(block, block.size())};
  RIZOMA_TRY(file_->write(end_, std::as_bytes(std::span(&head, 1))));
  RIZOMA_TRY(file_->write(end_ + sizeof(head), block));
  end_ += sizeof(head) + block.size();
  return {};
}

Status read_share_file(Medium& folder, const std::string& name, FunctionRef<Status(std::span<const std::byte>)> take) {
  RIZOMA_ASSIGN(const auto file, folder.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t end, file->size());
  const Error damaged{ErrorCode::corrupt,
                      folder.describe() + "/" + name + " is not what another rank has written; import again"};
  std::vector<std::byte> block;
  for (std::uint64_t at = 0; at < end;) {
    Head head;
    if (end - at < sizeof(head)) return damaged;
    RIZOMA_TRY(file->read(at, std::as_writable_bytes(std::span(&head, 1))));
    at += sizeof(head);
    if (head.magic != kMagic || head.bytes > kLongest || head.bytes > end - at) return damaged;
    block.resize(head.bytes);
    RIZOMA_TRY(file->read(at, block));
    if (head.checksum != checksum(block, head.bytes)) return damaged;
    at += head.bytes;
    RIZOMA_TRY(take(block));
  }
  return {};
}

}  // namespace rizoma
