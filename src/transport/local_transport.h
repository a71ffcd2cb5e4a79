// LocalTransport: a run of one process; all windows are its own memory.
#pragma once

#include "engine/transport.h"

#include <memory>

namespace rizoma {

[[nodiscard]] std::unique_ptr<Transport> make_local_transport();

}  // namespace rizoma
