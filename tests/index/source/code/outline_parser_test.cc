#include "index/source/code/outline_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "index/source/code/code_grammar.h"
#include "index/source/code/linked_grammars.h"
#include "index/source/code/outline_check.h"
#include "tests/index/source/code/code_samples.h"
#include "tests/index/source/code/own_code_samples.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr CodeSample kCodeSamples[] = {
    {"cpp", "dir/a.cc",
     R"code(// The licence.

#include <vector>
#include "b.h"

namespace recall {
namespace {

constexpr int kMost = 3;
int counter = 0;
extern int other;
void Prototype(int x);

}  // namespace

// Keeps a store.
// Two lines.
template <typename T>
class Store final : public Base<T> {
 public:
  // Makes it.
  explicit Store(int a) : a_(a) {}
  ~Store();
  void Commit();
  virtual int Count() const = 0;
  static constexpr int kSize = 4;
  operator bool() const { return true; }
  bool operator==(const Store& other) const;
  friend void Swap(Store& a, Store& b);
  struct Row {
    int id;
    void (*callback)(int);
  };
  enum class Mode : uint8_t { kOne, kTwo };
  using Rows = std::vector<Row>;

 private:
  int a_;
};

template <typename T>
void Store<T>::Commit() {
  struct Local { int x; };
  auto f = [] { return 1; };
}

Store::~Store() = default;
std::string* Name(const Store& s) { return nullptr; }
bool recall::Store::operator<(int) const { return false; }
template <>
struct std::hash<Store> {
  size_t operator()(const Store& s) const { return 0; }
};
TEST_F(StoreTest, Commits) {
  EXPECT_TRUE(true);
}
#define CHECK(x) \
  do {           \
  } while (0)
#define ONE 1
typedef struct point { int x; } point;
typedef struct { int x; } anon_t;
typedef void (*handler)(int);
extern "C" {
int c_function(void) { return 1; }
}
#ifdef X
int in_ifdef() { return 2; }
#else
int in_else() { return 3; }
#endif
}  // namespace recall
)code",
     R"(namespace recall 6-6-72 -
constant kMost 9-9-9 recall
variable counter 10-10-10 recall
class Store 16-18-39 recall
method Store 21-22-22 Store
method ~Store 23-23-23 Store
method Commit 24-24-24 Store
method Count 25-25-25 Store
constant kSize 26-26-26 Store
method operator bool 27-27-27 Store
method operator== 28-28-28 Store
struct Row 30-30-33 Store
enum Mode 34-34-34 Store
constant kOne 34-34-34 Mode
constant kTwo 34-34-34 Mode
type Rows 35-35-35 Store
method Store::Commit 41-41-45 recall
method Store::~Store 47-47-47 recall
function Name 48-48-48 recall
method recall::Store::operator< 49-49-49 recall
struct std::hash 50-50-53 recall
method operator() 52-52-52 std::hash
function StoreTest.Commits 54-54-56 recall
macro CHECK 57-57-59 recall
struct point 61-61-61 recall
struct anon_t 62-62-62 recall
type handler 63-63-63 recall
function c_function 65-65-65 recall
function in_ifdef 68-68-68 recall
function in_else 70-70-70 recall
)"},
    {"c", "dir/a.c",
     R"code(#include <stdio.h>
/* A point. */
struct point { int x; };
struct point origin;
static const char *names[] = { "a", "b" };
enum color { RED, GREEN };
union u { int a; };
typedef unsigned int uint;
int prototype(int);
static int
gnu_style (int a)
{
  return a;
}
char *ptr(void) { return 0; }
void (*signal(int sig, void (*func)(int)))(int) { return 0; }
#define MULTI(a) ((a) + 1)
#define LINES \
  1 + \
  2
int old(a) int a; { return a; }
)code",
     R"(struct point 2-3-3 -
