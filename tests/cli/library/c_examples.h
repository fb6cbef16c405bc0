#pragma once

#include <string>

namespace recall {

// Returns: a C program with all examples of a header, which stand in its comments, indented by five
// spaces behind " *", and in the C blocks of a Markdown page, which are programs of their own. Each
// example of the header is a function; functions of an example stand before it.
std::string ProgramOfExamples(const std::string& header);

// Returns: the first block of a page that begins with "```c".
std::string ProgramOfPage(const std::string& page);

}  // namespace recall
