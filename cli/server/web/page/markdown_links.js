// Where links of a Markdown document may lead: to http and https, to documents of the store, to headings of the
// document itself. All others are text.

const SCHEME = /^[a-zA-Z][a-zA-Z\d+.-]*:/;
const WEB = ['http:', 'https:'];
const LINES = /^L(\d{1,9})(?:-L?(\d{1,9}))?$/; // as in a.md#L5-L9

// What a link of the document `path` leads to. Returns: { url }, { path, first, last, anchor }, or null. `last` is 0
// if the target names no lines.
export function linkTarget(target, path) {
  const text = target.trim();
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return null;
  const lines = /^(.*[^:]):(\d{1,9})(?:-(\d{1,9}))?$/.exec(text); // src/a.cc:12-14
  if (SCHEME.test(text) && !(lines && !SCHEME.test(lines[1]))) return webTarget(text);
  if (text.startsWith('//') || text.includes('\\')) return null;
  const [bare, first, last] = lines ? [lines[1], Number(lines[2]), Number(lines[3] ?? lines[2])] : [text, 1, 0];
  const hash = bare.indexOf('#');
  const anchor = hash < 0 ? '' : decoded(bare.slice(hash + 1));
  const named = decoded((hash < 0 ? bare : bare.slice(0, hash)).replace(/\?.*$/s, ''));
  const resolved = named === '' ? path : resolvedPath(named, path);
  if (resolved === null || anchor === null) return null;
  const ofAnchor = LINES.exec(anchor);
  if (ofAnchor) return { path: resolved, first: Number(ofAnchor[1]), last: Number(ofAnchor[2] ?? ofAnchor[1]), anchor: '' };
  return { path: resolved, first, last, anchor };
}

function webTarget(text) {
  try {
    const url = new URL(text);
    return WEB.includes(url.protocol) ? { url: url.href } : null;
  } catch {
    return null;
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// The path that a relative target names, seen from a document. A `/` at its beginning is the directory of the
// store. Returns: null above that directory.
function resolvedPath(target, from) {
  if (target === null) return null;
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}

// The anchor of a heading, as GitHub makes them.
export const anchorOf = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replace(/ /g, '-');
