// The words of a query that no text has, and the similar ones that were searched for instead.

import { byId, el } from './elements.js';
import { go, state } from './state.js';
import { showText } from './text.js';

// Whether a warning of the server says the same.
export const isOfExpansion = (warning) => warning.startsWith("no chunk contains '");

export function hideExpansions() {
  byId('expansions').hidden = true;
  byId('expansions').replaceChildren();
}

// Shows which words stand for which: [{ word, terms }].
export function showExpansions(expansions) {
  hideExpansions();
  if (expansions.length === 0) return;
  const strong = (text) => showText(el('strong'), text);
  const listed = (terms) => terms.flatMap((term, i) => [i ? ', ' : '', strong(term)]);
  const rows = expansions.map(({ word, terms }) => el('p', {}, 'No text has ', strong(word), '; searched for ', ...listed(terms), '.'));
  const wanted = corrected(state.q, expansions);
  const button = wanted !== state.q && showText(el('button', { class: 'action' }), `Search for “${wanted}”`);
  if (button) button.addEventListener('click', () => go({ q: wanted }));
  byId('expansions').replaceChildren(...rows, ...(button ? [button] : []));
  byId('expansions').hidden = false;
}

// The query with the most similar word in the place of each that no text has.
function corrected(query, expansions) {
  const instead = new Map(expansions.map(({ word, terms }) => [word.toLowerCase(), terms[0]]));
  return query.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => instead.get(word.toLowerCase()) ?? word);
}
