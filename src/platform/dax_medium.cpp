#include "platform/dax_medium.h"

#include "platform/dax_file.h"
#include "platform/probe_buffer.h"

#include <unistd.h>

#include <utility>

namespace rizoma {
namespace {

// What a processor writes to persistent memory whole or not at all: an aligned word.
constexpr std::uint32_t kWordBytes = 8;
constexpr std::size_t kProbeBytes = 4096;

}  // namespace

Result<std::unique_ptr<Medium>> open_dax_medium(const std::filesystem::path& path, bool create,
                                                std::shared_ptr<PersistentMemory> memory) {
  FileKind kind;
  kind.atomic_bytes = kWordBytes;
  kind.granularity = Granularity::cache_line;
  kind.make = [memory = std::move(memory)](std::shared_ptr<const FileDescriptor> descriptor, const std::string& where) {
    return std::unique_ptr<MediumFile>(std::make_unique<DaxFile>(std::move(descriptor), where, memory));
  };
  return open_file_medium(path, create, std::move(kind));
}

bool offers_map_sync(const std::filesystem::path& directory) {
  const std::shared_ptr<PersistentMemory> memory = machine_persistent_memory();
  if (memory == nullptr) return false;
  const auto number = probe::open_nameless(directory);
  if (!number) return false;
  const FileDescriptor file(*number);
  return ::ftruncate(file.number(), kProbeBytes) == 0 &&
         memory->map(file.number(), kProbeBytes, directory.string()).ok();
}

Result<std::unique_ptr<Medium>> open_medium(const std::filesystem::path& path, bool create, MediumChoice choice) {
  RIZOMA_ASSIGN(auto files, open_file_medium(path, create));
  if (choice == MediumChoice::files) return files;
  if (offers_map_sync(path)) return open_dax_medium(path, false, machine_persistent_memory());
  if (choice == MediumChoice::automatic) return files;
  return Error{ErrorCode::unsupported, path.string() +
                                           " does not offer MAP_SYNC; mount a persistent-memory device with -o "
                                           "dax=always, or let Rizoma choose the medium (automatic)"};
}

}  // namespace rizoma
