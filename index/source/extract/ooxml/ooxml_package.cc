#include "index/source/extract/ooxml/ooxml_package.h"

#include <algorithm>
#include <utility>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

// Those of ECMA-376, transitional and strict, under their usual prefixes.
constexpr XmlNamespace kOoxmlNamespaces[] = {
    {"http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"},
    {"http://purl.oclc.org/ooxml/wordprocessingml/main", "w"},
    {"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"},
    {"http://purl.oclc.org/ooxml/officeDocument/relationships", "r"},
    {"http://schemas.openxmlformats.org/drawingml/2006/main", "a"},
    {"http://purl.oclc.org/ooxml/drawingml/main", "a"},
    {"http://schemas.openxmlformats.org/presentationml/2006/main", "p"},
    {"http://purl.oclc.org/ooxml/presentationml/main", "p"},
    {"http://schemas.openxmlformats.org/spreadsheetml/2006/main", "x"},
    {"http://purl.oclc.org/ooxml/spreadsheetml/main", "x"},
    {"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"},
    {"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"},
    {"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing", "xdr"},
    {"http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing", "xdr"},
    {"http://schemas.openxmlformats.org/drawingml/2006/chart", "c"},
    {"http://purl.oclc.org/ooxml/drawingml/chart", "c"},
    {"http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"},
    {"http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"},
    {"http://schemas.openxmlformats.org/officeDocument/2006/math", "m"},
    {"http://purl.oclc.org/ooxml/officeDocument/math", "m"},
    {"http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"},
    {"http://schemas.openxmlformats.org/package/2006/relationships", "pkg"},
    {"http://schemas.openxmlformats.org/package/2006/metadata/core-properties", "cp"},
    {"http://purl.org/dc/elements/1.1/", "dc"},
    {"http://purl.org/dc/terms/", "dcterms"},
    {"urn:schemas-microsoft-com:vml", "v"},
};

constexpr std::string_view kCompoundFile("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8);

// Returns the name of a stream in UTF-16LE, as a compound file has it.
std::string WideName(std::string_view name) {
  std::string wide;
  for (const char c : name) wide.append(1, c).append(1, '\0');
  return wide.append(2, '\0');
}

// Whether a compound file ([MS-CFB]) has the stream of an encrypted package ([MS-OFFCRYPTO]). The
// chain of the directory's sectors is followed through the first 109 sectors of the table, which
// are those of a file of up to 7 MB; in a larger file the directory comes early, and the chain ends
// where the table does.
bool HasEncryptedPackage(std::string_view bytes) {
  if (bytes.size() < 512) return false;
  const uint8_t* const data = AsBytes(bytes).data();
  const auto shift = LoadLittle<uint16_t>(data + 30);
  if (shift != 9 && shift != 12) return false;
  const uint64_t sector_bytes = 1ull << shift;
  const auto sector_at = [&](uint64_t sector) -> std::string_view {
    const uint64_t at = (sector + 1) * sector_bytes;
    return at < bytes.size() ? bytes.substr(at, sector_bytes) : std::string_view();
  };
  const std::string info = WideName("EncryptionInfo");
  const std::string package = WideName("EncryptedPackage");
  const uint64_t per_sector = sector_bytes / 4;
  uint64_t sector = LoadLittle<uint32_t>(data + 48);
  constexpr int kMostSectors = 4096;
  for (int i = 0; i < kMostSectors; ++i) {
    const std::string_view directory = sector_at(sector);
    if (directory.empty()) return false;
    for (size_t entry = 0; entry + 128 <= directory.size(); entry += 128) {
      const std::string_view name = directory.substr(entry, 64);
      if (name.starts_with(info) || name.starts_with(package)) return true;
    }
    if (sector / per_sector >= 109) return false;
    const std::string_view table =
        sector_at(LoadLittle<uint32_t>(data + 76 + 4 * (sector / per_sector)));
    const uint64_t in_table = sector % per_sector * 4;
    if (in_table + 4 > table.size()) return false;
    sector = LoadLittle<uint32_t>(AsBytes(table).data() + in_table);
  }
  return false;
}

std::vector<std::string> KeywordsOf(std::string_view text) {
  std::vector<std::string> keywords;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find_first_of(",;", begin), text.size());
    std::string keyword = OneLine(text.substr(begin, end - begin));
    if (!keyword.empty() && std::ranges::find(keywords, keyword) == keywords.end()) {
      keywords.push_back(std::move(keyword));
    }
    begin = end + 1;
    if (keywords.size() == 100) break;
  }
  return keywords;
}

bool StartsAsDate(std::string_view text) {
  return text.size() >= 4 && text.size() <= 40 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || std::string_view("-:.+TZ").find(c) != std::string::npos;
         });
}

}  // namespace

void OoxmlRelations::Add(OoxmlRelation relation) {
  by_id_.emplace(relation.id, all_.size());
  all_.push_back(std::move(relation));
}

