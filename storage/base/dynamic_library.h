#pragma once

#include <dlfcn.h>

namespace recall {

// Sets *symbol to the function or variable `name` of a library that dlopen has opened: a pointer of
// its type. Returns: false if the library has none of this name.
template <typename Symbol>
bool LoadSymbol(void* library, const char* name, Symbol* symbol) {
  *symbol = reinterpret_cast<Symbol>(::dlsym(library, name));
  return *symbol != nullptr;
}

}  // namespace recall
