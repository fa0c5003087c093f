#include "ta2s2/error.hpp"

#include "bindings.hpp"

namespace ta2s2::python {
namespace {

// The classes of ta2s2/errors.py; only they know what they derive from.
const char* class_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return "UsageError";
    case ErrorCode::bad_data:
      return "DataError";
    case ErrorCode::bad_file:
      return "ModelFileError";
    case ErrorCode::interrupted:
      return "InterruptedRun";
    case ErrorCode::cannot_write:
      return "CannotWriteError";
    case ErrorCode::resumable:
      return "ResumableRun";
    case ErrorCode::judged_bad:  // only the command line asks for it
    case ErrorCode::internal:
      break;
  }
  return "InternalError";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("ta2s2.errors").attr(class_name(error.code()));
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace ta2s2::python
