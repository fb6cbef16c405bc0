// Checked by `tsc`, not run: what users write, and what must be an error.
import recall, {
  type AddAnswer, type Answer, type Hit, type NewDocument, type QueryAnswer, type Row, DocumentSet, RecallError, Store,
  libraryVersion, open, openSync, programPath, version,
} from '@recall-db/recall';

export const texts: string[] = [version, libraryVersion(), programPath(), recall.version];

export async function use(): Promise<void> {
  await using store: Store = await open('birds.db', {
    create: true, settings: {embedding: 'hash', threads: 2, trace: null}, settingsFrom: 'none', program: null, stable: true,
  });
  const set = new DocumentSet(new Set(['a']), {of: 'ids'});
  const hits: Hit[] = await store.search('q', {k: 3, filter: 'doc.tag IS NULL', within: set, bm25: true});
  const first: Hit | undefined = hits[0];
  const score: number | undefined = first?.score;
  const stale: 'changed' | 'deleted' | null | undefined = first?.stale;
  for await (const hit of store.hits('q', {k: 10, within: ['a', 'b']})) hit.citation.toUpperCase();
  for await (const row of store.rows('FROM doc SELECT doc.path')) use2(row);
  const answer: QueryAnswer = await store.query('FROM doc SELECT doc.path', {snapshot: 'x'});
  const next: number | undefined = answer.next_offset;
  const documents: NewDocument[] = [{path: 'a', text: 'b', vector: new Float32Array(8), mtime: new Date(), tag: null}];
  const added: AddAnswer = await store.add(documents, {onProgress: ({stage, done, total}) => void [stage, done + total]});
  await store.addText('a', 'b', {metadata: {year: 2024}, vector: [0.5]});
  await store.addLines(new Uint8Array(3), {tag: 'x'});
  const any: Answer = await store.call('stats', {}, {});
  const text: string = store.callTextSync('ls', {path: '*'});
  const passage: string | undefined = (await store.get('a:1-2')).get?.chunk.text;
  const context: string = (await store.context('q', {budgetTokens: 10})).context.text;
  try {
    openSync('birds.db', {scope: "doc.tag = 'x'"});
  } catch (error) {
    if (error instanceof RecallError) void [error.code.length, error.line ?? 0, error.answer.warnings?.length, error.json];
  }
  void [score, stale, next, added.add.added, any.ok, text, passage, context];
  // @ts-expect-error: k is a number
  await store.search('q', {k: '3'});
  // @ts-expect-error: a document has a text
  await store.add([{path: 'a'}]);
  // @ts-expect-error: settingsFrom is one of three
  await open('x', {settingsFrom: 'here'});
  // @ts-expect-error: an async iterable cannot be read at once
  store.addSync(later());
  // @ts-expect-error: stores are made by open()
  new Store();
}

function use2(row: Row): string | undefined {
  return row.doc?.path;
}

async function* later(): AsyncGenerator<NewDocument> {
  yield {path: 'a', text: 'b'};
}
