#include "cli/setup/install/marked_block.h"

namespace recall {
namespace {

constexpr std::string_view kMadeFile = "# recall made this file.";

// The lines from `first` to `last`, with the newline behind the last one if there is one.
struct BlockPlace {
  size_t begin = std::string_view::npos;
  size_t lines = std::string_view::npos;  // behind the first marker line
  size_t last_marker = std::string_view::npos;
  size_t end = std::string_view::npos;
  bool made_file = false;
};

BlockPlace FindBlock(std::string_view text, const BlockMarks& marks) {
  BlockPlace place;
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, newline - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t next = std::min(newline + 1, text.size());
    const bool inside = place.begin != text.npos;
    if (line == marks.begin && !inside) {
      place.begin = begin;
      place.lines = next;
    }
    if (line == kMadeFile && inside) place.made_file = true;
    if (line == marks.end) {
      place.last_marker = begin;
      place.end = next;
      return place;
    }
    begin = next;
  }
  return place;
}

}  // namespace

std::string MarkedBlock(std::string_view lines, bool made_file, const BlockMarks& marks) {
  std::string block = std::string(marks.begin) + "\n";
  if (made_file) block += std::string(kMadeFile) + "\n";
  return block + std::string(lines) + std::string(marks.end) + "\n";
}

std::string WithBlock(std::string_view text, size_t offset, std::string_view block) {
  std::string result(text.substr(0, offset));
  // A last line without a newline gets one, and the block ends without one in its place.
  if (!result.empty() && result.back() != '\n') {
    return result + "\n" + std::string(block.substr(0, block.size() - 1));
  }
  return result + std::string(block) + std::string(text.substr(offset));
}

Result<std::optional<BlockRemoval>> WithoutBlock(std::string_view text, const BlockMarks& marks) {
  std::optional<BlockRemoval> removal;
  for (std::string rest(text);;) {
    const BlockPlace place = FindBlock(rest, marks);
    const bool has_begin = place.begin != std::string::npos;
    const bool has_end = place.end != std::string::npos;
    if (!has_begin && !has_end) return removal;
    if (!has_begin || !has_end) {
      return Fail(Status::InvalidArgument(
          "the line \"" + std::string(has_begin ? marks.begin : marks.end) + "\" stands alone",
          "remove the lines of recall by hand, then try again"));
    }
    std::string lines = removal ? std::move(removal->lines)
                                : rest.substr(place.lines, place.last_marker - place.lines);
    const bool took_newline = place.end == rest.size() && rest.back() != '\n' && place.begin > 0;
    rest.erase(place.begin, place.end - place.begin);
    if (took_newline) rest.pop_back();
    removal = {rest, std::move(lines), place.made_file || (removal && removal->made_file)};
  }
}

std::string WithLinesOfBlock(std::string_view text, std::string_view lines,
                             const BlockMarks& marks) {
  const BlockPlace place = FindBlock(text, marks);
  return std::string(text.substr(0, place.lines)) + std::string(lines) +
         std::string(text.substr(place.last_marker));
}

}  // namespace recall
