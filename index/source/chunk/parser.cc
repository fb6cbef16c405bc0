#include "index/source/chunk/parser.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/path_extension.h"

namespace recall {
namespace {

constexpr std::string_view kParserNames[] = {"auto", "plain", "markdown",
                                             "code", "note",  "session"};

constexpr std::string_view kMarkdownExtensions[] = {"md", "markdown", "mdx"};

// The first two lines are the list of recall 0.1; the others are similar languages.
constexpr std::string_view kCodeExtensions[] = {
    "rs",    "py",   "js",      "ts",    "go",   "java",   "c",   "cc",   "cpp",  "h",    "hpp",
    "cs",    "rb",   "php",     "swift", "kt",   "scala",  "sh",  "bash", "zsh",  "toml", "yaml",
    "yml",   "json", "cjs",     "css",   "cxx",  "dart",   "ex",  "exs",  "fish", "hh",   "hs",
    "hxx",   "jl",   "jsx",     "kts",   "less", "lua",    "m",   "mjs",  "mm",   "pl",   "pm",
    "proto", "ps1",  "pyi",     "scss",  "sql",  "svelte", "tsx", "vue",  "zig",  "c++",  "cts",
    "cu",    "cuh",  "gemspec", "h++",   "inl",  "ipp",    "mts", "pyw",  "rake", "tpp"};

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
  const std::string extension = PathExtension(path);
  if (IsOneOf(kMarkdownExtensions, extension)) return Parser::kMarkdown;
  return IsOneOf(kCodeExtensions, extension) ? Parser::kCode : Parser::kPlain;
}

}  // namespace recall
