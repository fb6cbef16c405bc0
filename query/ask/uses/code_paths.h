#pragma once

#include <string>
#include <string_view>

namespace recall {

// What the path of a source file says of who can use it, and how.

// "src/db" of "src/db/store.h"; "" of a path without one.
std::string_view DirectoryOfCode(std::string_view path);
// The last part of the directory: "db" of "src/db/store.h".
std::string_view FolderOfCode(std::string_view path);
// The name by which other files import it: "store" of src/db/store.test.h. The folder, where a file
// stands for it or imports name it: "db" of src/db/index.ts, src/db/__init__.py, src/db/a.go.
std::string_view ModuleOfCode(std::string_view path);
// A name for the language of a file. Languages that use each other's names have one: C and C++, or
// JavaScript and TypeScript.
std::string LanguageOfCode(std::string_view path);
// Whether a call of a method always has its object before it, even within the class.
bool NeedsReceiver(std::string_view path);

}  // namespace recall
