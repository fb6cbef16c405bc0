#include "storage/base/dynamic_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

namespace recall {
namespace {

// Its address is the handle of all libraries in it.
constinit LinkedLibraries linked_libraries;

}  // namespace

void SetLinkedLibraries(const LinkedLibraries& libraries) { linked_libraries = libraries; }

void* OpenLibrary(const char* name) {
  const auto is_it = [name](const char* linked) { return std::string_view(name) == linked; };
  if (std::ranges::any_of(linked_libraries.names, is_it)) return &linked_libraries;
  return ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void* FindSymbol(void* library, const char* name) {
  if (library != &linked_libraries) return ::dlsym(library, name);
  for (const LinkedSymbol& symbol : linked_libraries.symbols) {
    if (std::string_view(name) == symbol.name) return const_cast<void*>(symbol.address);
  }
  return nullptr;
}

}  // namespace recall
