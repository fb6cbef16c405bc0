#include "index/source/code/defined_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/source/code/import_lines.h"

namespace recall {
namespace {

// The names, separated by spaces; entries in parentheses.
std::string Names(const std::string& text, TextKind kind) {
  std::string names;
  for (const DefinedName& defined : FindDefinedNames(text, kind)) {
    if (!names.empty()) names += ' ';
    names += defined.is_entry ? "(" + std::string(defined.name) + ")" : std::string(defined.name);
  }
  return names;
}

struct Case {
  const char* text;
  const char* names;
};

void ExpectNames(TextKind kind, const std::vector<Case>& cases) {
  for (const auto& [text, names] : cases) EXPECT_EQ(Names(text, kind), names) << text;
}

TEST(DefinedNamesTest, MacrosTypesAndFunctionsOfC) {
  ExpectNames(TextKind::kC,
              {
                  {"#define EINVAL 22 /* Invalid argument */", "EINVAL"},
                  {"# define MAX(a, b) a", "MAX"},
                  {"#define FOO_H_\n", ""},
                  {"#ifdef EINVAL\n#undef EINVAL", ""},
                  {"#ifndef EINVAL\n# define EINVAL 22\n#endif", "(EINVAL)"},
                  {"#undef PATH_MAX\n#define PATH_MAX 1024", "(PATH_MAX)"},
                  {"#if !defined(EINVAL)\n# define EINVAL 22\n#endif", "(EINVAL)"},
                  {"/* This turns it\n   into EINVAL (if it fails) {\n */\nint f1() {", "f1"},
                  {"struct list_head {", "list_head"},
                  {"struct list_head;", ""},
                  {"struct list_head *next(void);", ""},
                  {"class API_EXPORT Widget final : public Base {", "Widget"},
                  {"template <class T>\nclass Box {", "Box"},
                  {"typedef unsigned int uint;", "uint"},
                  {"typedef struct node {", "node"},
                  {"using Rows = std::vector<int>;", "Rows"},
                  {"using namespace std;", ""},
                  {"namespace recall {", "recall"},
                  {"static int add(int a, int b) {", "add"},
                  {"int\nadd (int a)\n{\n  return sub (a);\n}", "add"},
                  {"Result<int> Store::Add(int a,\n    int b) {", "Add"},
                  {"int add(int a);", ""},
                  {"  if (ready(a)) {\n  return add(a);\n", ""},
                  {"  foo(bar);\n  int x = add(1);", ""},
                  {"TEST(Foo, Bar) {", ""},
                  {"inline constexpr size_t kDepth = 300;", "kDepth"},
                  {"static const char *const names[] = {", "names"},
                  {"  a = b;\nif (a == b)", ""},
              });
  ExpectNames(TextKind::kHeader, {
                                     {"extern int fgetc (FILE *stream);", "fgetc"},
                                     {"  size_t size() const { return 1; }", "size"},
                                     {"  Status Open(int a);", "Open"},
                                     {"  return Open(a);", ""},
                                 });
}

TEST(DefinedNamesTest, ItemsOfEnumsEndWithTheEnum) {
  const std::string text =
      "enum Kind : int {\n  kFirst = 1,  // one\n  kSecond,\n  AA, BB\n};\nint x(kFirst);\n  "
      "kThird,\n";
  EXPECT_EQ(Names(text, TextKind::kC), "Kind kFirst kSecond AA BB");
  EXPECT_EQ(Names("enum { IPPROTO_IP = 0, IPPROTO_TCP };\nfoo,", TextKind::kHeader),
            "IPPROTO_IP IPPROTO_TCP");
  // The beginning of the enum may be in another chunk.
  EXPECT_EQ(Names("  IPPROTO_UDP = 17, /* datagrams */\n", TextKind::kHeader), "IPPROTO_UDP");
}

TEST(DefinedNamesTest, DefinitionsOfOtherLanguages) {
  ExpectNames(TextKind::kCode, {
                                   {"class Client(Base):", "Client"},
                                   {"    async def send(self):", "send"},
                                   {"PATH_MAX = 4096", "PATH_MAX"},
                                   {"limit: int = 3", "limit"},
                                   {"print(\"x\")\nmain()", ""},
                                   {"pub(crate) async fn fuse<T>(a: T) -> f64 {", "fuse"},
                                   {"pub const DEPTH: usize = 3;", "DEPTH"},
                                   {"func (s *Store) Add(a int) error {", "Add"},
                                   {"type Ranking struct {", "Ranking"},
                                   {"export default class Cart extends Base {", "Cart"},
                                   {"export async function* pages() {", "pages"},
                                   {"export const useCart = () => {", "useCart"},
                                   {"exports.parse = function (a) {", "parse"},
                                   {"config.depth = 3", ""},
                                   {"  render(props) {", "render"},
                                   {"  if (ready) {\n  } else if (a) {\n  switch (b) {", ""},
                                   {"  public static void main(String[] args) {", "main"},
                                   {"  def self.find(id)", "find"},
                                   {"  def valid?", "valid"},
                                   {"defmodule Shop.Cart do", "Cart"},
                                   {"function M.add(a)", "add"},
                                   {"fun String.shout(): String =", "shout"},
                                   {"fold :: (a -> b) -> [a]", "fold"},
                                   {"macro_rules! matches {", "matches"},
                                   {"message Order {", "Order"},
                               });
}

TEST(DefinedNamesTest, EntriesOfDocumentation) {
  ExpectNames(TextKind::kMarkdown, {
                                       {"## `fuse(a, b)`", "(fuse)"},
                                       {"# Installation", "(Installation)"},
                                       {"# How it works", ""},
                                       {"- `chunk_tokens`: words of a chunk", "(chunk_tokens)"},
                                       {"- **depth** - how deep", "(depth)"},
                                       {"| `k` | results |\n| `limit` | the same |", "(limit)"},
                                       {"The class Foo { is mentioned", ""},
                                       {"- a `word` in a sentence", ""},
                                   });
  ExpectNames(TextKind::kPlain, {
                                    {"max_depth = 3", "max_depth"},
                                    {"max_depth == 3", ""},
                                    {"EINVAL: the argument is invalid", "(EINVAL)"},
                                    {"Note: the argument is invalid", ""},
                                    {".TP\n.B EAGAIN\nTry again.", "(EAGAIN)"},
                                    {"E2BIG   the list is too long", "(E2BIG)"},
                                    {"class of the problem\ntype inference\nfunction words", ""},
                                    {"class vector {", "vector"},
                                });
  EXPECT_EQ(Names("#define EINVAL 22", TextKind::kOther), "");
}

TEST(DefinedNamesTest, TheKindOfATextIsThatOfItsPathAndParser) {
  EXPECT_EQ(TextKindOf("include/a.hpp", "code"), TextKind::kHeader);
  EXPECT_EQ(TextKindOf("a.cc", "code"), TextKind::kC);
  EXPECT_EQ(TextKindOf("a.py", "code"), TextKind::kCode);
  EXPECT_EQ(TextKindOf("include/c++/vector", "plain"), TextKind::kPlain);
  EXPECT_EQ(TextKindOf("notes/a.md", "note"), TextKind::kMarkdown);
  EXPECT_EQ(TextKindOf("x", "session"), TextKind::kOther);
}

TEST(ImportLinesTest, ImportsOfManyLanguages) {
  for (const char* line :
       {"#include <a.h>", "# include \"a.h\"", "import os", "from os import path",
        "import { a } from './a'", "export * from './a'", "use std::fmt;", "using System.Text;",
        "const a = require('a')", "require 'set'", "package main", "@import 'a.css';"}) {
    EXPECT_EQ(FindImports(line).size(), 1u) << line;
  }
  for (const char* line : {"important = 3", "from here on", "using A = B;", "use the force",
                           "int import(int a) {", "import('./lazy').then(f)", "#define include"}) {
    EXPECT_TRUE(FindImports(line).empty()) << line;
  }
}

TEST(ImportLinesTest, BlocksInBracketsAreOneRun) {
  const std::string go = "package a\n\nimport (\n\t\"fmt\"\n\n\t\"os\"\n)\n\nfunc main() {\n}\n";
  const std::vector<LineSpan> runs = FindImports(go);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(go.substr(runs[0].end), "\nfunc main() {\n}\n");
  EXPECT_TRUE(IsMostlyImports(go));
  EXPECT_FALSE(IsMostlyImports(go + "// What main does is told at length in this line.\n"));
  EXPECT_FALSE(IsMostlyImports("text"));
  EXPECT_FALSE(IsMostlyImports(""));
}

}  // namespace
}  // namespace recall
