#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {

// Makes packages of Office Open XML in code. Parts have names that say nothing, so that only
// relations find them.

inline constexpr std::string_view kOfficeUri =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

// The declarations of all namespaces.
inline std::string OoxmlDeclarations() {
  const std::string base = "http://schemas.openxmlformats.org/";
  return " xmlns:w=\"" + base + "wordprocessingml/2006/main\" xmlns:r=\"" + base +
         "officeDocument/2006/relationships\" xmlns:a=\"" + base +
         "drawingml/2006/main\" xmlns:p=\"" + base + "presentationml/2006/main\" xmlns:x=\"" +
         base + "spreadsheetml/2006/main\" xmlns:wp=\"" + base +
         "drawingml/2006/wordprocessingDrawing\" xmlns:c=\"" + base +
         "drawingml/2006/chart\" xmlns:dgm=\"" + base + "drawingml/2006/diagram\" xmlns:xdr=\"" +
         base + "drawingml/2006/spreadsheetDrawing\" xmlns:mc=\"" + base +
         "markup-compatibility/2006\" xmlns:wps=\"urn:wps\" "
         "xmlns:v=\"urn:schemas-microsoft-com:vml\"";
}

struct MadeRelation {
  std::string id;
  std::string type;    // its last word
  std::string target;  // relative
};

class OoxmlMaker final {
 public:
  explicit OoxmlMaker(std::string main) : main_(std::move(main)) {
    Relations("", {{"r1", "officeDocument", main_}});
  }

  // A part. "<w:x>..." gets the declarations.
  OoxmlMaker& Part(const std::string& name, std::string xml) {
    const size_t end = xml.find_first_of(" />", 1);
    if (end != xml.npos) xml.insert(end, OoxmlDeclarations());
    entries_.push_back({name, std::move(xml)});
    return *this;
  }

  OoxmlMaker& Relations(const std::string& part, const std::vector<MadeRelation>& relations) {
    std::string xml =
        "<Relationships "
        "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
    for (const MadeRelation& relation : relations) {
      xml += "<Relationship Id=\"" + relation.id + "\" Type=\"" + std::string(kOfficeUri) +
             relation.type + "\" Target=\"" + relation.target + "\"/>";
    }
    const size_t slash = part.rfind('/');
    const std::string folder = slash == part.npos ? "" : part.substr(0, slash + 1);
    const std::string file = slash == part.npos ? part : part.substr(slash + 1);
    const std::string name = folder + "_rels/" + file + ".rels";
    std::erase_if(entries_, [&name](const MadeZipEntry& entry) { return entry.name == name; });
    entries_.push_back({name, xml + "</Relationships>"});
    return *this;
  }

  std::string Make() const { return MakeZip(entries_); }

 private:
  std::string main_;
  std::vector<MadeZipEntry> entries_;
};

// A document with this content of its body.
inline OoxmlMaker MadeDocx(const std::string& body) {
  OoxmlMaker maker("a/main.xml");
  maker.Part("a/main.xml", "<w:document><w:body>" + body + "</w:body></w:document>");
  return maker;
}

inline std::string WordParagraph(const std::string& text, const std::string& properties = "") {
  return "<w:p><w:pPr>" + properties + "</w:pPr><w:r><w:t xml:space=\"preserve\">" + text +
         "</w:t></w:r></w:p>";
}

// A slide with these shapes.
inline std::string SlideXml(const std::string& shapes, const std::string& attributes = "") {
  return "<p:sld" + attributes + "><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>";
}

inline std::string SlideShape(const std::string& text, const std::string& placeholder = "") {
  return "<p:sp><p:nvSpPr><p:cNvPr id=\"1\"/><p:nvPr>" + placeholder +
         "</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>" + text +
         "</a:t></a:r></a:p></p:txBody></p:sp>";
}

}  // namespace recall