variable origin 4-4-4 -
constant names 5-5-5 -
enum color 6-6-6 -
constant RED 6-6-6 color
constant GREEN 6-6-6 color
union u 7-7-7 -
type uint 8-8-8 -
function gnu_style 10-10-14 -
function ptr 15-15-15 -
function signal 16-16-16 -
macro MULTI 17-17-17 -
macro LINES 18-18-20 -
function old 21-21-21 -
)"},
    {"python", "dir/a.py",
     R"code("""Doc."""
import os
from x import y

LIMIT = 3
lower = 4

# About run.
@decorator
@other(1)
def run(a, b):
    def inner():
        pass
    return inner


class Store(Base):
    """Keeps."""
    SIZE = 3

    def __init__(self):
        self.a = 1
    # About commit.
    @property
    async def commit(self):
        return 2

    class Inner:
        def x(self): pass

if True:
    def conditional(): pass
)code",
     R"(constant LIMIT 5-5-5 -
function run 8-11-14 -
class Store 17-17-29 -
method __init__ 21-21-22 Store
method commit 23-25-26 Store
class Inner 28-28-29 Store
method x 29-29-29 Inner
function conditional 32-32-32 -
)"},
    {"javascript", "dir/a.js",
     R"code('use strict';
const fs = require('fs');
const LIMIT = 10;
/** Runs. */
export async function run() { function inner() {} }
export default class Store extends Base {
  #x = 1;
  handler = () => { return 1; };
  constructor() { super(); }
  get size() { return 1; }
  static make() {}
}
const f = (a) => a, g = function () {};
exports.read = function () {};
Store.prototype.commit = function () {};
module.exports = { a() {}, b: function () {}, c: 1 };
const api = { get() {}, post: () => 1 };
(function () { function hidden() {} var x = function () {}; })();
describe('x', () => { function helper() {} });
)code",
     R"(constant LIMIT 3-3-3 -
function run 4-5-5 -
class Store 6-6-12 -
method handler 8-8-8 Store
method constructor 9-9-9 Store
method size 10-10-10 Store
method make 11-11-11 Store
function f 13-13-13 -
function g 13-13-13 -
function read 14-14-14 -
method Store.commit 15-15-15 -
variable module.exports 16-16-16 -
method a 16-16-16 module.exports
method b 16-16-16 module.exports
constant api 17-17-17 -
method get 17-17-17 api
method post 17-17-17 api
function hidden 18-18-18 -
function x 18-18-18 -
function helper 19-19-19 -
)"},
    {"typescript", "dir/a.ts",
     R"code(import { x } from 'y';
export interface Shape<T> { area(): number; name: string }
export type Id = string | number;
export abstract class Base { abstract run(): void; protected log(m: string): void {} }
declare function ambient(x: number): void;
namespace Geometry { export function area() { return 1; } }
export enum Color { Red, Green = 2 }
@Component({})
export class Decorated { @Input() name: string; method = async () => {}; }
export const enum E2 { A }
)code",
     R"(interface Shape 2-2-2 -
method area 2-2-2 Shape
type Id 3-3-3 -
class Base 4-4-4 -
method run 4-4-4 Base
method log 4-4-4 Base
function ambient 5-5-5 -
namespace Geometry 6-6-6 -
function area 6-6-6 Geometry
enum Color 7-7-7 -
constant Red 7-7-7 Color
constant Green 7-7-7 Color
class Decorated 8-8-9 -
method method 9-9-9 Decorated
enum E2 10-10-10 -
constant A 10-10-10 E2
)"},
    {"go", "dir/a.go",
     R"code(package main

import "fmt"

const Max = 3
const (
	A = iota // first
	B
)

var global = 1

// Store keeps.
type Store struct {
	mu int
}

type (
	Reader interface {
		Read(p []byte) (int, error)
	}
	ID = string
)

// Commit commits.
func (s *Store) Commit() error { f := func() {}; return nil }
func (l List[T]) Len() int { return 0 }
func main() { fmt.Println() }
)code",
     R"(constant Max 5-5-5 -
constant A 7-7-7 -
constant B 8-8-8 -
variable global 11-11-11 -
struct Store 13-14-16 -
interface Reader 19-19-21 -
method Read 20-20-20 Reader
type ID 22-22-22 -
method Store.Commit 25-26-26 -
method List.Len 27-27-27 -
function main 28-28-28 -
)"},
    {"rust", "dir/a.rs",
     R"code(use std::fmt;

/// A store.
#[derive(Debug)]
pub struct Store<T> { a: T }

impl<T> Store<T> {
    /// New.
    pub fn new() -> Self { fn inner() {} Store { a: 1 } }
    const X: u8 = 1;
}
impl<T> fmt::Display for Store<T> { fn fmt(&self) {} }
pub trait Shape { fn area(&self) -> f64; fn name(&self) -> String { String::new() } type Out; }
pub enum Color { Red, Green(u8) }
mod tests { #[test] fn works() {} }
mod other;
macro_rules! square { ($x:expr) => { $x * $x }; }
static GLOBAL: u8 = 1;
const MAX: u8 = 1;
type Alias = Vec<u8>;
union U { a: u8 }
)code",
     R"(struct Store 3-5-5 -
class Store 7-7-11 -
method new 8-9-9 Store
constant X 10-10-10 Store
class Store 12-12-12 -
method fmt 12-12-12 Store
trait Shape 13-13-13 -
method area 13-13-13 Shape
method name 13-13-13 Shape
type Out 13-13-13 Shape
enum Color 14-14-14 -
constant Red 14-14-14 Color
constant Green 14-14-14 Color
namespace tests 15-15-15 -
function works 15-15-15 tests
macro square 17-17-17 -
variable GLOBAL 18-18-18 -
constant MAX 19-19-19 -
type Alias 20-20-20 -
union U 21-21-21 -
)"},
    {"java", "dir/A.java",
     R"code(package a.b;
import java.util.*;
/** Doc. */
@Deprecated
public class Store<T> extends Base {
  public static final int MAX = 3;
  private int x;
  Store() { x = 1; }
  @Override public void commit() { new Runnable() { public void run() {} }; }
  interface Inner { int f(); }
  enum Color { RED, GREEN { void g() {} }; int h() { return 1; } }
  record Point(int x, int y) { Point { } }
  @interface Note { String value() default ""; }
}
)code",
     R"(class Store 3-4-14 -
constant MAX 6-6-6 Store
method Store 8-8-8 Store
method commit 9-9-9 Store
interface Inner 10-10-10 Store
method f 10-10-10 Inner
enum Color 11-11-11 Store
constant RED 11-11-11 Color
constant GREEN 11-11-11 Color
method g 11-11-11 GREEN
method h 11-11-11 Color
class Point 12-12-12 Store
method Point 12-12-12 Point
interface Note 13-13-13 Store
method value 13-13-13 Note
)"},
    {"c-sharp", "dir/a.cs",
     R"code(using System;
namespace A.B {
  /// <summary>x</summary>
  [Serializable]
  public class Store : Base {
    public const int Max = 3;
    private int x;
    public Store() {}
    ~Store() {}
    public int Size { get; set; }
    public void Commit() { void Local() {} }
    public static Store operator +(Store a, Store b) => a;
    public int this[int i] => i;
    enum Color { Red, Green }
    delegate void Handler(int x);
    struct S { }
    interface I { void F(); }
    record R(int X);
  }
}
)code",
     R"(namespace A.B 2-2-20 -
class Store 3-4-19 A.B
constant Max 6-6-6 Store
method Store 8-8-8 Store
method ~Store 9-9-9 Store
variable Size 10-10-10 Store
method Commit 11-11-11 Store
method operator + 12-12-12 Store
method this[] 13-13-13 Store
enum Color 14-14-14 Store
constant Red 14-14-14 Color
constant Green 14-14-14 Color
type Handler 15-15-15 Store
struct S 16-16-16 Store
interface I 17-17-17 Store
method F 17-17-17 I
class R 18-18-18 Store
)"},
    {"ruby", "dir/a.rb",
     R"code(require 'x'
LIMIT = 3
# A module.
module Outer
  # A class.
  class Store < Base
    attr_reader :x
    SIZE = 1
    def initialize; end
    def self.make(x)
      x
    end
    class << self
      def single; end
    end
    def ==(other); true; end
  end
end
def top; end
)code",
     R"(constant LIMIT 2-2-2 -
namespace Outer 3-4-18 -
class Store 5-6-17 Outer
constant SIZE 8-8-8 Store
method initialize 9-9-9 Store
method make 10-10-12 Store
method single 14-14-14 Store
method == 16-16-16 Store
function top 19-19-19 -
)"},
    {"php", "dir/a.php",
     R"code(<?php
namespace App\Models;
use X;
const MAX = 3;
/** Doc. */
#[Attr]
class Store extends Base implements I {
  const A = 1, B = 2;
  public function __construct(private int $x) {}
  public static function make(): self { $f = function() {}; return new class { function z() {} }; }
}
interface I { function f(); }
trait T { function g() {} }
enum Color: string { case Red = 'r'; function h() {} }
function top() { function inner() {} }
)code",
     R"(constant MAX 4-4-4 -
class Store 5-6-11 -
constant A 8-8-8 Store
constant B 8-8-8 Store
method __construct 9-9-9 Store
method make 10-10-10 Store
interface I 12-12-12 -
method f 12-12-12 I
trait T 13-13-13 -
method g 13-13-13 T
enum Color 14-14-14 -
constant Red 14-14-14 Color
method h 14-14-14 Color
function top 15-15-15 -
)"},
    {"bash", "dir/a.sh",
     R"code(#!/bin/bash
# Runs.
run() {
  echo 1
}
function other { echo 2; }
)code",
     R"(function run 1-3-5 -
function other 6-6-6 -
)"},
};

std::vector<CodeSample> SamplesOfThisProgram() {
  std::vector<CodeSample> samples(std::begin(kCodeSamples), std::end(kCodeSamples));
  samples.insert(samples.end(), std::begin(kOwnCodeSamples), std::end(kOwnCodeSamples));
  std::erase_if(samples, [](const CodeSample& sample) {
    return std::ranges::none_of(LinkedGrammars(), [&](const LinkedGrammar& grammar) {
      return grammar.language == sample.language;
    });
  });
  return samples;
}

int64_t LineOf(std::string_view text, uint64_t byte) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<int64_t>(byte), '\n');
}

std::string Printed(const CodeOutline& outline, std::string_view text) {
  std::ostringstream out;
  for (const Definition& definition : outline.definitions) {
    out << SymbolKindName(definition.kind) << ' ' << definition.name << ' '
        << LineOf(text, definition.start_byte) << '-' << LineOf(text, definition.code_byte) << '-'
        << LineOf(text, definition.end_byte - 1) << ' '
        << (definition.parent < 0
                ? "-"
                : outline.definitions[static_cast<size_t>(definition.parent)].name)
        << (definition.extends ? " extends" : "") << '\n';
  }
  return out.str();
}

std::optional<CodeOutline> OutlineOf(std::string_view path, std::string_view text) {
  return ParseOutline(GrammarFor(path, text), text);
}

class LanguageTest : public ::testing::TestWithParam<CodeSample> {};

TEST_P(LanguageTest, DefinitionsAreFound) {
  const CodeSample& sample = GetParam();
  const auto outline = OutlineOf(sample.path, sample.text);
  ASSERT_TRUE(outline.has_value());
  EXPECT_TRUE(outline->grammar.starts_with(std::string(sample.language) + "-"));
  EXPECT_EQ(Printed(*outline, sample.text), sample.definitions);
}

// Whatever is cut off, inserted or doubled: an outline keeps its promises, or there is none.
TEST_P(LanguageTest, BrokenCodeHasASoundOutlineOrNone) {
  const CodeSample& sample = GetParam();
  const std::string text(sample.text);
  size_t outlines = 0;
  for (size_t at = 0; at < text.size(); at += 7) {
    for (const std::string& broken :
         {text.substr(0, at), text.substr(at), text.substr(0, at) + "}" + text.substr(at),
          text.substr(0, at) + std::string("\xFF\0(\"", 4) + text.substr(at)}) {
      const auto outline = OutlineOf(sample.path, broken);
      if (!outline) continue;
      ++outlines;
      EXPECT_TRUE(IsSoundOutline(*outline, broken.size())) << at;
    }
  }
  // A fault costs the definitions around it, not the outline.
  EXPECT_GT(outlines, text.size() / 7 * 2);
}

TEST_P(LanguageTest, DeepNestingEnds) {
  const CodeSample& sample = GetParam();
  for (const std::string_view open : {"(", "[", "{", "<", "a(", "if (a) {"}) {
    std::string text(sample.text);
    for (int i = 0; i < 10'000; ++i) text += open;
    const auto outline = OutlineOf(sample.path, text);
    EXPECT_TRUE(!outline || IsSoundOutline(*outline, text.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, LanguageTest, ::testing::ValuesIn(SamplesOfThisProgram()),
                         [](const auto& sample) {
                           std::string name(sample.param.language);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

bool HasGrammar(std::string_view path) { return !GrammarFor(path, "").empty(); }

// The text of each cut up to the end of its line, and its depth.
std::vector<std::pair<std::string, uint32_t>> CutLines(const CodeOutline& outline,
                                                       std::string_view text) {
  std::vector<std::pair<std::string, uint32_t>> lines;
  for (const CodeCut& cut : outline.cuts) {
    const std::string_view rest = text.substr(cut.byte);
    lines.emplace_back(rest.substr(0, rest.find('\n')), cut.depth);
  }
  return lines;
}

TEST(OutlineTest, CommentsDirectlyAboveBelongToADefinition) {
  if (!HasGrammar("a.py")) return;
  const std::string_view text =
      "# far\n\n# near\n# nearer\n@decorated\ndef f(): pass\nx = 1  # behind\ndef g(): pass\n";
  const auto outline = OutlineOf("a.py", text);
  ASSERT_TRUE(outline.has_value());
  ASSERT_EQ(outline->definitions.size(), 2U);
  const Definition& f = outline->definitions[0];
  EXPECT_EQ(text.substr(f.start_byte, f.end_byte - f.start_byte),
            "# near\n# nearer\n@decorated\ndef f(): pass");
  EXPECT_TRUE(text.substr(f.code_byte).starts_with("def f()"));
  const Definition& g = outline->definitions[1];
  EXPECT_EQ(text.substr(g.start_byte, g.end_byte - g.start_byte), "def g(): pass");
}

// Macros that the grammar has no place for hide no class and no function, and belong to the
// definitions below them as comments do.
TEST(OutlineTest, DefinitionsBehindMacrosAreFound) {
  if (!HasGrammar("a.cc")) return;
  const std::string_view text = R"code(BEGIN_NAMESPACE

// Shows.
class API_EXPORT Widget : public Base {
  Q_OBJECT
  PROPERTY(int width READ width)

 public SLOTS:
  // Shows it.
  DEPRECATED("x")
  void Show();
 SIGNALS:
  void Shown();
  enum API_EXPORT Mode { kA };
};

// Makes one.
API_EXPORT
Widget* CALL_TYPE Make(int) {
  return new Widget;
}
API_EXPORT Widget* Other(int) { return nullptr; }
struct API_EXPORT Last final { int a; };

END_NAMESPACE
)code";
  const auto outline = OutlineOf("a.h", text);
  ASSERT_TRUE(outline.has_value());
  EXPECT_EQ(Printed(*outline, text), R"(class Widget 3-4-15 -
method Show 9-11-11 Widget
method Shown 12-13-13 Widget
enum Mode 14-14-14 Widget
constant kA 14-14-14 Mode
function Make 17-19-21 -
function Other 22-22-22 -
struct Last 23-23-23 -
)");
  EXPECT_TRUE(text.substr(outline->definitions[6].start_byte).starts_with("API_EXPORT Widget*"));
}

TEST(OutlineTest, DefinitionsInALineBeginBehindWhatPrecedesThem) {
  if (!HasGrammar("a.c")) return;
  const std::string_view text = "struct a { int x; }; struct b { int y; };\n";
  const auto outline = OutlineOf("a.c", text);
  ASSERT_TRUE(outline.has_value());
  ASSERT_EQ(outline->definitions.size(), 2U);
  EXPECT_EQ(outline->definitions[0].end_byte, 20U);  // with the semicolon
  EXPECT_EQ(outline->definitions[1].start_byte, 20U);
  EXPECT_EQ(outline->definitions[1].code_byte, 21U);
}

TEST(OutlineTest, CutsAreWhereStatementsBegin) {
  if (!HasGrammar("a.py")) return;
  std::string text = "import os\nimport sys\n\n# About f.\ndef f(a):\n    if a:\n";
  for (int i = 0; i < 100; ++i)
    text += "        call(a,\n             " + std::to_string(i) + ")\n";
  text += "    # Ends.\n    return \"\"\"\nnot a statement\n\"\"\"\n";
  const auto outline = OutlineOf("a.py", text);
  ASSERT_TRUE(outline.has_value());
  const auto lines = CutLines(*outline, text);
  ASSERT_EQ(lines.size(), 105U);
  EXPECT_EQ(lines[0].first, "import os");
  EXPECT_EQ(lines[1].first, "import sys");
  EXPECT_EQ(lines[2].first, "# About f.");
  EXPECT_EQ(lines[3].first, "    if a:");
  EXPECT_EQ(lines[103].first, "        call(a,");
  EXPECT_EQ(lines[104].first, "    # Ends.");
  EXPECT_EQ(lines[0].second, lines[2].second);
  EXPECT_EQ(lines[3].second, lines[104].second);
  // The deeper a statement, the worse the place.
  EXPECT_LT(lines[2].second, lines[3].second);
  EXPECT_LT(lines[3].second, lines[103].second);
}

TEST(OutlineTest, WhatIsNotCodeOrTooLargeHasNone) {
  if (!HasGrammar("a.py")) return;
  std::string prose;
  for (int i = 0; i < 100; ++i) prose += "} this: is ) not ! code \\ at % all ] $ 'it is\n";
  EXPECT_FALSE(OutlineOf("a.py", prose).has_value());
  EXPECT_FALSE(OutlineOf("a.py", std::string(kMostOutlineText + 1, '\n')).has_value());
  EXPECT_TRUE(OutlineOf("a.py", std::string(kMostOutlineText, '\n')).has_value());
  EXPECT_FALSE(ParseOutline("python-0.0.0", "x = 1\n").has_value());
  EXPECT_FALSE(ParseOutline("", "x = 1\n").has_value());
  EXPECT_TRUE(OutlineOf("a.py", "").has_value());
}

// Clauses and equations of one name are one definition, unless something else is between them.
TEST(OutlineTest, ClausesDirectlyBelowEachOtherAreOneDefinition) {
  if (!HasGrammar("a.ex") || !HasGrammar("a.hs")) return;
  const std::string_view elixir =
      "def f(0), do: 1\n\n# Else.\ndef f(n), do: n\n@doc \"b\"\ndef f(a, b), do: a\ndef g, do: 1\n"
      "def f(a, b, c), do: a\n";
  const auto clauses = OutlineOf("a.ex", elixir);
  ASSERT_TRUE(clauses.has_value());
  EXPECT_EQ(Printed(*clauses, elixir),
            "function f 1-1-4 -\nfunction f 5-6-6 -\nfunction g 7-7-7 -\nfunction f 8-8-8 -\n");
  const std::string_view haskell =
      "-- | One.\nf :: Int -> Int\n-- zero\nf 0 = 1\nf n = g n\n  where g x = x\ng :: Int\ng = 1\n";
  const auto equations = OutlineOf("a.hs", haskell);
  ASSERT_TRUE(equations.has_value());
  EXPECT_EQ(Printed(*equations, haskell), "function f 1-2-6 -\nfunction g 7-7-8 -\n");
}

// Statements of Haskell have fields, but are members of their list.
TEST(OutlineTest, StatementsWithFieldsAreCutsInLists) {
  if (!HasGrammar("a.hs")) return;
  std::string text = "main = do\n";
  for (int i = 0; i < 60; ++i) text += "  call " + std::to_string(i) + "\n";
  const auto outline = OutlineOf("a.hs", text);
  ASSERT_TRUE(outline.has_value());
  EXPECT_EQ(outline->cuts.size(), 60U);
}

TEST(OutlineTest, OneLongLineIsParsed) {
  if (!HasGrammar("a.js")) return;
  std::string text;
  while (text.size() < (1 << 20)) text += "function f(a){return g(a,[1,2,3])};";
  const auto outline = OutlineOf("a.js", text);
  ASSERT_TRUE(outline.has_value());
  EXPECT_TRUE(IsSoundOutline(*outline, text.size()));
  EXPECT_EQ(outline->cuts.size(), 1U);
  EXPECT_GT(outline->definitions.size(), 29'000U);
}

// All sources of this repository: nearly all have an outline, which is sound, and the class or
// function that a header is about is in it.
TEST(OutlineTest, OwnSourcesHaveSoundOutlines) {
  if (!HasGrammar("a.cc") || !HasGrammar("a.h")) return;
  size_t files = 0;
  size_t outlines = 0;
  size_t definitions = 0;
  for (const std::string_view folder : {"storage", "index", "query", "cli"}) {
    const std::filesystem::path root = std::filesystem::path(SourceDir()) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(".cc") && !path.ends_with(".h")) continue;
      std::ifstream in(path, std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      const auto outline = OutlineOf(path, text);
      ++files;
      if (!outline) continue;
      ++outlines;
      definitions += outline->definitions.size();
      ASSERT_TRUE(IsSoundOutline(*outline, text.size())) << path;
      for (const CodeCut& cut : outline->cuts) {
        ASSERT_TRUE(cut.byte == 0 || text[cut.byte - 1] == '\n') << path << " at " << cut.byte;
      }
    }
  }
  EXPECT_GT(files, 500U);
  EXPECT_GT(outlines * 100, files * 95);
  EXPECT_GT(definitions, files * 5);
}

}  // namespace
}  // namespace recall
