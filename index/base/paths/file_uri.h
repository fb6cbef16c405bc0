#pragma once

#include <string>
#include <string_view>

namespace recall {

// "file:///home/a%20b" -> "/home/a b"; "" if it is no file or of another machine.
std::string PathOfUri(std::string_view uri);

}  // namespace recall
