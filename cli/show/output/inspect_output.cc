// Prints what `inspect` found in a store, as text and as JSON. The text begins with what most
// readers ask: who owns the pages, as bars and as a map of letters; checksums are left to
// --verbose. The page of `inspect --html` uses the same sums (PagesByOwner, PageMapCells).

#include "cli/show/output/inspect_output.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/show/output/explain_text.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

std::string Hex(uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", value);
  return text;
}

void WriteFields(const InspectReport::Tree& tree, JsonWriter& json) {
  json.Field("name", tree.name);
  json.Field("kind", tree.kind);
  json.Field("rows", tree.rows);
  json.Field("pages", tree.pages);
}

void WriteFields(const InspectReport::LexiconLevel& level, JsonWriter& json) {
  json.Field("runs", level.runs);
  json.Field("pages", level.pages);
}

void WriteFields(const InspectReport::Space& space, JsonWriter& json) {
  json.Field("id", space.id);
  json.Field("embedder", space.embedder);
  json.Field("version", space.version);
  json.Field("dim", space.dim);
  json.Field("model", space.model > 0 ? std::optional(space.model) : std::nullopt);
  json.Field("since", space.since);
  json.Field("in_force", space.in_force);
  json.Field("segments", space.segments);
  json.Field("vectors", space.vectors);
  json.Field("tail_vectors", space.delta_vectors);
  json.Field("bytes", space.bytes);
}

void WriteFields(const InspectReport::Section& section, JsonWriter& json) {
  json.Field("name", section.name);
  json.Field("items", section.items);
  json.Field("item_bytes", section.item_bytes);
  json.Field("first_page", section.first_page);
  json.Field("pages", section.pages);
  json.Field("offset", section.offset);
  json.Field("bytes", section.bytes);
  json.FieldOrNull("checksum", section.checksum ? Hex(*section.checksum) : "");
}

void WriteFields(const InspectReport::Segment& segment, JsonWriter& json) {
  json.Field("id", segment.id);
  json.Field("space", segment.space);
  json.FieldOrNull("fault", segment.fault);
  if (!segment.fault.empty()) return;
  json.Field("level", segment.level);
  json.Field("vectors", segment.vectors);
  json.Field("removed", segment.removed);
  json.Field("min_chunk", segment.min_chunk);
  json.Field("max_chunk", segment.max_chunk);
  json.Field("dim", segment.dim);
  json.Field("pages", segment.pages);
  json.Field("bytes", segment.bytes);
  json.Field("header_checksum", Hex(segment.header_checksum));
  json.Objects("sections", segment.sections,
               [&](const auto& section) { WriteFields(section, json); });
}

// A row of a table; the first column is left-aligned text.
std::string InspectRow(const std::string& name, std::initializer_list<std::string> cells) {
  std::string line = "  " + name + std::string(name.size() < 22 ? 22 - name.size() : 1, ' ');
  for (const std::string& cell : cells) {
    line += std::string(cell.size() < 12 ? 12 - cell.size() : 1, ' ') + cell;
  }
  return line + "\n";
}

std::string NumberOrDash(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "-";
}

std::string SpaceText(const InspectReport::Space& space) {
  std::string text = "space " + std::to_string(space.id) + ": " + EscapeLine(space.embedder) +
                     " version " + EscapeLine(space.version);
  text += space.dim > 0 ? " of " + Plural(space.dim, "dimension") : ", token counts only";
  if (space.model > 0) text += ", model " + std::to_string(space.model);
  if (space.since) {
    text += ", since commit " + std::to_string(*space.since);
    text += space.in_force ? ", active" : ", no longer active";
  } else {
    text += ", being computed";
  }
  return text + ": " + Plural(space.segments, "segment") + ", " + Plural(space.vectors, "vector") +
         " (" + std::to_string(space.delta_vectors) + " in the delta), " +
         Plural(space.bytes, "byte") + "\n";
}

std::string SegmentText(const InspectReport::Segment& segment, bool verbose) {
  const auto number = [](int64_t value) { return std::to_string(value); };
  std::string text = "segment " + number(segment.id);
  if (segment.space > 0) text += " of space " + number(segment.space);
  text += ": ";
  if (!segment.fault.empty()) return text + "damaged: " + EscapeLine(segment.fault) + "\n";
  text += "level " + number(segment.level) + ", " + Plural(segment.vectors, "vector") + " (" +
          number(segment.removed) + " removed) of " + number(segment.dim) +
          " dimensions, chunk rowids " + number(segment.min_chunk) + " to " +
          number(segment.max_chunk) + ", " + Plural(segment.pages, "page") + ", header " +
          Hex(segment.header_checksum) + "\n";
  if (!verbose) return text;
  text += InspectRow("section", {"items", "item bytes", "pages", "at byte", "bytes", "checksum"});
  for (const auto& section : segment.sections) {
    text += InspectRow(section.name,
                       {number(section.items), number(section.item_bytes), number(section.pages),
                        number(section.offset), number(section.bytes),
                        section.checksum ? Hex(*section.checksum) : "damaged"});
  }
  return text;
}

// The letters of the map, in the order of kPageOwners.
constexpr std::string_view kOwnerLetters = "TLDVFMHS.";
static_assert(kOwnerLetters.size() == kPageOwners.size());

std::string OwnersText(const InspectReport& report, bool stable, bool utf8) {
  const std::vector<OwnerPages> owners = PagesByOwner(report);
  int64_t most = 1;
  for (const OwnerPages& owner : owners) most = std::max(most, owner.pages);
  std::string text = "\n" + InspectRow("pages by owner", {"pages", "bytes"});
  for (size_t i = 0; i < owners.size(); ++i) {
    if (stable && i + 1 == owners.size()) continue;  // free pages depend on how the file grew
    const double share = static_cast<double>(owners[i].pages) / static_cast<double>(most);
    std::string row =
        InspectRow(std::string(1, kOwnerLetters[i]) + " " + std::string(owners[i].name),
                   {std::to_string(owners[i].pages), std::to_string(owners[i].bytes)});
    row.pop_back();
    text += row + (owners[i].pages > 0 ? "  " + TextBar(share, 24, utf8) : "") + "\n";
  }
  return text;
}

