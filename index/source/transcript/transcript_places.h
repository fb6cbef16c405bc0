#pragma once

// Where transcripts lie: in the agents' own directories, or where the user says.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/transcript/transcript.h"

namespace recall {

// Directories that transcripts are looked for in; all absolute. An empty list or string: nowhere.
struct TranscriptPlaces {
  std::vector<std::string> claude;        // that hold "projects/": ~/.claude, ~/.config/claude
  std::vector<std::string> codex;         // that hold "sessions/": ~/.codex
  std::vector<std::string> copilot;       // that hold "session-state/": ~/.copilot
  std::vector<std::string> cursor;        // that hold "globalStorage/": ~/.config/Cursor/User
  std::vector<std::string> cursor_chats;  // that hold "chats/": ~/.cursor, ~/.config/cursor
  std::vector<std::string> gemini;        // that hold "tmp/": ~/.gemini
  std::vector<std::string> opencode;      // that hold "opencode.db" or "storage/"
  std::vector<std::string> projects;      // that may hold ".aider.chat.history.md"
};

// The places of this user: `variable` gives the value of an environment variable (HOME,
// CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, CURSOR_CONFIG_DIR, XDG_CONFIG_HOME, XDG_DATA_HOME,
// GEMINI_CLI_HOME, OPENCODE_DATA_DIR), nothing if it is not set. `projects`: the directories of the
// project.
using EnvironmentVariable = std::function<std::optional<std::string>(const char* name)>;
TranscriptPlaces PlacesOfUser(const EnvironmentVariable& variable,
                              std::vector<std::string> projects);

// All transcripts of these agents (empty: of all) in these places, in the order in which they are
// to be read: of sessions in two sources, the first has the better one. Each file once; directories
// that do not exist or cannot be listed are empty; symbolic links to directories are not followed.
std::vector<TranscriptSource> FindTranscripts(const TranscriptPlaces& places,
                                              const std::vector<std::string>& agents = {});

// The transcripts at or below `path`: the file itself, or the files below a directory that have the
// name of a transcript. `agent` "": as GuessAgent says; a file that it does not know is left out.
// A file that is named with its agent is always found. Adds the number of .jsonl files below a
// directory that GuessAgent does not know to `*unknown`, if it is not null. Errors: NotFound,
// IoError; InvalidArgument if the file is named without an agent and cannot be guessed.
Result<std::vector<TranscriptSource>> FindTranscriptsBelow(const std::string& path,
                                                           std::string_view agent = {},
                                                           int64_t* unknown = nullptr);

// The directories in which transcripts of these agents appear and change, as far as they exist
// now; sorted. Those of projects are not in it.
std::vector<std::string> TranscriptDirectories(const TranscriptPlaces& places,
                                               const std::vector<std::string>& agents = {});
// A directory and those below it in which FindTranscriptsBelow looks; sorted.
std::vector<std::string> DirectoriesBelow(const std::string& directory);

// The name of aider's transcript, in the directory of a project.
inline constexpr std::string_view kAiderTranscript = ".aider.chat.history.md";

}  // namespace recall
