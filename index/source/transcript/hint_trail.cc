// Which hints an agent followed.
//
// Problem. Whether hints are of use shows only afterwards, and nothing may be written when one is
// told. A transcript has what hooks said, and what the agent opened; but it names documents in many
// ways: as targets of `recall get`, as files, in commands of a shell, from any directory.
//
// Idea. The line above all hints ends in a fixed sentence. Between the fences below it, a line that
// begins with "[" cites a document. Later uses of tools are searched for names that may be its.
//
//   Recall: notes on this prompt. Quoted for reference, ...
//   ```
//   [docs/a.md:9-17] Backups             -> docs/a.md
//     A backup copies the pages ...
//   ```
//   Read /home/ada/app/docs/a.md         is it, if the session is held in /home/ada/app or below
//   $ recall get docs/a.md:9-30          is it
//
// A document is named from the directory of its store, which is that of the session or above it.
//
// Invariant: what was opened before the first hint on it does not count, because callers add and
// follow in the order of the transcript.
//
// Cost: a search for the sentence in what hooks said, and the words of commands once there are
// hints.

#include "index/source/transcript/hint_trail.h"

#include <algorithm>
#include <array>

#include "index/base/paths/doc_path.h"
#include "index/source/transcript/tool_kinds.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kShortestTrailFence = 3;
constexpr int kMostShells = 3;  // within each other
constexpr size_t kShortestIdStart = 4;
constexpr std::string_view kCutMark = "\xE2\x80\xA6";  // the end of a path that was cut
constexpr std::string_view kResource = "recall://doc/";

constexpr std::array<std::string_view, 8> kTargetNames = {"target", "targets", "path", "paths",
                                                          "id",     "uri",     "file", "citation"};

// Programs that show the files that they name.
constexpr std::array<std::string_view, 14> kShowingPrograms = {
    "cat", "sed", "head", "tail", "less",   "more", "bat",
    "nl",  "awk", "grep", "rg",   "batcat", "ag",   "view"};
constexpr std::array<std::string_view, 4> kShellPrograms = {"bash", "sh", "zsh", "dash"};

