// Requests to the server. It is asked what the command line asks (docs/http.md).

import { byId } from './elements.js';
import { Gone, isAbort, Problem } from './problems.js';
import { refresh, state } from './state.js';
import { encoder } from './text.js';
import { newToken } from './token.js';

// Returns a function that runs one task at a time: a new task aborts the one before it, which then
// rejects with an AbortError. A task is an async function of an AbortSignal.
export function newestOnly() {
  let last = new AbortController();
  return async (task) => {
    last.abort();
    last = new AbortController();
    const { signal } = last;
    try {
      const value = await task(signal);
      signal.throwIfAborted();
      return value;
    } catch (error) {
      if (signal.aborted) signal.throwIfAborted();
      throw error;
    }
  };
}

// Encodes a text as UTF-8 in the form that fetch takes for a header: a character for each byte.
const headerValue = (text) => String.fromCharCode(...encoder.encode(text.replace(/[\u0000-\u001f\u007f]/g, '')));

function headers(more = {}) {
  const token = sessionStorage.getItem('token');
  return {
    ...more,
    ...(token ? { Authorization: `Bearer ${headerValue(token)}` } : {}),
    ...(state.store ? { 'X-Recall-Store': headerValue(state.store) } : {}),
  };
}

// Sends a request. If the server wants a token, the user is asked for it; if the server is busy, the
// request is repeated. Returns: the response, which may be an error. Throws: Gone, AbortError, and a
// Problem if there is no token.
export async function ask(path, options = {}) {
  for (let tries = 0; ; ++tries) {
    const given = sessionStorage.getItem('token');
    const request = new Request(path, { ...options, headers: headers(options.headers) });
    let response;
    try {
      response = await fetch(request);
    } catch (error) {
      if (isAbort(error)) throw error;
      serverIsGone();
      throw new Gone();
    }
    const busy = (response.status === 503 || response.status === 429) && tries < 5;
    if (response.status === 401) {
      await newToken(given);
    } else if (busy && response.headers.has('Retry-After')) {
      await pause(1000 * Number(response.headers.get('Retry-After')), options.signal);
    } else {
      return response;
    }
  }
}

// Waits; rejects with the reason of `signal` once it is aborted.
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

// Runs a command. `body` has its flags and arguments. Returns: its JSON. Throws: a Problem if the command
// fails, and what `ask` throws.
export async function run(command, body, signal) {
  const response = await ask(`/v1/${command}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await response.json();
  if (answer.ok === false) throw new Problem(answer.error);
  return answer;
}

// Shows the banner until the server answers again, then shows the whole page anew.
async function serverIsGone() {
  const banner = byId('banner');
  if (!banner.hidden) return;
  banner.textContent = 'The server does not answer. This page waits for it.';
  banner.hidden = false;
  for (let wait = 500; ; wait = Math.min(wait * 1.5, 5000)) {
    await pause(wait);
    const alive = await fetch('/livez', { cache: 'no-store' }).then((response) => response.ok, () => false);
    if (alive) break;
  }
  banner.hidden = true;
  refresh();
}
