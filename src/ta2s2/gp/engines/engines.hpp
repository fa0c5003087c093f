// The makers of each engine; likelihood_engine.cpp chooses.
#pragma once

#include "ta2s2/gp/likelihood_engine.hpp"

namespace ta2s2 {

std::unique_ptr<const LikelihoodEngine> make_plain_engine(const GpModel& model, InformationOver over);

// path: any but plain; num_leading: 0 if information is wanted.
std::unique_ptr<const LikelihoodEngine> make_simd_engine(const GpModel& model, InformationOver over,
                                                         InstructionSet path, Index num_leading = 0);

// All runs by one engine, the first ones by another, whose model it keeps.
std::unique_ptr<const LikelihoodEngine> make_paired_engine(std::unique_ptr<const LikelihoodEngine> all,
                                                           std::unique_ptr<const GpModel> leading_model,
                                                           std::unique_ptr<const LikelihoodEngine> leading);

}  // namespace ta2s2
