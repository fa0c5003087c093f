// The judgement of a fit (workflow/judge.hpp) as the page shows it: a light, reasons with the worst first, advice.
#pragma once

#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/report/detail/predictions_section.hpp"

namespace ta2s2::detail {

Json judgement_json(const OutputRecord& output, const LeftOutPredictions& left_out,
                    const ValidationPredictions* validation);

}  // namespace ta2s2::detail
