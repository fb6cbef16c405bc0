#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The language of a source file: "python" by the extension of its path, in any case, also in front
// of .gz, .xz and .zst; "" for other files. A .h file is "cpp" if its text has a line that begins
// as only C++ does (`class`, `namespace`, `template`, `using`, ...) or a name with `::`, else "c".
// Whether this program has a grammar for it does not matter. Thread-safe.
std::string_view LanguageOf(std::string_view path, std::string_view text);

// The grammar of this program that a source file is parsed with: "python-0.23.6", or "cpp-0.23.4+1"
// with the revision of our rules where that is not 0; "" if there is none. All that an outline
// depends on besides the text. Thread-safe.
std::string GrammarFor(std::string_view path, std::string_view text);

// All grammars of this program, as GrammarFor names them, sorted.
std::vector<std::string> GrammarNames();

}  // namespace recall
