#include "index/source/extract/html/gumbo_library.h"

#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

const GumboLibrary* LoadGumboLibrary() {
  void* const library = OpenLibrary("libgumbo.so.1");
  if (library == nullptr) return nullptr;
  static GumboLibrary gumbo;
  const bool all = LoadSymbol(library, "gumbo_parse_with_options", &gumbo.parse_with_options) &&
                   LoadSymbol(library, "gumbo_get_attribute", &gumbo.get_attribute) &&
                   LoadSymbol(library, "kGumboDefaultOptions", &gumbo.default_options);
  return all ? &gumbo : nullptr;
}

}  // namespace

const GumboLibrary* GumboLibrary::Get() {
  static const GumboLibrary* const gumbo = LoadGumboLibrary();
  return gumbo;
}

}  // namespace recall
