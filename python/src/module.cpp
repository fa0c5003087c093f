#include "bindings.hpp"
#include "ta2s2/types.hpp"

NB_MODULE(_core, module) {
  using namespace ta2s2::python;
  module.doc() = "The C++ library behind ta2s2; use the package's own names instead.";
  module.attr("__version__") = ta2s2::version();
  bind_errors(module);
  bind_options(module);
  bind_design(module);
  bind_fit(module);
  bind_sensitivity(module);
  bind_density(module);
  bind_add_runs(module);
  bind_compare(module);
}
