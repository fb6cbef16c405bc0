#pragma once

// Requests and reports of operations that move documents between stores and files: export, import,
// merge and migrate.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/secrets/secret_settings.h"
#include "index/write/ingest/outcome_counts.h"
#include "query/types/document_scope.h"
#include "query/types/open_types.h"
#include "query/types/store_summary.h"
#include "storage/base/clock.h"
#include "storage/base/status.h"

namespace recall {

enum class ExportLayout {
  kRecall,    // docs/format/export.md: lossless
  kRecall01,  // the format of recall 0.1: documents, then chunks with embeddings
  kNotes,     // notes as Markdown files, which vaults of other programs can take
  kGraph,     // notes as entities and relations, in JSON Lines
};

struct ExportRequest {
  ExportLayout layout = ExportLayout::kRecall;
  // The file, which is written under a temporary name and renamed when it is complete. The
  // extension ".zst" compresses it. Empty: the lines are passed to the sink. kNotes: the directory.
  std::string out_path;
  bool force = false;  // kNotes: also replace files that no export wrote, or that were edited
  Scope scope;         // the documents; a filter on chunk fields selects whole documents
};

// Receives the next part of the output.
using ExportSink = std::function<Status(std::string_view)>;

struct ExportReport {
  int64_t docs = 0;
  int64_t chunks = 0;
  int64_t lines = 0;
  int64_t bytes = 0;                        // bytes written, after compression
  int64_t files_written = 0;                // kNotes; other files were as they should be
  std::map<std::string, int64_t> left_out;  // kGraph: what has no place there; notes by key
  std::string filter;                       // canonical text of the scope's filter; "" without one
  std::optional<UnixNanos> as_of;           // set if the filter depends on it
  std::vector<std::string> warnings;
  StoreSummary store;
};

struct ImportRequest {
  std::string path;  // a file (".zst" is decompressed; "-" is standard input), or a directory
  // Whose files these are: a name of ImportPrograms() (query/compat/registry). Empty or "recall":
  // the output of `recall export`, also of recall 0.1.
  std::string program = {};
  // 0: one transaction, all or nothing. Else the approximate number of documents per commit:
  // committed documents are kept, and the same import continues from there.
  int64_t batch_docs = 0;
  bool dry_run = false;  // read and check everything, change nothing
  // The maximum size of the lines of one document with its chunks; it bounds the memory.
  uint64_t max_document_bytes = uint64_t{1} << 30;
  // Of an import that makes sessions: a file that is or contains the dictionary of zstd that frames
  // name, and the user's kinds of secrets and of what is none.
  std::optional<std::string> dictionary = {};
  SecretSettings secret_settings = {};
  // Of an import that makes notes: what becomes of credentials in them. kSkip leaves such notes
  // out.
  SecretPolicy secrets = SecretPolicy::kKeep;
};

// No document of an import is skipped or fails: a fault ends the import. Only files of a vault that
// are no notes do not end it.
struct ImportReport : OutcomeCounts {
  int64_t chunks = 0;           // chunks written
  int64_t vectors_taken = 0;    // vectors from the file
  int64_t vectors_rebuilt = 0;  // vectors computed by this store's embedder
  int64_t lines = 0;
  std::vector<std::string> warnings;
  bool cancelled = false;

  // Of the memory of another program:
  int64_t links = 0;  // written
  int64_t uses = 0;
  int64_t reviews = 0;
  std::map<std::string, int64_t> kept;     // keys of cards without a meaning here; notes by key
  std::map<std::string, int64_t> dropped;  // what was not imported; its number by a description
  struct Fault {
    std::string file;
    int64_t line = 0;  // from 1; 0: the file as a whole
    std::string reason;
  };
  std::vector<Fault> faults;  // files that were not imported

  // Of the sessions that another program recorded:
  int64_t recordings = 0;                   // of sessions; several may be of one
  int64_t repaired = 0;                     // of them, those whose counts had wrapped around
  int64_t forgotten = 0;                    // sessions that must not come back
  std::map<std::string, int64_t> redacted;  // secrets, by kind; also of notes
};

struct MergeRequest {
  std::vector<std::string> paths;  // the files of the other stores, which are only read
  bool dry_run = false;            // read and check everything, change nothing
  int64_t batch_docs = 10'000;     // approximate number of documents per commit
};

struct MergeReport {
  struct Store {
    std::string path;
    int64_t docs = 0;
    int64_t chunks = 0;
  };
  std::vector<Store> stores;
  ImportReport import;
};

struct MigrateRequest {
  std::string from;  // a recall.db of recall 0.1; it is only read
  std::string to;    // the new store; must not exist, unless it is `from`
  std::string keep;  // if `to` is `from`: the new name of the old store
  // The settings of the new store. If both stores use the "hash" embedder and `dim` is not set
  // here, it is that of the old store.
  CreateOptions settings;
  bool keep_dim = true;
};

struct MigrateReport {
  std::string generation;  // a description of the old store
  ImportReport import;
  StoreSummary store;
};

}  // namespace recall
