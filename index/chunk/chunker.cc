#include "index/chunk/chunker.h"

#include <algorithm>
#include <iterator>

#include "index/chunk/block_packer.h"
#include "index/chunk/chunk_parsers.h"
#include "index/chunk/outline_chunker.h"

namespace recall {
namespace {

constexpr std::string_view kParserNames[] = {"auto", "plain", "markdown",
                                             "code", "note",  "session"};

constexpr std::string_view kMarkdownExtensions[] = {"md", "markdown", "mdx"};

// The first two lines are the list of recall 0.1; the others are similar languages.
constexpr std::string_view kCodeExtensions[] = {
    "rs",    "py",   "js",  "ts",    "go",   "java",   "c",   "cc",   "cpp",  "h",    "hpp",
    "cs",    "rb",   "php", "swift", "kt",   "scala",  "sh",  "bash", "zsh",  "toml", "yaml",
    "yml",   "json", "cjs", "css",   "cxx",  "dart",   "ex",  "exs",  "fish", "hh",   "hs",
    "hxx",   "jl",   "jsx", "kts",   "less", "lua",    "m",   "mjs",  "mm",   "pl",   "pm",
    "proto", "ps1",  "pyi", "scss",  "sql",  "svelte", "tsx", "vue",  "zig"};

constexpr std::string_view kCompressedExtensions[] = {"gz", "xz", "zst"};

// Returns: "md" for "docs/Guide.MD" and "Guide.md.gz"; "" for "Makefile" and ".bashrc".
std::string LowerCaseExtension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string extension(name.substr(dot + 1));
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (IsOneOf(kCompressedExtensions, extension)) return LowerCaseExtension(name.substr(0, dot));
  return extension;
}

}  // namespace

std::string_view ParserName(Parser parser) { return kParserNames[static_cast<size_t>(parser)]; }

std::optional<Parser> ParserFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(kParserNames); ++i) {
    if (kParserNames[i] == name) return static_cast<Parser>(i);
  }
  return std::nullopt;
}

Parser ResolveParser(Parser parser, std::string_view path) {
  if (parser != Parser::kAuto) return parser;
  const std::string extension = LowerCaseExtension(path);
  if (IsOneOf(kMarkdownExtensions, extension)) return Parser::kMarkdown;
  return IsOneOf(kCodeExtensions, extension) ? Parser::kCode : Parser::kPlain;
}

std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options,
                                 const CodeOutline* outline) {
  const ChunkLimits limits(options);
  std::vector<ChunkSpan> chunks;
  BlockPacker packer(text, limits, &chunks);
  switch (parser) {
    case Parser::kMarkdown:
      ParseMarkdownBlocks(text, limits, &packer);
      break;
    case Parser::kNote:
      ParseNoteBlocks(text, limits, &packer);
      break;
    case Parser::kSession:
      ParseTurnBlocks(text, limits, &packer);
      break;
    case Parser::kCode:
      if (outline != nullptr) return CutAtDefinitions(text, *outline, limits);
      ParseCodeBlocks(text, limits, &packer);
      break;
    case Parser::kAuto:
    case Parser::kPlain:
      ParsePlainBlocks(text, limits, &packer);
      break;
  }
  packer.Finish();
  return chunks;
}

}  // namespace recall
