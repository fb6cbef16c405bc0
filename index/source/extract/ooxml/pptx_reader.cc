// Slides are read in the order of the presentation's list. On a slide the title comes first, then
// the shapes from the lowest to the highest, which is also the order in which programs read them
// aloud. Linear in the size of the parts.

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/ooxml/drawing_text.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/ooxml/ooxml_package.h"

namespace recall {
namespace {

class PptxReader final {
 public:
  PptxReader(OoxmlPackage* package, const ExtractLimits& limits)
      : package_(*package), writer_(limits) {}

  Result<Extraction> Read() {
    RECALL_ASSIGN(const std::string main, package_.MainPart());
    RECALL_ASSIGN(const OoxmlRelations relations, package_.RelationsOf(main));
    RECALL_ASSIGN(const XmlTree presentation, package_.ReadTree(main));
    if (presentation.root().name() != "p:presentation") {
      return Fail(Status::Unsupported("it is an Office document, but not a presentation"));
    }
    RECALL_TRY(ReadAuthors(relations));
    int64_t number = 0;
    for (const XmlNode entry : presentation.root().Child("p:sldIdLst").children()) {
      if (entry.name() != "p:sldId") continue;
      ++number;
      if (writer_.full()) break;
      const std::string part = relations.TargetOfId(entry.Attribute("r:id"));
      if (part.empty()) {
        return Fail(Status::Corruption("slide " + std::to_string(number) + " is missing"));
      }
      RECALL_TRY(Slide(number, part));
    }
    Extraction facts;
    RECALL_TRY(package_.ReadFacts(&facts));
    return writer_.Finish(std::move(facts));
  }

 private:
  // A paragraph, an item of a list or a row of a table. Blocks are held until the title is known,
  // because it is written first.
  struct Block {
    enum Kind : uint8_t { kParagraph, kItem, kRow, kEnd } kind = kParagraph;
    int level = 0;
    std::string marker = {};
    std::string text = {};
    std::vector<std::string> cells = {};
  };

  Status ReadAuthors(const OoxmlRelations& relations) {
    for (const std::string_view type : {"commentAuthors", "authors"}) {
      RECALL_ASSIGN(const auto tree, package_.ReadOptional(relations.TargetOfType(type)));
      if (!tree) continue;
      for (const XmlNode author : tree->root().children()) {
        authors_.emplace(author.Attribute("id"), OneLine(author.Attribute("name")));
      }
    }
    return {};
  }

  Status Slide(int64_t number, const std::string& part) {
    RECALL_ASSIGN(relations_, package_.RelationsOf(part));
    RECALL_ASSIGN(const XmlTree slide, package_.ReadTree(part));
    std::vector<Block> blocks;
    std::string title;
    RECALL_TRY(Shapes(slide.root().Child("p:cSld").Child("p:spTree"), &title, &blocks));
    RECALL_TRY(Comments(&blocks));
    std::vector<std::string> notes;
    RECALL_TRY(Notes(&notes));
    if (title.empty() && blocks.empty() && notes.empty()) return {};
    if (title.empty()) title = "Slide " + std::to_string(number);
    if (!IsOn(slide.root().Attribute("show"), true)) title += " (hidden)";
    writer_.EndBlock();
    writer_.SetLocator({LocatorKind::kSlide, number, "", ""});
    writer_.Heading(1, title);
    for (const Block& block : blocks) {
      switch (block.kind) {
        case Block::kParagraph:
          writer_.Paragraph(block.text);
          break;
        case Block::kItem:
          writer_.ListItem(block.level, block.marker, block.text);
          break;
        case Block::kRow:
          writer_.Row(block.cells);
          break;
        case Block::kEnd:
          writer_.EndBlock();
          break;
      }
    }
    writer_.SetLocator({LocatorKind::kSlide, number, "", "notes"});
    for (const std::string& note : notes) writer_.Paragraph(note);
    return {};
  }

