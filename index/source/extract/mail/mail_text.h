#pragma once

#include <string>
#include <string_view>

namespace recall {

// A text of a part for people: lines end with "\n", without NUL, empty lines at both ends left out;
// "" or ending with "\n".
std::string CleanMailText(std::string_view text);

// The text of "format=flowed" (RFC 3676) with its paragraphs on one line each; `delete_space` is
// "delsp=yes". Quotes begin with as many ">" as they are deep, and a space. Requires:
// CleanMailText.
std::string JoinFlowedMail(std::string_view text, bool delete_space);

// Whether a plain text is no alternative to an HTML text, but a stub of it: it has fewer than a
// third as many words, or fewer and none of the same, and the HTML has at least eight. Addresses of
// the web do not count as words. Linear.
bool IsMailStub(std::string_view plain, std::string_view html);

}  // namespace recall
