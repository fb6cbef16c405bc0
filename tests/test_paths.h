#pragma once

// Where the tests find the files of the repository and the programs that the build made.
//
// The paths are compiled into one small source. All other sources of tests compile to the same
// objects in every clone, so that clones share the compiler cache.

#include <string>

namespace recall {

// The root of the repository, without a '/' at its end.
std::string SourceDir();

// The directory of the build, without a '/' at its end.
std::string BuildDir();

// The program `recall` of this build.
std::string RecallBinary();

}  // namespace recall
