#include "index/source/extract/odf/odf_output.h"

#include <string>
#include <utility>

namespace recall {
namespace {

constexpr uint64_t kMostOdfHeldBytes = 64 << 20;

}  // namespace

void OdfOutput::Reset() {
  slide_.Reset();
  deferred_.clear();
}

void OdfOutput::EndBody(std::span<const OdfBlock> page_texts) {
  blocks_.WriteCode();
  for (const OdfBlock& block : page_texts) blocks_.Write(block);
}

void OdfOutput::BeginSlide(bool hidden) {
  slide_.Begin(hidden);
  blocks_.BeginUnit(slide_.number(), "");
}

void OdfOutput::EndSlide() {
  WriteSlide();
  slide_.End();
}

void OdfOutput::WriteSlide() {
  held_bytes_ = 0;
  slide_.Write(&blocks_);
}

void OdfOutput::BeginSheet(std::string_view name, bool hidden) {
  const std::string line = OneLine(name);
  sheet_.Begin(writer_, line, hidden);
  blocks_.BeginUnit(sheet_.number(), line);
}

void OdfOutput::EndSheet() {
  if (!deferred_.empty()) sheet_.WriteHeading();
  sheet_.End();
}

void OdfOutput::Put(OdfBlock block) {
  if (!slide_.open()) return blocks_.Write(block);
  held_bytes_ += block.bytes();
  slide_.Add(std::move(block));
  if (held_bytes_ > kMostOdfHeldBytes) WriteSlide();
}

void OdfOutput::Defer(OdfBlock block) {
  held_bytes_ += block.bytes();
  deferred_.push_back(std::move(block));
  if (held_bytes_ <= kMostOdfHeldBytes) return;
  if (sheet_.open()) sheet_.WriteHeading();
  PutDeferred();
}

void OdfOutput::Flush() {
  if (deferred_.empty() || sheet_.open()) return;
  PutDeferred();
  if (!slide_.open()) held_bytes_ = 0;
}

void OdfOutput::PutDeferred() {
  for (OdfBlock& block : std::exchange(deferred_, {})) Put(std::move(block));
}

}  // namespace recall
