#pragma once

// Samples of the languages whose grammars say least about names (language_definitions.h).

#include "tests/index/source/code/code_samples.h"

namespace recall {

constexpr CodeSample kOwnCodeSamples[] = {
    {"elixir", "dir/a.ex",
     R"code(defmodule Db.Store do
  @moduledoc """
  Keeps a store.
  """
  use GenServer
  alias Db.Page

  @limit 3
  @type t :: %__MODULE__{id: integer}
  @typep row :: {integer, String.t()}
  @opaque handle :: reference
  defstruct [:id, :pages]

  @callback flush(t) :: :ok

  @doc "Writes."
  @spec commit(t, keyword) :: :ok
  def commit(store, opts \\ [])
  def commit(%{id: nil}, _opts), do: :error
  def commit(store, opts) when is_list(opts) do
    inner = fn x -> x end
    Enum.map(store.pages, fn page -> Page.write(page) end)
  end

  # Private.
  defp write_all([], _), do: :ok
  defp write_all([page | rest], opts), do: write_all(rest, opts)

  defmacro with_store(name, do: block) do
    quote do
      def hidden(), do: unquote(block)
    end
  end
  defmacrop debug(x), do: x
  defguard is_even(x) when rem(x, 2) == 0
  defdelegate size(store), to: Db.Page
  def a + b, do: {a, b}
  def valid?, do: true
  def run!(x) when x > 0, do: x

  defmodule Row do
    def id(row), do: row.id
  end
  defexception [:message]
  if Mix.env() == :test do
    def in_if, do: 1
  end
end

defprotocol Db.Shape do
  @doc "Area."
  def area(shape)
end

defimpl Db.Shape, for: Db.Store do
  def area(_), do: 1
end

defmodule Db.StoreTest do
  use ExUnit.Case
  describe "commit" do
    setup do
      :ok
    end
    test "writes all", %{store: store} do
      assert true
    end
  end
  test "alone" do
    :ok
  end
end
)code",
     R"(namespace Db.Store 1-1-48 -
constant limit 8-8-8 Db.Store
type t 9-9-9 Db.Store
type row 10-10-10 Db.Store
type handle 11-11-11 Db.Store
function flush 14-14-14 Db.Store
function commit 16-18-23 Db.Store
function write_all 25-26-27 Db.Store
macro with_store 29-29-33 Db.Store
macro debug 34-34-34 Db.Store
macro is_even 35-35-35 Db.Store
function size 36-36-36 Db.Store
function + 37-37-37 Db.Store
function valid? 38-38-38 Db.Store
function run! 39-39-39 Db.Store
namespace Row 41-41-43 Db.Store
function id 42-42-42 Row
function in_if 46-46-46 Db.Store
interface Db.Shape 50-50-53 -
method area 51-52-52 Db.Shape
class Db.Store 55-55-57 - extends
method area 56-56-56 Db.Store
namespace Db.StoreTest 59-59-72 -
)"},
    {"haskell", "dir/a.hs",
     R"code({-# LANGUAGE OverloadedStrings #-}
-- | About the module.
module Db.Store
  ( Store (..)
  , commit
  ) where

import qualified Data.Map as Map
import Data.Text (Text)

-- | Keeps a store.
data Store a = Store
  { storeId :: Int      -- ^ its id
  , storePages :: [a]
  } deriving (Show, Eq)

data Color = Red | Green Int
  deriving Show

newtype Parser a = Parser { runParser :: Text -> Maybe a }
type Rows = [Row]
type family Elem c
data family XList a

-- | Writes.
commit :: Store a -> IO Int
commit (Store 0 _) = return 0
commit store
  | null (storePages store) = return 1
  | otherwise = go 1
  where
    go n = return n

limit :: Int
limit = 3

class Shape a where
  area :: a -> Double
  area _ = 1
  name :: a -> String

instance Shape (Store a) where
  area _ = 2
  name = const "store"

deriving instance Ord Color

(<+>) :: Int -> Int -> Int
a <+> b = a + b
infixl 6 <+>

data Term a where
  Lit :: Int -> Term Int
  Add :: Term Int -> Term Int -> Term Int

pattern P x = Just x

x `combine` y = x

instance Eq a => Eq (S.Term [a]) where
  (==) = same
{-# INLINE (==) #-}

(.:) :: Int -> Int
{-# INLINE (.:) #-}
(.:) = id

foreign import ccall "sin" c_sin :: Double -> Double

main :: IO ()
main = do
  let f y = y
  print (f 1)
)code",
     R"(type Store 11-12-15 -
constant Store 12-12-15 Store
variable storeId 13-13-13 Store
variable storePages 14-14-14 Store
type Color 17-17-18 -
constant Red 17-17-17 Color
constant Green 17-17-17 Color
type Parser 20-20-20 -
constant Parser 20-20-20 Parser
variable runParser 20-20-20 Parser
type Rows 21-21-21 -
type Elem 22-22-22 -
type XList 23-23-23 -
function commit 25-26-32 -
function limit 34-34-35 -
class Shape 37-37-40 -
method area 38-38-39 Shape
method name 40-40-40 Shape
class Store 42-42-44 - extends
method area 43-43-43 Store
method name 44-44-44 Store
function <+> 48-48-49 -
type Term 52-52-54 -
constant Lit 53-53-53 Term
constant Add 54-54-54 Term
function combine 58-58-58 -
class Term 60-60-61 - extends
method == 61-61-61 Term
function .: 64-64-66 -
function c_sin 68-68-68 -
function main 70-70-73 -
)"},
    {"kotlin", "dir/a.kt",
     R"code(@file:JvmName("Stores")
package db.store

import java.io.File

const val LIMIT = 3
private var counter: Int = 0

/** Keeps a store. */
@Serializable
class Store<T>(private val path: File, val size: Int = 0) : Base(path), Closeable {
  private var pages = mutableListOf<Page>()
  val isFree: Boolean
    get() = size == 0

  constructor(path: String) : this(File(path))

  init {
    load()
  }

  // Writes.
  @Throws(IOException::class)
  override suspend fun commit(): Int {
    fun inner() {}
    val x = object : Runnable {
      override fun run() {}
    }
    return pages.map { it.write() }.sum()
  }

  operator fun get(i: Int) = pages[i]

  inner class Row(val id: Int)

  companion object {
    const val MAX = 3
    fun make(path: String) = Store<Int>(path)
  }
}

data class Point(val x: Int, val y: Int)

sealed interface Shape {
  fun area(): Double
}

enum class Color(val rgb: Int) {
  RED(1) {
    override fun g() {}
  },
  GREEN(2);

  fun hex() = "x"
}

object Registry {
  fun all() = 1
}

typealias Handler<T> = (T) -> Unit
fun top() {
  class Local {
    fun hidden() {}
  }
}
fun <T> List<T>.second(): T = this[1]
fun Int?.orZero() = this ?: 0
val String.last: Char
  get() = this[length - 1]
val registry by lazy { 1 }
)code",
     R"(constant LIMIT 6-6-6 -
variable counter 7-7-7 -
class Store 9-10-40 -
variable isFree 13-13-13 Store
method constructor 16-16-16 Store
method commit 22-23-30 Store
method get 32-32-32 Store
class Row 34-34-34 Store
constant MAX 37-37-37 Store
method make 38-38-38 Store
class Point 42-42-42 -
interface Shape 44-44-46 -
method area 45-45-45 Shape
enum Color 48-48-55 -
constant RED 49-49-51 Color
method g 50-50-50 RED
constant GREEN 52-52-52 Color
method hex 54-54-54 Color
class Registry 57-57-59 -
method all 58-58-58 Registry
type Handler 61-61-61 -
function top 62-62-66 -
method List.second 67-67-67 -
method Int.orZero 68-68-68 -
variable String.last 69-69-69 -
constant registry 71-71-71 -
)"},
    {"lua", "dir/a.lua",
     R"code(local util = require("util")

---@class Store
local M = {}
local LIMIT = 3
M.version = "1"
M.defaults = { a = 1, b = { c = 2 } }

-- Writes.
---@param x number
function M.commit(x)
  local function inner() end
  return function() end
end

function M:close() end
local function helper(a, b)
  return a
end
function top() end
M.handler = function(x) return x end
local run = function() end
M.sub = {}
function M.sub.deep() end
local Class = setmetatable({}, {
  __index = function(t, k) return k end,
  __call = function(self) end,
})
return {
  setup = function(opts) end,
  name = "x",
}
)code",
     R"(constant LIMIT 5-5-5 -
variable M.defaults 7-7-7 -
function M.commit 9-11-14 -
method M.close 16-16-16 -
function helper 17-17-19 -
function top 20-20-20 -
function M.handler 21-21-21 -
function run 22-22-22 -
function M.sub.deep 24-24-24 -
variable Class 25-25-28 -
method __index 26-26-26 Class
method __call 27-27-27 Class
method setup 30-30-30 -
)"},
    {"scala", "dir/a.scala",
     R"code(package db.store

import scala.collection.mutable

/** Keeps a store. */
@deprecated("x", "1")
class Store[T](path: String)(implicit val ec: Context) extends Base(path) with Closeable {
  val Max = 3
  private var pages: List[Page] = Nil
  def this() = this("")
  // Writes.
  @throws[IOException]
  override def commit(force: Boolean): Int = {
    def inner() = 1
    class Local { def hidden() = 1 }
    val x = new Runnable { def run() = {} }
    1
  }
  def +(other: Store[T]): Store[T] = this
  type Rows = List[Row]
  case class Row(id: Int)
  lazy val count = 1
}
object Store {
  final val Limit = 3
  def apply(path: String) = new Store(path)
  implicit class Ops(val s: String) extends AnyVal { def twice = s + s }
}
sealed trait Shape { def area: Double; def name: String = "" }
case object Circle extends Shape
object Main extends App { println(1) }

enum Color(val rgb: Int):
  case Red extends Color(1)
  case Green, Blue
  def hex: String = "x"

given Ordering[Point] with
  def compare(a: Point, b: Point): Int = 0

given named: Show[Int] = ???

extension (s: String)
  def twice: String = s + s
  def thrice: String = s

extension [T](x: T) def one = x

def top(x: Int): Int =
  val y = x
  y

val limit = 3
type Handler = Int => Unit
opaque type Id = Long

class Point(x: Int):
  def move(): Unit = ()
end Point

package inner {
  object Deep { def f = 1 }
}
@main def run(args: String*): Unit = println(1)
)code",
     R"(class Store 5-6-23 -
