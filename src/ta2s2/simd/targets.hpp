// The instruction sets that the kernels are compiled for; to be included before Highway's headers. Left out are those
// between two others without a gain for double precision, and those whose vectors have no fixed size.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
