#include "index/source/extract/html/html_name_flags.h"

#include <iterator>

namespace recall {
namespace {

struct HtmlNamePart {
  std::string_view part;
  uint8_t flags;
};

// The parts of Readability, except "and" among the unlikely ones: "brand" contains it.
constexpr HtmlNamePart kHtmlNameParts[] = {
    {"-ad-", kUnlikely | kNegative},
    {"ai2html", kUnlikely},
    {"banner", kUnlikely | kNegative},
    {"breadcrumb", kUnlikely},
    {"combx", kUnlikely | kNegative},
    {"comment", kUnlikely | kNegative},
    {"community", kUnlikely},
    {"cover-wrap", kUnlikely},
    {"disqus", kUnlikely},
    {"extra", kUnlikely},
    {"footer", kUnlikely | kNegative},
    {"gdpr", kUnlikely | kNegative},
    {"header", kHeader},
    {"legends", kUnlikely},
    {"menu", kUnlikely},
    {"related", kUnlikely | kNegative},
    {"remark", kUnlikely},
    {"replies", kUnlikely},
    {"rss", kUnlikely},
    {"shoutbox", kUnlikely | kNegative},
    {"sidebar", kUnlikely | kNegative},
    {"skyscraper", kUnlikely | kNegative},
    {"social", kUnlikely},
    {"sponsor", kUnlikely | kNegative},
    {"supplemental", kUnlikely},
    {"ad-break", kUnlikely},
    {"agegate", kUnlikely},
    {"pagination", kUnlikely | kPositive},
    {"pager", kUnlikely},
    {"popup", kUnlikely},
    {"yom-remote", kUnlikely},
    {"and", kMaybe},
    {"article", kMaybe | kPositive},
    {"body", kMaybe | kPositive},
    {"column", kMaybe},
    {"content", kMaybe | kPositive},
    {"main", kMaybe | kPositive},
    {"shadow", kMaybe},
    {"mathjax", kMaybe},
    {"entry", kPositive},
    {"page", kPositive},
    {"post", kPositive},
    {"text", kPositive},
    {"blog", kPositive},
    {"story", kPositive},
    {"hidden", kNegative},
    {"com-", kNegative},
    {"contact", kNegative},
    {"masthead", kNegative},
    {"media", kNegative},
    {"meta", kNegative},
    {"outbrain", kNegative},
    {"promo", kNegative},
    {"scroll", kNegative},
    {"share", kNegative | kShare},
    {"shopping", kNegative},
    {"tags", kNegative},
    {"widget", kNegative},
};

}  // namespace

HtmlNameJudge::HtmlNameJudge() {
  static_assert(std::size(kHtmlNameParts) <= kMaxParts);
  for (size_t i = std::size(kHtmlNameParts); i-- > 0;) {
    const auto first = static_cast<uint8_t>(kHtmlNameParts[i].part[0]);
    next_[i] = first_[first];
    first_[first] = static_cast<uint8_t>(i + 1);
  }
}

uint8_t HtmlNameJudge::Flags(std::string_view name) {
  if (name.empty()) return 0;
  const auto [known, is_new] = flags_.try_emplace(name, 0);
  if (is_new) known->second = Judge(name);
  return known->second;
}

uint8_t HtmlNameJudge::Judge(std::string_view name) {
  lower_.assign(name);
  for (char& c : lower_) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  uint8_t flags = 0;
  const std::string_view view = lower_;
  for (size_t i = 0; i < view.size(); ++i) {
    for (uint8_t p = first_[static_cast<uint8_t>(view[i])]; p != 0; p = next_[p - 1]) {
      const HtmlNamePart& part = kHtmlNameParts[p - 1];
      if (view.substr(i, part.part.size()) == part.part) flags |= part.flags;
    }
  }
  return flags;
}

}  // namespace recall
