// From ErrorCode to the exceptions of rizoma/core/errors.py.
#include "bindings.h"

#include <rizoma/detail/state_file_failure.h>

#include <new>
#include <stdexcept>

namespace rizoma::python {

static const char* exception_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "InvalidArgumentError";
    case ErrorCode::not_found: return "NotFoundError";
    case ErrorCode::already_exists: return "AlreadyExistsError";
    case ErrorCode::parse: return "ParseError";
    case ErrorCode::io: return "StorageError";
    case ErrorCode::out_of_space: return "OutOfSpaceError";
    case ErrorCode::out_of_memory: return "OutOfMemoryError";
    case ErrorCode::corrupt: return "CorruptError";
    case ErrorCode::unsupported: return "UnsupportedError";
    case ErrorCode::locked: return "LockedError";
    case ErrorCode::closed: return "ClosedError";
    case ErrorCode::cancelled: return "CancelledError";
  }
  return "RizomaError";
}

/// Whether the operating system refused a permission, by the remedy in the message.
static bool is_denied(const Error& error) {
  return error.code == ErrorCode::io && error.message.find("; check the permissions of") != std::string::npos;
}

void raise(const Error& error) {
  const char* const name = is_denied(error) ? "PermissionDeniedError" : exception_name(error.code);
  nb::object type = nb::module_::import_("rizoma.errors").attr(name);
  // A message may quote a file whose bytes are not UTF-8.
  const auto size = static_cast<Py_ssize_t>(error.message.size());
  const nb::object message = nb::steal(PyUnicode_DecodeUTF8(error.message.data(), size, "backslashreplace"));
  if (message.is_valid()) PyErr_SetObject(type.ptr(), message.ptr());
  throw nb::python_error();
}

namespace {

void set_out_of_memory() {
  const nb::object type = nb::module_::import_("rizoma.errors").attr("OutOfMemoryError");
  PyErr_SetString(type.ptr(),
                  "not enough memory for this call (algorithms and exports need memory for each internal id, gaps "
                  "included); free some, raise the limit of the process, or use a machine with more");
}

}  // namespace

void translate_exceptions() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const StateFileFailure& failure) {
      try {
        raise(failure.error());
      } catch (nb::python_error& error) {
        error.restore();
      }
    } catch (const std::bad_alloc&) {
      set_out_of_memory();
    } catch (const std::length_error&) {  // a vector beyond what can be addressed
      set_out_of_memory();
    }
  });
}

nb::object to_python(IdColumn&& ids) {
  if (auto* integers = std::get_if<std::vector<std::int64_t>>(&ids)) {
    return nb::cast(to_numpy(std::move(*integers)));
  }
  auto& strings = std::get<StringColumn>(ids);
  std::vector<std::uint8_t> bytes(strings.bytes.begin(), strings.bytes.end());
  return nb::make_tuple(to_numpy(std::move(strings.offsets)), to_numpy(std::move(bytes)));
}

}  // namespace rizoma::python
