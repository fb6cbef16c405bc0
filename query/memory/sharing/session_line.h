#pragma once

#include <string>
#include <string_view>

#include "query/add/records/json_record.h"
#include "storage/base/result.h"

namespace recall {

// A session on a branch: a document line of an export (docs/format/export.md) without the numbers
// that depend on the store.
struct SharedSession {
  std::string path;
  std::string text;
  std::string meta;  // a JSON object
};

// Ends with a newline. Equal sessions give equal bytes.
std::string WriteSessionLine(const SharedSession& session);

// Errors: InvalidArgument if the line is not that of a session, if its hash is not that of the
// text, or if the path is not one that the session's metadata give.
Result<SharedSession> ReadSessionLine(const LineRef& line);

}  // namespace recall