  // The kind of a placeholder: "title", "body"; "body" if it has no kind; "" for other shapes.
  static std::string_view PlaceholderOf(XmlNode shape) {
    for (const XmlNode child : shape.children()) {
      if (!child.name().starts_with("p:nv")) continue;
      const XmlNode placeholder = child.Child("p:nvPr").Child("p:ph");
      if (!placeholder) return {};
      const std::string_view kind = placeholder.Attribute("type");
      return kind.empty() || kind == "obj" ? "body" : kind;
    }
    return {};
  }

  static std::string_view AlternativeOf(XmlNode shape) {
    for (const XmlNode child : shape.children()) {
      if (!child.name().starts_with("p:nv")) continue;
      const XmlNode properties = child.Child("p:cNvPr");
      const std::string_view text = properties.Attribute("descr");
      return text.empty() ? properties.Attribute("title") : text;
    }
    return {};
  }

  static bool IsMargin(std::string_view placeholder) {
    return placeholder == "sldNum" || placeholder == "dt" || placeholder == "ftr" ||
           placeholder == "hdr" || placeholder == "sldImg";
  }

  Status Shapes(XmlNode parent, std::string* title, std::vector<Block>* blocks) {
    for (const XmlNode shape : parent.children()) {
      const std::string_view name = shape.name();
      if (name == "p:sp" || name == "p:cxnSp") {
        Shape(shape, title, blocks);
      } else if (name == "p:grpSp") {
        RECALL_TRY(Shapes(shape, title, blocks));
      } else if (name == "mc:AlternateContent") {
        RECALL_TRY(Shapes(ChosenContent(shape), title, blocks));
      } else if (name == "p:pic") {
        AddParagraph(AlternativeOf(shape), blocks);
      } else if (name == "p:graphicFrame") {
        AddParagraph(AlternativeOf(shape), blocks);
        for (XmlNode node = shape; node;) {
          const bool table = node.name() == "a:tbl";
          if (table) Table(node, blocks);
          node = node.NextInDocument(shape, table);
        }
        RECALL_ASSIGN(const auto texts, GraphicTexts(&package_, shape, relations_));
        for (const std::string& text : texts) AddParagraph(text, blocks);
      }
    }
    return {};
  }

  static void AddParagraph(std::string_view text, std::vector<Block>* blocks) {
    if (OneLine(text).empty()) return;
    blocks->push_back({.kind = Block::kParagraph, .text = std::string(text)});
  }

  static void Shape(XmlNode shape, std::string* title, std::vector<Block>* blocks) {
    const std::string_view placeholder = PlaceholderOf(shape);
    if (IsMargin(placeholder)) return;
    const XmlNode body = shape.Child("p:txBody");
    if ((placeholder == "title" || placeholder == "ctrTitle") && title->empty()) {
      for (const std::string& text : DrawingParagraphs(body)) {
        if (!title->empty()) *title += ' ';
        *title += OneLine(text);
      }
      return;
    }
    blocks->push_back({.kind = Block::kEnd});
    const size_t before = blocks->size();
    ShapeParagraphs(body, placeholder == "body", blocks);
    if (blocks->size() == before) blocks->pop_back();
  }

