#include <rizoma/detail/level_exchange.h>

namespace rizoma::engine_detail {

template class LevelExchange<double, std::uint32_t>;
template class LevelExchange<double, std::uint64_t>;
template class LevelExchange<long double, std::uint32_t>;
template class LevelExchange<long double, std::uint64_t>;

}  // namespace rizoma::engine_detail
