#include "index/extract/html/gumbo_library.h"

#include <dlfcn.h>

namespace recall {
namespace {

template <typename Symbol>
bool LoadGumboSymbol(void* library, const char* name, Symbol* symbol) {
  *symbol = reinterpret_cast<Symbol>(::dlsym(library, name));
  return *symbol != nullptr;
}

const GumboLibrary* LoadGumboLibrary() {
  void* const library = ::dlopen("libgumbo.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  static GumboLibrary gumbo;
  const bool all =
      LoadGumboSymbol(library, "gumbo_parse_with_options", &gumbo.parse_with_options) &&
      LoadGumboSymbol(library, "gumbo_get_attribute", &gumbo.get_attribute) &&
      LoadGumboSymbol(library, "kGumboDefaultOptions", &gumbo.default_options);
  return all ? &gumbo : nullptr;
}

}  // namespace

const GumboLibrary* GumboLibrary::Get() {
  static const GumboLibrary* const gumbo = LoadGumboLibrary();
  return gumbo;
}

}  // namespace recall
