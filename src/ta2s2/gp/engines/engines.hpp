// The makers of each engine; likelihood_engine.cpp chooses.
#pragma once

#include "ta2s2/gp/likelihood_engine.hpp"

namespace ta2s2 {

std::unique_ptr<const LikelihoodEngine> make_plain_engine(const GpModel& model, InformationOver over);

// path: any but plain.
std::unique_ptr<const LikelihoodEngine> make_simd_engine(const GpModel& model, InformationOver over, SimdPath path);

}  // namespace ta2s2
