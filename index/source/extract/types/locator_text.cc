#include "index/source/extract/types/locator_text.h"

#include <algorithm>
#include <charconv>

namespace recall {
namespace {

struct KindNames {
  LocatorKind kind;
  std::string_view name;
  std::string_view one;        // before a number, for people
  std::string_view several;    // before two numbers
  std::string_view reference;  // before a number in a reference
};
constexpr KindNames kKindNames[] = {
    {LocatorKind::kPage, "page", "p. ", "pp. ", "p"},
    {LocatorKind::kParagraph, "paragraph", "para. ", "paras. ", "para"},
    {LocatorKind::kSlide, "slide", "slide ", "slides ", "slide"},
    {LocatorKind::kSheet, "sheet", "", "", ""},
    {LocatorKind::kChapter, "chapter", "ch. ", "chs. ", "ch"},
    {LocatorKind::kElement, "element", "#", "#", "#"},
    {LocatorKind::kMessage, "message", "part ", "parts ", "part"},
    {LocatorKind::kCell, "cell", "cell ", "cells ", "cell"},
};

const KindNames& NamesOf(LocatorKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string OneLocator(const Locator& locator) {
  const KindNames& names = NamesOf(locator.kind);
  switch (locator.kind) {
    case LocatorKind::kSheet:
      return locator.name + (locator.range.empty() ? "" : "!" + locator.range);
    case LocatorKind::kElement:
      return "#" + locator.name;
    case LocatorKind::kMessage:
      return std::string(names.one) + locator.range;
    case LocatorKind::kChapter:
      return std::string(names.one) + std::to_string(locator.number) +
             (locator.name.empty() ? "" : " #" + locator.name);
    case LocatorKind::kSlide:
    case LocatorKind::kCell:
      return std::string(names.one) + std::to_string(locator.number) +
             (locator.range.empty() || locator.range == "source" ? "" : ", " + locator.range);
    default:
      return std::string(names.one) + std::to_string(locator.number);
  }
}

bool ReadWhole(std::string_view digits, int64_t* number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
  return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
}

bool Overlap(const CellRange& a, const CellRange& b) {
  return a.first_column <= b.last_column && b.first_column <= a.last_column &&
         a.first_row <= b.last_row && b.first_row <= a.last_row;
}

// Removes the name of a cell, such as "B4", from the front of the text.
bool TakeCell(std::string_view* text, uint32_t* column, uint32_t* row) {
  size_t at = 0;
  *column = 0;
  while (at < text->size() && at < 4) {
    const char c = static_cast<char>((*text)[at] & ~0x20);
    if (c < 'A' || c > 'Z') break;
    *column = *column * 26 + static_cast<uint32_t>(c - 'A' + 1);
    ++at;
  }
  const auto [end, error] = std::from_chars(text->data() + at, text->data() + text->size(), *row);
  if (at == 0 || error != std::errc() || *row == 0) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

// The place that a reference names, which can be compared with spans.
class NamedPlace final {
 public:
  explicit NamedPlace(std::string_view name) : name_(name) {
    if (name.starts_with('#')) return;
    const size_t mark = name.rfind('!');
    if (mark != name.npos) {
      sheet_ = name.substr(0, mark);
      cells_ = ParseCellRange(name.substr(mark + 1));
      return;
    }
    for (const KindNames& names : kKindNames) {
      if (names.reference.empty() || !name.starts_with(names.reference)) continue;
      if (ReadWhole(name.substr(names.reference.size()), &number_)) kind_ = names.kind;
    }
  }

  bool Names(const Locator& locator) const {
    switch (locator.kind) {
      case LocatorKind::kSheet: {
        if (!cells_) return sheet_.empty() && locator.name == name_;
        const auto own = ParseCellRange(locator.range);
        return locator.name == sheet_ && own && Overlap(*own, *cells_);
      }
      case LocatorKind::kElement:
        return name_.starts_with('#') && locator.name == name_.substr(1);
      case LocatorKind::kMessage: {
        constexpr std::string_view kPart = "part";
        if (!name_.starts_with(kPart)) return false;
        const std::string_view part = name_.substr(kPart.size());
        return locator.range == part || (locator.range.starts_with(part) &&
                                         locator.range.substr(part.size()).starts_with('.'));
      }
      case LocatorKind::kChapter:
        if (name_.starts_with('#')) return locator.name == name_.substr(1);
        [[fallthrough]];
      default:
        return kind_ == locator.kind && number_ == locator.number;
    }
  }

 private:
  std::string_view name_;
  std::string_view sheet_;
  std::optional<CellRange> cells_;
  std::optional<LocatorKind> kind_;
  int64_t number_ = 0;
};

}  // namespace

std::string_view OutcomeName(ExtractOutcome outcome) {
  constexpr std::string_view kNames[] = {"text",        "no_text", "encrypted", "too_large",
                                         "unsupported", "damaged", "timed_out", "crashed"};
  return kNames[static_cast<size_t>(outcome)];
}

std::string_view LocatorKindName(LocatorKind kind) { return NamesOf(kind).name; }

std::string LocatorText(const Locator& first, const Locator& last) {
  if (first == last) return OneLocator(first);
  if (first.kind != last.kind) return OneLocator(first) + " to " + OneLocator(last);
  const KindNames& names = NamesOf(first.kind);
  switch (first.kind) {
    case LocatorKind::kSheet: {
      if (first.name != last.name) break;
      const auto from = ParseCellRange(first.range);
      const auto to = ParseCellRange(last.range);
      if (!from || !to) break;
      return first.name + "!" + first.range.substr(0, first.range.find(':')) + ":" +
             last.range.substr(last.range.find(':') + 1);
    }
    case LocatorKind::kElement:
      break;
    case LocatorKind::kMessage:
      return std::string(names.several) + first.range + "-" + last.range;
    case LocatorKind::kChapter:
      break;
    default:
      if (first.number == last.number) {
        return std::string(names.one) + std::to_string(first.number);
      }
      return std::string(names.several) + std::to_string(first.number) + "-" +
             std::to_string(last.number);
  }
  return OneLocator(first) + " to " + OneLocator(last);
}

std::string LocatorName(const Locator& locator) {
  const KindNames& names = NamesOf(locator.kind);
  switch (locator.kind) {
    case LocatorKind::kSheet:
      return OneLocator(locator);
    case LocatorKind::kElement:
      return "#" + locator.name;
    case LocatorKind::kMessage:
      return std::string(names.reference) + locator.range;
    default:
      return std::string(names.reference) + std::to_string(locator.number);
  }
}

std::optional<std::pair<uint64_t, uint64_t>> FindLocator(const std::vector<LocatorSpan>& spans,
                                                         std::string_view name) {
  const NamedPlace place(name);
  std::optional<std::pair<uint64_t, uint64_t>> found;
  for (const LocatorSpan& span : spans) {
    if (!place.Names(span.locator)) continue;
    if (!found) found.emplace(span.start, span.end);
    found->second = span.end;
  }
  return found;
}

std::optional<std::pair<Locator, Locator>> LocatorsOf(const std::vector<LocatorSpan>& spans,
                                                      uint64_t start, uint64_t end) {
  const auto first = std::partition_point(
      spans.begin(), spans.end(), [&](const LocatorSpan& span) { return span.end <= start; });
  const auto after = std::partition_point(
      first, spans.end(), [&](const LocatorSpan& span) { return span.start < end; });
  if (first == after) return std::nullopt;
  return std::pair(first->locator, std::prev(after)->locator);
}

std::optional<CellRange> ParseCellRange(std::string_view text) {
  CellRange range;
  if (!TakeCell(&text, &range.first_column, &range.first_row)) return std::nullopt;
  range.last_column = range.first_column;
  range.last_row = range.first_row;
  if (text.starts_with(':')) {
    text.remove_prefix(1);
    if (!TakeCell(&text, &range.last_column, &range.last_row)) return std::nullopt;
  }
  if (!text.empty() || range.last_column < range.first_column || range.last_row < range.first_row) {
    return std::nullopt;
  }
  return range;
}

}  // namespace recall
