#pragma once

#include <span>
#include <string_view>

namespace recall {

// A file of the folder cli/server/web/page.
struct PageFile {
  std::string_view name;  // "index.html", "recall.js"
  std::string_view bytes;
};

// All files of that folder, ascending by name; cmake/EmbedPage.cmake embeds them into the program.
extern const std::span<const PageFile> kPageFiles;

}  // namespace recall
