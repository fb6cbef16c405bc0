#pragma once

// What `import` and `export` say of other programs: choices, help, and settings that they take
// over. The programs that can be imported are those of query/compat/registry.

#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// ---- Import -------------------------------------------------------------------------------------

// The values of `import --from`; the first one is Recall itself.
std::vector<std::string> ImportChoices();

// Whether a value of --from stands for another program, and for one whose import makes sessions,
// not notes.
bool IsForeign(std::string_view program);
bool MakesSessions(std::string_view program);

// The value of --from that makes sessions.
std::string_view SessionsProgram();

// Lines of a recall.toml that say what the settings beside the memory at `path` say. Empty if this
// program has no settings that are read, or no such file. Errors: InvalidArgument, with file and
// line, if the settings cannot be parsed; IoError.
Result<std::vector<std::string>> SettingsBeside(std::string_view program, const std::string& path);

// Parts of the page of `import`: examples, and the programs whose memory becomes notes or sessions.
inline constexpr std::string_view kImportExamples =
    "  recall import --from rekall ~/.local/share/rekall\n"
    "  recall import --from rekal --dictionary ~/.local/bin/rekal    the sessions of this "
    "repository\n";
inline constexpr std::string_view kImportedPrograms =
    "Rekall, bastra-recall, Anthropic's memory server, Basic Memory. --from rekal\n"
    "makes sessions of the branches `rekal/*` of a repository (by default that of the working\n"
    "directory), of a rekal.body, or of the lines that `rekal query --json` printed.";

// ---- Export -------------------------------------------------------------------------------------

// Whose lines `export --format memory` prints, and who reads an export of notes.
inline constexpr std::string_view kGraphReader = "Anthropic's memory server";
inline constexpr std::string_view kNotesReaders =
    "bastra-recall, Basic Memory and Anthropic's\n"
    "memory server";

}  // namespace recall
