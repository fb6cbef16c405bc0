#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "cli/terminal/signals.h"

namespace recall {
namespace {

std::string Hex(uint32_t value) {
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", value);
  return text;
}

template <typename T>
Json JsonOrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json SpaceJson(const InspectReport::Space& space) {
  return {{"id", space.id},
          {"embedder", space.embedder},
          {"version", space.version},
          {"dim", space.dim},
          {"model", space.model > 0 ? Json(space.model) : Json(nullptr)},
          {"since", JsonOrNull(space.since)},
          {"in_force", space.in_force},
          {"segments", space.segments},
          {"vectors", space.vectors},
          {"tail_vectors", space.delta_vectors},
          {"bytes", space.bytes}};
}

Json SegmentJson(const InspectReport::Segment& segment) {
  if (!segment.fault.empty()) {
    return {{"id", segment.id}, {"space", segment.space}, {"fault", segment.fault}};
  }
  Json sections = Json::array();
  for (const auto& section : segment.sections) {
    sections.push_back({{"name", section.name},
                        {"items", section.items},
                        {"item_bytes", section.item_bytes},
                        {"first_page", section.first_page},
                        {"pages", section.pages},
                        {"offset", section.offset},
                        {"bytes", section.bytes},
                        {"checksum", section.checksum ? Json(Hex(*section.checksum)) : Json()}});
  }
  return {{"id", segment.id},
          {"space", segment.space},
          {"fault", nullptr},
          {"level", segment.level},
          {"vectors", segment.vectors},
          {"removed", segment.removed},
          {"min_chunk", segment.min_chunk},
          {"max_chunk", segment.max_chunk},
          {"dim", segment.dim},
          {"pages", segment.pages},
          {"bytes", segment.bytes},
          {"header_checksum", Hex(segment.header_checksum)},
          {"sections", std::move(sections)}};
}

Json ReportJson(const InspectReport& report, const std::string& path) {
  Json tables = Json::array();
  for (const auto& tree : report.trees) {
    tables.push_back({{"name", tree.name},
                      {"kind", tree.kind},
                      {"rows", JsonOrNull(tree.rows)},
                      {"pages", JsonOrNull(tree.pages)}});
  }
  Json levels = Json::array();
  for (const auto& level : report.lexicon) {
    levels.push_back({{"runs", level.runs}, {"pages", level.pages}});
  }
  Json spaces = Json::array();
  for (const auto& space : report.spaces) spaces.push_back(SpaceJson(space));
  Json segments = Json::array();
  for (const auto& segment : report.segments) segments.push_back(SegmentJson(segment));
  return {{"store", path},
          {"bytes", report.bytes},
          {"format_version", report.format_version},
          {"page_size", report.page_size},
          {"pages", report.pages},
          {"free_pages", report.free_pages},
          {"journal", report.journal},
          {"wal_bytes", report.wal_bytes},
          {"snapshot", TextOrNull(report.snapshot)},
          {"oldest_snapshot", TextOrNull(report.oldest_snapshot)},
          {"tables", std::move(tables)},
          {"lexicon", {{"fault", TextOrNull(report.lexicon_fault)}, {"levels", std::move(levels)}}},
          {"spaces", {{"fault", TextOrNull(report.spaces_fault)}, {"rows", std::move(spaces)}}},
          {"segments", std::move(segments)},
          {"tail_vectors", report.delta_vectors}};
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
  text += space.dim > 0 ? " of " + Plural(space.dim, "dimension") : ", token counts alone";
  if (space.model > 0) text += ", model " + std::to_string(space.model);
  if (space.since) {
    text += ", since commit " + std::to_string(*space.since);
    text += space.in_force ? ", in force" : ", no longer in force";
  } else {
    text += ", being filled";
  }
  return text + ": " + Plural(space.segments, "segment") + ", " + Plural(space.vectors, "vector") +
         " (" + std::to_string(space.delta_vectors) + " in the tail), " +
         Plural(space.bytes, "byte") + "\n";
}

std::string SegmentText(const InspectReport::Segment& segment) {
  const auto number = [](int64_t value) { return std::to_string(value); };
  std::string text = "segment " + number(segment.id);
  if (segment.space > 0) text += " of space " + number(segment.space);
  text += ": ";
  if (!segment.fault.empty()) return text + "damaged: " + EscapeLine(segment.fault) + "\n";
  text += "level " + number(segment.level) + ", " + Plural(segment.vectors, "vector") + " (" +
          number(segment.removed) + " removed) of " + number(segment.dim) +
          " dimensions, chunk rows " + number(segment.min_chunk) + " to " +
          number(segment.max_chunk) + ", " + Plural(segment.pages, "page") + ", header " +
          Hex(segment.header_checksum) + "\n";
  text += InspectRow("section", {"items", "item bytes", "pages", "at byte", "bytes", "checksum"});
  for (const auto& section : segment.sections) {
    text += InspectRow(section.name,
                       {number(section.items), number(section.item_bytes), number(section.pages),
                        number(section.offset), number(section.bytes),
                        section.checksum ? Hex(*section.checksum) : "damaged"});
  }
  return text;
}

std::string ReportText(const InspectReport& report, const std::string& path, bool stable) {
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
  text += "\n" + InspectRow("table or index", {"rows", "pages"});
  for (const auto& tree : report.trees) {
    text += InspectRow(EscapeLine(tree.name), {NumberOrDash(tree.rows), NumberOrDash(tree.pages)});
  }
  text += "\n";
  if (!report.lexicon_fault.empty()) text += EscapeLine(report.lexicon_fault) + "\n";
  for (size_t level = 0; level < report.lexicon.size(); ++level) {
    text += "lexicon level " + std::to_string(level) + ": " +
            Plural(report.lexicon[level].runs, "run") + ", " +
            Plural(report.lexicon[level].pages, "page") + "\n";
  }
  if (!report.spaces_fault.empty()) text += EscapeLine(report.spaces_fault) + "\n";
  for (const auto& space : report.spaces) text += SpaceText(space);
  for (const auto& segment : report.segments) text += SegmentText(segment);
  return text + "tail: " + Plural(report.delta_vectors, "vector") + "\n";
}

class InspectCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet&, GlobalFlags&) override {}

  Result<ExitCode> Run(Session& session) override {
    const InterruptFlag interrupted;
    RECALL_ASSIGN(const InspectReport report,
                  Database::Inspect(
                      {.path = session.store_path, .busy_timeout_ms = session.busy_timeout_ms()},
                      interrupted.get()));
    if (session.json()) {
      JsonResponse response;
      response.own_key = "inspect";
      response.own = ReportJson(report, session.store_path);
      session.Send(std::move(response));
      return ExitCode::kDone;
    }
    session.PrintWarnings();
    session.out->Write(ReportText(report, session.store_path, session.flags.stable));
    return ExitCode::kDone;
  }
};

}  // namespace

const CommandInfo kInspectCommand = {
    "inspect",
    "[OPTIONS]",
    "show the structure of the file: tables, pages, vector spaces, segments",
    "  recall inspect\n"
    "  recall inspect --json | jq '.inspect.segments[].vectors'\n",
    "For work on the file format (docs/format): SQLite's tables and indexes with their rows and\n"
    "pages, the sorted runs of the full-text index by level, each vector space, and each vector\n"
    "segment with its sections, their offsets and checksums. `recall doctor` checks whether the\n"
    "file is correct.\n",
    [] { return std::unique_ptr<Command>(new InspectCommand); }};

}  // namespace recall
