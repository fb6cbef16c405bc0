#pragma once

// How a fusion method is written: "rrf", "parts:words=0.5:meaning=0.3:triggers=0.2".

#include <string>
#include <string_view>
#include <vector>

#include "query/types/ranking_choice.h"
#include "storage/base/result.h"

namespace recall {

struct FusionChoice {
  FusionMethod method = FusionMethod::kDefault;
  PartWeights parts;  // of kParts and kGrouped
};

// Parses the name of a method; those of kParts and kGrouped may be followed by weights, and those
// that are left out keep their defaults. Errors: InvalidArgument for another name, an unknown part,
// a part given twice, a weight that is not a number from 0 to 1,000,000, and if all weights are 0.
// The hint lists what is valid.
Result<FusionChoice> ParseFusion(std::string_view text);

// The inverse: the name, with all weights of kParts or kGrouped.
std::string PrintFusion(const FusionChoice& fusion);

// The names of the methods, the default first.
std::vector<std::string> FusionNames();

}  // namespace recall
