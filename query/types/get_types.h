#pragma once

// Requests and responses of `get`: a document, a chunk, lines, or turns of a session.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/search/filter/fields.h"
#include "index/source/secrets/secret_settings.h"
#include "index/source/session/agent_session.h"
#include "query/types/extract_settings.h"
#include "query/types/row_views.h"

namespace recall {

constexpr int64_t kAllTurns = INT32_MAX;  // no limit

struct GetRequest {
  // A path, lines or an exact citation as by ReadingsOf (query/ask/answer/text_reference.h); or the
  // id of a document or chunk: at least 12 digits of it, or "id:" and at least 4.
  std::string target;
  bool verify = false;                         // compare with the source file
  SecretSettings secret_settings = {};         // for texts that `add --secrets redact` stored
  bool cite = false;                           // fill ChunkView::lines_hash
  std::string snapshot = {};                   // the token of the commit to read; "": the newest
  std::vector<FieldRef> computed_fields = {};  // fill DocView::computed with these, as of now
  // `count` turns of a session, from `offset` on. If `role` is set, only turns of that speaker are
  // counted. The target must be a session.
  struct Turns {
    int64_t offset = 0;
    int64_t count = 0;  // kAllTurns: all from `offset` on
    std::optional<TurnRole> role = {};
  };
  std::optional<Turns> turns = {};
  bool transcript = false;  // of a session: the transcript that it was captured from
  bool original = false;    // the bytes of the source file
  SourceCheck check = {};   // fill DocView::source_state
  // With `verify`: extracts the text of a file again that is another one than before.
  ExtractSettings extract = {};
};

// The turns of a session that a request asks for.
struct TurnsView {
  int64_t total = 0;  // of the role that was asked for
  int64_t offset = 0;
  int64_t limit = 0;
  bool has_more = false;
  std::vector<std::pair<uint32_t, Turn>> turns;  // with their numbers
  std::vector<ToolCall> tool_calls;              // that belong to these turns
};

enum class VerifyOutcome {
  kNotAsked,
  kSame,
  kSameText,  // the file of another format has changed, but its text is the same
  kChanged,
  kMissing,
  kNoFile,  // there is no file, and the document did not come from one
};

// What became of the text of an exact citation.
enum class CitationOutcome {
  kNone,      // the target is not an exact citation
  kSame,      // the text is where the citation says
  kMoved,     // it is elsewhere now
  kReplaced,  // the document has another version, or none; the text is that of an older version
};

struct GetResponse {
  DocView doc;
  // The requested range; id is empty unless the target is a chunk.
  ChunkView chunk;
  bool whole_doc = false;                           // the range is the whole document
  VerifyOutcome verify = VerifyOutcome::kNotAsked;  // of the source file and the live document
  CitationOutcome citation = CitationOutcome::kNone;
  // The exact citation of the place where the cited text is now; "" if it has not moved, or is in
  // no live document.
  std::string now;
  std::optional<TurnsView> turns = {};
  std::optional<std::string> transcript = {};  // as bytes, lines of JSON for most agents
  std::optional<std::string> original = {};    // the bytes of the source file
};

}  // namespace recall