constant Max 8-8-8 Store
method this 10-10-10 Store
method commit 11-12-18 Store
method + 19-19-19 Store
type Rows 20-20-20 Store
class Row 21-21-21 Store
class Store 24-24-28 -
constant Limit 25-25-25 Store
method apply 26-26-26 Store
class Ops 27-27-27 Store
method twice 27-27-27 Ops
trait Shape 29-29-29 -
method area 29-29-29 Shape
method name 29-29-29 Shape
class Circle 30-30-30 -
class Main 31-31-31 -
enum Color 33-33-36 -
constant Red 34-34-34 Color
constant Green 35-35-35 Color
constant Blue 35-35-35 Color
method hex 36-36-36 Color
class Ordering 38-38-39 -
method compare 39-39-39 Ordering
class named 41-41-41 -
class String 43-43-45 - extends
method twice 44-44-44 String
method thrice 45-45-45 String
function one 47-47-47 -
function top 49-49-51 -
constant limit 53-53-53 -
type Handler 54-54-54 -
type Id 55-55-55 -
class Point 57-57-58 -
method move 58-58-58 Point
namespace inner 61-61-63 -
class Deep 62-62-62 inner
method f 62-62-62 Deep
function run 64-64-64 -
)"},
    {"swift", "dir/a.swift",
     R"code(import Foundation

let limit = 3
var counter: Int = 0

/// Keeps a store.
@MainActor
public final class Store<T>: Base, Closeable {
  static let maxSize = 3
  var pages: [Page] = []
  private(set) var count: Int { pages.count }
  init(path: String) { self.path = path }
  convenience init?(other: Store) { return nil }
  deinit { close() }
  // Writes.
  @discardableResult
  override public func commit(force: Bool = false) async throws -> Int {
    func inner() {}
    struct Local { func hidden() {} }
    return 1
  }
  static func == (a: Store, b: Store) -> Bool { true }
  subscript(i: Int) -> Page { pages[i] }
  class func make() -> Store { Store(path: "") }
  struct Row { let id: Int }
  enum Mode: String { case one, two; case three = "3"; func name() -> String { "" } }
  typealias Rows = [Row]
}
protocol Shape: AnyObject {
  associatedtype Out
  var name: String { get }
  func area() -> Double
  init(x: Int)
}
extension Store where T: Shape {
  func second() -> Int { 2 }
}
extension Array.Index: Shape { func area() -> Double { 1 } }
actor Counter { func add() {} }
struct Point { var x = 0 }
indirect enum Tree { case leaf; case node(Tree, Tree) }
func top<T>(x: T) -> T { x }
#if os(Linux)
func inIf() {}
#endif
infix operator <+>: AdditionPrecedence
func <+> (a: Int, b: Int) -> Int { a }
private let handler = { (x: Int) in x }
precedencegroup P { higherThan: Q }
)code",
     R"(constant limit 3-3-3 -
