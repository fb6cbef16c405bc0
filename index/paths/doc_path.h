#pragma once

#include <string>
#include <string_view>

namespace recall {

// `path` made absolute with the current directory, `.`, `..` and doubled `/` resolved in the
// text. Never ends in '/' except for "/" itself.
std::string AbsoluteLexicalPath(std::string_view path);

// The store's name for a file: relative to the directory of recall.db, with `/`, when it lies
// there; otherwise its absolute path. `.` and `..` are resolved in the text, links are not.
std::string NormalizeDocPath(std::string_view path, std::string_view store_root);
// And back: where the system finds the file of a document. `store_root` is absolute.
std::string FilePathOf(std::string_view doc_path, std::string_view store_root);

// NormalizeDocPath for a path that AbsoluteLexicalPath gave; so is `absolute_root`.
std::string DocPathOf(std::string_view absolute_path, std::string_view absolute_root);

// `directory` and a name below it with one '/' between; the name alone when there is no directory.
std::string JoinPath(const std::string& directory, std::string_view name);

// Whether a path has neither empty, "." nor ".." components and does not end in "/".
bool IsNormalPath(std::string_view path);

// The path as a person may read it: control characters and bytes that are not UTF-8 as \xNN.
std::string PrintablePath(std::string_view path);

}  // namespace recall
