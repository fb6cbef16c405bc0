#pragma once

#include <span>

namespace recall {

// Libraries that the program can do without are opened when they are needed. A program for systems
// that may not have them has some linked in, and tells which, before anything else runs: the
// functions below then find these in the program.

// A function or variable of a library that is linked in.
struct LinkedSymbol {
  const char* name;
  const void* address;
};

struct LinkedLibraries {
  std::span<const char* const> names;     // as OpenLibrary takes them
  std::span<const LinkedSymbol> symbols;  // of all, which have different names
};

// Says which libraries are linked in. Not thread-safe: for the initialization of the program.
void SetLinkedLibraries(const LinkedLibraries& libraries);

// Opens the library of this name (libz.so.1), which is never closed. Returns: null if it is neither
// linked in nor installed. Thread-safe.
void* OpenLibrary(const char* name);

// Returns: the address of the function or variable `name` of a library that OpenLibrary returned;
// null if it has none. Thread-safe.
void* FindSymbol(void* library, const char* name);

// Sets *symbol, a pointer of its type, in the same way. Returns: false if the library has none of
// this name.
template <typename Symbol>
bool LoadSymbol(void* library, const char* name, Symbol* symbol) {
  *symbol = reinterpret_cast<Symbol>(FindSymbol(library, name));
  return *symbol != nullptr;
}

}  // namespace recall
