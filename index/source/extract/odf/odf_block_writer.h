#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/odf/odf_block.h"

namespace recall {

// Writes blocks as Markdown, each with its locator: the paragraph and the headings above it, the
// slide, or the sheet and the cell. Paragraphs of code that follow each other become one block.
class OdfBlockWriter final {
 public:
  // `writer` must outlive this.
  explicit OdfBlockWriter(MarkdownWriter* writer) : writer_(writer) {}

  // The kind of the body decides the kind of all locators. Before it, blocks get no locator.
  void BeginBody(OdfBodyKind body) { body_ = body; }
  OdfBodyKind body() const { return body_; }
  // The slide, or the sheet, of the blocks that follow. number: from 1. name: of a sheet.
  void BeginUnit(int64_t number, std::string name);
  // Whether the blocks that follow are the speaker's notes of the slide.
  void SetNotes(bool notes) { notes_ = notes; }

  void Write(const OdfBlock& block);
  // Writes the title of the open slide, even if paragraphs of code still wait.
  void WriteSlideTitle(std::string_view title);
  // Writes the paragraphs of code that wait for more of them.
  void WriteCode();
  // The next block does not continue a list or table before it.
  void EndBlock() { writer_->EndBlock(); }

 private:
  struct OpenHeading {
    int level = 0;
    std::string title;
  };

  void SetLocatorOf(const OdfBlock& block);
  void EnterHeading(const OdfBlock& heading);
  void AddCode(const OdfBlock& block);

  MarkdownWriter* writer_;
  OdfBodyKind body_ = OdfBodyKind::kNone;
  int64_t unit_number_ = 0;
  std::string unit_name_;
  bool notes_ = false;
  std::vector<OpenHeading> headings_;  // those above the next block, of rising levels
  std::string heading_path_;           // their titles: "Guide > Install"
  std::string code_;                   // the lines that wait; "" if there are none
  OdfBlock code_start_;                // the first of them, without its text
};

}  // namespace recall
