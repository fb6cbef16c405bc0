#include "index/source/extract/pdf/pdf_mark_reader.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/extract/pdf/pdf_encryption.h"
#include "index/source/extract/pdf/pdf_objects.h"

// Problem: outlines and annotations are lists and trees of objects of a hostile file, which may be
// circular, or refer to the same large object from everywhere.
//
// Idea: each object is a page, an entry of the outline or a node of names at most once; depth,
// counts and texts are limited, and PdfObjects limits the work. Names of destinations are read when
// the first entry of the outline uses one, as those that TeX makes do.

namespace recall {
namespace {

constexpr int kMostLevels = 32;
constexpr size_t kMostTitleBytes = 1000;
constexpr int kMostTreeDepth = 64;
constexpr size_t kMostDestinations = 500'000;
constexpr std::pair<std::string_view, char> kEntities[] = {
    {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};

// A text on one line without blanks at its ends.
std::string OneLine(std::string text, size_t most) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  line.resize(FloorToCharacter(line, std::min(line.size(), most)));
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

// The lines of a text that are not empty.
std::string WithoutEmptyLines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = OneLine(std::string(text.substr(0, end)), text.size());
    if (!line.empty()) lines += line + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

class MarkReader final {
 public:
  MarkReader(std::string_view file, const ExtractLimits& limits)
      : limits_(limits), objects_(file, limits), text_left_(limits.max_text_bytes) {}

  // Returns false if the file is encrypted.
  bool Run(PdfMarks* marks) {
    if (objects_.Encryption().kind != PdfValue::Kind::kNull) return false;
    catalog_ = objects_.Root();
    std::unordered_set<int64_t> seen;
    AddPages(catalog_.At("Pages"), 0, &seen);
    AddSections(objects_.At(objects_.At(catalog_, "Outlines"), "First"),
                objects_.At(catalog_, "Outlines").At("First"));
    marks_.complete = marks_.complete && objects_.complete();
    *marks = std::move(marks_);
    return true;
  }

 private:
  bool IsFull(size_t count) {
    const bool full = static_cast<int64_t>(count) >= limits_.max_members || text_left_ == 0;
    if (full) marks_.complete = false;
    return full;
  }

  // Takes the bytes of a text from what is left. Returns false if it does not fit.
  bool TakeText(size_t bytes) {
    if (bytes > text_left_) {
      text_left_ = 0;
      marks_.complete = false;
      return false;
    }
    text_left_ -= bytes;
    return true;
  }

  // Numbers the pages below a node of the page tree, and reads their annotations.
  void AddPages(const PdfValue& reference, int depth, std::unordered_set<int64_t>* seen) {
    if (depth > kMostTreeDepth || static_cast<int64_t>(page_count_) >= limits_.max_members) return;
    if (reference.kind == PdfValue::Kind::kReference && !seen->insert(reference.number).second) {
      return;
    }
    const PdfValue node = objects_.Resolved(reference);
    if (node.kind != PdfValue::Kind::kDictionary) return;
    const PdfValue kids = objects_.At(node, "Kids");
    if (kids.kind == PdfValue::Kind::kArray) {
      for (const PdfValue& kid : kids.items) AddPages(kid, depth + 1, seen);
      return;
    }
    if (reference.kind == PdfValue::Kind::kReference) page_of_[reference.number] = page_count_;
    const PdfValue annotations = objects_.At(node, "Annots");
    for (const PdfValue& annotation : annotations.items) {
      if (IsFull(annotations_seen_++)) break;
      AddNote(objects_.Resolved(annotation));
    }
    ++page_count_;
  }

  void AddNote(const PdfValue& annotation) {
    const PdfValue subtype = objects_.At(annotation, "Subtype");
    // Links and fields of forms have descriptions for screen readers. A popup is the window of
    // another annotation.
    for (const std::string_view other : {"Link", "Widget", "Screen", "PrinterMark", "TrapNet"}) {
      if (subtype.IsName(other)) return;
    }
    if (subtype.IsName("Popup") &&
        objects_.At(annotation, "Parent").kind == PdfValue::Kind::kDictionary) {
      return;
    }
    PdfMarks::Note note;
    note.page = page_count_;
    note.text = WithoutEmptyLines(PdfTextOf(objects_.At(annotation, "Contents")));
    if (note.text.empty()) note.text = WithoutEmptyLines(RichText(annotation));
    if (note.text.empty()) return;
    note.author = OneLine(PdfTextOf(objects_.At(annotation, "T")), kMostTitleBytes);
    note.is_drawn = subtype.IsName("FreeText");
    if (TakeText(note.text.size() + note.author.size())) marks_.notes.push_back(std::move(note));
  }

  // The text of /RC, which is XHTML, with a line for each element.
  std::string RichText(const PdfValue& annotation) {
    const std::string xhtml = PdfTextOf(objects_.At(annotation, "RC"));
    std::string text;
    bool in_tag = false;
    for (size_t at = 0; at < xhtml.size(); ++at) {
      if (xhtml[at] == '<') text += '\n';
      in_tag = in_tag ? xhtml[at] != '>' : xhtml[at] == '<';
      if (in_tag || xhtml[at] == '>') continue;
      const auto entity = std::ranges::find_if(kEntities, [&](const auto& known) {
        return xhtml.substr(at, 6).starts_with(known.first);
      });
      text += entity == std::end(kEntities) ? xhtml[at] : entity->second;
      if (entity != std::end(kEntities)) at += entity->first.size() - 1;
    }
    return text;
  }

  // Adds the entries of an outline in depth-first order. Each object is an entry only once.
  void AddSections(PdfValue entry, PdfValue reference) {
    std::unordered_set<int64_t> seen;
    std::vector<PdfValue> parents;  // references to what follows them
    for (;;) {
      const bool is_new =
          reference.kind != PdfValue::Kind::kReference || seen.insert(reference.number).second;
      if (entry.kind != PdfValue::Kind::kDictionary || !is_new) {
        if (parents.empty()) return;
        reference = std::move(parents.back());
        parents.pop_back();
        entry = objects_.Resolved(reference);
        continue;
      }
      if (IsFull(entries_seen_++)) return;
      AddSection(entry, static_cast<int>(parents.size()) + 1);
      const PdfValue first = entry.At("First"), next = entry.At("Next");
      if (first.kind == PdfValue::Kind::kReference && parents.size() < kMostLevels) {
        parents.push_back(next);
        reference = first;
      } else {
        reference = next;
      }
      if (reference.kind != PdfValue::Kind::kReference) reference = {};
      entry = objects_.Resolved(reference);
    }
  }

  void AddSection(const PdfValue& entry, int level) {
    PdfMarks::Section section;
    section.level = level;
    section.title = OneLine(PdfTextOf(objects_.At(entry, "Title")), kMostTitleBytes);
    if (section.title.empty() || !TakeText(section.title.size())) return;
    PdfValue destination = objects_.At(entry, "Dest");
    if (destination.kind == PdfValue::Kind::kNull) {
      const PdfValue action = objects_.At(entry, "A");
      if (objects_.At(action, "S").IsName("GoTo")) destination = objects_.At(action, "D");
    }
    // One that leads nowhere belongs to the page of the entry before.
    last_page_ = PageOf(destination).value_or(last_page_);
    section.page = last_page_;
    marks_.sections.push_back(std::move(section));
  }

  std::optional<int64_t> PageOf(const PdfValue& destination) {
    PdfValue value = destination;
    if (value.IsString() || value.kind == PdfValue::Kind::kName) {
      const std::string name = value.IsString() ? PdfStringBytes(value) : std::string(value.text);
      return NamedPage(name);
    }
    if (value.kind == PdfValue::Kind::kDictionary) value = objects_.At(value, "D");
    if (value.kind != PdfValue::Kind::kArray || value.items.empty()) return std::nullopt;
    const PdfValue& page = value.items[0];
    if (page.kind == PdfValue::Kind::kNumber) return std::max<int64_t>(page.number, 0);
    const auto found = page_of_.find(page.number);
    if (page.kind != PdfValue::Kind::kReference || found == page_of_.end()) return std::nullopt;
    return found->second;
  }

  std::optional<int64_t> NamedPage(const std::string& name) {
    if (!names_read_) {
      names_read_ = true;
      const PdfValue old = objects_.At(catalog_, "Dests");
      for (size_t i = 0; i + 1 < old.items.size(); i += 2) {
        named_[std::string(old.items[i].text)] = old.items[i + 1];
      }
      std::unordered_set<int64_t> seen;
      AddNames(objects_.At(catalog_, "Names").At("Dests"), 0, &seen);
    }
    const auto found = named_.find(name);
    if (found == named_.end()) return std::nullopt;
    const PdfValue destination = objects_.Resolved(found->second);
    const bool is_name = destination.IsString() || destination.kind == PdfValue::Kind::kName;
    return is_name ? std::nullopt : PageOf(destination);
  }

  void AddNames(const PdfValue& reference, int depth, std::unordered_set<int64_t>* seen) {
    if (depth > kMostTreeDepth || named_.size() > kMostDestinations) return;
    if (reference.kind == PdfValue::Kind::kReference && !seen->insert(reference.number).second) {
      return;
    }
    const PdfValue node = objects_.Resolved(reference);
    const PdfValue names = objects_.At(node, "Names"), kids = objects_.At(node, "Kids");
    for (size_t i = 0; i + 1 < names.items.size(); i += 2) {
      named_[PdfStringBytes(objects_.Resolved(names.items[i]))] = names.items[i + 1];
    }
    for (const PdfValue& kid : kids.items) AddNames(kid, depth + 1, seen);
  }

  const ExtractLimits limits_;
  PdfObjects objects_;
  uint64_t text_left_;
  PdfValue catalog_;
  PdfMarks marks_;
  int64_t page_count_ = 0;
  size_t annotations_seen_ = 0;
  size_t entries_seen_ = 0;
  int64_t last_page_ = 0;
  std::unordered_map<int64_t, int64_t> page_of_;  // by the numbers of objects
  bool names_read_ = false;
  std::unordered_map<std::string, PdfValue> named_;
};

}  // namespace

PdfMarks ReadPdfMarks(std::string_view file, const ExtractLimits& limits) {
  PdfMarks marks;
  if (MarkReader(file, limits).Run(&marks)) return marks;
  // Many files are encrypted only to forbid something, and open without a password.
  const DecryptedPdf decrypted = DecryptPdf(file, {""}, limits);
  if (decrypted.outcome == ExtractOutcome::kText) MarkReader(decrypted.bytes, limits).Run(&marks);
  return marks;
}

}  // namespace recall
