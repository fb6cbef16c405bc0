#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/odf/odf_block.h"
#include "index/source/extract/odf/odf_block_writer.h"
#include "index/source/extract/odf/odf_sheet.h"
#include "index/source/extract/odf/odf_slide.h"

namespace recall {

// Decides when a block is written. A note is read before the end of the paragraph that refers to
// it, a comment before the end of its sheet, and the title of a slide after its other shapes.
// Blocks of the first two kinds are deferred until they are flushed; those of a slide wait for its
// end.
//
// Held blocks need at most about 64 MiB: beyond that they are written at once, in the order of the
// file.
class OdfOutput final {
 public:
  // `writer` must outlive this.
  explicit OdfOutput(MarkdownWriter* writer) : writer_(writer), blocks_(writer) {}

  // Before each XML document: nothing is deferred, no slide is open.
  void Reset();

  void BeginBody(OdfBodyKind body) { blocks_.BeginBody(body); }
  // page_texts: headers and footers, which come last.
  void EndBody(std::span<const OdfBlock> page_texts);
  OdfBodyKind body() const { return blocks_.body(); }

  void BeginSlide(bool hidden);
  void EndSlide();
  OdfSlide* slide() { return &slide_; }

  void BeginSheet(std::string_view name, bool hidden);
  // Closes the sheet. The blocks that were deferred in it remain so.
  void EndSheet();
  OdfSheet* sheet() { return &sheet_; }

  // Writes the block now, or with its slide.
  void Put(OdfBlock block);
  // Holds the block until Flush.
  void Defer(OdfBlock block);
  // Puts all that was deferred. Does nothing while a sheet is open.
  void Flush();
  void DropDeferred() { deferred_.clear(); }

  // Whether the text has reached its limit.
  bool full() const { return writer_->full(); }

 private:
  void PutDeferred();
  void WriteSlide();

  MarkdownWriter* writer_;
  OdfBlockWriter blocks_;
  OdfSlide slide_;
  OdfSheet sheet_;
  std::vector<OdfBlock> deferred_;
  uint64_t held_bytes_ = 0;  // of deferred_ and of the slide
};

}  // namespace recall
