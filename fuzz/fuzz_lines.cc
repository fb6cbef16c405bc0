// `add --jsonl`: each line of any file is added, skipped, or reported with its fault, the same each
// time. Adding the file again finds its documents unchanged.

#include <algorithm>
#include <set>

#include "fuzz/fuzz_store.h"
#include "fuzz/fuzz_target.h"

namespace recall {
namespace {

Result<AddReport> AddLines(Database& database, const InputAsFile& file, bool dry_run) {
  AddRequest request;
  request.jsonl = file.path();
  request.dry_run = dry_run;
  request.max_file_bytes = 1 << 16;
  request.threads = 1;
  return database.Add(request);
}

void CheckReport(const AddReport& report, ByteSpan input) {
  RECALL_CHECK(static_cast<int64_t>(report.failures.size()) == report.failed);
  const bool compressed = AsText(input).starts_with("\x28\xB5\x2F\xFD");
  const auto lines = std::count(input.begin(), input.end(), '\n') + 1;
  for (const AddFailure& failure : report.failures) {
    RECALL_CHECK(failure.line >= 1 && (compressed || failure.line <= lines));
    RECALL_CHECK(!failure.reason.empty() && failure.reason.size() < 2000);
  }
  RECALL_CHECK(report.fault.ok() || compressed);
}

// The warnings without the number of documents that came without an embedding. If two lines have
// the same path, the second may inherit the embedding of the first, which a dry run does not see.
std::vector<std::string> WithoutVectors(const AddReport& report) {
  std::vector<std::string> warnings = report.warnings;
  std::erase_if(warnings, [](const std::string& warning) {
    return warning.find("no embedding; only lexical search") != warning.npos;
  });
  return warnings;
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static FuzzStore store({.embedder = "given"});
  Database& database = store.database();
  const InputAsFile file(input);
  const auto planned = AddLines(database, file, true);
  RECALL_CHECK(planned.has_value());
  CheckReport(*planned, input);
  const auto done = AddLines(database, file, false);
  RECALL_CHECK(done.has_value());
  CheckReport(*done, input);
  RECALL_CHECK(done->Total() == planned->Total() && done->failed == planned->failed);
  RECALL_CHECK(WithoutVectors(*done) == WithoutVectors(*planned));
  // Lines with the same path replace each other again on each run, so they may count as updated.
  const auto again = AddLines(database, file, false);
  RECALL_CHECK(again.has_value() && again->added == 0 && again->failed == done->failed);
  RECALL_CHECK(again->unchanged > 0 || done->Total() == done->failed + done->skipped ||
               again->updated + again->refreshed > 1);
}

}  // namespace recall
