#include "index/source/extract/odf/odf_slide.h"

#include <utility>

namespace recall {

void OdfSlide::Begin(bool hidden) {
  ++number_;
  open_ = true;
  hidden_ = hidden;
  titled_ = false;
  title_.clear();
}

void OdfSlide::Add(OdfBlock block) { (in_notes_ ? notes_ : blocks_).push_back(std::move(block)); }

void OdfSlide::WriteTitle(OdfBlockWriter* writer) {
  titled_ = true;
  writer->EndBlock();
  if (title_.empty() && blocks_.empty() && notes_.empty()) return;
  std::string title = title_.empty() ? "Slide " + std::to_string(number_) : title_;
  if (hidden_) title += " (hidden)";
  writer->WriteSlideTitle(title);
}

void OdfSlide::Write(OdfBlockWriter* writer) {
  if (!titled_) WriteTitle(writer);
  for (const bool notes : {false, true}) {
    writer->SetNotes(notes);
    for (const OdfBlock& block : std::exchange(notes ? notes_ : blocks_, {})) writer->Write(block);
    writer->WriteCode();
    writer->EndBlock();
  }
}

}  // namespace recall
