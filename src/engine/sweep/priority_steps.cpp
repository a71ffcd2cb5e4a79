#include <rizoma/detail/priority_steps.h>

namespace rizoma::engine_detail {

template class PrioritySteps<std::uint32_t, std::uint32_t>;
template class PrioritySteps<std::uint32_t, double>;
template class PrioritySteps<std::uint64_t, std::uint32_t>;
template class PrioritySteps<std::uint64_t, double>;

}  // namespace rizoma::engine_detail
