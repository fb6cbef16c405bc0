// What the lexer (lexer.js) knows of each language: a table.
//
//   spans     what begins and ends with a mark; the first that matches is taken. `open` is the source of a
//             regular expression, `close` a text, or a function of the opening that gives it:
//             { kind, open, close, escape, lines, nested, inner, heredoc }
//             escape    the source of what does not end it, as `\"`
//             lines     it goes on in the next line
//             nested    it may contain itself: how it opens again, a text
//             inner     [open, close, nest]: code within it, as `${x}`, whose `nest` must be balanced
//             heredoc   it is the lines below, to the one that begins with `close`
//   tokens    further tokens: [kind, source of a regular expression]
//   keywords  with `anyCase` in capitals, too
//   defining  the keywords behind which a name is defined, if what `before` says follows it
//   name      the source of a name, if it is not the usual one
//   regex     whether `/` can begin a regular expression
//
// Every regular expression here takes time in proportion to what it matches.

import { words, WORDS } from './keywords.js';

const ESCAPE = '\\\\[^]'; // a backslash and what is behind it

const line = (open) => ({ kind: 'comment', open: `${open}.*`, whole: true });
const block = (open, close, more = {}) => ({ kind: 'comment', open, close, lines: true, ...more });
const quoted = (mark, more = {}) => ({ kind: 'string', open: mark, close: mark, escape: ESCAPE, ...more });
const raw = (open, close, more = {}) => ({ kind: 'string', open, close, lines: true, ...more });

