#include "index/source/transcript/transcript_places.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "index/source/transcript/opencode_files.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/file_times.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHeadBytes = size_t{64} << 10;
constexpr int kMaxDirectoryDepth = 64;

// Directories beside transcripts that contain no transcripts, but may contain many files.
bool IsOtherDirectory(std::string_view name) {
  return name == "tool-results" || name == "file-history" || name == "node_modules" ||
         name == ".git";
}

struct FileFacts {
  int64_t size = 0;
  UnixNanos mtime = 0;
};

std::optional<FileFacts> FactsOf(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileFacts{found.st_size, ModifiedNanos(found)};
}

void AddFile(const std::string& path, FileFacts* sum) {
  const auto facts = FactsOf(path);
  if (!facts) return;
  sum->size += facts->size;
  sum->mtime = std::max(sum->mtime, facts->mtime);
}

bool IsDatabase(std::string_view agent, std::string_view path) {
  return agent == "cursor" || (agent == "opencode" && !path.ends_with(".json"));
}

std::optional<TranscriptSource> SourceOf(std::string_view agent, const std::string& path) {
  auto facts = FactsOf(path);
  if (!facts) return std::nullopt;
  if (IsDatabase(agent, path)) {
    AddFile(path + "-wal", &*facts);
  } else if (agent == "opencode") {
    const OpenCodeFiles files = OpenCodeFilesOf(path);
    for (const std::string& message : JsonFilesIn(files.messages)) {
      AddFile(message, &*facts);
      for (const std::string& part : JsonFilesIn(files.parts + FileStem(message))) {
        AddFile(part, &*facts);
      }
    }
  }
  return TranscriptSource{std::string(agent), path, facts->size, facts->mtime};
}

struct DirectoryTree {
  std::vector<std::string> files;        // regular files, by path within a directory
  std::vector<std::string> directories;  // the root and all below it
};

// Adds the files and directories at and below a directory. Follows links to files, but not links to
// directories.
void AddTree(const std::string& directory, int depth, DirectoryTree* tree) {
  if (depth > kMaxDirectoryDepth) return;
  tree->directories.push_back(directory);
  std::error_code error;
  std::vector<std::string> directories;
  std::vector<std::string> names;
  for (fs::directory_iterator entries(directory, error), end; !error && entries != end;
       entries.increment(error)) {
    std::error_code ignored;
    const bool is_link = entries->is_symlink(ignored);
    if (entries->is_directory(ignored)) {
      if (!is_link && !IsOtherDirectory(entries->path().filename().string())) {
        directories.push_back(entries->path().string());
      }
    } else if (entries->is_regular_file(ignored)) {
      names.push_back(entries->path().string());
    }
  }
  std::ranges::sort(names);
  std::ranges::sort(directories);
  tree->files.insert(tree->files.end(), names.begin(), names.end());
  for (const std::string& below : directories) AddTree(below, depth + 1, tree);
}

DirectoryTree TreeAt(const std::string& directory) {
  DirectoryTree tree;
  AddTree(directory, 0, &tree);
  return tree;
}

std::string_view NameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool HasDirectory(std::string_view path, std::string_view name) {
  return path.find("/" + std::string(name) + "/") != path.npos;
}

bool IsClaudeTranscript(std::string_view path) {
  const std::string_view name = NameOf(path);
  if (!name.ends_with(".jsonl")) return false;
  // The directory of a sub-agent's transcripts also contains journals of its runs.
  return !HasDirectory(path, "subagents") || name.starts_with("agent-");
}

// Codex compresses transcripts that have been idle for a week.
bool IsCodexTranscript(std::string_view path) {
  const std::string_view name = NameOf(path);
  return name.starts_with("rollout-") &&
         (name.ends_with(".jsonl") || name.ends_with(".json") || name.ends_with(".jsonl.zst"));
}

bool IsGeminiTranscript(std::string_view path) {
  return HasDirectory(path, "chats") && (path.ends_with(".json") || path.ends_with(".jsonl"));
}

bool IsCursorChat(std::string_view path) {
  return NameOf(path) == "store.db" && HasDirectory(path, "chats");
}

bool IsOpenCodeSession(std::string_view path) {
  return path.ends_with(".json") && !HasDirectory(path, "message") && !HasDirectory(path, "part");
}

