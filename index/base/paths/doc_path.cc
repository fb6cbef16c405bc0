#include "index/base/paths/doc_path.h"

#include <vector>

#include "index/base/paths/working_directory.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

void AppendEscapedByte(uint8_t byte, std::string* out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  *out += "\\x";
  *out += kDigits[byte >> 4];
  *out += kDigits[byte & 15];
}

}  // namespace

std::string AbsoluteLexicalPath(std::string_view path) {
  std::string whole;
  if (!path.starts_with('/')) {
    // The current directory may have been removed; then "/" is used. CheckHasPlace reports it.
    whole = WorkingDirectory().value_or("") + "/";
  }
  whole += path;

  std::vector<std::string_view> components;
  for (std::string_view rest = whole; !rest.empty();) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view component = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (component == "..") {
      if (!components.empty()) components.pop_back();
    } else if (!component.empty() && component != ".") {
      components.push_back(component);
    }
  }
  std::string absolute;
  for (const std::string_view component : components) {
    absolute += '/';
    absolute += component;
  }
  return absolute.empty() ? "/" : absolute;
}

std::string DocPathOf(std::string_view absolute_path, std::string_view absolute_root) {
  if (absolute_path == absolute_root) return ".";
  const size_t root_bytes = absolute_root == "/" ? 0 : absolute_root.size();
  const bool inside = absolute_path.size() > root_bytes && absolute_path[root_bytes] == '/' &&
                      absolute_path.starts_with(absolute_root);
  return std::string(inside ? absolute_path.substr(root_bytes + 1) : absolute_path);
}

std::string FilePathOf(std::string_view doc_path, std::string_view store_root) {
  if (doc_path.starts_with('/')) return std::string(doc_path);
  std::string path(store_root);
  if (!path.ends_with('/')) path += '/';
  return path += doc_path;
}

std::string NormalizeDocPath(std::string_view path, std::string_view store_root) {
  return DocPathOf(AbsoluteLexicalPath(path), AbsoluteLexicalPath(store_root));
}

std::string FolderBelow(std::string_view directory, std::string_view store_root) {
  if (directory.empty()) return "";
  const bool absolute = directory.starts_with('/');
  const std::string path = AbsoluteLexicalPath(
      absolute ? std::string(directory) : JoinPath(std::string(store_root), directory));
  const std::string folder = DocPathOf(path, AbsoluteLexicalPath(store_root));
  return folder.starts_with('/') || folder == "." ? "" : folder;
}

std::string JoinPath(const std::string& directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  std::string path = directory;
  if (!path.ends_with('/')) path += '/';
  path += name;
  return path;
}

bool IsNormalPath(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  for (;;) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, end);
    if (component.empty() || component == "." || component == "..") return false;
    if (end == path.size()) return true;
    path.remove_prefix(end + 1);
  }
}

std::string PrintablePath(std::string_view path) {
  std::string printable;
  for (size_t position = 0; position < path.size();) {
    const size_t start = position;
    DecodeUtf8(path, &position);
    const std::string_view character = path.substr(start, position - start);
    const auto byte = static_cast<uint8_t>(path[start]);
    if (byte < 0x20 || byte == 0x7F || !IsValidUtf8(character)) {
      AppendEscapedByte(byte, &printable);
    } else {
      printable += character;
    }
  }
  return printable;
}

}  // namespace recall
