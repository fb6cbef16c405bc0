#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/extract/container/xml_events.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/odf/odf_names.h"
#include "index/source/extract/odf/odf_nesting.h"
#include "index/source/extract/odf/odf_output.h"
#include "index/source/extract/odf/odf_styles.h"

namespace recall {

// Reads the XML documents of an OpenDocument file, in this order: meta.xml, styles.xml,
// content.xml; a flat file is all of them in one. Each element has a handler (Handlers in the
// source); what the handlers find goes to OdfStyles or OdfNesting.
class OdfReader final : public XmlHandler {
 public:
  // `read_object` returns an embedded object by its reference, "./Object 1". The writer must
  // outlive the reader.
  OdfReader(MarkdownWriter* writer, std::function<OdfObject(std::string_view)> read_object);
  OdfReader(const OdfReader&) = delete;
  OdfReader& operator=(const OdfReader&) = delete;

  // Must be called before each document. common_styles_only: for styles.xml, whose automatic styles
  // are not those of the content.
  void Begin(bool common_styles_only);

  bool Start(std::string_view name, std::span<const XmlAttribute> attributes) override;
  bool End(std::string_view name) override;
  bool Text(std::string_view text) override;

  // The kind of the document. kNone: no body that is read was found.
  OdfBodyKind body() const { return output_.body(); }
  // Whether the root of the last document is one of ODF.
  bool is_document() const { return is_document_; }
  // The facts about the document, by the names of their elements: "dc:title", in their order.
  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }

 private:
  // The start tag of an element.
  struct Tag {
    OdfElement element;
    std::string_view name;
    std::span<const XmlAttribute> attributes;
    std::string_view Attribute(std::string_view wanted) const {
      return OdfAttribute(attributes, wanted);
    }
    int64_t Count(std::string_view wanted) const { return OdfCount(attributes, wanted); }
  };
  // How the reader goes on after a start tag. kEntered: the end tag has a handler, too.
  // kTransparent: the children are read as children of the parent. kSkipped: they are not read.
  enum class Entry : uint8_t { kEntered, kTransparent, kSkipped };
  // The parts of a document beside its body.
  enum class Section : uint8_t { kNone, kMeta, kStyles, kMasters };
  // An element that was entered, and its depth.
  struct Entered {
    OdfElement element;
    int depth;
  };
  // A text that belongs to no paragraph, at most 64 KiB.
  struct Captured {
    bool open = false;
    std::string text;
    void Begin();
    void Append(std::string_view more);
    std::string End();
  };
  // A formula in MathML: its symbols, and the notation of the program that wrote it.
  struct Formula {
    bool open = false;
    std::string symbols;
    std::string annotation;
    void Append(std::string_view more);
  };
  struct Handler;
  struct Handlers;

  // Whether elements here are text of the document, or of its headers and footers.
  bool InContent() const;
  Entry Enter(const Tag& tag);
  void AddMeta(std::string_view text);

  Entry Skip(const Tag& tag);
  Entry StartMeta(const Tag& tag);
  Entry StartStyles(const Tag& tag);
  Entry StartMasters(const Tag& tag);
  void EndSection();
  Entry StartPageText(const Tag& tag);
  void EndPageHeader();
  void EndPageFooter();
  Entry StartBody(const Tag& tag);
  void EndBody();
  Entry StartStyle(const Tag& tag);
  Entry StartMetaText(const Tag& tag);
  void EndMetaText();
  Entry StartCreatorOrDate(const Tag& tag);
  void EndCreator();
  void EndDate();

  Entry StartParagraph(const Tag& tag);
  void EndParagraph() { nesting_.EndParagraph(); }
  Entry StartList(const Tag& tag);
  void EndList() { nesting_.EndList(); }
  Entry StartListHeader(const Tag& tag);
  Entry StartItem(const Tag& tag);
  void EndItem() { nesting_.EndItem(); }
  Entry StartNumberedParagraph(const Tag& tag);
  void EndNumberedParagraph() { nesting_.EndNumberedParagraph(); }
  Entry StartTable(const Tag& tag);
  void EndTable() { nesting_.EndTable(); }
  Entry StartRow(const Tag& tag);
  void EndRow() { nesting_.EndRow(); }
  Entry StartCell(const Tag& tag);
  void EndCell() { nesting_.EndCell(); }
  Entry StartPage(const Tag& tag);
  void EndPage();
  Entry StartNotesPage(const Tag& tag);
  void EndNotesPage();
  Entry StartShape(const Tag& tag);
  Entry StartObject(const Tag& tag);

  Entry StartSpaces(const Tag& tag);
  Entry StartTab(const Tag& tag);
  Entry StartLineBreak(const Tag& tag);
  Entry StartNote(const Tag& tag);
  Entry StartComment(const Tag& tag);
  void EndContainer() { nesting_.EndContainer(); }
  Entry StartRubyText(const Tag& tag);
  void EndRubyText() { nesting_.AppendExact(")"); }
  Entry StartNumber(const Tag& tag);
  void EndNumber() { nesting_.AppendText(" "); }

  Entry StartAlternativeText(const Tag& tag);
  void EndAlternativeText();
  Entry StartMath(const Tag& tag);
  void EndMath();
  Entry StartMathAnnotation(const Tag& tag);
  void EndMathAnnotation();
  Entry StartChart(const Tag& tag);
  void EndChart() { in_chart_ = false; }

  std::function<OdfObject(std::string_view)> read_object_;
  OdfStyles styles_;
  OdfOutput output_;
  OdfNesting nesting_;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::string_view meta_name_;  // the element of the open fact
  bool is_document_ = false;
  bool common_styles_only_ = false;
  Section section_ = Section::kNone;
  int depth_ = 0;
  int skipped_depth_ = 0;  // of open elements from the one that is skipped; 0: none is
  std::vector<Entered> entered_;
  Captured captured_;
  Formula formula_;
  bool in_chart_ = false;
};

}  // namespace recall