// The sources of one search, each file once.
class SourceList final {
 public:
  void Add(std::string_view agent, const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !seen_.insert(real.string()).second) return;
    auto source = SourceOf(agent, path);
    if (source) sources_.push_back(*std::move(source));
  }

  void AddBelow(std::string_view agent, const std::string& directory,
                bool (*is_transcript)(std::string_view)) {
    for (const std::string& file : TreeAt(directory).files) {
      if (is_transcript(file)) Add(agent, file);
    }
  }

  // Adds the files of the directory itself, without those of its subdirectories.
  void AddIn(std::string_view agent, const std::string& directory,
             bool (*is_transcript)(std::string_view)) {
    std::error_code error;
    std::vector<std::string> files;
    for (fs::directory_iterator entries(directory, error), end; !error && entries != end;
         entries.increment(error)) {
      files.push_back(entries->path().string());
    }
    std::ranges::sort(files);
    for (const std::string& file : files) {
      if (is_transcript(file)) Add(agent, file);
    }
  }

  std::vector<TranscriptSource> Take() { return std::move(sources_); }

 private:
  std::set<std::string> seen_;
  std::vector<TranscriptSource> sources_;
};

// Where an agent keeps transcripts: directories, or trees of them.
struct AgentPlace {
  std::string_view agent;
  std::vector<std::string> TranscriptPlaces::*roots;
  std::string_view below;  // the path below the root
  bool is_tree;
  bool (*is_transcript)(std::string_view path);
};

bool IsNamedHistory(std::string_view path) { return NameOf(path) == "history.jsonl"; }
bool IsNamedEvents(std::string_view path) { return NameOf(path) == "events.jsonl"; }
bool IsNamedState(std::string_view path) { return NameOf(path) == "state.vscdb"; }
bool IsOpenCodeDatabase(std::string_view path) {
  return NameOf(path).starts_with("opencode") && path.ends_with(".db");
}
// The files of messages are read with their sessions, so they only need to be watched.
bool IsNone(std::string_view) { return false; }

// The order is that of reading: if a session is in two places, the first one is the better one.
constexpr AgentPlace kAgentPlaces[] = {
    {"claude-code", &TranscriptPlaces::claude, "/projects", true, IsClaudeTranscript},
    {"claude-code", &TranscriptPlaces::claude, "", false, IsNamedHistory},
    {"codex", &TranscriptPlaces::codex, "/sessions", true, IsCodexTranscript},
    {"codex", &TranscriptPlaces::codex, "/archived_sessions", true, IsCodexTranscript},
    {"codex", &TranscriptPlaces::codex, "", false, IsNamedHistory},
    {"copilot", &TranscriptPlaces::copilot, "/session-state", true, IsNamedEvents},
    {"cursor", &TranscriptPlaces::cursor, "/globalStorage", false, IsNamedState},
    // The oldest versions have a database for each directory.
    {"cursor", &TranscriptPlaces::cursor, "/workspaceStorage", true, IsNamedState},
    {"cursor", &TranscriptPlaces::cursor_chats, "/chats", true, IsCursorChat},
    {"gemini", &TranscriptPlaces::gemini, "/tmp", true, IsGeminiTranscript},
    {"opencode", &TranscriptPlaces::opencode, "", false, IsOpenCodeDatabase},
    {"opencode", &TranscriptPlaces::opencode, "/storage/session", true, IsOpenCodeSession},
    {"opencode", &TranscriptPlaces::opencode, "/storage/message", true, IsNone},
    {"opencode", &TranscriptPlaces::opencode, "/storage/part", true, IsNone},
};

bool IsWanted(const std::vector<std::string>& agents, std::string_view agent) {
  return agents.empty() || std::ranges::find(agents, agent) != agents.end();
}

// A list of directories as in PATH; some programs take commas.
std::vector<std::string> DirectoriesIn(std::string_view list) {
  std::vector<std::string> directories;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find_first_of(",:", at), list.size());
    if (end > at) directories.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return directories;
}

// Returns the beginning of a file; "" if it cannot be read.
std::string HeadOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  return head;
}

// Whether a file that was found in a directory may be a transcript of this agent, by its name.
bool MayBeTranscript(std::string_view agent, std::string_view path) {
  const std::string_view name = NameOf(path);
  if (agent == "aider") return name == kAiderTranscript;
  if (agent == "claude-code") return IsClaudeTranscript(path);
  if (agent == "codex") return IsCodexTranscript(path) || IsNamedHistory(path);
  if (agent == "copilot") return IsNamedEvents(path);
  if (agent == "cursor") return IsNamedState(path) || IsCursorChat(path);
  if (agent == "gemini") return path.ends_with(".json") || path.ends_with(".jsonl");
  if (agent == "jsonl") return name.ends_with(".jsonl");
  if (agent == "opencode") {
    return IsOpenCodeDatabase(path) || (HasDirectory(path, "session") && IsOpenCodeSession(path));
  }
  return false;
}

bool IsAgent(std::string_view agent) {
  return std::ranges::find(TranscriptAgents(), agent) != TranscriptAgents().end();
}

}  // namespace

