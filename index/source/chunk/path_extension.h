#pragma once

#include <string>
#include <string_view>

namespace recall {

// The extension that tells what the text of a file is: "md" for "docs/Guide.MD" and "Guide.md.gz",
// "" for "Makefile" and ".bashrc". In lower case, without the dot.
std::string PathExtension(std::string_view path);

}  // namespace recall