  // bulleted: paragraphs are items of a list unless they say that they are none.
  static void ShapeParagraphs(XmlNode body, bool bulleted, std::vector<Block>* blocks) {
    std::vector<int64_t> numbers;  // of each level of an automatic list
    for (const XmlNode paragraph : body.children()) {
      if (paragraph.name() != "a:p") continue;
      std::string text = DrawingParagraph(paragraph);
      if (OneLine(text).empty()) continue;
      const XmlNode properties = paragraph.Child("a:pPr");
      const int64_t level = ShortNumber(properties.Attribute("lvl")).value_or(0);
      const auto at = static_cast<size_t>(std::clamp<int64_t>(level, 0, 8));
      const XmlNode automatic = properties.Child("a:buAutoNum");
      const bool bullet = properties.Child("a:buChar") || properties.Child("a:buBlip") ||
                          (bulleted && !properties.Child("a:buNone"));
      numbers.resize(std::min(numbers.size(), at + 1));
      if (automatic) {
        numbers.resize(at + 1);
        const auto start = ShortNumber(automatic.Attribute("startAt")).value_or(1);
        numbers[at] = numbers[at] == 0 ? start : numbers[at] + 1;
        blocks->push_back({Block::kItem, static_cast<int>(at), std::to_string(numbers[at]) + ".",
                           std::move(text)});
      } else if (bullet) {
        if (at < numbers.size()) numbers[at] = 0;
        blocks->push_back({Block::kItem, static_cast<int>(at), "-", std::move(text)});
      } else {
        numbers.clear();
        blocks->push_back({.kind = Block::kParagraph, .text = std::move(text)});
      }
    }
  }

  static void Table(XmlNode table, std::vector<Block>* blocks) {
    blocks->push_back({.kind = Block::kEnd});
    for (const XmlNode row : table.children()) {
      if (row.name() != "a:tr") continue;
      Block block{.kind = Block::kRow};
      for (const XmlNode cell : row.children()) {
        if (cell.name() != "a:tc") continue;
        std::string text;
        for (const std::string& paragraph : DrawingParagraphs(cell)) {
          if (!text.empty()) text += ' ';
          text += paragraph;
        }
        block.cells.push_back(std::move(text));
      }
      blocks->push_back(std::move(block));
    }
    blocks->push_back({.kind = Block::kEnd});
  }

  Status Comments(std::vector<Block>* blocks) {
    for (const OoxmlRelation& relation : relations_.all()) {
      if (relation.type != "comments") continue;
      RECALL_ASSIGN(const auto tree, package_.ReadOptional(relation.target));
      if (!tree) continue;
      for (const XmlNode comment : tree->root().children()) {
        if (!comment.IsElement()) continue;
        std::string text = comment.Child("p:text").TextContent();
        // In newer versions a comment and the answers to it are paragraphs.
        for (const std::string& paragraph : DrawingParagraphs(comment)) {
          if (!text.empty()) text += '\n';
          text += paragraph;
        }
        if (OneLine(text).empty()) continue;
        const auto author = authors_.find(std::string(comment.Attribute("authorId")));
        const bool known = author != authors_.end() && !author->second.empty();
        AddParagraph("Comment" + (known ? " (" + author->second + ")" : "") + ": " + text, blocks);
      }
    }
    return {};
  }

  Status Notes(std::vector<std::string>* notes) {
    RECALL_ASSIGN(const auto tree, package_.ReadOptional(relations_.TargetOfType("notesSlide")));
    if (!tree) return {};
    const XmlNode root = tree->root();
    for (XmlNode node = root; node;) {
      const bool shape = node.name() == "p:sp";
      if (shape && !IsMargin(PlaceholderOf(node))) {
        auto texts = DrawingParagraphs(node.Child("p:txBody"));
        notes->insert(notes->end(), std::move_iterator(texts.begin()),
                      std::move_iterator(texts.end()));
      }
      node = node.NextInDocument(root, shape);
    }
    return {};
  }

  OoxmlPackage& package_;
  MarkdownWriter writer_;
  OoxmlRelations relations_;  // of the slide
  std::unordered_map<std::string, std::string> authors_;
};

}  // namespace

Extraction ExtractPptx(std::string_view bytes, const ExtractLimits& limits) {
  Result<OoxmlPackage> package = OoxmlPackage::Open(bytes, limits);
  if (!package) return FailedExtractionOf(package.error());
  PptxReader reader(&*package, limits);
  Result<Extraction> extraction = reader.Read();
  if (!extraction) return FailedExtractionOf(extraction.error());
  return *std::move(extraction);
}

}  // namespace recall
