// Reading the turns of a session, a page at a time.

import { docTarget, parseTarget } from './citation.js';
import { LINES_AROUND } from './pane.js';
import { run } from './server.js';
import { state } from './state.js';

const TURNS = 30; // turns to load at a time; fewer if they exceed TURNS_BYTES
const TURNS_BYTES = 2_000_000;

// The number of turns to load at a time, estimated from the mean size of a turn.
const turnsAtATime = ({ size, meta }) => Math.min(TURNS, Math.max(1, Math.floor((TURNS_BYTES * (meta?.turns || 1)) / (size || 1))));

// Reads a page of turns. `from` is { path, role, step }: the session, the role whose turns are read ('' for
// both), and the turns of a page.
export async function readTurns({ path, role, step }, offset, signal) {
  return (await run('get', { target: path, turns: `${offset}:${step}`, full: true, ...(role ? { role } : {}) }, signal)).get;
}

// Reads the turns around the turn that the state names, or around the turn that has its first line.
export async function openSession({ doc, chunk }, signal) {
  const { first, last } = parseTarget(state.doc);
  const { turn, role } = state;
  const number = turn !== '' ? Number(turn) : last > 0 ? await turnOfLine(doc.path, chunk, first, signal) : 0;
  const from = { path: doc.path, role, step: turnsAtATime(doc) };
  const page = await turnsFrom(from, number, signal);
  const opened = turn !== '' || last > 0 ? number : null;
  return { ...from, opened, page, first: page.offset, next: page.offset + page.turns.length };
}

// The number of the turn that has a line. A turn begins with a heading, and no line of what was said looks
// like one, so the last heading before the line decides. If the passage has none, lines before it are read.
async function turnOfLine(path, { text, start_line: from }, line, signal) {
  const lines = text.split('\n').slice(0, line - from + 1);
  const heading = lines.map((one) => /^## (\d+) (?:human|assistant) /.exec(one)).findLast(Boolean);
  if (heading) return Number(heading[1]);
  if (from <= 1) return 0;
  const before = docTarget(path, Math.max(1, from - 8 * (line - from + LINES_AROUND)), line);
  return turnOfLine(path, (await run('get', { target: before }, signal)).get.chunk, line, signal);
}

// Reads the page of turns around turn `number`, or around the next turn of the role that is shown. The
// position of a turn among those of one role is not known. Since the roles alternate, it is near half of its
// number; from there a binary search over pages finds it.
async function turnsFrom(from, number, signal) {
  const before = Math.floor(from.step / 7);
  let [low, high] = [0, Infinity]; // the position is in [low, high) if there is one
  for (let at = Math.max(0, (from.role ? Math.floor(number / 2) : number) - before); ;) {
    const page = await readTurns(from, at, signal);
    const { turns, total_turns: total } = page;
    high = Math.min(high, total);
    if (turns.length === 0 && total > 0) {
      at = Math.max(0, total - from.step); // behind the end
    } else if (turns.length === 0 || !from.role) {
      return page;
    } else if (turns[0].ordinal > number && at > low) {
      high = at + 1;
      at = Math.floor((low + at) / 2);
    } else if (turns.at(-1).ordinal < number && at + turns.length < high) {
      low = at + turns.length;
      at = Math.floor((low + high) / 2);
    } else {
      return page;
    }
  }
}
