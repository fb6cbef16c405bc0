#pragma once

#include <array>
#include <string_view>

#include "index/source/code/path_role.h"
#include "storage/base/result.h"

namespace recall {

// How much each cue counts (docs/RETRIEVAL.md, "Cues"): the setting `cues`. All chosen by
// measurement (docs/decisions/0064-cues.md).
struct CueWeights {
  // Added to the share of the best score of a chunk that defines the name that is the question.
  double definition = 1;
  // Added where source code is among the hits: times the share of the question's words in the names
  // that a chunk of code defines; times how much of a file's name and the question is the same; and
  // times the sum of the scores of a file among the chunks looked at, divided by the largest such
  // sum.
  double symbols = 0.3;
  double filename = 0.8;
  double support = 0.6;
  // Added to the best chunk of a file that the question names, times how much it names it
  // (named_files.h).
  double path = 1;
  double imports = 0.4;  // factor of a chunk that consists mostly of imports
  // Factor of a chunk without any of the question's versions, dates and divided numbers.
  double number = 0.85;
  // Factors of roles, by PathRole: 1 changes nothing.
  std::array<double, kPathRoles> roles = {0.6, 0.4, 0.8, 0.6, 0.6, 0.3, 0.3, 0.7, 0.7};

  double of(PathRole role) const { return roles[static_cast<size_t>(role)]; }
  // Whether no cue changes anything.
  bool None() const;
  bool operator==(const CueWeights&) const = default;
};

// Parses "tests=0.5:imports=1:definition=0". A cue that is not named has its default; "" is
// `defaults`, and "none" changes nothing. Errors: InvalidArgument for a cue that is unknown or
// named twice, and for a number that is not from 0 to 4 (definition, symbols, filename, support,
// path) or from 0.01 to 1 (the others).
Result<CueWeights> ParseCueWeights(std::string_view text, CueWeights defaults = {});

}  // namespace recall
