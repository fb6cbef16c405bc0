#pragma once

// Requests and reports of `add`.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/parser.h"
#include "index/source/secrets/secret_settings.h"
#include "index/write/ingest/outcome_counts.h"
#include "index/write/training/training_progress.h"
#include "query/types/extract_settings.h"
#include "storage/base/status.h"

namespace recall {

struct AddRequest {
  std::vector<std::string> paths;  // files or directories
  // A file with more paths, one per line or each terminated by NUL; "-" is standard input. A path
  // in it that does not exist counts as failed, like an unreadable file.
  std::string files_from;
  bool null_names = false;
  // Instead of all paths: a file of documents, one JSON object per line (docs/cli/add.md); "-" is
  // standard input.
  std::string jsonl;
  // The lines themselves, in memory, which must outlive the call; `jsonl` is their name in
  // messages.
  std::optional<std::string_view> lines = {};
  std::vector<std::string> globs;
  std::vector<std::string> ignores;
  std::optional<std::string> tag;
  std::optional<std::string> source;
  Parser parser = Parser::kAuto;
  std::optional<std::string>
      notes_dir;         // as in SaveRequest: Markdown files there are notes if `parser` is kAuto
  std::string encoding;  // the charset of text that is not UTF-8; "": it is detected
  // The language of documents: a code (ISO 639-1), "none" or "detect", which forgets what was given
  // before; "": it is detected, unless it was given before.
  std::string language;
  bool extract_meta = false;
  bool mtime_only = false;   // trust an unchanged mtime, do not read the file
  bool rechunk = false;      // cut source code anew that was cut with another grammar, or none
  bool ignore_files = true;  // honour .recallignore, and .gitignore inside a git repository
  bool hidden = false;       // also add hidden files found in directories
  bool archives = false;     // also open archives found in directories, not only those in `paths`
  bool sync = false;         // remove documents whose files would be found but no longer exist
  bool dry_run = false;      // report the changes without making them
  int64_t max_errors = 0;    // stop after this number of failed documents; 0: never
  uint32_t threads = 0;      // 0: one per core
  // The approximate memory limit, at least 320 MiB; files that would not fit are skipped.
  // Unset: 512 MiB, and more for a larger file.
  std::optional<uint64_t> memory_bytes;
  uint64_t max_file_bytes = 512ull << 20;    // limit for a file, a line, or a file in an archive
  uint64_t max_archive_bytes = 16ull << 30;  // limit for the unpacked contents of an archive
  ExtractSettings extract = {};
  SecretPolicy secrets = SecretPolicy::kWarn;
  SecretSettings secret_settings = {};  // for SecretPolicy::kRedact and kSkip
  // Documents are named relative to this directory, which contains all paths, instead of the
  // store's. The store records it.
  std::optional<std::string> root;
  // Documents are named below this prefix, by their paths below `root` or else below the one path
  // of the request.
  std::optional<std::string> prefix;
  // If set, only what lies at or below one of these paths is examined: files there are added, and
  // with `sync` documents of files that no longer exist there are removed, exactly as by the same
  // request without them. Absolute, without "." and ".."; they need not exist.
  std::optional<std::vector<std::string>> only;
  // Called with the absolute path of each directory before it is listed, on the calling thread.
  std::function<void(const std::string& directory)> on_directory;
};

struct AddFailure {
  std::string path;  // the path of the document, if it is known
  int64_t line = 0;  // the line in the file of documents, from 1
  std::string reason;
};

struct AddSkip {
  std::string reason;  // "not_text", "too_large", "secrets" or "other"
  std::string text;    // the document and the reason, as a sentence
};

// The number of documents that were skipped for one reason.
struct AddSkipCount {
  std::string reason;
  std::string suffix;  // of their names, in lower case: ".png"; "" if there is none
  int64_t count = 0;
};

// A document without text, although its format has text.
struct AddWithoutText {
  std::string path;
  std::string outcome;  // "no_text", "encrypted", ...
  std::string reason;
};

// A credential in a text that was added, redacted or skipped.
struct AddSecret {
  std::string path;
  int64_t line = 0;
  std::string kind;  // "aws-access-key-id"
};

// Of the files that passed globs and ignore files, or of the lines.
struct AddReport : OutcomeCounts {
  int64_t removed = 0;                     // documents whose files no longer exist
  int64_t chunks = 0;                      // chunks written
  int64_t bytes = 0;                       // bytes of text written
  std::vector<AddFailure> failures;        // the first 10,000
  std::vector<std::string> removed_paths;  // the first 10,000
  std::vector<AddSkip> skips;              // the first 10,000
  std::vector<AddSkipCount> skipped_by;    // of all skipped documents, most frequent first
  std::vector<AddSecret> secrets;          // the first 10,000
  int64_t secrets_found = 0;
  // The number of documents written whose text was extracted, by outcome: "text", "no_text", ...;
  // and those without text (the first 10,000).
  std::map<std::string, int64_t> extracted;
  std::vector<AddWithoutText> without_text;
  // The number of documents written whose text was decoded, by charset; those of UTF-8 have bad
  // bytes.
  std::map<std::string, int64_t> decoded;
  // The documents that were skipped because of credentials and that stay in the store as they were
  // added before: the first 10,000 paths.
  std::vector<std::string> secrets_in_store;
  LeftOutCounts left_out;             // not among the outcomes
  std::vector<std::string> warnings;  // but not of skips
  bool cancelled = false;             // ended by Cancel; committed documents are kept
  bool gave_up = false;  // ended after max_errors failures; committed documents are kept
  Status fault;          // why the file of documents could not be read to its end
};

// The outcomes are those of Add; written documents count when they are committed.
struct AddProgress : OutcomeCounts {
  int64_t files_done = 0;
  int64_t files_total = 0;  // 0: unknown
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;
  int64_t removed = 0;
  bool finished = false;  // Add: this is the last report about documents
  // After the last document: the progress of computing derived data.
  std::optional<DerivedDataProgress> catch_up = {};
};

// Called on the calling thread, about ten times a second at most.
using AddProgressFn = std::function<void(const AddProgress&)>;

}  // namespace recall
