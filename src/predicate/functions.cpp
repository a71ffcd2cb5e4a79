#include "predicate/functions.h"

#include "predicate/tokens.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace rizoma::predicate {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

constexpr Function kFunctions[] = {
    {"abs", Operation::absolute, Type::number, Type::null},
    {"between", Operation::all_of, Type::null, Type::truth, 3, 3},
    {"coalesce", Operation::coalesce, Type::null, Type::null, 1, kAny},
    {"contains", Operation::contains, Type::text, Type::truth, 2, 2},
    {"date", Operation::to_date, Type::time, Type::time},
    {"day", Operation::day, Type::time, Type::whole},
    {"endswith", Operation::ends_with, Type::text, Type::truth, 2, 2},
    {"epoch", Operation::epoch, Type::time, Type::number},
    {"has", Operation::has, Type::text, Type::truth, 2, 2},
    {"hour", Operation::hour, Type::time, Type::whole},
    {"length", Operation::length, Type::text, Type::whole},
    {"like", Operation::like, Type::text, Type::truth, 2, 3},
    {"lower", Operation::lower, Type::text, Type::text},
    {"minute", Operation::minute, Type::time, Type::whole},
    {"month", Operation::month, Type::time, Type::whole},
    {"second", Operation::second, Type::time, Type::whole},
    {"startswith", Operation::starts_with, Type::text, Type::truth, 2, 2},
    {"upper", Operation::upper, Type::text, Type::text},
    {"year", Operation::year, Type::time, Type::whole},
};

}  // namespace

const Function* find_function(std::string_view name) noexcept {
  const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                         [&](const Function& each) { return is_lower_case_of(each.name, name); });
  return found == std::end(kFunctions) ? nullptr : found;
}

std::string function_names() {
  std::string names;
  for (const Function& each : kFunctions) names.append(names.empty() ? "" : ", ").append(each.name);
  return names;
}

}  // namespace rizoma::predicate
