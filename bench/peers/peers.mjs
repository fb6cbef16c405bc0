// node peers.mjs KIND NPM DATA PLACE DIM
//
// Runs one npm peer in one process: builds its index of DATA/vectors.f32 in PLACE and prints the
// time. Then, for each number of a question on standard input, prints the milliseconds of the
// search and the rows found. peer_node.py is the client.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';

const [kind, npm, data, place, dimension] = process.argv.slice(2);
const dim = Number(dimension);
const K = 10;
const load = createRequire(path.join(path.resolve(npm), 'here.js'));

function floats(name) {
  const bytes = fs.readFileSync(path.join(data, name));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

const vectors = floats('vectors.f32');
const questions = floats('questions.f32');
const count = vectors.length / dim;
const question = (i) => questions.slice(i * dim, (i + 1) * dim);

// Each returns the seconds of the build, and a function from the number of a question to rows.
const peers = {
  usearch() {
    const { Index, MetricKind } = load('usearch');
    const start = performance.now();
    const index = new Index({
      dimensions: dim,
      metric: MetricKind.Cos,
      quantization: 'f32',
      connectivity: 16,
      expansion_add: 128,
      expansion_search: 64,
    });
    const keys = BigUint64Array.from({ length: count }, (_, i) => BigInt(i));
    index.add(keys, vectors, 0); // 0: all cores
    const seconds = (performance.now() - start) / 1e3;
    index.save(path.join(place, 'index'));
    return { seconds, ask: (i) => Array.from(index.search(question(i), K, 1).keys, Number) };
  },

  'usearch-exact'() {
    const { exactSearch, MetricKind } = load('usearch');
    const ask = (i) =>
      Array.from(exactSearch(vectors, question(i), dim, K, MetricKind.Cos, 1).keys, Number);
    return { seconds: null, ask };
  },

  async lancedb() {
    const lancedb = load('@lancedb/lancedb');
    const arrow = load('apache-arrow');
    const start = performance.now();
    const db = await lancedb.connect(place);
    let table;
    const batch = 20000;
    for (let first = 0; first < count; first += batch) {
      const rows = Math.min(batch, count - first);
      const child = arrow.makeData({
        type: new arrow.Float32(),
        data: vectors.subarray(first * dim, (first + rows) * dim),
        length: rows * dim,
        nullCount: 0,
      });
      const item = new arrow.Field('item', new arrow.Float32(), true);
      const type = new arrow.FixedSizeList(dim, item);
      const some = new arrow.Table({
        id: arrow.makeVector(Int32Array.from({ length: rows }, (_, i) => first + i)),
        vector: arrow.makeVector(arrow.makeData({ type, length: rows, nullCount: 0, child })),
      });
      if (table) await table.add(some);
      else table = await db.createTable('v', some);
    }
    const seconds = (performance.now() - start) / 1e3;
    const ask = async (i) => {
      const search = table.vectorSearch(Array.from(question(i))).distanceType('cosine');
      const rows = await search.limit(K).select(['id']).toArray();
      return rows.map((row) => row.id);
    };
    return { seconds, ask };
  },

  async duckdb() {
    const { DuckDBInstance } = load('@duckdb/node-api');
    const list = (vector) => `[${Array.from(vector).join(',')}]`;
    // DuckDB reads a CSV file itself; its appender would need a JavaScript object for each
    // component.
    const csv = path.join(data, 'vectors.csv');
    const out = fs.openSync(csv, 'w');
    for (let i = 0; i < count; i++) {
      fs.writeSync(out, `${i};${list(vectors.subarray(i * dim, (i + 1) * dim))}\n`);
    }
    fs.closeSync(out);
    const instance = await DuckDBInstance.create(path.join(place, 'vectors.duckdb'));
    const connection = await instance.connect();
    const start = performance.now();
    await connection.run(
      `CREATE TABLE v AS SELECT id, e::FLOAT[${dim}] AS e FROM read_csv('${csv}', delim = ';',
       header = false, columns = {'id': 'INTEGER', 'e': 'VARCHAR'})`,
    );
    await connection.run('CHECKPOINT');
    const seconds = (performance.now() - start) / 1e3;
    fs.unlinkSync(csv);
    const ask = async (i) => {
      const sql = `SELECT id FROM v
        ORDER BY array_cosine_distance(e, ${list(question(i))}::FLOAT[${dim}]) LIMIT ${K}`;
      const rows = (await connection.runAndReadAll(sql)).getRows();
      return rows.map((row) => row[0]);
    };
    return { seconds, ask };
  },
};

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const { seconds, ask } = await peers[kind]();
say({ seconds });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const start = performance.now();
  const found = await ask(Number(line));
  say({ ms: performance.now() - start, found });
}
process.exit(0);
