#pragma once

#include <string>
#include <string_view>

namespace recall {

// Appends text with white space collapsed as between words: `*pending_space` is whether white space
// ended what was appended before. No space is put at the beginning of `*line`. Soft hyphens and
// characters without width are left out.
void AppendCollapsedHtml(std::string_view text, bool* pending_space, std::string* line);

// Appends the text of a `pre`: white space is kept, every blank is a space, line ends are "\n", and
// characters without width are left out.
void AppendHtmlCode(std::string_view text, std::string* code);

}  // namespace recall
