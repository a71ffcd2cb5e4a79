#include <rizoma/cluster.h>

#include "api/load_parts.h"
#include "platform/file_medium.h"
#include "store/loading/share_loader.h"

#include <algorithm>
#include <utility>

namespace rizoma {

struct SharedLoad::Impl {
  std::unique_ptr<Medium> folder;
  std::unique_ptr<ShareLoader> loader;  ///< after the folder it uses
};

SharedLoad::SharedLoad(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
SharedLoad::SharedLoad(SharedLoad&&) noexcept = default;
SharedLoad& SharedLoad::operator=(SharedLoad&&) noexcept = default;
SharedLoad::~SharedLoad() = default;

Result<SharedLoad> SharedLoad::create(const GraphSchema& schema, const SharedLoadOptions& options) {
  auto impl = std::make_unique<Impl>();
  RIZOMA_ASSIGN(impl->folder, open_file_medium(options.folder, true));
  SharePlace place{impl->folder.get(), options.rank, options.ranks, 0};
  RIZOMA_ASSIGN(place.memory_limit, loader_limit(options.memory_limit, false));
  if (options.memory_limit == 0) place.memory_limit /= std::max(options.sharing, 1U);
  RIZOMA_ASSIGN(impl->loader, ShareLoader::create(schema, place));
  return SharedLoad(std::move(impl));
}

Status SharedLoad::add(const EdgeBatch& edges) { return impl_->loader->add(edges); }
Status SharedLoad::add_vertices(const IdColumn& ids) { return impl_->loader->add_vertices(ids); }
Status SharedLoad::end() { return impl_->loader->end(); }
Status SharedLoad::merge(BulkLoad& load) { return impl_->loader->merge(*load.impl_->loader); }
Status SharedLoad::count() { return impl_->loader->count(); }
Status SharedLoad::plan(BulkLoad& load, Executor& executor) {
  return impl_->loader->plan(*load.impl_->loader, executor);
}
Status SharedLoad::send() { return impl_->loader->send(); }
Status SharedLoad::build(Executor& executor) { return impl_->loader->build(executor); }
Status SharedLoad::publish(BulkLoad& load) { return impl_->loader->publish(*load.impl_->target); }

}  // namespace rizoma
