#pragma once

#include "storage/base/coding.h"

namespace recall {

// The lexicon that the build made of WordNet (cmake/RecallLexicon.cmake), aligned to 16 bytes.
ByteSpan LexiconBytes();

}  // namespace recall
