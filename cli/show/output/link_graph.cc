#include "cli/show/output/link_graph.h"

#include <cstdio>
#include <map>

#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

std::string LabelOf(const LinkedDocument& document) {
  return document.title.empty() ? document.path : document.title;
}

// In Mermaid a label is HTML between quotes; entities stand for what would end it.
std::string MermaidText(std::string_view text) {
  std::string escaped;
  for (const char c : EscapeLine(text)) {
    switch (c) {
      case '"':
        escaped += "#quot;";
        break;
      case '#':
        escaped += "#35;";
        break;
      case '<':
        escaped += "#lt;";
        break;
      case '>':
        escaped += "#gt;";
        break;
      case '|':
        escaped += "#124;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string DotText(std::string_view text) {
  std::string escaped = "\"";
  for (const char c : EscapeLine(text)) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped + "\"";
}

std::map<std::string, std::string> NodesOf(const LinksReport& report) {
  std::map<std::string, std::string> nodes;
  for (size_t i = 0; i < report.documents.size(); ++i) {
    nodes[report.documents[i].path] = "n" + std::to_string(i);
  }
  return nodes;
}

std::string ShortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2g", value);
  return text;
}

}  // namespace

std::string FormatMermaid(const LinksReport& report) {
  const auto nodes = NodesOf(report);
  std::string text = "graph LR\n";
  for (const LinkedDocument& document : report.documents) {
    text += "  " + nodes.at(document.path) + "[\"" + MermaidText(LabelOf(document)) + "\"]\n";
  }
  for (const LinkRecord& link : report.links) {
    text += "  " + nodes.at(link.source) + " -->|" + MermaidText(link.relation) + "| " +
            nodes.at(link.target) + "\n";
  }
  std::string missing;
  for (const LinkedDocument& document : report.documents) {
    if (document.missing) missing += (missing.empty() ? "" : ",") + nodes.at(document.path);
  }
  if (!missing.empty()) {
    text += "  classDef missing stroke-dasharray: 4\n  class " + missing + " missing\n";
  }
  return text;
}

std::string FormatDot(const LinksReport& report) {
  const auto nodes = NodesOf(report);
  std::string text = "digraph links {\n  rankdir=LR;\n  node [shape=box];\n";
  for (const LinkedDocument& document : report.documents) {
    text += "  " + nodes.at(document.path) + " [label=" + DotText(LabelOf(document)) +
            ", tooltip=" + DotText(document.path) + (document.missing ? ", style=dashed" : "") +
            "];\n";
  }
  for (const LinkRecord& link : report.links) {
    text += "  " + nodes.at(link.source) + " -> " + nodes.at(link.target) +
            " [label=" + DotText(link.relation) + "];\n";
  }
  return text + "}\n";
}

std::string FormatLinks(const LinksReport& report, bool central) {
  std::string text;
  for (const LinkedDocument& document : report.documents) {
    text += std::string(2 * static_cast<size_t>(document.depth), ' ') + EscapeLine(document.path);
    if (!document.title.empty()) text += "  " + EscapeLine(document.title);
    if (document.missing) text += "  (missing)";
    if (document.obsolete) text += "  (obsolete)";
    text += '\n';
  }
  if (!report.links.empty()) text += '\n';
  for (const LinkRecord& link : report.links) {
    text += EscapeLine(link.source) + "  " + link.relation + "  " + EscapeLine(link.target);
    if (link.weight != 1) text += "  " + ShortNumber(link.weight);
    if (link.origin != "user") text += "  [" + link.origin + "]";
    if (link.reason) text += "  " + EscapeLine(*link.reason);
    text += '\n';
  }
  if (central) text += "centrality " + ShortNumber(report.centrality) + "\n";
  return text;
}

}  // namespace recall
