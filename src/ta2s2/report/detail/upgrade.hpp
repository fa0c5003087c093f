// Records of earlier versions in the form of today, so that the page knows one form.
#pragma once

#include "ta2s2/report/detail/json.hpp"

namespace ta2s2::detail {

Json upgraded(Json record);

}  // namespace ta2s2::detail
