#include "cli/compat/programs/foreign_programs.h"

#include "cli/compat/rekall/rekall_settings.h"
#include "query/compat/registry/import_programs.h"

namespace recall {
namespace {

constexpr std::string_view kHasSettings = "rekall";

}  // namespace

std::vector<std::string> ImportChoices() {
  std::vector<std::string> names = {std::string(kOwnProgram)};
  for (const ImportProgram& program : ImportPrograms()) names.emplace_back(program.name);
  return names;
}

bool IsForeign(std::string_view program) { return program != kOwnProgram; }

bool MakesSessions(std::string_view program) {
  const auto found = FindImportProgram(program);
  return found && *found != nullptr && (*found)->makes_sessions();
}

std::string_view SessionsProgram() {
  for (const ImportProgram& program : ImportPrograms()) {
    if (program.makes_sessions()) return program.name;
  }
  return "";
}

Result<std::vector<std::string>> SettingsBeside(std::string_view program, const std::string& path) {
  if (program != kHasSettings) return std::vector<std::string>();
  return RekallSettings(RekallConfigPath(path));
}

}  // namespace recall
