#include "index/source/extract/types/document_format.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

struct FormatFacts {
  DocumentFormat format;
  std::string_view name;
  int version;
  std::string_view suffixes;  // separated by blanks
  std::string_view mimetype;  // of packages that begin with a member `mimetype`: their prefix
  std::string_view part;      // of OOXML packages: the folder of its main part
};

constexpr FormatFacts kFormats[] = {
    {DocumentFormat::kPdf, "pdf", 3, ".pdf", "", ""},
    {DocumentFormat::kHtml, "html", 3, ".html .htm .xhtml .mhtml .mht", "", ""},
    {DocumentFormat::kDocx, "docx", 2, ".docx .docm .dotx .dotm", "", "word/"},
    {DocumentFormat::kPptx, "pptx", 1, ".pptx .pptm .potx .ppsx", "", "ppt/"},
    {DocumentFormat::kXlsx, "xlsx", 3, ".xlsx .xlsm .xltx", "", "xl/"},
    {DocumentFormat::kOdt, "odt", 1, ".odt .ott .fodt", "application/vnd.oasis.opendocument.text",
     ""},
    {DocumentFormat::kOdp, "odp", 1, ".odp .otp .fodp",
     "application/vnd.oasis.opendocument.presentation", ""},
    {DocumentFormat::kOds, "ods", 1, ".ods .ots .fods",
     "application/vnd.oasis.opendocument.spreadsheet", ""},
    {DocumentFormat::kEpub, "epub", 2, ".epub", "application/epub+zip", ""},
    {DocumentFormat::kMail, "mail", 3, ".eml .emlx .tnef", "", ""},
    {DocumentFormat::kNotebook, "notebook", 1, ".ipynb", "", ""},
};

constexpr std::string_view kZipStart = "PK\x03\x04";
constexpr size_t kEnds = 64 << 10;  // how much of each end is looked at

char LowerNameChar(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string LowerSuffixOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot == path.npos || (slash != path.npos && dot < slash)) return {};
  std::string suffix(path.substr(dot));
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), LowerNameChar);
  return suffix;
}

bool HasSuffix(const FormatFacts& facts, std::string_view suffix) {
  if (suffix.empty()) return false;
  std::string_view rest = facts.suffixes;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == suffix) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// Returns the format of a suffix; null if there is none.
const FormatFacts* FormatOfSuffix(std::string_view suffix) {
  for (const FormatFacts& facts : kFormats) {
    if (HasSuffix(facts, suffix)) return &facts;
  }
  return nullptr;
}

// Returns the content of the member `mimetype`, which is the first of an ODF or EPUB package and
// not compressed.
std::string_view PackageType(std::string_view bytes) {
  constexpr size_t kHeader = 30;
  constexpr std::string_view kName = "mimetype";
  if (bytes.size() < kHeader + kName.size()) return {};
  if (bytes.substr(kHeader, kName.size()) != kName) return {};
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(bytes[at]); };
  const size_t extra = byte(28) | static_cast<size_t>(byte(29)) << 8;
  const size_t begin = kHeader + kName.size() + extra;
  return begin < bytes.size() ? bytes.substr(begin, 100) : std::string_view();
}

std::optional<DocumentFormat> PackageFormat(std::string_view suffix, std::string_view bytes) {
  const std::string_view type = PackageType(bytes);
  if (!type.empty()) {
    const FormatFacts* best = nullptr;  // "...text" and "...text-template" are the same format
    for (const FormatFacts& facts : kFormats) {
      if (!facts.mimetype.empty() && type.starts_with(facts.mimetype)) best = &facts;
    }
    if (best != nullptr) return best->format;
  }
  const FormatFacts* const named = FormatOfSuffix(suffix);
  const bool is_package = named != nullptr && (!named->part.empty() || !named->mimetype.empty());
  // The names of all members are in the directory at the end of the archive.
  const std::string_view tail = bytes.substr(bytes.size() - std::min(bytes.size(), kEnds));
  if (tail.find("[Content_Types].xml") != tail.npos ||
      bytes.substr(0, kEnds).find("[Content_Types].xml") != bytes.npos) {
    if (is_package && !named->part.empty() && tail.find(named->part) != tail.npos) {
      return named->format;
    }
    for (const FormatFacts& facts : kFormats) {
      if (!facts.part.empty() && tail.find(facts.part) != tail.npos) return facts.format;
    }
  }
  if (is_package) return named->format;
  return std::nullopt;
}

