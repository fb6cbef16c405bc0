#include "index/source/transcript/tool_calls.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "index/base/text/utf8.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr size_t kMaxFiles = 1000;  // that one use of a tool may name

// In the order of preference.
constexpr std::array<std::string_view, 14> kPathNames = {"file_path",
                                                         "filePath",
                                                         "notebook_path",
                                                         "notebookPath",
                                                         "path",
                                                         "file",
                                                         "absolute_path",
                                                         "absolutePath",
                                                         "target_file",
                                                         "targetFile",
                                                         "filename",
                                                         "fileName",
                                                         "relative_workspace_path",
                                                         "relativeWorkspacePath"};
constexpr std::array<std::string_view, 5> kPathListNames = {"paths", "file_paths", "filePaths",
                                                            "files", "target_files"};
constexpr std::array<std::string_view, 3> kCommandNames = {"command", "cmd", "script"};
constexpr std::array<std::string_view, 3> kPatchNames = {"patch", "input", "patchText"};

constexpr std::string_view kPatchBegin = "*** Begin Patch";
constexpr std::array<std::string_view, 4> kPatchHeaders = {
    "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "};

// Returns the text as valid UTF-8, trimmed, but whole: secrets are looked for in it later.
std::string CallField(std::string_view text) {
  std::string field;
  AppendRepairedUtf8(Trim(text), &field);
  return field;
}

// The elements of a command's array, with spaces between, or the command itself.
std::string CommandText(TapeValue command) {
  if (!command.IsArray()) return command.Text();
  std::string joined;
  command.ForEach([&](TapeValue word) {
    if (!word.IsString()) return;
    if (!joined.empty()) joined.push_back(' ');
    joined.append(word.Text());
  });
  return joined;
}

// The files that the headers of a patch name, in order, each once.
std::vector<std::string> PatchedFiles(std::string_view patch) {
  std::vector<std::string> files;
  if (patch.find(kPatchBegin) == patch.npos) return files;
  for (size_t at = 0; at < patch.size() && files.size() < kMaxFiles;) {
    const size_t end = std::min(patch.find('\n', at), patch.size());
    const std::string_view line = patch.substr(at, end - at);
    at = end + 1;
    for (const std::string_view header : kPatchHeaders) {
      if (!line.starts_with(header)) continue;
      std::string file = CallField(line.substr(header.size()));
      if (!file.empty() && (files.empty() || files.back() != file))
        files.push_back(std::move(file));
    }
  }
  return files;
}

std::string FirstText(TapeValue arguments, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const TapeValue value = arguments[name];
    if (value.IsString() && !value.Raw().empty()) return value.Text();
  }
  return {};
}

std::vector<std::string> ListedFiles(TapeValue arguments) {
  std::vector<std::string> files;
  for (const std::string_view name : kPathListNames) {
    arguments[name].ForEach([&](TapeValue element) {
      std::string file =
          CallField(element.IsObject() ? FirstText(element, kPathNames) : element.Text());
      if (!file.empty() && files.size() < kMaxFiles) files.push_back(std::move(file));
    });
  }
  return files;
}

std::vector<ToolCall> CallsOfFiles(const std::string& tool, std::vector<std::string> files) {
  std::vector<ToolCall> calls;
  for (std::string& file : files) calls.push_back({0, tool, std::move(file), {}});
  return calls;
}

std::vector<ToolCall> CallsOfObject(const std::string& tool, TapeValue arguments) {
  std::string command;
  for (const std::string_view name : kCommandNames) {
    command = CommandText(arguments[name]);
    if (!command.empty()) break;
  }
  for (const std::string& patch : {command, FirstText(arguments, kPatchNames)}) {
    std::vector<std::string> files = PatchedFiles(patch);
    if (!files.empty()) return CallsOfFiles(tool, std::move(files));
  }
  std::string path = CallField(FirstText(arguments, kPathNames));
  if (path.empty() && command.empty()) {
    std::vector<std::string> files = ListedFiles(arguments);
    if (!files.empty()) return CallsOfFiles(tool, std::move(files));
  }
  return {{0, tool, std::move(path), CallField(command)}};
}

// Reads the string of JavaScript that begins at script[*at], and moves *at behind it.
std::string ScriptString(std::string_view script, size_t* at) {
  const char quote = script[(*at)++];
  std::string text;
  for (; *at < script.size() && script[*at] != quote; ++*at) {
    char c = script[*at];
    if (c == '\\' && *at + 1 < script.size()) {
      c = script[++*at];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    text.push_back(c);
  }
  if (*at < script.size()) ++*at;
  return text;
}

// What a script of Codex does with its tools:
//
//   const r = await tools.exec_command({cmd: "make test"});
//   await tools.apply_patch("*** Begin Patch...");
//
// Only strings, names and colons are recognized, so a command counts even if it is never executed.
std::vector<ToolCall> CallsOfScript(std::string_view script) {
  constexpr std::string_view kTools = "tools.";
  const std::string kPatchTool = "apply_patch";
  bool has_patch = false;
  std::vector<ToolCall> calls;
  std::string tool;         // the last one that was named, if it is not in `calls` yet
  std::string_view before;  // the last name, if only a colon follows it
  const auto add = [&](ToolCall call) {
    if (calls.size() < kMaxFiles) calls.push_back(std::move(call));
  };
  const auto finish = [&] {
    const bool is_known = has_patch && tool == kPatchTool;  // the files of the patch are in `calls`
    if (!tool.empty() && !is_known) add({0, tool, {}, {}});
    tool.clear();
  };
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
  };
  for (size_t at = 0; at < script.size();) {
    const char c = script[at];
    if (c == '"' || c == '\'' || c == '`') {
      const std::string text = ScriptString(script, &at);
      std::vector<std::string> files = PatchedFiles(text);
      if (!files.empty()) {
        for (ToolCall& call : CallsOfFiles(kPatchTool, std::move(files))) add(std::move(call));
        has_patch = true;
      } else if (!tool.empty() && (before == "cmd" || before == "command")) {
        add({0, std::exchange(tool, {}), {}, CallField(text)});
      }
      before = {};
    } else if (is_name(c)) {
      size_t end = at;
      while (end < script.size() && is_name(script[end])) ++end;
      before = script.substr(at, end - at);
      at = end;
      if (!before.starts_with(kTools)) continue;
      finish();
      tool = CallField(before.substr(kTools.size()));
    } else {
      if (c != ':' && c != ' ') before = {};
      ++at;
    }
  }
  finish();
  return calls;
}

}  // namespace

std::vector<ToolCall> ToolCallsOf(std::string_view tool, TapeValue arguments) {
  std::string name = CallField(tool);
  if (name.empty()) name = "tool";
  if (!arguments.IsString()) return CallsOfObject(name, arguments);
  const std::string text = arguments.Text();
  JsonTape tape;
  if (tape.Parse(text) && tape.root().IsObject()) return CallsOfObject(name, tape.root());
  if (!Trim(text).starts_with(kPatchBegin)) {
    std::vector<ToolCall> calls = CallsOfScript(text);
    if (!calls.empty()) return calls;
  }
  std::vector<std::string> files = PatchedFiles(text);
  if (!files.empty()) return CallsOfFiles(name, std::move(files));
  return {{0, name, {}, {}}};
}

}  // namespace recall
