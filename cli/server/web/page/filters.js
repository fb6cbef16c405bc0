// Filters as texts: the conditions that AND joins at the top, and conditions that are put in and taken out.
//
// The page never filters itself. What is clicked becomes a condition of the filter, which the server reads.

// A text of RQL.
export const textLiteral = (text) => `'${text.replace(/['\\]/g, '\\$&')}'`;

// A path in a pattern of GLOB: its special characters stand for themselves.
export const globLiteral = (path) => path.replace(/[*?[\]{}\\]/g, '\\$&');

const TOKEN = /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\]|\\[^])*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|[()]|[\p{L}\p{N}_.-]+|[^]/gu;

// Splits a filter into the conditions that AND joins at the top. Returns: null if OR joins them there, or if its
// brackets or quotes do not match: then it is one condition.
export function conditionsOf(filter) {
  const conditions = [];
  let [depth, between, start] = [0, false, 0];
  for (const { 0: token, index } of filter.matchAll(TOKEN)) {
    const word = token.toUpperCase();
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if ((token[0] === "'" || token[0] === '"') && (token.length === 1 || token.at(-1) !== token[0])) return null;
    if (depth < 0 || (depth === 0 && word === 'OR')) return null;
    if (depth > 0) continue;
    if (word === 'BETWEEN') between = true;
    else if (word === 'AND' && between) between = false;
    else if (word === 'AND') {
      conditions.push(filter.slice(start, index).trim());
      start = index + token.length;
    }
  }
  if (depth !== 0) return null;
  conditions.push(filter.slice(start).trim());
  return conditions.filter((condition) => condition !== '');
}

const conditions = (filter) => conditionsOf(filter) ?? [`(${filter.trim()})`];

// Whether a filter has a condition at its top, written in the same way.
export const hasCondition = (filter, condition) => (conditionsOf(filter) ?? []).includes(condition);

// A filter with one more condition, without those that `replaced(condition)` names.
export const withCondition = (filter, condition, replaced = () => false) =>
  [...conditions(filter).filter((one) => one !== condition && !replaced(one)), condition].join(' AND ');

export const withoutCondition = (filter, condition) =>
  conditions(filter).filter((one) => one !== condition).join(' AND ');
