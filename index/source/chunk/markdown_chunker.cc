// A block parser for Markdown. It needs to know only where blocks begin and which headings contain
// them, not how they are rendered. A new block starts at a heading, at a fence, at an item of a
// list that is not indented, and after a blank line. A fence, an HTML comment and front matter are
// one block whatever they contain. A heading belongs to the block after it, and so do adjacent
// headings:
//
//    ---
//    title: x                 block, no heading
//    ---
//    # Guide
//                             block "Guide > Install": both headings and the sentence
//    ## Install
//    Type this:
//    ```sh
//    # not a heading          block "Guide > Install", up to the closing fence
//    ```
//
// The parser reads one line at a time with a small state: the open fence or HTML block, whether a
// list or a paragraph may continue, and the outline, a stack of headings. A paragraph is kept
// separately until its next line, because a line of "===" or "---" makes it a heading (setext).
//
// The rules are those of CommonMark (spec 0.31), simplified where a line alone cannot decide: text
// in block quotes makes no headings, and nesting of lists is not tracked. A wrong decision only
// moves the boundary of a chunk.
//
// Linear in the size of the text; memory for one paragraph's title (at most kMaxTitleBytes).

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/base/text/utf8.h"
#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/front_matter.h"
#include "index/source/chunk/line_reader.h"
#include "index/source/chunk/markdown_lines.h"

namespace recall {
namespace {

// The headings around the current place, outermost first.
class Outline final {
 public:
  int level() const { return open_.empty() ? 0 : open_.back().level; }

  // Enters a heading and describes its section.
  Section Enter(int level, std::string title) {
    while (!open_.empty() && open_.back().level >= level) open_.pop_back();
    Section section{.heading = {}, .parent = Path(), .level = level};
    open_.push_back(Heading{level, std::move(title)});
    section.heading = Path();
    return section;
  }

 private:
  struct Heading {
    int level;
    std::string title;
  };

  std::string Path() const {
    std::string path;
    for (const Heading& heading : open_) {
      if (heading.title.empty()) continue;
      if (!path.empty()) path += " > ";
      path += heading.title;
    }
    return path;
  }

  std::vector<Heading> open_;
};

class MarkdownParser final {
 public:
  // `own_chunk`: the title of a heading of the second level that always begins a chunk; "": none.
  MarkdownParser(BlockPacker* packer, std::string_view own_chunk)
      : packer_(packer), own_chunk_(own_chunk) {}

  void Read(const Line& line) {
    if (fence_) {
      ReadInFence(line);
    } else if (!html_end_.empty()) {
      ReadInHtml(line);
    } else if (line.blank()) {
      ReadBlank();
    } else {
      ReadOutside(line);
    }
  }

  // Adds a line to the block without examining it (front matter).
  void ReadVerbatim(const Line& line) {
    if (!line.blank()) Extend(line.range);
  }

  void EndBlock() {
    if (!block_) return;
    if (new_section_) packer_->BeginSection(*new_section_);
    new_section_.reset();
    packer_->Add(*block_);
    block_.reset();
    only_headings_ = false;
  }

  void Finish() {
    TakeParagraph();
    EndBlock();
  }

 private:
  void ReadBlank() {
    TakeParagraph();
    if (!only_headings_) EndBlock();
    paragraph_may_start_ = true;
  }

  void ReadInFence(const Line& line) {
    if (line.blank()) return;
    if (fence_->in_list && MeasureIndentation(line.content).columns == 0) {
      EndFence();  // the list item that the fence is part of has ended
      ReadOutside(line);
      return;
    }
    Extend(line.range);
    if (ClosesFence(line.content, *fence_)) EndFence();
  }

  void EndFence() {
    fence_.reset();
    EndBlock();
    paragraph_may_start_ = true;
  }

  void ReadInHtml(const Line& line) {
    if (!line.blank()) Extend(line.range);
    if (line.content.find(html_end_) != std::string_view::npos) html_end_ = {};
  }

