#include "platform/os_error.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace rizoma {
namespace {

struct Meaning {
  ErrorCode code;
  const char* remedy;
};

Meaning meaning_of(int error_number) {
  switch (error_number) {
    case ENOENT: return {ErrorCode::not_found, ""};
    case EEXIST: return {ErrorCode::already_exists, ""};
    case ENOSPC: return {ErrorCode::out_of_space, "; free some space and try again"};
    case EDQUOT: return {ErrorCode::out_of_space, "; free some space or have the quota raised"};
    case ENOMEM: return {ErrorCode::out_of_memory, ""};
    case EACCES:
    case EPERM: return {ErrorCode::io, "; check the permissions of the file and its directory"};
    case EROFS: return {ErrorCode::io, "; open it for reading only"};
    case EMFILE: return {ErrorCode::io, "; raise the limit of open files (ulimit -n)"};
    default: return {ErrorCode::io, ""};
  }
}

}  // namespace

Error os_error(std::string_view operation, std::string_view where, int error_number) {
  const Meaning meaning = meaning_of(error_number);
  std::string message = "cannot ";
  message.append(operation).append(" ").append(where).append(": ");
  message.append(std::generic_category().message(error_number)).append(meaning.remedy);
  return Error{meaning.code, std::move(message)};
}

Error removed_while_open(std::string_view where) {
  return Error{ErrorCode::io, std::string(where) +
                                  " was removed while it is open: this change is not kept; write what is still there "
                                  "to another place with copy_to, or restore a copy"};
}

}  // namespace rizoma
