// What results and the document view show about a session: a conversation with an agent.

import { el } from './elements.js';
import { timeText } from './format.js';
import { chip } from './note.js';
import { showText } from './text.js';

export const isSession = ({ parser }) => parser === 'session';

// Parses the heading of a chunk of a session, such as "12 assistant 2026-02-25T10:00:08Z" (or "-" for an
// unknown time). Returns: null for other headings.
export function turnOf(heading) {
  const match = /^(\d+) (human|assistant) (\S+)$/.exec(heading ?? '');
  return match && { number: match[1], role: match[2], at: match[3] === '-' ? null : match[3] };
}

export const timeElement = (at) => (at ? el('time', { datetime: at }, timeText(at)) : '');

// Metadata may have values of any type; these return the texts among them.
export const textIn = (value) => (typeof value === 'string' ? value : '');

export const textsIn = (value) => [value ?? []].flat().filter((item) => typeof item === 'string' && item !== '');

// The line about a session in a list of results: its title, agent, branch and day.
export function sessionLine(meta) {
  const facts = [textIn(meta.agent), textIn(meta.branch), textIn(meta.captured_at).slice(0, 10)].filter(Boolean);
  return el('p', { class: 'hit-note' }, showText(el('strong'), textIn(meta.title)),
    ...facts.map((fact, i) => chip(fact, i === 0 ? 'type' : '')));
}