variable counter 4-4-4 -
class Store 6-7-28 -
constant maxSize 9-9-9 Store
variable count 11-11-11 Store
method init 12-12-12 Store
method init 13-13-13 Store
method deinit 14-14-14 Store
method commit 15-16-21 Store
method == 22-22-22 Store
method subscript 23-23-23 Store
method make 24-24-24 Store
struct Row 25-25-25 Store
enum Mode 26-26-26 Store
constant one 26-26-26 Mode
constant two 26-26-26 Mode
constant three 26-26-26 Mode
method name 26-26-26 Mode
type Rows 27-27-27 Store
interface Shape 29-29-34 -
type Out 30-30-30 Shape
variable name 31-31-31 Shape
method area 32-32-32 Shape
method init 33-33-33 Shape
class Store 35-35-37 - extends
method second 36-36-36 Store
class Array.Index 38-38-38 - extends
method area 38-38-38 Array.Index
class Counter 39-39-39 -
method add 39-39-39 Counter
struct Point 40-40-40 -
enum Tree 41-41-41 -
constant leaf 41-41-41 Tree
constant node 41-41-41 Tree
function top 42-42-42 -
function inIf 44-44-44 -
function <+> 47-47-47 -
constant handler 48-48-48 -
)"},
    {"zig", "dir/a.zig",
     R"code(//! Module.
const std = @import("std");
const mem = std.mem;

pub const limit: usize = 3;
var counter: u32 = 0;

/// Keeps a store.
pub const Store = struct {
    pages: []Page,
    id: u32 = 0,

    const Self = @This();
    pub const max = 3;

    /// Writes.
    pub fn commit(self: *Self, force: bool) !void {
        const Local = struct { fn hidden() void {} };
        _ = Local;
    }
    pub const Row = packed struct { id: u8 };
    const Mode = enum { one, two };
    test "in struct" {}
};

const Tag = union(enum) { a: u32, b };
pub const Error = error{ OutOfMemory, Bad };
const Handle = opaque {};

pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn append(self: *@This(), x: T) void {}
    };
}

export fn c_function(a: c_int) c_int {
    return a;
}
extern fn other(x: i32) void;
inline fn fast() void {}

test "commits all" {
    try std.testing.expect(true);
}
test List {}
comptime {
    _ = limit;
}
)code",
     R"(constant limit 5-5-5 -
variable counter 6-6-6 -
struct Store 8-9-24 -
constant max 14-14-14 Store
method commit 16-17-20 Store
struct Row 21-21-21 Store
enum Mode 22-22-22 Store
constant one 22-22-22 Mode
constant two 22-22-22 Mode
function in struct 23-23-23 Store
union Tag 26-26-26 -
enum Error 27-27-27 -
constant OutOfMemory 27-27-27 Error
constant Bad 27-27-27 Error
struct Handle 28-28-28 -
struct List 30-30-35 -
method append 33-33-33 List
function c_function 37-37-39 -
function other 40-40-40 -
function fast 41-41-41 -
function commits all 43-43-45 -
)"},
};

}  // namespace recall