std::string OoxmlRelations::TargetOfId(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? "" : all_[found->second].target;
}

std::string OoxmlRelations::TargetOfType(std::string_view type) const {
  const auto found = std::ranges::find(all_, type, &OoxmlRelation::type);
  return found == all_.end() ? "" : found->target;
}

Result<OoxmlPackage> OoxmlPackage::Open(std::string_view bytes, const ExtractLimits& limits) {
  if (bytes.starts_with(kCompoundFile)) {
    if (HasEncryptedPackage(bytes)) return Fail(NeedsPassword("it is encrypted"));
    return Fail(Status::Unsupported("it is a document of an older, binary format"));
  }
  RECALL_ASSIGN(ZipContainer container, ZipContainer::Open(bytes, limits));
  return OoxmlPackage(std::move(container), limits.max_depth);
}

Result<XmlTree> OoxmlPackage::ReadTree(std::string_view part) {
  return XmlTree::ReadEntry(&container_, part, kOoxmlNamespaces, max_depth_);
}

Status OoxmlPackage::ReadStream(std::string_view part, XmlHandler* handler) {
  return ReadXmlEntry(&container_, part, kOoxmlNamespaces, max_depth_, handler);
}

Result<OoxmlRelations> OoxmlPackage::RelationsOf(std::string_view part) {
  const size_t slash = part.rfind('/');
  const std::string_view folder = slash == part.npos ? "" : part.substr(0, slash + 1);
  const std::string_view file = slash == part.npos ? part : part.substr(slash + 1);
  const std::string name = std::string(folder) + "_rels/" + std::string(file) + ".rels";
  OoxmlRelations relations;
  if (container_.Find(name) == nullptr) return relations;
  RECALL_ASSIGN(const XmlTree tree, ReadTree(name));
  for (const XmlNode node : tree.root().children()) {
    if (node.name() != "pkg:Relationship") continue;
    OoxmlRelation relation;
    relation.id = node.Attribute("Id");
    const std::string_view type = node.Attribute("Type");
    relation.type = type.substr(type.rfind('/') + 1);
    if (node.Attribute("TargetMode") != "External") {
      relation.target = ResolveEntryName(part, node.Attribute("Target"));
    }
    relations.Add(std::move(relation));
  }
  return relations;
}

Result<std::string> OoxmlPackage::MainPart() {
  RECALL_ASSIGN(const auto relations, RelationsOf(""));
  std::string main = relations.TargetOfType("officeDocument");
  if (main.empty() || container_.Find(main) == nullptr) {
    return Fail(Status::Corruption("it has no main part"));
  }
  return main;
}

Status OoxmlPackage::Excuse(const Status& error) {
  if (error.code() == StatusCode::kLimitExceeded) return error;
  damaged_parts_ = true;
  return {};
}

Result<std::optional<XmlTree>> OoxmlPackage::ReadOptional(std::string_view part) {
  if (part.empty()) return std::optional<XmlTree>();
  Result<XmlTree> tree = ReadTree(part);
  if (tree) return std::optional<XmlTree>(*std::move(tree));
  RECALL_TRY(Excuse(tree.error()));
  return std::optional<XmlTree>();
}

Status OoxmlPackage::ReadFacts(Extraction* facts) {
  RECALL_ASSIGN(const auto relations, RelationsOf(""));
  RECALL_ASSIGN(const auto core, ReadOptional(relations.TargetOfType("core-properties")));
  if (core) {
    struct Fact {
      std::string_view element, key;
      bool is_date;
    };
    constexpr Fact kFacts[] = {
        {"dc:title", "title", false},         {"dc:creator", "author", false},
        {"dc:subject", "subject", false},     {"dc:language", "language", false},
        {"dcterms:created", "created", true}, {"dcterms:modified", "modified", true}};
    for (const Fact& fact : kFacts) {
      std::string value = OneLine(core->root().Child(fact.element).TextContent());
      if (value.empty() || (fact.is_date && !StartsAsDate(value))) continue;
      facts->meta[std::string(fact.key)] = {std::move(value)};
    }
    auto keywords = KeywordsOf(core->root().Child("cp:keywords").TextContent());
    if (!keywords.empty()) facts->meta["keywords"] = std::move(keywords);
  }
  if (damaged_parts_) facts->warnings.emplace_back("damaged_parts");
  return {};
}

XmlNode ChosenContent(XmlNode node) {
  if (node.name() != "mc:AlternateContent") return node;
  if (const XmlNode choice = node.Child("mc:Choice")) return choice;
  return node.Child("mc:Fallback");
}

bool IsOn(std::string_view value, bool if_missing) {
  if (value.empty()) return if_missing;
  return value == "1" || value == "true" || value == "on";
}

std::optional<int64_t> ShortNumber(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace recall
