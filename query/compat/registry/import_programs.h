#pragma once

// The programs whose memories or sessions an import reads: the one table of them. The rest of the
// query wing asks this table what a program's import makes; it names no program.

#include <span>
#include <string>
#include <string_view>

#include "query/compat/memories/readers.h"
#include "query/memory/sessions/session_writer.h"
#include "query/types/exchange_types.h"

namespace recall {

// One of `read_notes` and `import_sessions` is set.
struct ImportProgram {
  std::string_view name;  // what users type: `recall import --from NAME`

  // Stored in the logs of uses and reviews that an import writes, where other rows have the uuid of
  // a store. Empty if the import makes sessions.
  std::string_view origin;

  // Reads a memory whose entries become notes.
  Result<ForeignMemory> (*read_notes)(const std::string& path,
                                      const ForeignOptions& options) = nullptr;

  // Imports recorded conversations as sessions. It writes to the store by itself.
  Result<ImportReport> (*import_sessions)(const SessionDependencies& deps,
                                          const ImportRequest& request) = nullptr;

  bool makes_sessions() const { return import_sessions != nullptr; }
};

// In the order in which help lists them.
std::span<const ImportProgram> ImportPrograms();

// Recall itself, for ImportRequest::program and `--from`.
inline constexpr std::string_view kOwnProgram = "recall";

// Returns: the row with this name; null for "" and kOwnProgram, whose exports have no row. Errors:
// InvalidArgument for any other name.
Result<const ImportProgram*> FindImportProgram(std::string_view name);

}  // namespace recall
