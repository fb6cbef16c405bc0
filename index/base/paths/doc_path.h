#pragma once

#include <string>
#include <string_view>

namespace recall {

// Makes `path` absolute by the working directory (working_directory.h) and resolves `.`, `..` and
// doubled `/` lexically. The result never ends in '/' except for "/" itself.
std::string AbsoluteLexicalPath(std::string_view path);

// The name of a file in a store: its path relative to the directory of recall.db, with `/`, if it
// is below it, otherwise its absolute path. `.` and `..` are resolved lexically, links are not
// resolved.
std::string NormalizeDocPath(std::string_view path, std::string_view store_root);
// The inverse: the file system path of a document. `store_root` is absolute.
std::string FilePathOf(std::string_view doc_path, std::string_view store_root);

// NormalizeDocPath for paths that were made by AbsoluteLexicalPath, as `absolute_root` was.
std::string DocPathOf(std::string_view absolute_path, std::string_view absolute_root);

// A directory, absolute or relative to `store_root`, as the first part of the names of its files;
// "" if it is not below `store_root`, which is absolute. Links are not resolved.
std::string FolderBelow(std::string_view directory, std::string_view store_root);

// Joins `directory` and a name with one '/'; the name alone if `directory` is empty.
std::string JoinPath(const std::string& directory, std::string_view name);

// Whether a path has neither empty, "." nor ".." components and does not end in "/".
bool IsNormalPath(std::string_view path);

// The path for display: control characters and bytes that are not UTF-8 as \xNN.
std::string PrintablePath(std::string_view path);

}  // namespace recall
