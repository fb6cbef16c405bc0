#pragma once

#include <string_view>

namespace recall {

// Whether a file of JavaScript, TypeScript or Python imports a name from the file `path`, as its
// import statements say: `import { name } from './dir/file'`, `from dir.file import name`. False in
// other languages, and where the name is imported from a file that only passes it on.
//   importing: the path of the file.
//   imports: its import statements (import_lines.h), concatenated.
bool ImportsNameFrom(std::string_view importing, std::string_view imports, std::string_view name,
                     std::string_view path);

}  // namespace recall
