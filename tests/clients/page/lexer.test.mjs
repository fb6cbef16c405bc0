// The colours of source code: what the lexer of the page takes for comments, texts, keywords and names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from './modules/languages.js';
import { lexLine } from './modules/lexer.js';

// The tokens of a text as "kind text", but for names, with an empty entry for each end of a line.
function tokensOf(path, text) {
  const language = languageOf(path);
  let state = null;
  return text.split('\n').flatMap((line, i) => {
    const read = lexLine(language, line, state);
    state = read.state;
    const tokens = read.tokens.filter(({ kind }) => kind !== 'name').map(({ start, end, kind }) => `${kind} ${line.slice(start, end)}`);
    return i > 0 ? ['', ...tokens] : tokens;
  });
}

// Extension, text, and its tokens.
const TEXTS = [
  ['cc', 'auto s = R"x( " )" // no', ['keyword auto', 'string R"x( " )" // no']],
  ['cc', 'R"x( " \n )x" // yes', ['string R"x( " ', '', 'string  )x"', 'comment // yes']],
  ['cc', "int n = 1'000; char c = '\"'; /* a\n*/ x", ['keyword int', "number 1'000", 'keyword char', "string '\"'", 'comment /* a', '', 'comment */']],
  ['cc', 'class Foo final { }; class Bar; struct X x;', ['keyword class', 'definition Foo', 'keyword final', 'keyword class', 'keyword struct']],
  ['cc', '"no end // text\nint x; // comment', ['string "no end // text', '', 'keyword int', 'comment // comment']],
  ['cc', '"goes on \\\nhere" x', ['string "goes on \\', '', 'string here"']],
  ['rs', '/* a /* b */ still */ fn main', ['comment /* a /* b */ still */', 'keyword fn', 'definition main']],
  ['rs', "/* a /* b */\nx */ let c = '\"'; &'a str", ['comment /* a /* b */', '', 'comment x */', 'keyword let', "string '\"'", "keyword 'a", 'keyword str']],
  ['rs', 'r#" " "# x "a\nb" 1u8', ['string r#" " "#', 'string "a', '', 'string b"', 'number 1u8']],
  ['js', '`a ${b + `c ${d} "` + {e: "}"}.e} f`; 1', ['string `a ${', 'string `c ${', 'string  "`', 'string "}"', 'string  f`', 'number 1']],
  ['js', '`a ${\nb } c\n` 1', ['string `a ${', '', 'string  c', '', 'string `', 'number 1']],
  ['js', '/["/]/.test(a / 2) // c', ['string /["/]/', 'number 2', 'comment // c']],
  ['js', 'a.delete; class B extends C {}', ['keyword class', 'definition B', 'keyword extends']],
  ['ts', 'interface A { readonly b: string }', ['keyword interface', 'definition A', 'keyword readonly', 'keyword string']],
  ['py', 'def f(x):\n  """a "\n b""" # c\nr"\\" + 1', ['keyword def', 'definition f', '', 'string """a "', '', 'string  b"""', 'comment # c', '', 'string r"\\" + 1']],
  ['sh', "cat <<'EOF' # c\n echo \"$x\nEOF\n${#x} \"a\nb\" # c", ["string <<'EOF'", 'comment # c', '', 'string  echo "$x', '', 'string EOF', '', 'string "a', '', 'string b"', 'comment # c']],
  ['rb', 'def empty?(x) "a#{h["k"]}b" # c\n=begin\n"\n=end\n%w[" a] + :b', ['keyword def', 'definition empty?', 'string "a#{', 'string "k"', 'string b"', 'comment # c', '', 'comment =begin', '', 'comment "', '', 'comment =end', '', 'string %w[" a]', 'string :b']],
  ['lua', '--[==[ ]] \n]==] x = [[ "\n]] -- c', ['comment --[==[ ]] ', '', 'comment ]==]', 'string [[ "', '', 'string ]]', 'comment -- c']],
  ['hs', "{- a {- b -} c -} foldl' x --> y -- c", ['comment {- a {- b -} c -}', 'comment -- c']],
  ['cs', '@"a""b\nc" class A', ['string @"a""b', '', 'string c"', 'keyword class', 'definition A']],
  ['go', 'func Run() { x := `"\n"` }', ['keyword func', 'definition Run', 'string `"', '', 'string "`']],
  ['kt', '"a ${m["k"]} b" fun f', ['string "a ${', 'string "k"', 'string  b"', 'keyword fun', 'definition f']],
  ['swift', '"a \\(f("x")) b" #"raw " "#', ['string "a \\(', 'string "x"', 'string  b"', 'string #"raw " "#']],
  ['ex', '~r/"/; "x#{f("y")}z" # c', ['string ~r/"/', 'string "x#{', 'string "y"', 'string z"', 'comment # c']],
  ['php', '<<<EOT\n"\nEOT;\n#[A]\n# c', ['string <<<EOT', '', 'string "', '', 'string EOT;', '', '', 'comment # c']],
  ['sql', "select 'it''s' FROM t -- c", ['keyword select', "string 'it''s'", 'keyword FROM', 'comment -- c']],
  ['yaml', "a: don't # c\nb: 'x'\nc: http://x#y", ['keyword a', 'comment # c', '', 'keyword b', "string 'x'", '', 'keyword c']],
  ['json', '{"a\\"": [1, true]}', ['string "a\\""', 'number 1', 'keyword true']],
  ['unknown', 'int "x" 12', ['number 12']],
];

test('texts of many languages have their tokens', () => {
  for (const [extension, text, expected] of TEXTS) assert.deepEqual(tokensOf(`a.${extension}`, text), expected, `${extension}: ${text}`);
});

test('tokens are ascending and within the line, whatever the text', () => {
  const alphabet = ['"', "'", '`', '/', '*', '\\', '#', '{', '}', '${', '(', ')', '<<', 'R"', 'r#', '[', ']', '=', '-', 'a', 'class ', '1', ' ', '\n', '😀', '\u202e', '<!--', '%w', '~r'];
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (const extension of 'c cc js ts py rs go rb php sh lua hs cs java kt swift scala ex exs sql css scss yaml toml json vue zig pl ps1 dart jl proto fish m'.split(' ')) {
    for (let i = 0; i < 100; ++i) {
      const text = Array.from({ length: random(120) }, () => alphabet[random(alphabet.length)]).join('');
      let state = null;
      for (const line of text.split('\n')) {
        const read = lexLine(languageOf(`a.${extension}`), line, state);
        state = read.state;
        let at = 0;
        for (const { start, end } of read.tokens) {
          assert.ok(start >= at && end > start && end <= line.length, JSON.stringify([extension, text, read.tokens]));
          at = end;
        }
      }
    }
  }
});

test('what is open at the end of a line is known in a later one', () => {
  const lines = ['/* a', ...new Array(20_000).fill('still'), '*/ int x;'];
  const language = languageOf('a.c');
  const states = [null];
  for (const line of lines) states.push(lexLine(language, line, states.at(-1)).state);
  assert.deepEqual(lexLine(language, 'still', states[10_000]).tokens, [{ start: 0, end: 5, kind: 'comment' }]);
  assert.equal(states.at(-1), null);
});
