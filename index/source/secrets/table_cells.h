#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace recall {

// Visits the cells below the header cell that text[begin, end) is a part of, if it is one: in
// tables with `|` or `│` between the cells, of fields between commas, semicolons or tabs, and of
// columns that are aligned by spaces. Returns where the last visited line ends; 0: the text is in
// no header. Looks at 32 KiB below the header.
size_t ForEachCellBelow(std::string_view text, size_t begin, size_t end,
                        const std::function<void(size_t begin, size_t end)>& visit);

}  // namespace recall
