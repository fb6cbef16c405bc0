// Events of the server, as they happen.

import { byId, el, shadedBar } from './elements.js';
import { count, duration } from './format.js';
import { Gone, isAbort } from './problems.js';
import { ask, pause } from './server.js';
import { showText } from './text.js';

const MOST_EVENTS = 60; // events in the list
const OWN_COMMANDS = ['stats']; // commands that the view of the store itself runs; they are not shown

// Shows the events of the server until `signal` is aborted. Calls `onCommit(commit)` for each commit.
// EventSource cannot send the token, so the stream is read with fetch.
export async function followEvents(signal, onCommit) {
  for (let wait = 500; !signal.aborted; wait = Math.min(2 * wait, 10000)) {
    try {
      const response = await ask('/v1/events', { signal, headers: { Accept: 'text/event-stream' } });
      if (!response.ok) {
        byId('events-status').textContent = 'No events';
        return;
      }
      byId('events-status').textContent = 'Connected; events appear here.';
      wait = 500;
      await readEvents(response.body, (name, data) => showEvent(name, data, onCommit));
      byId('events-status').textContent = 'The connection was closed; connecting again.';
      await pause(wait, signal);
    } catch (error) {
      if (isAbort(error) || error instanceof Gone) return; // once the server is back, the whole page is shown anew
      byId('events-status').textContent = 'The connection broke; connecting again.';
      await pause(wait, signal).catch(() => {});
    }
  }
}

// Reads a stream of text/event-stream to its end, and calls `each(name, data)` for each event.
async function readEvents(stream, each) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.split(/\r?\n/).filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart()).join('\n');
      if (field('data') !== '') each(field('event') || 'message', JSON.parse(field('data')));
    }
  }
}

function showEvent(name, data, onCommit) {
  if (name === 'stage') return OWN_COMMANDS.includes(data.command) ? null : showStage(data);
  if (name === 'commit') onCommit(data.snapshot);
  if (name === 'progress') return showProgress(data);
  addEvent(eventElement(name, Object.entries(data).map(([key, value]) => `${key} ${value}`).join(' · ')));
}

function eventElement(name, what) {
  return el('li', { class: 'event' }, el('time', {}, new Date().toTimeString().slice(0, 8)), el('strong', {}, name),
    showText(el('span', { class: 'what' }), what));
}

function addEvent(row) {
  const list = byId('events');
  list.prepend(row);
  while (list.children.length > MOST_EVENTS) list.lastChild.remove();
}

// The row of a request, which is made at its first event. All its events are shown in one row.
function rowOf(request, command) {
  const known = [...byId('events').children].find((row) => row.dataset.request === String(request));
  if (known) return known;
  const row = eventElement(command, '');
  row.dataset.request = request;
  row.stages = [];
  addEvent(row);
  return row;
}

function showProgress({ request, command, stage, documents, documents_total: all }) {
  const total = all === null || all === undefined ? '' : ` of ${count(all)}`;
  rowOf(request, command).querySelector('.what').textContent = `${stage} · ${count(documents)}${total} documents`;
}

// Adds a stage to the row of its request: its time, and its share of a bar.
function showStage({ request, command, stage, state: moment, micros }) {
  const row = rowOf(request, command);
  if (moment === 'begin') return;
  row.stages.push([stage, micros ?? 0]);
  const done = row.stages.find(([name]) => name === 'done');
  const stages = row.stages.filter(([name]) => name !== 'done');
  const times = (done ? [...stages, done] : stages).map(([name, time]) => `${name} ${duration(time / 1e6)}`);
  const said = times.join(' · ');
  row.querySelector('.what').textContent = said;
  row.querySelector('.bar')?.remove();
  const sum = Math.max(done?.[1] ?? 0, stages.reduce((total, [, time]) => total + time, 0)) || 1;
  const bar = shadedBar(stages.slice(0, 5).map(([, time]) => time / sum));
  bar.setAttribute('aria-label', said);
  row.append(bar);
}