const LINES = { lines: true };
const PLAIN = { escape: undefined };
const C_COMMENTS = [line('//'), block('/\\*', '*/')];
const NESTING = [line('//'), block('/\\*', '*/', { nested: '/*' })];
const HASH = line('(?<![^\\s;(|&])#');
const QUOTES = [quoted('"'), quoted("'")];
const TRIPLES = [quoted('"""', LINES), quoted("'''", LINES)];
const CHARACTER = ['string', "'(?:\\\\(?:[xuU]\\{?[\\da-fA-F]{1,8}\\}?|[^])|[^\\\\'])'"];
const hashes = (open) => `"${'#'.repeat(open.split('#').length - 1)}`;
const CLOSING = { '(': ')', '[': ']', '{': '}', '<': '>' };
const mirrored = (open) => (/"""$|'''$/.exec(open)?.[0]) ?? CLOSING[open.at(-1)] ?? open.at(-1);
const heredoc = (open) => ({ kind: 'string', open, close: (text) => /[\p{L}_]\w*/u.exec(text)[0], heredoc: true });

const DOLLAR = { inner: ['${', '}', '{'] };
const POUND = { inner: ['#{', '}', '{'] };

const PREPROCESSOR = ['keyword', '^\\s*#\\s*[a-z_]+'];

const c = {
  spans: [...C_COMMENTS, ...QUOTES], tokens: [PREPROCESSOR], keywords: words(WORDS.c, 'restrict _Bool _Atomic _Static_assert'),
};
const cpp = {
  spans: [
    raw('(?:u8|[uUL])?R"[^\\s()\\\\"]{0,16}\\(', (open) => `)${open.slice(open.indexOf('"') + 1, -1)}"`),
    ...c.spans], tokens: [PREPROCESSOR,
  ],
  keywords: words(WORDS.c, WORDS.cpp), defining: words('class struct enum namespace union concept'), before: /^\s*(?:$|[:{]|final\b)/,
};
const javascript = {
  spans: [...C_COMMENTS, quoted('`', { ...LINES, ...DOLLAR }), ...QUOTES], keywords: words(WORDS.javascript), regex: true,
  defining: words('class function'),
};
const typescript = {
  ...javascript,
  keywords: words(WORDS.javascript, WORDS.typescript), defining: words('class function interface enum type namespace module'),
};
const css = {
  spans: [block('/\\*', '*/'), ...QUOTES],
  tokens: [['keyword', '@[\\w-]+'], ['number', '#[\\da-fA-F]{3,8}(?![\\w-])']],
  name: '-{0,2}[\\p{L}_$][\\p{L}\\p{N}_-]*',
  keywords: words('important'),
};
const shell = {
  spans: [HASH, heredoc('(?<!<)<<-?\\s*\\\\?["\']?[A-Za-z_]\\w*["\']?'), quoted('"', LINES), quoted("'", { ...LINES, ...PLAIN })],
  tokens: [['keyword', '\\$[#?@*!0-9-]']], keywords: words(WORDS.shell), defining: words('function'),
};

// By name; extensions are below.
const LANGUAGES = {
  c, cpp, javascript, typescript, css, shell,
  objc: { ...cpp, keywords: new Set([...cpp.keywords, ...words('id self nil YES NO')]), tokens: [PREPROCESSOR, ['keyword', '@[a-z]+']] },
  csharp: {
    spans: [
      ...C_COMMENTS, raw('\\$*"""+', (open) => open.replace(/^\$*/, '')),
      raw('(?:@\\$?|\\$@)"', '"', { escape: '""' }), quoted('\\$?"', { close: '"' }), quoted("'"),
    ],
    tokens: [PREPROCESSOR], keywords: words(WORDS.csharp), defining: words('class struct enum interface namespace record'),
  },
  dart: {
    spans: [
      ...NESTING, raw('r"""', '"""'), raw("r'''", "'''"), raw('r"', '"', { lines: false }),
      raw("r'", "'", { lines: false }), ...TRIPLES.map((one) => ({ ...one, ...DOLLAR })), quoted('"', DOLLAR),
      quoted("'", DOLLAR),
    ],
    keywords: words(WORDS.dart), defining: words('class enum mixin extension typedef'),
  },
  elixir: {
    spans: [
      HASH, raw('~[a-zA-Z]{1,16}(?:"""|\'\'\'|[/|"\'(\\[{<])', mirrored, { escape: ESCAPE }),
      ...TRIPLES.map((one) => ({ ...one, ...POUND })), quoted('"', { ...LINES, ...POUND }), quoted("'"),
    ],
    tokens: [['string', ':[\\p{L}_]\\w*[?!]?'], ['keyword', '@[a-z_]+']], name: '[\\p{L}_][\\p{L}\\p{N}_]*[?!]?',
    keywords: words(WORDS.elixir), defining: words('def defp defmacro defmodule defprotocol defguard defdelegate'),
  },
  fish: { ...shell, keywords: new Set([...shell.keywords, ...words('end begin switch and or not')]) },
  go: {
    spans: [...C_COMMENTS, raw('`', '`'), ...QUOTES],
    keywords: words(WORDS.go), defining: words('func type'),
  },
  haskell: {
    spans: [line('--+(?![!#$%&*+./<=>?@\\\\^|~:-])'), block('\\{-', '-}', { nested: '{-' }), quoted('"')],
    tokens: [CHARACTER],
    name: "[\\p{L}_][\\p{L}\\p{N}_']*",
    keywords: words(WORDS.haskell), defining: words('data newtype class type module'),
  },
  java: {
    spans: [...C_COMMENTS, quoted('"""', LINES), ...QUOTES], tokens: [['keyword', '@[A-Za-z]\\w*']], keywords: words(WORDS.java), defining: words('class interface enum record'),
  },
  json: { spans: [...C_COMMENTS, quoted('"')], keywords: words('true false null') },
  julia: {
    spans: [block('#=', '=#', { nested: '#=' }), line('#'), quoted('"""', LINES), quoted('"', LINES)], tokens: [CHARACTER], keywords: words(WORDS.julia), defining: words('function macro module struct'), name: '[\\p{L}_][\\p{L}\\p{N}_]*!?',
  },
  kotlin: {
    spans: [...NESTING, raw('"""', '"""', DOLLAR), quoted('"', DOLLAR)], tokens: [CHARACTER, ['keyword', '@[A-Za-z]\\w*']], keywords: words(WORDS.kotlin), defining: words('class fun object interface typealias'),
  },
  lua: {
    spans: [
      raw('--\\[=*\\[', (open) => `]${'='.repeat(open.length - 4)}]`, { kind: 'comment' }), line('--'),
      raw('\\[=*\\[', (open) => `]${'='.repeat(open.length - 2)}]`), ...QUOTES,
    ],
    keywords: words(WORDS.lua), defining: words('function'),
  },
  perl: {
    spans: [{ ...block('^=[a-z]\\w*', '=cut') }, HASH, heredoc('<<~?["\']?[A-Za-z_]\\w*["\']?'), ...QUOTES],
    keywords: words(WORDS.perl), defining: words('sub package'),
  },
  php: {
    spans: [
      line('(?://|#(?!\\[))'), block('/\\*', '*/'), heredoc('<<<[ \\t]*["\']?[A-Za-z_]\\w*["\']?'),
      quoted('"', LINES), quoted("'", LINES),
    ],
    anyCase: true,
    keywords: words(WORDS.php), defining: words('class function interface trait enum'),
  },
  powershell: {
    spans: [
      block('<#', '#>'), HASH, raw('@"', '"@'), raw("@'", "'@"), quoted('"', { ...LINES, escape: '`[^]' }),
      quoted("'", { ...LINES, ...PLAIN }),
    ],
    anyCase: true,
    keywords: words(WORDS.powershell), defining: words('function class enum filter'),
  },
  proto: { spans: [...C_COMMENTS, ...QUOTES], keywords: words(WORDS.proto), defining: words('message enum service rpc') },
  python: {
    spans: [
      line('#'),
      ...['"""', "'''", '"', "'"].flatMap((mark) => [quoted(`[rRbBfFuUtT]{0,2}${mark}`, { close: mark, lines: mark.length === 3 })]),
    ],
    tokens: [['keyword', '^\\s*@[\\w.]+']], keywords: words(WORDS.python), defining: words('class def'),
  },
  ruby: {
    spans: [
      block('^=begin\\b', '=end'), HASH, heredoc('<<[~-]["\'`]?[A-Za-z_]\\w*["\'`]?'),
      raw('%[qQwWiIrsx][(\\[{<|!/]', mirrored, { escape: ESCAPE }), quoted('"', POUND), quoted("'"), quoted('`'),
    ],
    tokens: [['string', '(?<![:\\w]):[\\p{L}_]\\w*[?!=]?'], ['keyword', '@{1,2}[a-z_]\\w*']], name: '[\\p{L}_][\\p{L}\\p{N}_]*[?!]?', regex: true,
    keywords: words(WORDS.ruby), defining: words('def class module'),
  },
  rust: {
    spans: [...NESTING, raw('[bc]?r#{0,255}"', hashes), quoted('[bc]?"', { close: '"', ...LINES })],
    tokens: [CHARACTER, ['keyword', "'[a-z_]\\w*"], ['keyword', '#!?(?=\\[)']],
    keywords: words(WORDS.rust), defining: words('fn struct enum trait mod type union'),
  },
  scala: {
    spans: [...NESTING, raw('"""', '"""', DOLLAR), quoted('"', DOLLAR)], tokens: [CHARACTER, ['keyword', '@[A-Za-z]\\w*']], keywords: words(WORDS.scala), defining: words('class def object trait enum type'),
  },
  sql: {
    spans: [line('--'), block('/\\*', '*/'), quoted("'", { ...LINES, ...PLAIN }), quoted('"', PLAIN)], anyCase: true,
    keywords: words(WORDS.sql),
  },
  swift: {
    spans: [
      ...NESTING, raw('#{1,8}"""', (open) => `"""${'#'.repeat(open.length - 3)}`),
      raw('#{1,8}"', hashes, { lines: false }), quoted('"""', { ...LINES, inner: ['\\(', ')', '('] }),
      quoted('"', { inner: ['\\(', ')', '('] }),
    ],
    tokens: [['keyword', '[@#][A-Za-z]\\w*']],
    keywords: words(WORDS.swift), defining: words('class struct enum protocol func actor typealias extension'),
  },
  toml: {
    spans: [line('#'), ...TRIPLES, quoted('"'), quoted("'", PLAIN)],
    tokens: [['keyword', '^\\s*\\[{1,2}[^\\]]+\\]{1,2}']],
    name: '[\\p{L}_][\\p{L}\\p{N}_-]*',
    keywords: words('true false inf nan'),
  },
  vue: {
    spans: [block('<!--', '-->'), block('/\\*', '*/'), quoted('`', { ...LINES, ...DOLLAR }), quoted('"', PLAIN)],
    tokens: [['keyword', '</?[A-Za-z][\\w.-]*']], keywords: words(WORDS.javascript), defining: words('class function'),
  },
  yaml: {
    spans: [HASH, quoted('(?<![^\\s:[{,-])"', { close: '"', ...LINES }), quoted("(?<![^\\s:[{,-])'", { close: "'", ...LINES, ...PLAIN })],
    tokens: [['keyword', '^\\s*(?:- +)*[\\w./$-]+(?=\\s*:(?:\\s|$))']],
    name: '[\\p{L}_][\\p{L}\\p{N}_-]*',
    keywords: words('true false null yes no on off'),
  },
  zig: {
    spans: [line('//'), quoted('"')], tokens: [CHARACTER, ['string', '\\\\\\\\.*'], ['keyword', '@[A-Za-z]\\w*']], keywords: words(WORDS.zig), defining: words('fn'),
  },
};
LANGUAGES.scss = { ...css, spans: [line('(?<!:)//'), ...css.spans] };