TranscriptPlaces PlacesOfUser(const EnvironmentVariable& variable,
                              std::vector<std::string> projects) {
  const auto value = [&](const char* name) { return variable(name).value_or(""); };
  const std::string home = value("HOME");
  const auto below_home = [&](const char* name) {
    return home.empty() ? std::string() : home + name;
  };
  const auto or_else = [](std::string first, std::string second) {
    return first.empty() ? second : first;
  };
  const std::string config = or_else(value("XDG_CONFIG_HOME"), below_home("/.config"));
  const std::string data = or_else(value("XDG_DATA_HOME"), below_home("/.local/share"));
  const auto list = [](const std::vector<std::string>& directories) {
    std::vector<std::string> known;
    for (const std::string& directory : directories) {
      if (directory.starts_with('/')) known.push_back(directory);
    }
    return known;
  };
  TranscriptPlaces places;
  const std::string claude = value("CLAUDE_CONFIG_DIR");
  places.claude = claude.empty() ? list({below_home("/.claude"), config + "/claude"})
                                 : list(DirectoriesIn(claude));
  places.codex = list({or_else(value("CODEX_HOME"), below_home("/.codex"))});
  places.copilot = list({or_else(value("COPILOT_HOME"), below_home("/.copilot"))});
  places.cursor =
      list({config + "/Cursor/User", below_home("/Library/Application Support/Cursor/User")});
  places.cursor_chats =
      list({or_else(value("CURSOR_CONFIG_DIR"), below_home("/.cursor")), config + "/cursor"});
  places.gemini = list({or_else(value("GEMINI_CLI_HOME"), home) + "/.gemini"});
  places.opencode = list({or_else(value("OPENCODE_DATA_DIR"), data + "/opencode")});
  places.projects = list(projects);
  return places;
}

std::vector<std::string> DirectoriesBelow(const std::string& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error)) return {};
  std::vector<std::string> directories = TreeAt(directory).directories;
  std::ranges::sort(directories);
  return directories;
}

std::vector<std::string> TranscriptDirectories(const TranscriptPlaces& places,
                                               const std::vector<std::string>& agents) {
  std::vector<std::string> directories;
  for (const AgentPlace& place : kAgentPlaces) {
    if (!IsWanted(agents, place.agent)) continue;
    for (const std::string& root : places.*place.roots) {
      const std::string directory = root + std::string(place.below);
      std::error_code error;
      if (place.is_tree) {
        std::ranges::move(DirectoriesBelow(directory), std::back_inserter(directories));
      } else if (fs::is_directory(directory, error)) {
        directories.push_back(directory);
      }
    }
  }
  std::ranges::sort(directories);
  const auto repeated = std::ranges::unique(directories);
  directories.erase(repeated.begin(), repeated.end());
  return directories;
}

std::vector<TranscriptSource> FindTranscripts(const TranscriptPlaces& places,
                                              const std::vector<std::string>& agents) {
  SourceList sources;
  if (IsWanted(agents, "aider")) {
    for (const std::string& project : places.projects) {
      sources.Add("aider", project + "/" + std::string(kAiderTranscript));
    }
  }
  for (const AgentPlace& place : kAgentPlaces) {
    if (!IsWanted(agents, place.agent)) continue;
    for (const std::string& root : places.*place.roots) {
      const std::string directory = root + std::string(place.below);
      if (place.is_tree) {
        sources.AddBelow(place.agent, directory, place.is_transcript);
      } else {
        sources.AddIn(place.agent, directory, place.is_transcript);
      }
    }
  }
  return sources.Take();
}

Result<std::vector<TranscriptSource>> FindTranscriptsBelow(const std::string& path,
                                                           std::string_view agent,
                                                           int64_t* unknown) {
  if (!agent.empty() && !IsAgent(agent)) {
    return Fail(Status::InvalidArgument("no agent is called \"" + std::string(agent) + "\""));
  }
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Fail(Status::NotFound("no file " + path));
    return Fail(Status::IoError("cannot read " + path + ": " + std::strerror(errno)));
  }
  SourceList sources;
  if (!S_ISDIR(found.st_mode)) {
    const std::string_view of = agent.empty() ? GuessAgent(path, HeadOf(path)) : agent;
    if (of.empty()) {
      return Fail(Status::InvalidArgument("cannot tell which agent wrote " + path,
                                          "name it with --from AGENT"));
    }
    sources.Add(of, path);
    return sources.Take();
  }
  for (const std::string& file : TreeAt(path).files) {
    if (!agent.empty()) {
      if (MayBeTranscript(agent, file)) sources.Add(agent, file);
      continue;
    }
    const std::string_view name = NameOf(file);
    if (!name.ends_with(".jsonl") && !name.ends_with(".json") && !name.ends_with(".vscdb") &&
        !name.ends_with(".db") && !name.ends_with(".jsonl.zst") && name != kAiderTranscript) {
      continue;
    }
    const std::string_view of = GuessAgent(file, HeadOf(file));
    if (!of.empty() && MayBeTranscript(of, file)) sources.Add(of, file);
    if (of.empty() && unknown && name.find(".jsonl") != name.npos) ++*unknown;
  }
  return sources.Take();
}

}  // namespace recall
