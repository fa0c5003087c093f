// All of the library's public face.
#pragma once

#include "ta2s2/compare.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/emulator.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/judgement.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/prediction.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/sensitivity.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/types.hpp"
