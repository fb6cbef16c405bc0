#include "index/source/chunk/path_extension.h"

#include "index/source/chunk/chunk_parsers.h"

namespace recall {
namespace {

constexpr std::string_view kCompressedExtensions[] = {"gz", "xz", "zst"};

}  // namespace

std::string PathExtension(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  for (;;) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return {};
    std::string extension(name.substr(dot + 1));
    for (char& c : extension) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    if (!IsOneOf(kCompressedExtensions, extension)) return extension;
    name = name.substr(0, dot);
  }
}

}  // namespace recall
