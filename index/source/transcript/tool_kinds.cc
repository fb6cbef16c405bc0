#include "index/source/transcript/tool_kinds.h"

#include <algorithm>
#include <array>
#include <string>

#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 23> kChangingTools = {"edit",
                                                             "write",
                                                             "multiedit",
                                                             "notebookedit",
                                                             "editnotebook",
                                                             "applypatch",
                                                             "patch",
                                                             "writefile",
                                                             "replace",
                                                             "editfile",
                                                             "editfilev2",
                                                             "searchreplace",
                                                             "create",
                                                             "createfile",
                                                             "deletefile",
                                                             "strreplace",
                                                             "insert",
                                                             "inserteditintofile",
                                                             "replacestringinfile",
                                                             "multireplacestringinfile",
                                                             "applydiff",
                                                             "writetofile",
                                                             "movefile"};

constexpr std::array<std::string_view, 10> kReadingTools = {
    "read",     "readfile", "view",     "viewfile",     "readmanyfiles",
    "openfile", "catfile",  "readtext", "notebookread", "readtextfile"};

// These do what their command says.
constexpr std::array<std::string_view, 2> kEditorTools = {"strreplaceeditor",
                                                          "strreplacebasededittool"};

constexpr std::array<std::string_view, 7> kShellTools = {
    "bash", "shell", "localshell", "execcommand", "exec", "containerexec", "runshellcommand"};

template <size_t kCount>
bool IsToolAmong(const std::string& name, const std::array<std::string_view, kCount>& names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string PlainToolName(std::string_view tool) {
  if (const size_t server = tool.rfind("__"); server != tool.npos) tool.remove_prefix(server + 2);
  std::string plain;
  for (const char c : tool) {
    if (IsAsciiAlnum(c)) plain.push_back(ToAsciiLower(c));
  }
  return plain;
}

bool ChangesFile(const ToolCall& call) {
  if (call.path.empty()) return false;
  const std::string name = PlainToolName(call.tool);
  if (IsToolAmong(name, kEditorTools)) return call.command != "view";
  if (IsToolAmong(name, kShellTools)) return call.command.empty();
  return IsToolAmong(name, kChangingTools);
}

bool ReadsFile(const ToolCall& call) {
  if (call.path.empty()) return false;
  const std::string name = PlainToolName(call.tool);
  return IsToolAmong(name, kEditorTools) ? call.command == "view"
                                         : IsToolAmong(name, kReadingTools);
}

}  // namespace recall
