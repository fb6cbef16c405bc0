#include "index/source/extract/ooxml/drawing_text.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "index/source/extract/markdown/markdown_writer.h"

namespace recall {
namespace {

// Appends the paragraphs in `root` to `paragraphs`. Recursion: as deep as elements may be nested.
void CollectDrawingParagraphs(XmlNode root, std::vector<std::string>* paragraphs) {
  for (XmlNode node = root; node;) {
    bool skip = true;
    if (node.name() == "a:p") {
      std::string text = DrawingParagraph(node);
      if (!OneLine(text).empty()) paragraphs->push_back(std::move(text));
    } else if (node.name() == "mc:AlternateContent") {
      CollectDrawingParagraphs(ChosenContent(node), paragraphs);
    } else {
      skip = false;
    }
    node = node.NextInDocument(root, skip);
  }
}

// Appends the values in `root`, which are copies that the file keeps for display.
void CollectValues(XmlNode root, std::vector<std::string>* values) {
  for (XmlNode node = root; node; node = node.NextInDocument(root)) {
    if (node.name() == "c:v") values->push_back(node.TextContent());
  }
}

}  // namespace

std::string DrawingParagraph(XmlNode paragraph) {
  std::string text;
  for (XmlNode node = paragraph; node;) {
    const std::string_view name = node.name();
    const bool properties = name == "a:pPr" || name == "a:rPr" || name == "a:endParaRPr";
    if (name == "a:br") text += '\n';
    if (name == "a:t" || name == "m:t") text += node.TextContent();
    if (name == "mc:AlternateContent") text += DrawingParagraph(ChosenContent(node));
    node = node.NextInDocument(
        paragraph, properties || name == "a:t" || name == "m:t" || name == "mc:AlternateContent");
  }
  return text;
}

std::vector<std::string> DrawingParagraphs(XmlNode root) {
  std::vector<std::string> paragraphs;
  CollectDrawingParagraphs(root, &paragraphs);
  return paragraphs;
}

std::vector<std::string> ChartTexts(XmlNode chart) {
  std::vector<std::string> texts = DrawingParagraphs(chart);
  std::vector<std::string> categories;
  for (XmlNode node = chart; node; node = node.NextInDocument(chart)) {
    if (node.name() == "c:ser") CollectValues(node.Child("c:tx"), &texts);
    if (node.name() == "c:cat" && categories.empty()) CollectValues(node, &categories);
  }
  texts.insert(texts.end(), categories.begin(), categories.end());
  std::unordered_set<std::string> seen;
  std::erase_if(texts, [&seen](const std::string& text) {
    return OneLine(text).empty() || !seen.insert(text).second;
  });
  return texts;
}

Result<std::vector<std::string>> GraphicTexts(OoxmlPackage* package, XmlNode graphic,
                                              const OoxmlRelations& relations) {
  std::vector<std::string> texts;
  for (XmlNode node = graphic; node; node = node.NextInDocument(graphic)) {
    const bool is_chart = node.name() == "c:chart" && node.HasAttribute("r:id");
    if (!is_chart && node.name() != "dgm:relIds") continue;
    const std::string part = relations.TargetOfId(node.Attribute(is_chart ? "r:id" : "r:dm"));
    RECALL_ASSIGN(const auto tree, package->ReadOptional(part));
    if (!tree) continue;
    auto found = is_chart ? ChartTexts(tree->root()) : DrawingParagraphs(tree->root());
    texts.insert(texts.end(), std::move_iterator(found.begin()), std::move_iterator(found.end()));
  }
  return texts;
}

}  // namespace recall