// Whether a name is that of a message in a Maildir: "cur/1700000000.M1P2.host:2,S".
bool IsMaildirName(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return false;
  const std::string_view name = path.substr(slash + 1);
  const std::string_view folders = path.substr(0, slash);
  const std::string_view folder = folders.substr(folders.rfind('/') + 1);
  if ((folder != "cur" && folder != "new") || name.empty()) return false;
  return name.front() >= '0' && name.front() <= '9' && name.find('.') != name.npos;
}

// Whether a text begins with a field of a header: "Return-Path: <ann@example.org>".
bool BeginsWithHeaderField(std::string_view bytes) {
  constexpr size_t kMostNameBytes = 76;
  const size_t colon = bytes.substr(0, kMostNameBytes).find(':');
  if (colon == bytes.npos || colon == 0) return false;
  return std::ranges::all_of(bytes.substr(0, colon), [](char c) { return c > ' ' && c < 0x7F; });
}

// Whether bytes are a message of Outlook (MS-OXTNEF): the start, a key, and the attribute that must
// come first, which is the version.
bool BeginsAsTnef(std::string_view bytes) {
  constexpr std::string_view kStart = "\x78\x9F\x3E\x22", kFirst = "\x01\x06\x90\x08";
  return bytes.starts_with(kStart) && bytes.substr(0, 10).substr(6) == kFirst;
}

// Whether a name is one that mail programs give to such a message.
bool IsTnefName(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  std::transform(name.begin(), name.end(), name.begin(), LowerNameChar);
  return name == "winmail.dat" || name == "win.dat";
}

bool FindLower(std::string_view text, std::string_view lower) {
  const auto found = std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                                 [](char a, char b) { return LowerNameChar(a) == b; });
  return found != text.end();
}

bool IsHtmlDocument(std::string_view bytes) {
  std::string head(bytes.substr(0, 4096));
  // A UTF-16 document has a NUL in each ASCII character.
  std::erase(head, '\0');
  return FindLower(head, "<!doctype html") || FindLower(head, "<html") ||
         FindLower(head, "<head>") || FindLower(head, "<body");
}

}  // namespace

std::string_view FormatName(DocumentFormat format) {
  return kFormats[static_cast<size_t>(format)].name;
}

int ExtractorVersion(DocumentFormat format) {
  return kFormats[static_cast<size_t>(format)].version;
}

std::optional<DocumentFormat> DetectFormat(std::string_view path, std::string_view bytes) {
  const std::string suffix = LowerSuffixOf(path);
  constexpr std::string_view kPdfStart = "%PDF-";
  if (bytes.starts_with(kPdfStart) ||
      (suffix == ".pdf" && bytes.substr(0, 1024).find(kPdfStart) != bytes.npos)) {
    return DocumentFormat::kPdf;
  }
  if (BeginsAsTnef(bytes)) return DocumentFormat::kMail;
  if (IsMaildirName(path) && BeginsWithHeaderField(bytes)) return DocumentFormat::kMail;
  const FormatFacts* const named = FormatOfSuffix(suffix);
  if (bytes.starts_with(kZipStart)) return PackageFormat(suffix, bytes);
  if (named == nullptr || bytes.empty()) return std::nullopt;
  switch (named->format) {
    case DocumentFormat::kHtml:
      if (suffix == ".mhtml" || suffix == ".mht") {
        if (!BeginsWithHeaderField(bytes)) return std::nullopt;
      } else if (!IsHtmlDocument(bytes)) {
        return std::nullopt;
      }
      return named->format;
    case DocumentFormat::kMail:
      if (suffix == ".tnef") return std::nullopt;
      return named->format;
    case DocumentFormat::kNotebook:
      return named->format;
    default: {
      // A text file with the suffix of a document is text. Other contents go to the extractor,
      // which reports what is wrong.
      const std::string_view head = bytes.substr(0, FloorToCharacter(bytes, 4096));
      if (suffix.starts_with(".fod")) {  // OpenDocument in one file of XML
        if (head.find("office:document") == head.npos) return std::nullopt;
        return named->format;
      }
      if (head.find('\0') == head.npos && IsValidUtf8(head)) return std::nullopt;
      return named->format;
    }
  }
}

bool MayHaveFormat(std::string_view path) {
  return FormatOfSuffix(LowerSuffixOf(path)) != nullptr || IsMaildirName(path) || IsTnefName(path);
}

}  // namespace recall
