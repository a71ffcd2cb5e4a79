#include "testing/store_files.h"

#include "base/check.h"
#include "testing/heap_medium.h"

namespace rizoma {

FileContents read_files(Medium& medium) {
  FileContents files;
  const auto names = medium.list();
  for (const std::string& name : *names) {
    const auto file = *medium.open(name, FileMode::read);
    std::vector<std::byte>& bytes = files[name];
    bytes.resize(*file->size());
    RIZOMA_CHECK(file->read(0, bytes).ok());
  }
  return files;
}

std::shared_ptr<Medium> medium_of(const FileContents& files, std::uint32_t granularity) {
  std::shared_ptr<Medium> medium = make_heap_medium(granularity);
  for (const auto& [name, bytes] : files) {
    RIZOMA_CHECK((*medium->open(name, FileMode::create))->write(0, bytes).ok());
  }
  return medium;
}

}  // namespace rizoma
