#pragma once

namespace ta2s2 {

// The project's version, as CMakeLists.txt gives it.
const char* version();

}  // namespace ta2s2