const EXTENSIONS = {
  c: 'c', 'h cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp cu cuh': 'cpp', 'm mm': 'objc', cs: 'csharp', css: 'css', 'scss less': 'scss', dart: 'dart',
  'ex exs': 'elixir', fish: 'fish', go: 'go', hs: 'haskell', java: 'java', 'js cjs mjs jsx': 'javascript', 'ts tsx cts mts': 'typescript', json: 'json',
  jl: 'julia', 'kt kts': 'kotlin', lua: 'lua', 'pl pm': 'perl', php: 'php', ps1: 'powershell', proto: 'proto', 'py pyi pyw': 'python',
  'rb rake gemspec': 'ruby', rs: 'rust', scala: 'scala', 'sh bash zsh': 'shell', sql: 'sql', swift: 'swift', toml: 'toml', 'vue svelte': 'vue',
  'yaml yml': 'yaml', zig: 'zig',
};
const BY_EXTENSION = new Map(Object.entries(EXTENSIONS).flatMap(([all, name]) => all.split(' ').map((one) => [one, LANGUAGES[name]])));

const UNKNOWN = { spans: [], keywords: new Set() };

// The language of a file, by its extension. A language that is not known has names and numbers alone.
export const languageOf = (path) => BY_EXTENSION.get(/\.([^./]+)$/.exec(path)?.[1].toLowerCase()) ?? UNKNOWN;
