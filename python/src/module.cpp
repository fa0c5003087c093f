#include "bindings.hpp"
#include "ta2s2/types.hpp"

NB_MODULE(_core, module) {
  using namespace ta2s2::python;
  module.doc() = "The C++ library behind ta2s2; use the package's own names instead.";
  module.attr("__version__") = ta2s2::version();
  bind_errors(module);
  bind_emulator(module);
  bind_functions(module);
}