template <size_t kCount>
bool IsListed(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view LastPart(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view TakeLine(std::string_view* text) {
  const std::string_view line = text->substr(0, text->find('\n'));
  text->remove_prefix(std::min(line.size() + 1, text->size()));
  return line;
}

// "docs/a.md:9-17" -> "docs/a.md", and "docs/a.md@1f0c:9" -> "docs/a.md".
std::string_view WithoutLines(std::string_view citation) {
  const size_t colon = citation.rfind(':');
  if (colon != citation.npos && colon + 1 < citation.size() && IsAsciiDigit(citation[colon + 1]) &&
      citation.find('/', colon) == citation.npos) {
    citation = citation.substr(0, colon);
  }
  const size_t hash = citation.rfind('@');
  const bool has_hash = hash != citation.npos && hash + 1 < citation.size() &&
                        citation.find_first_not_of("0123456789abcdef", hash + 1) == citation.npos;
  return has_hash ? citation.substr(0, hash) : citation;
}

// ---- Commands -----------------------------------------------------------------------------------

void AddOpenedByCommand(std::string_view command, int depth, std::vector<std::string>* opened);

bool IsAssignment(std::string_view word) {
  const size_t equals = word.find('=');
  return equals != word.npos && equals > 0 && word.find('/') > equals;
}

void AddOpenedByWords(std::span<const std::string> words, int depth,
                      std::vector<std::string>* opened) {
  while (!words.empty() && IsAssignment(words.front())) words = words.subspan(1);
  if (words.empty()) return;
  const std::string_view program = LastPart(words.front());
  words = words.subspan(1);
  if (IsListed(kShellPrograms, program)) {
    // bash -lc "cat a.md". In an array of words the quotes are gone.
    while (!words.empty() && words.front().starts_with('-')) words = words.subspan(1);
    if (depth >= kMostShells || words.empty()) return;
    if (words.size() == 1) {
      AddOpenedByCommand(words.front(), depth + 1, opened);
    } else {
      AddOpenedByWords(words, depth + 1, opened);
    }
    return;
  }
  if (program == "recall") {
    const auto get = std::ranges::find(words, "get");
    if (get == words.end()) return;
    words = words.subspan(static_cast<size_t>(get - words.begin()) + 1);
  } else if (!IsListed(kShowingPrograms, program)) {
    return;
  }
  for (const std::string& word : words) {
    if (!word.starts_with('-')) opened->push_back(word);
  }
}

// Splits a command line of a shell into its commands, and these into words. What is between quotes
// is a part of a word.
void AddOpenedByCommand(std::string_view command, int depth, std::vector<std::string>* opened) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word) words.push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  char quote = '\0';
  for (size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (c == '\\' && quote != '\'' && at + 1 < command.size()) {
      if (command[++at] != '\n') word.push_back(command[at]);
      in_word = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word.push_back(c);
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (std::string_view(";|&()\n<>").find(c) != std::string_view::npos) {
      end_word();
      if (c != '<' && c != '>') {
        AddOpenedByWords(words, depth, opened);
        words.clear();
      }
    } else {
      word.push_back(c);
      in_word = true;
    }
  }
  end_word();
  AddOpenedByWords(words, depth, opened);
}

// ---- Tools --------------------------------------------------------------------------------------

// "get", "mcp__recall__get", "mcp_recall_get", "recall.get".
bool IsGetTool(std::string_view tool) {
  constexpr std::string_view kGet = "get";
  if (!tool.ends_with(kGet)) return false;
  return tool.size() == kGet.size() || !IsAsciiAlnum(tool[tool.size() - kGet.size() - 1]);
}

void AddTarget(TapeValue value, std::vector<std::string>* opened) {
  if (!value.IsString()) return;
  std::string target = value.Text();
  if (target.starts_with(kResource)) {
    target.erase(0, kResource.size());
    target.resize(std::min(target.find('?'), target.size()));
  }
  opened->push_back(std::move(target));
}

void AddTargets(TapeValue arguments, std::vector<std::string>* opened) {
  for (const std::string_view name : kTargetNames) {
    AddTarget(arguments[name], opened);
    arguments[name].ForEach([&](TapeValue element) { AddTarget(element, opened); });
  }
}

// ---- Comparison ---------------------------------------------------------------------------------

// A name that was opened, in the forms that are compared.
struct OpenedName {
  std::string_view name;
  std::string_view bare;  // without lines and hash
  std::string file;       // absolute; "": it is relative to an unknown directory
};

OpenedName ReadOpened(std::string_view given, const std::string& cwd) {
  OpenedName opened;
  if (given.starts_with('[') && given.ends_with(']')) given = given.substr(1, given.size() - 2);
  opened.name = given;
  opened.bare = WithoutLines(given);
  const std::string bare(opened.bare);
  if (bare.starts_with('/')) opened.file = AbsoluteLexicalPath(bare);
  if (!bare.starts_with('/') && !cwd.empty()) opened.file = AbsoluteLexicalPath(cwd + "/" + bare);
  return opened;
}

// Whether a file is the document `path` of a store in `cwd` or a directory above it.
bool IsFileOf(const OpenedName& opened, std::string_view path, const std::string& cwd) {
  const std::string_view file = opened.file;
  if (path.starts_with('/')) return file == path;
  while (path.starts_with("../")) path.remove_prefix(3);
  if (path.empty() || file.size() <= path.size() || !file.ends_with(path)) return false;
  const std::string_view root = file.substr(0, file.size() - path.size());
  if (!root.ends_with('/')) return false;
  return cwd.empty() ? path.find('/') != path.npos : (cwd + "/").starts_with(root);
}

// Whether `get` finds the document by this name: its path, the id of a note, or the beginning of
// the id of a session.
bool IsTargetOf(std::string_view name, std::string_view path) {
  if (name == path) return true;
  const std::string_view last = LastPart(path);
  if (path.starts_with("sessions/")) {
    return name.size() >= kShortestIdStart && last.starts_with(name);
  }
  return path.starts_with("notes/") && last.ends_with(".md") &&
         last.substr(0, last.size() - 3) == name;
}

}  // namespace

void AddHints(std::string_view text, std::map<std::string, bool>* hints) {
  for (size_t at = text.find(kHintNotice); at != text.npos; at = text.find(kHintNotice)) {
    text.remove_prefix(at + kHintNotice.size());
    std::string_view rest = text;
    if (!TakeLine(&rest).empty()) continue;
    const std::string_view fence = TakeLine(&rest);
    if (fence.size() < kShortestTrailFence || fence.find_first_not_of('`') != fence.npos) continue;
    while (!rest.empty()) {
      const std::string_view line = TakeLine(&rest);
      if (line.starts_with(fence)) break;
      const size_t end = line.find(']');
      if (!line.starts_with('[') || end == line.npos) continue;
      const std::string_view path = WithoutLines(line.substr(1, end - 1));
      if (!path.empty() && !path.ends_with(kCutMark)) hints->try_emplace(std::string(path), false);
    }
    text = rest;
  }
}

std::vector<std::string> OpenedBy(std::string_view tool, TapeValue arguments,
                                  std::span<const ToolCall> calls) {
  std::vector<std::string> opened;
  if (IsGetTool(tool) || PlainToolName(tool).starts_with("readmcpresource")) {
    JsonTape tape;
    const std::string text = arguments.Text();  // Codex has arguments as a text
    if (arguments.IsString() && tape.Parse(text)) arguments = tape.root();
    AddTargets(arguments, &opened);
  }
  for (const ToolCall& call : calls) {
    if (ReadsFile(call)) opened.push_back(call.path);
    AddOpenedByCommand(call.command, 0, &opened);
  }
  return opened;
}

void FollowHints(std::span<const std::string> opened, const std::string& cwd,
                 std::map<std::string, bool>* hints) {
  for (const std::string& given : opened) {
    const OpenedName name = ReadOpened(given, cwd);
    for (auto& [path, followed] : *hints) {
      followed = followed || IsTargetOf(name.name, path) || IsTargetOf(name.bare, path) ||
                 IsFileOf(name, path, cwd);
    }
  }
}

}  // namespace recall