  void ReadOutside(const Line& line) {
    const std::string_view content =
        line.range.start_line == 1 ? WithoutByteOrderMark(line.content) : line.content;
    const Indentation indentation = MeasureIndentation(content);
    const bool is_list_item = indentation.columns <= 3 && ListMarkerLength(content) > 0;
    if (is_list_item) {
      in_list_ = true;
    } else if (indentation.columns == 0 && paragraph_may_start_) {
      in_list_ = false;
    }

    if (paragraph_) {
      if (const int level = SetextLevel(content)) {
        EnterSetextHeading(level, line);
        return;
      }
    }
    if (std::optional<AtxHeading> heading = ParseAtxHeading(content)) {
      TakeParagraph();
      EnterHeading(heading->level, TidyTitle(heading->title), line.range);
    } else if (std::optional<Fence> fence = OpenFence(content, in_list_)) {
      BeginBlock(line);
      fence_ = fence;
    } else if (is_list_item && !IsThematicBreak(content)) {
      BeginBlock(line);
      paragraph_may_start_ = false;
    } else {
      ReadText(line, content, indentation);
    }
  }

  void ReadText(const Line& line, std::string_view content, const Indentation& indentation) {
    html_end_ = OpenHtml(content);
    const bool is_rule = IsThematicBreak(content);
    const bool is_prose = indentation.columns <= (in_list_ ? 0 : 3) && html_end_.empty() &&
                          !is_rule && !StartsOtherBlock(content.substr(indentation.bytes));
    if (paragraph_ && !is_rule && html_end_.empty()) {
      ExtendParagraph(line);
    } else if (paragraph_may_start_ && is_prose) {
      paragraph_text_.clear();
      ExtendParagraph(line);
    } else {
      TakeParagraph();
      Extend(line.range);
    }
    paragraph_may_start_ = is_rule;
  }

  // Starts a block at `line`; headings above that wait for a block become part of it.
  void BeginBlock(const Line& line) {
    TakeParagraph();
    if (!only_headings_) EndBlock();
    Extend(line.range);
  }

  void EnterSetextHeading(int level, const Line& underline) {
    const TextRange range = Join(*paragraph_, underline.range);
    paragraph_.reset();
    EnterHeading(level, TidyTitle(paragraph_text_), range);
  }

  void EnterHeading(int level, std::string title, const TextRange& range) {
    const bool begins_chunk = level == 2 && !own_chunk_.empty() && title == own_chunk_;
    const bool continues = only_headings_ && level > outline_.level() && !begins_chunk;
    if (!continues) EndBlock();
    if (begins_chunk) packer_->EndChunk();
    new_section_ = outline_.Enter(level, std::move(title));
    Extend(range);
    only_headings_ = true;
    paragraph_may_start_ = true;
    in_list_ = false;
  }

  void ExtendParagraph(const Line& line) {
    paragraph_ = paragraph_ ? Join(*paragraph_, line.range) : line.range;
    if (paragraph_text_.size() < kMaxTitleBytes) {
      paragraph_text_ += line.content.substr(0, FloorToCharacter(line.content, kMaxTitleBytes));
      paragraph_text_ += ' ';
    }
  }
  // A paragraph that has turned out not to be a heading joins the block.
  void TakeParagraph() {
    if (paragraph_) Extend(*paragraph_);
    paragraph_.reset();
  }

  void Extend(const TextRange& range) {
    block_ = block_ ? Join(*block_, range) : range;
    only_headings_ = false;
  }

  BlockPacker* packer_;
  const std::string_view own_chunk_;
  Outline outline_;
  std::optional<Section> new_section_;  // begins with the next block passed to the packer
  std::optional<TextRange> block_;
  bool only_headings_ = false;          // block_ consists of headings only
  std::optional<TextRange> paragraph_;  // lines that an underline would turn into a heading
  std::string paragraph_text_;          // about the first kMaxTitleBytes of these lines
  bool paragraph_may_start_ = true;     // the preceding line cannot continue
  bool in_list_ = false;
  std::optional<Fence> fence_;
  std::string_view html_end_;  // the text that ends the open HTML block
};

void ParseBlocks(std::string_view text, const ChunkLimits& limits, std::string_view own_chunk,
                 BlockPacker* packer) {
  const std::optional<FrontMatter> front_matter = FindFrontMatter(text);
  const size_t front_matter_end = front_matter ? front_matter->end : 0;
  LineReader reader(text, limits);
  MarkdownParser parser(packer, own_chunk);
  bool in_front_matter = front_matter.has_value();
  for (Line line; reader.Next(&line);) {
    if (line.start < front_matter_end) {
      parser.ReadVerbatim(line);
      continue;
    }
    if (in_front_matter) parser.EndBlock();
    in_front_matter = false;
    parser.Read(line);
  }
  parser.Finish();
}

}  // namespace

void ParseMarkdownBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer) {
  ParseBlocks(text, limits, {}, packer);
}

void ParseNoteBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer) {
  ParseBlocks(text, limits, "Context", packer);
}

}  // namespace recall
