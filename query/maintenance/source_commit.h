#pragma once

#include <string_view>

namespace recall {

// The commit of the source tree, written by cmake/WriteCommit.cmake at each build.
extern const std::string_view kSourceCommit;

}  // namespace recall
