// The keywords of each language in languages.js: `cpp` and `typescript` beside those of `c` and `javascript`.

// A set of the words in texts.
export const words = (...texts) => new Set(texts.join(' ').trim().split(/\s+/));

export const WORDS = {
  c: `
    auto break case const continue default do double else enum extern float for goto if inline int long
    register return short signed sizeof static struct switch typedef union unsigned void volatile while char
    bool NULL true false`,
  cpp: `
    alignas alignof catch class co_await co_return co_yield concept consteval constexpr constinit const_cast
    decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept nullptr operator
    override private protected public reinterpret_cast requires static_assert static_cast template this
    thread_local throw try typeid typename using virtual wchar_t char8_t char16_t char32_t`,
  csharp: `
    abstract as async await base bool break byte case catch char checked class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach get goto if
    implicit in init int interface internal is lock long nameof namespace new null object operator out
    override params private protected public readonly record ref required return sbyte sealed set short sizeof
    static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using var
    virtual void volatile when where while with yield`,
  dart: `
    abstract as assert async await base bool break case catch class const continue default do double dynamic
    else enum export extends extension external factory false final finally for get if implements import in
    int interface is late library mixin new null on operator part required rethrow return sealed set static
    super switch this throw true try typedef var void when while with yield String`,
  elixir: `
    after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmodule defp
    defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue
    super true try unless unquote use when with`,
  go: `
    any bool break byte case chan const continue default defer else error fallthrough false float32 float64
    for func go goto if import int int32 int64 interface iota map nil package range return rune select string
    struct switch true type uint uint32 uint64 uintptr var`,
  haskell: `
    as case class data default deriving do else family foreign forall hiding if import in infix infixl infixr
    instance let module newtype of qualified then type where`,
  java: `
    abstract assert boolean break byte case catch char class const continue default do double else enum
    exports extends false final finally float for goto if implements import instanceof int interface long
    module native new non-sealed null package permits private protected public record return sealed short
    static strictfp super switch synchronized this throw throws transient true try var void volatile while
    yield`,
  javascript: `
    async await break case catch class const continue debugger default delete do else export extends false
    finally for from function get if import in instanceof let new null of return set static super switch this
    throw true try typeof undefined var void while with yield`,
  julia: `
    abstract baremodule begin break catch const continue do else elseif end export false finally for function
    global if import in isa let local macro module mutable nothing primitive quote return struct true try type
    using where while`,
  kotlin: `
    abstract actual annotation as break by catch class companion const constructor continue crossinline data
    do else enum expect external false final finally for fun if import in infix init inline inner interface
    internal is lateinit null object open operator out override package private protected public reified
    return sealed super suspend tailrec this throw true try typealias val var vararg when where while`,
  lua: `
    and break do else elseif end false for function goto if in local nil not or repeat return then true until
    while`,
  perl: `
    and bless cmp die do else elsif eq eval for foreach ge gt if last le local lt my ne next no not or our
    package print qw redo require return shift sub undef unless until use wantarray while xor`,
  php: `
    abstract and array as break callable case catch class clone const continue declare default do echo else
    elseif empty enum exit extends false final finally fn for foreach function global goto if implements
    include include_once instanceof insteadof int interface isset list match namespace new null or print
    private protected public readonly require require_once return self static string switch this throw trait
    true try unset use var void while xor yield`,
  powershell: `
    begin break catch class continue do else elseif end enum exit filter finally for foreach function if in
    param process return switch throw trap try until using while`,
  proto: `
    bool bytes double enum extend extensions false fixed32 fixed64 float import int32 int64 map message oneof
    option optional package public repeated required reserved returns rpc service string syntax true uint32
    uint64`,
  python: `
    False None True and as assert async await break case class continue def del elif else except finally for
    from global if import in is lambda match nonlocal not or pass raise return self try type while with yield`,
  ruby: `
    BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module
    next nil not or redo require rescue retry return self super then true undef unless until when while yield
    attr_reader attr_writer attr_accessor private protected public`,
  rust: `
    Self as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for
    i128 i16 i32 i64 i8 if impl in isize let loop macro_rules match mod move mut pub ref return self static
    str struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while yield`,
  scala: `
    abstract case catch class def derives do else enum export extends extension false final finally for
    forSome given if implicit import inline lazy match new null object opaque open override package private
    protected return sealed super then this throw trait transparent true try type using val var while with
    yield`,
  shell: `
    if then else elif fi case esac for while until do done in function select time return local export
    readonly declare set unset exit break continue shift source eval exec trap alias`,
  sql: `
    add all alter and any as asc autoincrement begin between bigint blob boolean by cascade case cast check
    collate column commit conflict constraint create cross current_timestamp database default delete desc
    distinct drop else end escape except exists explain false fetch foreign from full function glob group
    having if ignore in index inner insert int integer intersect into is join key left like limit natural not
    null numeric offset on or order outer over partition pragma primary procedure real recursive references
    rename replace returning right rollback row select set table text then transaction trigger true union
    unique update using vacuum values varchar view virtual when where window with without`,
  swift: `
    Any Self actor as associatedtype async await break case catch class continue convenience default defer
    deinit do else enum extension fallthrough false fileprivate final for func guard if import in indirect
    init inout internal is lazy let mutating nil open operator override private protocol public repeat
    required rethrows return self some static struct subscript super switch throw throws true try typealias
    unowned var weak where while`,
  typescript: `
    abstract any as asserts boolean declare enum implements infer interface is keyof module namespace never
    number object override private protected public readonly satisfies string symbol type unknown`,
  zig: `
    align allowzero and anyframe anytype asm async await bool break callconv catch comptime const continue
    defer else enum errdefer error export extern f32 f64 false fn for i32 i64 if inline noalias nosuspend null
    or orelse packed pub resume return struct suspend switch test threadlocal true try type u16 u32 u64 u8
    undefined union unreachable usize usingnamespace var void volatile while`,
};
