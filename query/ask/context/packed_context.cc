// The output format of a context: the text of the pieces and the citations around it.
//
// The output must distinguish citations from the bytes of documents, whatever these contain,
// because the reader is usually a language model. In text form a citation is one line; control
// characters in paths and headings are replaced, so it cannot span two lines; pieces are fenced if
// one of them has a line that could be taken for a citation (passage_fence.h). In Markdown the
// rules are those of CommonMark (https://spec.commonmark.org, "Fenced code blocks", "Code spans"):
// a piece is fenced by one backtick more than its longest run of backticks, at least three, so its
// own fences cannot close the block; a path is a code span delimited in the same way; punctuation
// of headings is escaped.
//
// The packers need the cost of a citation before they know where a piece ends. If words are
// counted, the cost depends only on path and heading, because each number is part of one word; a
// placeholder stands for the hash. With a vocabulary the numbers of the whole chunk give an
// estimate, which PackWithin() corrects.

#include "query/ask/context/packed_context.h"

#include "query/ask/rows/locators.h"
#include "query/ask/rows/note_state.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "query/ask/answer/text_reference.h"
#include "query/ask/passages/passage_fence.h"
#include "query/ask/passages/token_counter.h"
#include "query/ask/sources/source_checker.h"

namespace recall {
namespace {

constexpr std::string_view kBetweenPieces = "\n\n";

// Replaces control characters: paths and headings may contain any bytes, but a citation must stay
// on one line.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      line += c == '\n' ? "\\n" : "?";
    } else {
      line += c;
    }
  }
  return line;
}

// The text printed before and after the text of a piece.
struct Frame {
  std::string before;
  std::string after;
};

// Returns: `text` as inline code of Markdown.
std::string CodeSpan(const std::string& text) {
  const std::string fence(LongestRunOfBackticks(text) + 1, '`');
  const bool pad = text.starts_with('`') || text.ends_with('`');
  return fence + (pad ? " " : "") + text + (pad ? " " : "") + fence;
}

// Returns: `text` with Markdown's punctuation escaped, so that it is shown unchanged.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>&#|~").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The extension of a path if it can be the name of a language, else "".
std::string LanguageOf(std::string_view path) {
  constexpr size_t kLongest = 12;
  const size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] == '/' || path.size() - dot > kLongest) return {};
  const std::string_view extension = path.substr(dot + 1);
  const bool plain = std::ranges::all_of(extension, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  return plain ? std::string(extension) : std::string();
}

std::string PlaceOf(const ContextPiece& piece) {
  const std::string& hash = piece.chunk.lines_hash;
  return OneLine(piece.doc.path) + (hash.empty() ? "" : "@" + hash.substr(0, kCitedHashDigits)) +
         ":" + std::to_string(piece.chunk.start_line) + "-" + std::to_string(piece.chunk.end_line) +
         (piece.place.empty() ? "" : " (" + OneLine(piece.place) + ")");
}

// " (changed since)" of a document whose source is not what was added, " (obsolete)" of a note that
// another one replaced.
std::string MarkOf(const ContextPiece& piece) {
  const std::string_view mark = MarkOfState(piece.doc.source_state);
  std::string marks = mark.empty() ? std::string() : " (" + std::string(mark) + ")";
  if (!piece.note_state.empty()) marks += " (" + piece.note_state + ")";
  return marks;
}

Frame TextFrame(const ContextPiece& piece, bool citations, const PassageFence& fence) {
  if (!citations) return {};
  std::string citation = "[" + PlaceOf(piece) + "]" + MarkOf(piece);
  if (!piece.chunk.heading.empty()) citation += " " + OneLine(piece.chunk.heading);
  return {citation + "\n" + fence.Opening(), fence.Closing(piece.chunk.text)};
}

Frame MarkdownFrame(const ContextPiece& piece, bool citations) {
  Frame frame;
  const ChunkView& chunk = piece.chunk;
  if (citations) {
    frame.before = "## " + CodeSpan(PlaceOf(piece)) + MarkOf(piece);
    if (!chunk.heading.empty()) frame.before += " " + Escaped(OneLine(chunk.heading));
    frame.before += "\n\nbytes " + std::to_string(chunk.start_byte) + "-" +
                    std::to_string(chunk.end_byte) + ", sha256 " + piece.doc.hash + "\n\n";
  }
  const std::string fence(std::max<size_t>(LongestRunOfBackticks(chunk.text) + 1, 3), '`');
  frame.before += fence + LanguageOf(piece.doc.path) + "\n";
  frame.after = (chunk.text.ends_with('\n') ? "" : "\n") + fence;
  return frame;
}

Frame FrameOf(const ContextPiece& piece, const PackOptions& options, const PassageFence& fence) {
  return options.form == ContextForm::kMarkdown ? MarkdownFrame(piece, options.citations)
                                                : TextFrame(piece, options.citations, fence);
}

}  // namespace

void PackedContext::Compose(const PackOptions& options) {
  text.clear();
  PassageFence fence;
  for (const ContextPiece& piece : pieces) fence.Cover(piece.chunk.text);
  for (ContextPiece& piece : pieces) {
    const Frame frame = FrameOf(piece, options, fence);
    if (!text.empty()) text += kBetweenPieces;
    text += frame.before;
    piece.in_text = {text.size(), text.size() + piece.chunk.text.size()};
    text += piece.chunk.text + frame.after;
  }
  TokenCounter& counter = *options.counter;
  used_tokens = printed_tokens = counter.Count(text);
  if (!counter.counts_words() && !text.empty()) printed_tokens = counter.Count(text + "\n");
}

int64_t CitationCost(const PackOptions& options, const DocRow& doc, const ChunkRow& head) {
  ContextPiece piece;
  piece.doc.path = doc.path;
  piece.doc.hash = options.counter->counts_words() ? "hash" : ToHex(doc.hash);
  if (options.cite) piece.chunk.lines_hash = "8f3a61c90b5e";  // as good as any other
  piece.chunk.heading = head.heading;
  piece.chunk.start_byte = head.start_byte;
  piece.chunk.end_byte = head.end_byte;
  piece.chunk.start_line = head.start_line;
  piece.chunk.end_line = head.end_line;
  // A damaged record is reported when the piece is composed.
  const auto place = options.locators->Find(doc, head.start_byte, head.end_byte);
  if (place && *place) piece.place = (*place)->text;
  if (options.sources != nullptr) {
    piece.doc.source_state =
        options.sources->StateOf(doc, *options.check).value_or(SourceState::kCurrent);
  }
  piece.note_state = StateOfInvalidNote(doc, options.as_of);
  // A fence is rare. PackWithin() corrects its tokens.
  const Frame frame = FrameOf(piece, options, PassageFence());
  return options.counter->Count(frame.before) + options.counter->Count(frame.after) +
         options.counter->Count(kBetweenPieces);
}

}  // namespace recall
