#pragma once

// What each occasion finds. hints.cc chooses between them.

#include <string>

#include "query/memory/hints/hint_text.h"
#include "query/memory/hints/hint_tools.h"
#include "query/types/hint_types.h"

namespace recall {

// In filters: notes that may be told to an assistant, which sends them elsewhere: neither obsolete
// nor expired nor private.
inline constexpr char kTellableNote[] =
    "(doc.kind = 'note' AND doc.lifecycle != 'obsolete' AND doc.lifecycle != 'expired' AND "
    "(doc.meta.sensitivity IS NULL OR doc.meta.sensitivity != 'private'))";

// What a text asks for: the prompt of a person, or the errors of a command.
struct HintQuestion {
  std::string text;
  std::string filter;
};

// Each offers what it finds. Returns: why nothing was found, for people; "" if something was.
// `response` gets the facts of the answer.
Result<std::string> OfferAnswers(const HintTools& tools, const HintRequest& request,
                                 const HintQuestion& question, HintPacker& packer,
                                 HintResponse& response);
// What changed with the file in earlier sessions, then the notes on it.
Result<std::string> OfferNotesOfFile(const HintTools& tools, const HintRequest& request,
                                     HintPacker& packer);
Result<std::string> OfferBeginning(const HintTools& tools, const HintRequest& request,
                                   HintPacker& packer);

// One line, or nothing; for OfferNotesOfFile.
Status OfferChangesWithFile(const HintTools& tools, const HintRequest& request, HintPacker& packer);

}  // namespace recall
