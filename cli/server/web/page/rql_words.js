// What there is in a filter (docs/rql.md): fields, operators, keywords, and the values of fields that have few.

const TEXT = ['=', '!=', 'IN', 'LIKE', 'GLOB', 'REGEXP', 'NOT IN', 'NOT LIKE', 'NOT GLOB', 'IS NULL', 'IS NOT NULL'];
const NUMBER = ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN', 'IN', 'IS NULL', 'IS NOT NULL'];
const TIME = ['>=', '<', '<=', '>', '=', 'BETWEEN', 'LIKE', 'IS NULL', 'IS NOT NULL'];
const OPERATORS = { text: TEXT, number: NUMBER, time: TIME };

const TIMES = ['-1d', '-7d', '-30d', '-365d', 'today', 'yesterday', 'now'];
const SYMBOL_KINDS = ['function', 'method', 'class', 'struct', 'enum', 'interface', 'trait', 'type', 'namespace', 'union', 'macro', 'constant', 'variable'];

// [name, type, what it is, its values]. Without values those of the store are looked up, of fields of documents.
const FIELDS = [
  ['doc.path', 'text', 'path'], ['doc.kind', 'text', 'note, session or file', ['file', 'note', 'session']],
  ['doc.mtime', 'time', 'last modified', TIMES], ['doc.tag', 'text', 'tag it was added with'], ['doc.tags', 'text', 'tags of a note'],
  ['doc.title', 'text', 'title of a note'], ['doc.type', 'text', 'type of a note'], ['doc.summary', 'text', 'summary of a note'],
  ['doc.scope', 'text', 'where a note applies'], ['doc.topics', 'text', 'topics of a note'], ['doc.triggers', 'text', 'when a note is wanted'],
  ['doc.status', 'text', 'status of a note'], ['doc.lifecycle', 'text', 'state of a note', ['fresh', 'aging', 'stale', 'expired', 'obsolete']],
  ['doc.session.agent', 'text', 'agent of a session'], ['doc.session.branch', 'text', 'branch of a session'],
  ['doc.session.author', 'text', 'author of a session'], ['doc.session.model', 'text', 'model of a session'],
  ['doc.parser', 'text', 'how it was read', ['plain', 'markdown', 'code', 'note', 'session']], ['doc.format', 'text', 'pdf, docx, …'],
  ['doc.lang', 'text', 'language'], ['doc.origin', 'text', 'where the text is from', ['file', 'line', 'member', 'saved', 'capture', 'import']],
  ['doc.source', 'text', 'source'], ['doc.size', 'number', 'bytes'], ['doc.tokens', 'number', 'words'], ['doc.chunks', 'number', 'chunks'],
  ['doc.uses', 'number', 'recorded uses'], ['doc.used_at', 'time', 'last use', TIMES], ['doc.due', 'time', 'next review', ['now', 'today', '+7d']],
  ['doc.reviews', 'number', 'rated reviews'], ['doc.interval', 'number', 'days to the next review'], ['doc.easiness', 'number', 'from 1.3 on'],
  ['doc.consolidation', 'number', '0 to 1'], ['doc.links', 'number', 'links from it'], ['doc.backlinks', 'number', 'links to it'],
  ['doc.link.any', 'text', 'paths it links to'], ['doc.backlink.any', 'text', 'paths that link to it'],
  ['doc.extracted', 'text', 'text, or why it has none'], ['doc.extractor', 'text', 'what extracted it'],
  ['doc.hash', 'text', 'SHA-256', []], ['doc.id', 'text', 'id', []],
  ['chunk.text', 'text', 'text of the chunk', []], ['chunk.heading', 'text', 'headings above it', []],
  ['chunk.symbol', 'text', 'definitions in it', []], ['chunk.kind', 'text', 'what is defined', SYMBOL_KINDS],
  ['chunk.role', 'text', 'who said it', ['human', 'assistant']], ['chunk.turn', 'number', 'turn of a session'], ['chunk.at', 'time', 'when it was said', TIMES],
  ['chunk.page', 'number', 'page of a PDF'], ['chunk.slide', 'number', 'slide'], ['chunk.sheet', 'text', 'sheet', []], ['chunk.cell', 'number', 'cell'],
  ['chunk.tokens', 'number', 'words'], ['chunk.start_line', 'number', 'first line'], ['chunk.end_line', 'number', 'last line'],
];

export const RQL_FIELDS = FIELDS.map(([name, type, meaning, values]) => ({ name, type, meaning, values }));
const BY_NAME = new Map(RQL_FIELDS.map((field) => [field.name, field]));

// What is known of a field; one of the metadata may have any type.
export const fieldNamed = (name) => BY_NAME.get(name) ?? { name, type: 'text', meaning: '' };
export const operatorsOf = (name) => OPERATORS[fieldNamed(name).type];
