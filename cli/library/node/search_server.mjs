// search_server.mjs: searches a store over HTTP. An example of docs/node.md.
//
//   node search_server.mjs STORE [PORT]
//
//   GET /search?q=QUESTION[&k=8][&filter=EXPR]    the hits, a line of JSON each
//   GET /context?q=QUESTION[&budget=1200]         the passages that answer, as a text for a model
//   GET /document?target=PATH                     a document, lines of it (a.md:3-9), or a citation
import {once} from 'node:events';
import {createServer} from 'node:http';
import {RecallError, open} from '@recall-db/recall';

const HANDLES = 4; // searches at the same time
const STATUS = {1: 404, 2: 400, 3: 503, 5: 503};

const [path, port = '0'] = process.argv.slice(2);
const stores = await Promise.all(Array.from({length: HANDLES}, () => open(path)));
let next = 0;

// Each answers with the store and the parameters of the address.
const routes = {
  async '/search'(store, {q = '', k = '8', filter}, response, signal) {
    const hits = await store.search(q, {k: Number(k), filter, signal});
    response.setHeader('Content-Type', 'application/x-ndjson');
    for (const {score, citation, heading, snippet} of hits) {
      response.write(`${JSON.stringify({score, citation, heading, snippet})}\n`);
    }
  },
  async '/context'(store, {q = '', budget = '1200'}, response, signal) {
    const {context} = await store.context(q, {budgetTokens: Number(budget), signal});
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.write(context.text);
  },
  async '/document'(store, {target = ''}, response, signal) {
    const {get} = await store.get(target, {signal});
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.write(get.chunk.text);
  },
};

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const route = request.method === 'GET' && Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
  if (!route) return response.writeHead(404).end();
  // A client that goes away wants no answer.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    await route(stores[next++ % HANDLES], Object.fromEntries(url.searchParams), response, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!(error instanceof RecallError)) throw error;
    response.writeHead(STATUS[error.status] ?? 500, {'Content-Type': 'application/json'}).write(error.json);
  }
  response.end();
}

const server = createServer(answer);
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}/`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    server.close();
    await Promise.all(stores.map((store) => store.close()));
  });
}
