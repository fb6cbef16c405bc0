#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "index/source/secrets/redactor.h"

namespace recall {

// The text of a note as it is on a branch: its secrets are replaced, and on its card also the words
// of secrets in other cases, because triggers that `save` extracts are folded. Adds the number of
// secrets of each kind to *counts, which may be null.
std::string SharedNoteText(const Redactor& redactor, std::string_view text,
                           std::map<std::string, int64_t>* counts);

}  // namespace recall
