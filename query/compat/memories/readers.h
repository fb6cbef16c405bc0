#pragma once

// Each of these reads what the memory of another program contains, and changes nothing there.
// docs/memory-import.md says what becomes of each part. Errors: NotFound for a path that does not
// exist; InvalidArgument, with file and line, for what is not in the format; LimitExceeded for a
// memory that is too large; Busy for a database in use; Cancelled.

#include <atomic>
#include <cstdint>
#include <string>

#include "query/compat/memories/foreign_memory.h"
#include "storage/base/result.h"

namespace recall {

struct ForeignOptions {
  uint64_t max_document_bytes = uint64_t{1} << 30;  // of a file of a vault, a line, a record
  const std::atomic<bool>* cancel = nullptr;        // not null
};

// A database of Rekall, the directory with one, or the JSON of `rekall export`.
Result<ForeignMemory> ReadRekall(const std::string& path, const ForeignOptions& options);

// A vault of bastra-recall, or what `recall export --format notes` wrote.
Result<ForeignMemory> ReadBastraVault(const std::string& directory, const ForeignOptions& options);

// The JSON Lines of Anthropic's memory server (@modelcontextprotocol/server-memory).
Result<ForeignMemory> ReadMemoryGraph(const std::string& path, const ForeignOptions& options);

// A project of Basic Memory: a directory of Markdown files.
Result<ForeignMemory> ReadBasicMemory(const std::string& directory, const ForeignOptions& options);

}  // namespace recall
