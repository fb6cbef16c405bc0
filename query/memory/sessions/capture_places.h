#pragma once

#include <string>

#include "query/types/session_types.h"

namespace recall {

// Sets the project of a request, `directory` made absolute, and the places of this user's
// transcripts, of which those in projects are looked for in `directory` and in the work tree that
// contains it. `variable`: the value of an environment variable, or nothing.
void SetCapturePlaces(const EnvironmentVariable& variable, const std::string& directory,
                      CaptureRequest* request);

}  // namespace recall
