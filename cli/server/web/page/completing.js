// What may stand at a place of a filter: a field, an operator, a value, or what joins conditions.

import { textLiteral } from './filters.js';
import { fieldNamed, operatorsOf, RQL_FIELDS } from './rql_words.js';

const TOKEN = /'(?:[^'\\]|\\[^])*('?)|"(?:[^"\\]|\\[^])*("?)|[<>=!]+|[(),]|[^\s<>=!(),'"]+/gu;
const PLAIN_OPERATORS = new Set(['=', '==', '!=', '<>', '<', '<=', '>', '>=', 'LIKE', 'ILIKE', 'GLOB', 'REGEXP']);
const MOST = 12;

// The place of a filter at `caret`: { expects, field, start, prefix }. `expects` is 'field', 'operator', 'value', 'join',
// 'list' (the bracket of IN) or 'more' (what follows a value in it); the text from `start` to the caret is to be
// replaced, `prefix` is what of it the user has begun.
export function placeAt(filter, caret) {
  const before = filter.slice(0, caret);
  const place = { expects: 'field', field: '', listing: false, between: false };
  let last = null;
  for (const match of before.matchAll(TOKEN)) {
    if (last) take(place, last.token);
    const quote = match[0][0] === "'" || match[0][0] === '"' ? match[0][0] : '';
    last = { token: match[0], start: match.index, quote, open: quote !== '' && (match[1] ?? match[2]) === '' };
  }
  const touches = last && last.start + last.token.length === caret && (last.open || (last.quote === '' && !/^[(),]$/.test(last.token)));
  if (last && !touches) take(place, last.token);
  const start = touches ? last.start : caret;
  const text = touches ? last.token : '';
  return { expects: place.expects, field: place.field, start, prefix: text.replace(/^['"]/, '') };
}

// Goes on behind a token.
function take(place, token) {
  const word = token.toUpperCase();
  switch (place.expects) {
    case 'field':
      if (word !== 'NOT' && token !== '(') Object.assign(place, { expects: 'operator', field: token });
      break;
    case 'operator':
      if (word === 'IN') place.expects = 'list';
      else if (word === 'BETWEEN') Object.assign(place, { expects: 'value', between: true });
      else if (word === 'NULL') place.expects = 'join';
      else if (PLAIN_OPERATORS.has(word)) place.expects = 'value';
      break; // NOT and IS are half of an operator
    case 'list':
      if (token === '(') Object.assign(place, { expects: 'value', listing: true });
      break;
    case 'value':
      place.expects = place.listing ? 'more' : 'join';
      break;
    case 'more':
      if (token === ',') place.expects = 'value';
      else Object.assign(place, { expects: 'join', listing: false });
      break;
    default: // behind a condition
      if (word === 'AND' && place.between) Object.assign(place, { expects: 'value', between: false });
      else if (word === 'AND' || word === 'OR') Object.assign(place, { expects: 'field', between: false });
  }
}

// What fits a place: [{ text, detail }], of which `text` replaces what is begun. `values` are those of the field in the
// store, [{ value, number }]; they are used where the field has none of its own.
export function completionsFor({ expects, field, prefix }, values = []) {
  const begun = prefix.toLowerCase();
  const fits = ({ name }) => name.toLowerCase().startsWith(begun) || (begun !== '' && name.toLowerCase().includes(begun));
  const first = (a, b) => Number(b.name.toLowerCase().startsWith(begun)) - Number(a.name.toLowerCase().startsWith(begun));
  const of = (candidates) => candidates.filter(fits).sort(first).slice(0, MOST); // stable
  const words = (all) => of(all.map((name) => ({ name, text: `${name} `, detail: '' })));
  if (expects === 'field') {
    return of([...RQL_FIELDS.map(({ name, meaning }) => ({ name, text: `${name} `, detail: meaning })),
      ...(begun === '' ? [] : [{ name: 'NOT', text: 'NOT ', detail: 'what follows does not hold' }])]);
  }
  if (expects === 'operator') return words(operatorsOf(field));
  if (expects === 'list') return words(['(']);
  if (expects === 'more') return of([{ name: ',', text: ', ', detail: 'one more value' }, { name: ')', text: ') ', detail: '' }]);
  if (expects === 'join') return words(['AND', 'OR']);
  if (fieldNamed(field).type === 'number') return [];
  const own = fieldNamed(field).values?.map((value) => ({ value }));
  return of((own ?? values).map(({ value, number }) => ({ name: value, text: `${textLiteral(value)} `, detail: number === undefined ? '' : String(number) })));
}

// Whether the values of the store are needed to complete at a place.
export const needsValues = ({ expects, field }) => {
  const { type, values, name } = fieldNamed(field);
  return expects === 'value' && type === 'text' && !values && name.startsWith('doc.');
};
