#include "index/source/code/imported_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/base/text/code_name.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

std::vector<size_t> ImportedPlaces(std::string_view text, std::string_view name) {
  std::vector<size_t> places;
  for (size_t at = FindCodeName(text, name); at != text.npos;
       at = FindCodeName(text, name, at + 1)) {
    places.push_back(at);
  }
  return places;
}

std::string_view WithoutLastPart(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

// "src/a.gen.ts" -> "src/a.gen"; the file of a directory is the directory: "src/index.ts" -> "src".
std::string ModulePath(std::string_view path, std::string_view of_directory) {
  const size_t dot = path.rfind('.');
  if (dot != path.npos && path.find('/', dot) == path.npos) path = path.substr(0, dot);
  const size_t slash = path.rfind('/');
  const std::string_view last = slash == path.npos ? path : path.substr(slash + 1);
  return std::string(last == of_directory ? WithoutLastPart(path) : path);
}

// "src/a" and "../b/c" -> "b/c".
std::string Joined(std::string_view directory, std::string_view relative) {
  std::vector<std::string_view> parts;
  for (std::string_view rest : {directory, relative}) {
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      if (part == ".." && !parts.empty() && parts.back() != "..") {
        parts.pop_back();
      } else if (part != "." && !part.empty()) {
        parts.push_back(part);
      }
    }
  }
  std::string path;
  for (const std::string_view part : parts) path += (path.empty() ? "" : "/") + std::string(part);
  return path;
}

// The text in quotes that ends the statement with the name: `import { name } from './x'`.
bool IsImportedByModule(std::string_view importing, std::string_view imports, std::string_view name,
                        std::string_view path) {
  const std::string wanted = ModulePath(path, "index");
  return std::ranges::any_of(ImportedPlaces(imports, name), [&](size_t at) {
    const size_t open = imports.find_first_of("'\"", at);
    if (open == imports.npos) return false;
    const size_t close = imports.find(imports[open], open + 1);
    const size_t from = imports.find("from", at);
    if (close == imports.npos || from > open) return false;
    const std::string_view module = imports.substr(open + 1, close - open - 1);
    if (!module.starts_with('.')) return false;
    const std::string joined = Joined(WithoutLastPart(importing), module);
    // "./a.js" may mean a.ts; "./a.gen" has no extension.
    return joined == wanted || ModulePath(joined, "index") == wanted;
  });
}

// `from .dir.file import name`, `from dir.file import (a, name)`.
bool IsImportedByPython(std::string_view importing, std::string_view imports, std::string_view name,
                        std::string_view path) {
  const std::string wanted = ModulePath(path, "__init__");
  return std::ranges::any_of(ImportedPlaces(imports, name), [&](size_t at) {
    const size_t from = imports.rfind("from ", at);
    const size_t import = from == imports.npos ? from : imports.find(" import", from);
    if (import == imports.npos || import > at) return false;
    std::string module(Trim(imports.substr(from + 5, import - from - 5)));
    const size_t dots = std::min(module.find_first_not_of('.'), module.size());
    std::ranges::replace(module, '.', '/');
    if (dots == 0) {
      return wanted == module || wanted.ends_with("/" + module);
    }
    std::string relative;
    for (size_t i = 1; i < dots; ++i) relative += "../";
    return Joined(WithoutLastPart(importing), relative + module.substr(dots)) == wanted;
  });
}

}  // namespace

bool ImportsNameFrom(std::string_view importing, std::string_view imports, std::string_view name,
                     std::string_view path) {
  const size_t dot = importing.rfind('.');
  if (dot == importing.npos) return false;
  const std::string extension = " " + std::string(importing.substr(dot)) + " ";
  constexpr std::string_view kModules = " .js .cjs .mjs .jsx .ts .cts .mts .tsx ";
  if (kModules.find(extension) != kModules.npos) {
    return IsImportedByModule(importing, imports, name, path);
  }
  constexpr std::string_view kPython = " .py .pyi ";
  return kPython.find(extension) != kPython.npos &&
         IsImportedByPython(importing, imports, name, path);
}

}  // namespace recall
