#include "query/compat/registry/import_programs.h"

#include <algorithm>

#include "query/compat/rekal/rekal_import.h"

namespace recall {
namespace {

constexpr ImportProgram kPrograms[] = {
    {.name = "rekall", .origin = "import:rekall", .read_notes = ReadRekall},
    {.name = "bastra", .origin = "import:notes", .read_notes = ReadBastraVault},
    {.name = "memory", .origin = "import:memory", .read_notes = ReadMemoryGraph},
    {.name = "basic-memory", .origin = "import:notes", .read_notes = ReadBasicMemory},
    {.name = "rekal", .origin = "", .import_sessions = RunRekalImport},
};

}  // namespace

std::span<const ImportProgram> ImportPrograms() { return kPrograms; }

Result<const ImportProgram*> FindImportProgram(std::string_view name) {
  if (name.empty() || name == kOwnProgram) return nullptr;
  const auto* const found = std::ranges::find(kPrograms, name, &ImportProgram::name);
  if (found != std::end(kPrograms)) return found;
  return Fail(Status::InvalidArgument("there is no import from '" + std::string(name) + "'"));
}

}  // namespace recall
