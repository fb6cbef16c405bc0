#pragma once

#include "cli/show/output/stdout_stream.h"
#include "query/types/note_types.h"
#include "storage/base/result.h"

namespace recall {

// Asks on the terminal for the type and the title of a note, unless it has them, and if wanted for
// its text and its context. Prompts go to standard error, answers come from standard input. Errors:
// Cancelled if the input ends before the last answer, and by Ctrl-C.
Status AskForNote(bool with_text, bool with_context, StdoutStream* out, NoteDraft* note);

}  // namespace recall
