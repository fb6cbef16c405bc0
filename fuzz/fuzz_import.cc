// Database::Import: any file is imported or rejected. A rejection has a position, leaves the store
// unchanged, and is the same each time. An import adds what its dry run reported, and importing
// again changes nothing.

#include <algorithm>
#include <string>

#include "fuzz/fuzz_store.h"
#include "fuzz/fuzz_target.h"

namespace recall {
namespace {

Result<ImportReport> Import(Database& database, ByteSpan input, bool dry_run) {
  const InputAsFile file(input);
  ImportRequest request;
  request.path = file.path();
  request.dry_run = dry_run;
  request.max_document_bytes = 1 << 20;
  return database.Import(request);
}

void CheckRefusal(const Status& error, ByteSpan input) {
  const bool compressed = AsText(input).starts_with("\x28\xB5\x2F\xFD");
  switch (error.code()) {
    case StatusCode::kInvalidArgument:
    case StatusCode::kLimitExceeded:
    case StatusCode::kUnsupported: {
      RECALL_CHECK(error.position() != nullptr);
      const auto newlines = std::count(input.begin(), input.end(), '\n');
      const int64_t line = error.position()->line;
      RECALL_CHECK(line >= 0 && (compressed || line <= newlines + 1));
      RECALL_CHECK(error.position()->excerpt.size() < 2000 && error.message().size() < 2000);
      return;
    }
    case StatusCode::kCorruption:
      RECALL_CHECK(compressed);
      return;
    default:
      RECALL_CHECK(false);
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static FuzzStore store;
  Database& database = store.database();
  const auto planned = Import(database, input, true);
  const auto again = Import(database, input, true);
  RECALL_CHECK(planned.has_value() == again.has_value());
  if (!planned) {
    CheckRefusal(planned.error(), input);
    RECALL_CHECK(planned.error().message() == again.error().message() ||
                 planned.error().message().find("/proc/self/fd/") != std::string_view::npos);
    return;
  }
  RECALL_CHECK(planned->warnings == again->warnings);
  const auto done = Import(database, input, false);
  RECALL_CHECK(done && done->added == planned->added && done->updated == planned->updated);
  RECALL_CHECK(done->refreshed == planned->refreshed && done->chunks == planned->chunks);
  const auto unchanged = Import(database, input, false);
  RECALL_CHECK(unchanged && unchanged->added + unchanged->updated + unchanged->refreshed == 0);
}

}  // namespace recall
