#include "query/ask/uses/code_paths.h"

#include <algorithm>

#include "storage/base/ascii.h"

namespace recall {
namespace {

// Extensions of languages that use each other's names.
constexpr std::string_view kUseEachOther[] = {
    ".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cu .cuh ",
    ".js .cjs .mjs .jsx .ts .cts .mts .tsx ", ".java .kt .kts .scala .sc ", ".py .pyi .pyw "};

std::string_view FileNameOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string_view DirectoryOfCode(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string_view FolderOfCode(std::string_view path) { return FileNameOf(DirectoryOfCode(path)); }

std::string_view ModuleOfCode(std::string_view path) {
  constexpr std::string_view kOfFolder[] = {"index", "__init__", "mod"};
  const std::string_view file = FileNameOf(path);
  const std::string_view stem = file.substr(0, file.find('.', 1));
  const std::string_view folder = FolderOfCode(path);
  const bool is_folder =
      path.ends_with(".go") || std::ranges::find(kOfFolder, stem) != std::end(kOfFolder);
  return is_folder && !folder.empty() ? folder : stem;
}

std::string LanguageOfCode(std::string_view path) {
  const size_t dot = path.rfind('.');
  std::string extension;
  if (dot == path.npos) return extension;
  extension = path.substr(dot);
  std::ranges::transform(extension, extension.begin(), [](char c) { return ToAsciiLower(c); });
  for (const std::string_view together : kUseEachOther) {
    if (together.find(extension + " ") != together.npos) {
      return std::string(together.substr(0, together.find(' ')));
    }
  }
  return extension;
}

bool NeedsReceiver(std::string_view path) {
  constexpr std::string_view kLanguages[] = {".js", ".py", ".go", ".rs", ".php", ".lua"};
  return std::ranges::find(kLanguages, LanguageOfCode(path)) != std::end(kLanguages);
}

}  // namespace recall
