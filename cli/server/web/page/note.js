// The card of a note: the YAML block at its beginning, which gives its title, type, state and tags.

import { el } from './elements.js';
import { encoder, showText } from './text.js';

// The card of a note as texts. Returns: null for other documents, and for a card without a title.
export function cardOf({ parser, meta }) {
  if (parser !== 'note' || typeof meta?.title !== 'string') return null;
  const texts = (value) => [value ?? []].flat().filter((item) => typeof item === 'string');
  const text = (value) => (typeof value === 'string' ? value : '');
  return {
    title: meta.title, type: text(meta.type), summary: text(meta.summary), scope: text(meta.scope),
    status: meta.obsolete === true ? 'obsolete' : text(meta.status),
    tags: texts(meta.tags), triggers: texts(meta.recall_when), topics: texts(meta.topic_path),
    times: ['created', 'updated', 'valid_until'].map((name) => [name.replace('_', ' '), text(meta[name]).slice(0, 10)])
      .filter(([, day]) => day !== ''),
  };
}

const CARD = /^---\r?\n[^]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

// The text of a note below its card.
export const withoutCard = (text) => text.replace(CARD, '').trim();

// Whether a snippet begins in the card, which is shown already.
export const isOfCard = (chunk, snippet) => chunk.start_byte === 0
  && snippet.start_byte < encoder.encode(CARD.exec(chunk.text)?.[0] ?? '').length;

export const chip = (text, kind = '') => showText(el('span', { class: `chip ${kind}` }), text);

// Type, state and tags of a card as small labels. `lifecycle` is the state that the server has worked
// out; undefined if it is not known, and the state that the card gives is shown.
export function chipsOf({ type, status, tags }, lifecycle) {
  const current = lifecycle ?? status;
  const late = ['stale', 'expired', 'obsolete'].includes(current) ? 'late' : '';
  return [type && chip(type, 'type'), current && current !== 'active' && chip(current, late),
    ...tags.map((tag) => chip(`#${tag}`))].filter(Boolean);
}
