#pragma once

#include <cstdint>

namespace recall {

// The number of documents of an ingest, by outcome. Each document is counted once.
struct OutcomeCounts {
  int64_t added = 0;      // new documents
  int64_t updated = 0;    // documents whose text changed
  int64_t refreshed = 0;  // same text, new mtime, tag, source or metadata
  int64_t unchanged = 0;
  int64_t skipped = 0;  // not text, too large
  int64_t failed = 0;   // could not be read

  int64_t Total() const { return added + updated + refreshed + unchanged + skipped + failed; }
};

// What becomes of texts with credentials.
enum class SecretPolicy : uint8_t {
  kKeep,    // they are not looked for
  kWarn,    // stored, and those that FindSecrets finds are reported
  kRedact,  // all that a Redactor finds is replaced, and reported
  kSkip,    // the document is skipped if a Redactor finds any
};

// The files that a walk left out, and the directories that it did not enter.
struct LeftOutEntries {
  int64_t files = 0;
  int64_t directories = 0;

  int64_t Total() const { return files + directories; }
};
struct LeftOutCounts {
  LeftOutEntries by_gitignore;
  LeftOutEntries by_recallignore;
  LeftOutEntries hidden;

  int64_t Total() const { return by_gitignore.Total() + by_recallignore.Total() + hidden.Total(); }
};

}  // namespace recall
