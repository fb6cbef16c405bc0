#include "index/base/text/latin_letters.h"

#include <algorithm>
#include <array>

namespace recall {
namespace {

struct LatinLetter {
  char32_t letter;
  std::string_view spelled;
};
// Lower-case letters without decomposition, by code point.
constexpr auto kLatinLetters = std::to_array<LatinLetter>({
    {0xDF, "ss"}, {0xE6, "ae"}, {0xF0, "d"},   {0xF8, "o"},   {0xFE, "th"},  {0x111, "d"},
    {0x127, "h"}, {0x131, "i"}, {0x138, "q"},  {0x142, "l"},  {0x14B, "ng"}, {0x153, "oe"},
    {0x167, "t"}, {0x180, "b"}, {0x188, "c"},  {0x18C, "d"},  {0x192, "f"},  {0x199, "k"},
    {0x19A, "l"}, {0x19E, "n"}, {0x1A5, "p"},  {0x1AD, "t"},  {0x1B4, "y"},  {0x1B6, "z"},
    {0x1DD, "e"}, {0x1E5, "g"}, {0x221, "d"},  {0x225, "z"},  {0x23C, "c"},  {0x23F, "s"},
    {0x240, "z"}, {0x247, "e"}, {0x249, "j"},  {0x24D, "r"},  {0x24F, "y"},  {0x253, "b"},
    {0x254, "o"}, {0x256, "d"}, {0x257, "d"},  {0x259, "e"},  {0x25B, "e"},  {0x260, "g"},
    {0x268, "i"}, {0x269, "i"}, {0x26B, "l"},  {0x272, "n"},  {0x275, "o"},  {0x289, "u"},
    {0x28B, "v"}, {0x292, "z"}, {0x2C65, "a"}, {0x2C66, "t"},
});
static_assert(std::ranges::is_sorted(kLatinLetters, {}, &LatinLetter::letter));

}  // namespace

std::string_view SpelledInAscii(char32_t letter) {
  const auto latin = std::ranges::lower_bound(kLatinLetters, letter, {}, &LatinLetter::letter);
  return latin != kLatinLetters.end() && latin->letter == letter ? latin->spelled
                                                                 : std::string_view();
}

}  // namespace recall
