#include "ta2s2/types.hpp"

namespace ta2s2 {

const char* version() {
  return TA2S2_VERSION;
}

}  // namespace ta2s2
