#include "platform/process.h"

#include <unistd.h>

namespace rizoma {

std::int64_t process_id() noexcept { return ::getpid(); }

}  // namespace rizoma
