// The page of `inspect --html`: a map of the pages of the file by owner, then tables of what the
// file contains, the active vector space first. Text and numbers come from
// cli/show/output/inspect_output.

#include "cli/show/pages/inspect_page.h"

#include <algorithm>

#include "cli/show/html/charts.h"
#include "cli/show/html/html.h"
#include "cli/show/output/inspect_output.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr int64_t kMostCells = 110 * 24;

std::string Digits(int64_t value) { return std::to_string(value); }

std::string MapSection(const InspectReport& report) {
  const int64_t pages = std::max<int64_t>((report.pages + kMostCells - 1) / kMostCells, 1);
  CellMap map;
  map.title = "Map of the file: the owner of each page, from the first page to the last";
  int64_t first = 1;
  for (const size_t owner : PageMapCells(report, pages)) {
    if (map.runs.empty() || map.runs.back().series != owner) map.runs.push_back({owner, 0, ""});
    ++map.runs.back().cells;
  }
  for (CellMap::Run& run : map.runs) {
    const int64_t last = std::min(first + run.cells * pages - 1, report.pages);
    run.title = "pages " + Digits(first) + " to " + Digits(last) + ": " +
                std::string(kPageOwners[run.series]);
    first = last + 1;
  }
  const std::string unit = pages == 1 ? "Each cell is a page of "
                                      : "Each cell is " + Digits(pages) +
                                            " pages, in the colour of "
                                            "whoever owns most of them; a page has ";
  const std::vector<std::string> names(kPageOwners.begin(), kPageOwners.end());
  return HtmlSection("Map of the file",
                     unit + Digits(report.page_size) + " bytes. The first page is at the top left.",
                     LegendSvg(names) + CellMapSvg(map));
}

std::string OwnerSection(const InspectReport& report, bool stable) {
  std::vector<std::vector<HtmlCell>> rows = {{"owner", "pages", "size", "share", ""}};
  const std::vector<OwnerPages> owners = PagesByOwner(report);
  int64_t total = 0;
  int64_t most = 1;
  for (const OwnerPages& owner : owners) {
    total += owner.pages;
    most = std::max(most, owner.pages);
  }
  for (size_t i = 0; i < owners.size(); ++i) {
    if (stable && i + 1 == owners.size()) continue;
    const auto pages = static_cast<double>(owners[i].pages);
    const double share = pages / static_cast<double>(std::max<int64_t>(total, 1));
    rows.push_back({std::string(owners[i].name), Digits(owners[i].pages),
                    FormatBytes(owners[i].bytes), FormatNumber("%.1f %%", share * 100),
                    HtmlCell("", pages / static_cast<double>(most), i)});
    if (stable) rows.back()[3] = "";
  }
  return HtmlSection("Pages by owner", "", HtmlTable(rows, {false, true, true, true, false}));
}

std::string SpaceSection(const InspectReport& report) {
  std::vector<std::vector<HtmlCell>> rows = {{"space", "state", "embedder", "version", "dimensions",
                                              "segments", "vectors", "in the delta", "size"}};
  for (const InspectReport::Space& space : ActiveFirst(report.spaces)) {
    std::string state = "being computed";
    if (space.since) {
      state = (space.in_force ? "active since commit " : "no longer active, since commit ") +
              Digits(*space.since);
    }
    rows.push_back({Digits(space.id), state, space.embedder, space.version,
                    space.dim > 0 ? Digits(space.dim) : "token counts only", Digits(space.segments),
                    Digits(space.vectors), Digits(space.delta_vectors), FormatBytes(space.bytes)});
  }
  return HtmlSection("Vector spaces",
                     report.spaces_fault.empty() ? "Searches of the present use the active one."
                                                 : report.spaces_fault,
                     HtmlTable(rows, {true, false, false, false, true, true, true, true, true}));
}

std::string SectionTable(const InspectReport::Segment& segment) {
  std::vector<std::vector<HtmlCell>> rows = {
      {"section", "items", "item bytes", "pages", "at byte", "bytes", "checksum"}};
  for (const InspectReport::Section& section : segment.sections) {
    rows.push_back({section.name, Digits(section.items), Digits(section.item_bytes),
                    Digits(section.pages), Digits(section.offset), Digits(section.bytes),
                    section.checksum ? HexChecksum(*section.checksum) : "damaged"});
  }
  return HtmlTable(rows, {false, true, true, true, true, true, false});
}

std::string SegmentSection(const InspectReport& report) {
  std::vector<std::vector<HtmlCell>> rows = {{"segment", "space", "level", "vectors", "removed",
                                              "dimensions", "chunk rowids", "pages", "size"}};
  std::string details;
  for (const InspectReport::Segment& segment : report.segments) {
    if (!segment.fault.empty()) {
      rows.push_back({Digits(segment.id), Digits(segment.space), "damaged: " + segment.fault, "",
                      "", "", "", "", ""});
      continue;
    }
    rows.push_back({Digits(segment.id), Digits(segment.space), Digits(segment.level),
                    Digits(segment.vectors), Digits(segment.removed), Digits(segment.dim),
                    Digits(segment.min_chunk) + " to " + Digits(segment.max_chunk),
                    Digits(segment.pages), FormatBytes(segment.bytes)});
    details +=
        HtmlElement(
            "details", "",
            HtmlElement("summary", "",
                        HtmlText("segment " + Digits(segment.id) + ": sections and checksums")) +
                "\n" + SectionTable(segment)) +
        "\n";
  }
  const std::string delta =
      Plural(report.delta_vectors, "vector") + " not yet in a segment (delta).";
  return HtmlSection(
      "Vector segments", delta,
      HtmlTable(rows, {true, true, true, true, true, true, false, true, true}) + details);
}

std::string TableSection(const InspectReport& report) {
  std::vector<std::vector<HtmlCell>> rows = {{"table or index", "kind", "rows", "pages"}};
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? Digits(*value) : std::string("-");
  };
  for (const InspectReport::Tree& tree : report.trees) {
    rows.push_back({tree.name, tree.kind, number(tree.rows), number(tree.pages)});
  }
  std::string runs = report.lexicon_fault;
  for (size_t level = 0; level < report.lexicon.size(); ++level) {
    runs += (level == 0 ? "Full-text index: level " : "; level ") + std::to_string(level) +
            " has " + Plural(report.lexicon[level].runs, "run") + " of " +
            Plural(report.lexicon[level].pages, "page");
  }
  return HtmlSection("Tables and indexes", runs.empty() ? "" : runs + ".",
                     HtmlTable(rows, {false, false, true, true}));
}

}  // namespace

std::string InspectPage(const InspectReport& report, const std::string& path, bool stable) {
  std::vector<std::string> facts = {path, "Format " + Digits(report.format_version) +
                                              ", pages of " + Digits(report.page_size) + " bytes"};
  if (!stable) {
    facts.back() += ": " + Plural(report.pages, "page") + " (" + FormatBytes(report.bytes) + "), " +
                    Digits(report.free_pages) + " of them free; " + report.journal + " of " +
                    FormatBytes(report.wal_bytes);
  }
  if (!report.snapshot.empty()) {
    facts.push_back("Snapshots " + report.oldest_snapshot + " to " + report.snapshot);
  }
  std::string body;
  if (!report.map.empty()) {
    if (!stable) body += MapSection(report);
    body += OwnerSection(report, stable);
  }
  body += SpaceSection(report) + SegmentSection(report) + TableSection(report);
  return HtmlPage("Structure of a Recall store", facts, body);
}

}  // namespace recall
