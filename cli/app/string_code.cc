// Compiles the members of std::string once for the whole program.
//
// In C++20 the GNU library instantiates them in each unit that uses them, and the linker keeps
// those that it meets first. Most units of `cli` are compiled for size, and there a copy of a few
// bytes is an instruction (`rep movsb`) that takes longer to start than to copy them; each token
// that is appended to a text would take it. This unit is the first one of the program and compiled
// for speed.

#include <string>
#include <string_view>

template class std::basic_string<char>;
template class std::basic_string_view<char>;
