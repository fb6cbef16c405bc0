#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/source/extract/odf/odf_block.h"
#include "index/source/extract/odf/odf_block_writer.h"

namespace recall {

// The slides of a presentation, one after the other. The blocks of the open one are held, because
// the shape with its title may be the last in the file.
class OdfSlide final {
 public:
  // The number of the slide is one more than that of the last.
  void Begin(bool hidden);
  void End() { open_ = false; }
  void SetNotes(bool notes) { in_notes_ = notes; }
  // No slide is open. Numbers go on.
  void Reset() { open_ = in_notes_ = false; }

  bool open() const { return open_; }
  // Whether the blocks that are added belong to the speaker's notes.
  bool in_notes() const { return in_notes_; }
  int64_t number() const { return number_; }
  // The title as far as it is known; shapes append to it.
  std::string* title() { return &title_; }

  void Add(OdfBlock block);
  // Writes the title, unless it was written, then all that is held: the slide, and its notes.
  void Write(OdfBlockWriter* writer);

 private:
  void WriteTitle(OdfBlockWriter* writer);

  int64_t number_ = 0;
  bool open_ = false, in_notes_ = false, hidden_ = false;
  bool titled_ = false;  // the title is written
  std::string title_;
  std::vector<OdfBlock> blocks_;
  std::vector<OdfBlock> notes_;
};

}  // namespace recall