// One letter for each `pages` pages: the owner of most of them.
std::string MapText(const InspectReport& report) {
  constexpr size_t kColumns = 64;
  constexpr int64_t kMostCells = 8 * kColumns;
  const int64_t pages = std::max<int64_t>((report.pages + kMostCells - 1) / kMostCells, 1);
  std::string text = "\nmap of the file, one letter for " + Plural(pages, "page") + ":\n";
  const std::vector<size_t> cells = PageMapCells(report, pages);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i % kColumns == 0) text += i == 0 ? "  " : "\n  ";
    text += kOwnerLetters[cells[i]];
  }
  return text + "\n";
}

}  // namespace

std::vector<OwnerPages> PagesByOwner(const InspectReport& report) {
  std::vector<OwnerPages> owners;
  for (const std::string_view name : kPageOwners) owners.push_back({name, 0, 0});
  for (const InspectReport::PageRun& run : report.map) {
    owners[run.owner].pages += run.pages;
    owners[run.owner].bytes += run.pages * report.page_size;
  }
  return owners;
}

std::vector<size_t> PageMapCells(const InspectReport& report, int64_t pages_per_cell) {
  std::vector<size_t> cells;
  std::array<int64_t, kPageOwners.size()> counts{};
  int64_t filled = 0;
  const auto finish = [&] {
    const auto most = std::ranges::max_element(counts);
    cells.push_back(static_cast<size_t>(most - counts.begin()));
    counts = {};
    filled = 0;
  };
  for (const InspectReport::PageRun& run : report.map) {
    for (int64_t left = run.pages; left > 0;) {
      const int64_t taken = std::min(left, pages_per_cell - filled);
      counts[run.owner] += taken;
      filled += taken;
      left -= taken;
      if (filled == pages_per_cell) finish();
    }
  }
  if (filled > 0) finish();
  return cells;
}

std::vector<InspectReport::Space> ActiveFirst(std::vector<InspectReport::Space> spaces) {
  std::ranges::stable_partition(spaces, [](const auto& space) { return space.in_force; });
  return spaces;
}

std::string HexChecksum(uint32_t value) { return Hex(value); }

void WriteFields(const InspectReport& report, const std::string& path, JsonWriter& json) {
  const auto fields = [&](const auto& item) { WriteFields(item, json); };
  json.Field("store", path);
  json.Field("bytes", report.bytes);
  json.Field("format_version", report.format_version);
  json.Field("page_size", report.page_size);
  json.Field("pages", report.pages);
  json.Field("free_pages", report.free_pages);
  json.Field("journal", report.journal);
  json.Field("wal_bytes", report.wal_bytes);
  json.FieldOrNull("snapshot", report.snapshot);
  json.FieldOrNull("oldest_snapshot", report.oldest_snapshot);
  json.Objects("tables", report.trees, fields);
  json.Objects("owners", PagesByOwner(report), [&](const OwnerPages& owner) {
    json.Field("owner", owner.name);
    json.Field("pages", owner.pages);
    json.Field("bytes", owner.bytes);
  });
  json.Object("lexicon", [&] {
    json.FieldOrNull("fault", report.lexicon_fault);
    json.Objects("levels", report.lexicon, fields);
  });
  json.Object("spaces", [&] {
    json.FieldOrNull("fault", report.spaces_fault);
    json.Objects("rows", report.spaces, fields);
  });
  json.Objects("segments", report.segments, fields);
  json.Field("tail_vectors", report.delta_vectors);
}

std::string FormatInspectReport(const InspectReport& report, const std::string& path,
                                const InspectStyle& style) {
  const bool stable = style.stable;
  std::string text = EscapeLine(path) + ": format " + std::to_string(report.format_version) +
                     ", pages of " + std::to_string(report.page_size) + " bytes";
  if (!stable) {
    text += ": " + std::to_string(report.pages) + ", " + std::to_string(report.free_pages) +
            " of them free, " + report.journal + " of " + FormatBytes(report.wal_bytes);
  }
  text += "\n";
  if (!report.snapshot.empty()) {
    text += "snapshots " + report.oldest_snapshot + " to " + report.snapshot + "\n";
  }
  if (!report.map.empty()) {
    text += OwnersText(report, stable, style.utf8);
    if (!stable) text += MapText(report);
  }
  text += "\n" + InspectRow("table or index", {"rows", "pages"});
  for (const auto& tree : report.trees) {
    text += InspectRow(EscapeLine(tree.name), {NumberOrDash(tree.rows), NumberOrDash(tree.pages)});
  }
  text += "\n";
  if (!report.lexicon_fault.empty()) text += EscapeLine(report.lexicon_fault) + "\n";
  for (size_t level = 0; level < report.lexicon.size(); ++level) {
    text += "full-text index level " + std::to_string(level) + ": " +
            Plural(report.lexicon[level].runs, "run") + ", " +
            Plural(report.lexicon[level].pages, "page") + "\n";
  }
  if (!report.spaces_fault.empty()) text += EscapeLine(report.spaces_fault) + "\n";
  for (const auto& space : ActiveFirst(report.spaces)) text += SpaceText(space);
  for (const auto& segment : report.segments) text += SegmentText(segment, style.verbose);
  return text + "delta: " + Plural(report.delta_vectors, "vector") + "\n";
}

}  // namespace recall
