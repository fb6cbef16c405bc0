#include "cli/show/html/html.h"

#include <algorithm>
#include <cstdio>

#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

// The colours are pairs for a light and a dark background, each with a contrast of at least 3 : 1.
// The last one is that of unused space.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1d2430; --faint: #5b6575; --line: #d9dde4; --hover: #f3f5f8;
  --c0: #2a6fbb; --c1: #c2581a; --c2: #2b8a57; --c3: #7b52ab; --c4: #b8383d; --c5: #14808f;
  --c6: #7a7413; --c7: #a3478c; --c8: #b9c0ca; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #15181d; --ink: #e4e8ee; --faint: #9aa4b2; --line: #343b46; --hover: #1e232b;
  --c0: #6aa9f0; --c1: #f0a05a; --c2: #63c58f; --c3: #b692e6; --c4: #f08489; --c5: #58c6d6;
  --c6: #c9c35a; --c7: #e08cc8; --c8: #4a525e; } }
body { background: var(--paper); color: var(--ink); margin: 2rem auto; max-width: 60rem;
  padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .25rem; }
p { margin: 0 0 .25rem; }
.facts, .note, figcaption { color: var(--faint); overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { color: var(--faint); font-weight: 600; }
td.right, th.right { text-align: right; white-space: nowrap; }
tbody tr:hover { background: var(--hover); }
.track { display: inline-block; width: 10rem; height: .7rem; }
.track span { display: block; height: 100%; min-width: 1px; border-radius: 2px; }
summary { cursor: pointer; color: var(--faint); }
svg { display: block; width: 100%; min-width: 44rem; height: auto; margin: .5rem 0; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .quiet { fill: var(--faint); font-size: 11px; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: var(--ink); stroke-width: 1; }
svg .whisker { stroke-width: 2; }
svg .hollow { fill: var(--paper); stroke-width: 1.5; }
svg .earlier { opacity: .45; }
svg rect.fill { stroke: none; }
)";

std::string ColorRules() {
  std::string rules;
  for (size_t i = 0; i < kSeriesColors; ++i) {
    const std::string name = "c" + std::to_string(i);
    rules += "." + name + " { fill: var(--" + name + "); stroke: var(--" + name +
             "); background: var(--" + name + "); }\n";
  }
  return rules;
}

std::string Percent(double share) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.1f%%", std::clamp(share, 0.0, 1.0) * 100);
  return text;
}

std::string CellHtml(const HtmlCell& cell, std::string_view name, bool right) {
  std::string content = HtmlText(cell.text);
  if (cell.share >= 0) {
    const std::string style =
        "class=\"" + SeriesClass(cell.series) + "\" style=\"width: " + Percent(cell.share) + "\"";
    content += HtmlElement("span", "class=\"track\"", HtmlElement("span", style, " "));
  }
  return HtmlElement(name, right ? "class=\"right\"" : "", content);
}

}  // namespace

std::string SeriesClass(size_t series) { return "c" + std::to_string(series % kSeriesColors); }

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : EscapeLine(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  // U+FFFE and U+FFFF are no characters of XML.
  for (const char* const none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (size_t at = out.find(none); at != out.npos; at = out.find(none)) {
      out.replace(at, 3, "\xEF\xBF\xBD");
    }
  }
  return out;
}

std::string HtmlElement(std::string_view name, std::string_view attributes,
                        std::string_view content) {
  std::string out = "<" + std::string(name);
  if (!attributes.empty()) out += " " + std::string(attributes);
  if (content.empty()) return out + "/>";
  return out + ">" + std::string(content) + "</" + std::string(name) + ">";
}

std::string HtmlTable(const std::vector<std::vector<HtmlCell>>& rows,
                      const std::vector<bool>& right) {
  std::string head;
  std::string body;
  for (size_t row = 0; row < rows.size(); ++row) {
    std::string cells;
    for (size_t i = 0; i < rows[row].size(); ++i) {
      // An empty element would have to be written in the short form, which HTML does not know.
      cells += CellHtml(
          rows[row][i].text.empty() && rows[row][i].share < 0 ? HtmlCell(" ") : rows[row][i],
          row == 0 ? "th" : "td", right[i]);
    }
    (row == 0 ? head : body) += HtmlElement("tr", "", cells) + "\n";
  }
  std::string table = HtmlElement("thead", "", "\n" + head);
  if (!body.empty()) table += "\n" + HtmlElement("tbody", "", "\n" + body);
  return HtmlElement("div", "class=\"wide\"", HtmlElement("table", "", "\n" + table + "\n")) + "\n";
}

std::string HtmlSection(std::string_view heading, std::string_view note, std::string_view content) {
  std::string body = "\n" + HtmlElement("h2", "", HtmlText(heading)) + "\n";
  if (!note.empty()) body += HtmlElement("p", "class=\"note\"", HtmlText(note)) + "\n";
  return HtmlElement("section", "", body + std::string(content)) + "\n";
}

std::string HtmlPage(std::string_view title, const std::vector<std::string>& facts,
                     std::string_view body) {
  std::string head =
      "\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  head += HtmlElement("title", "", HtmlText(title)) + "\n";
  head += HtmlElement("style", "", std::string(kStyle) + ColorRules()) + "\n";
  std::string content = "\n" + HtmlElement("h1", "", HtmlText(title)) + "\n";
  for (const std::string& fact : facts) {
    content += HtmlElement("p", "class=\"facts\"", HtmlText(fact)) + "\n";
  }
  content += body;
  return "<!DOCTYPE html>\n" +
         HtmlElement("html", "lang=\"en\"",
                     "\n" + HtmlElement("head", "", head) + "\n" +
                         HtmlElement("body", "", content) + "\n") +
         "\n";
}

}  // namespace recall
