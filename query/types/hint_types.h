#pragma once

// Requests and answers of hints: what a store says unasked, while an assistant works.
// query/database/database.h contains the function.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"
#include "storage/base/clock.h"

namespace recall {

// What the assistant is about to do, or has done.
enum class HintOccasion : uint8_t {
  kBegin,    // a session begins
  kPrompt,   // a person asks for something
  kEdit,     // a file will be changed
  kFailure,  // a command failed
};

struct HintRequest {
  HintOccasion occasion = HintOccasion::kPrompt;
  std::string text = {};       // kPrompt: what the person wrote; kFailure: what the command printed
  std::string file = {};       // kEdit: absolute
  std::string directory = {};  // absolute: where the session is held; "": unknown
  std::string branch = {};     // of git, there; "": unknown
  std::string session_id = {};  // of the agent: what was said in this session is no hint
  // What the session knows, as a text: a document is not offered if its citation is in it.
  std::string told = {};
  int64_t budget_tokens = 300;          // of the whole text, by EstimateTokens
  std::optional<UnixNanos> as_of = {};  // unset: now
};

struct HintResponse : AnswerFacts {
  std::string text = {};                // for the assistant; "": there is nothing to say
  int64_t used_tokens = 0;              // at most the budget
  std::vector<std::string> paths = {};  // of the documents that the text quotes, in its order
  std::string silence = {};             // why there is no text, for people; "" if there is one
};

// ---- Follow-through ---------------------------------------------------------------------------

struct HintUseRequest {
  Scope scope = {};   // the sessions that count
  size_t limit = 10;  // documents of HintUseReport::never_followed
};

// A document that hints offered, and that was not opened in any session.
struct UnfollowedHint {
  std::string path = {};
  int64_t sessions = 0;  // in which it was offered
};

// What capture has read of hints. Sessions that were captured by versions that did not read them
// are not counted.
struct HintUseReport : AnswerFacts {
  int64_t sessions = 0;           // in which a hint was told
  int64_t sessions_followed = 0;  // in which one of the documents was opened afterwards
  int64_t offered = 0;            // documents, each once for a session
  int64_t followed = 0;           // those of them that were opened
  // Documents of the store, those offered most often first, then by path.
  std::vector<UnfollowedHint> never_followed = {};
  int64_t never_followed_total = 0;  // regardless of the limit
};

}  // namespace recall
