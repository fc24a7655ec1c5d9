// Service without a store that answers the pages of the console, for benchmarks of the browser's own work. Its stack
// has as many resources as wanted, and its change has as many events as wanted, sent at a rate or as fast as possible.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { consolePage } from '@cairn/console';

/** Time between two batches of records, in milliseconds, as the service sends them while an update runs. */
const BATCH_MS = 400;
/** Most records of one event of the stream. */
const BATCH = 500;
const NAME = { org: 'organization', project: 'shop', stack: 'dev' };
/** Path of the stack in calls. */
const STACK_CALL = '/console/stacks/organization/shop/dev';
/** Path of the pages of the stack. */
export const STACK_PAGE = '/s/organization/shop/dev';

/** Returns rows of resources: a root, and others that need one or two before them. */
export function resourceRows(count, connections) {
  const urn = (index) => `urn:pulumi:dev::shop::test:index:Type${index % 7}::row${index}`;
  const more = connections - count;
  return Array.from({ length: count }, (_each, index) => ({
    ...{ urn: urn(index), id: `id-${index}`, custom: true },
    needs: [
      ...(index > 0 ? [urn(Math.floor(index / 10))] : []),
      ...(index > 1 && index <= more + 1 ? [urn(Math.floor(index / 3))] : []),
    ],
  }));
}

/** Returns records of a change: first its tasks, then starts, lines and ends of them in turn. */
export function changeRecords(tasks, events) {
  const at = '2030-01-01T00:00:00.000Z';
  return Array.from({ length: events }, (_each, index) => {
    const seq = index + 1;
    const task = String((index % tasks) + 1);
    if (index < tasks) {
      const urn = `urn:pulumi:dev::shop::test:index:Thing::row${index}`;
      return {
        seq,
        at,
        record: 'task',
        id: task,
        kind: 'create',
        summary: `create row${index}`,
        data: { urn },
      };
    }
    const turn = Math.floor(index / tasks) % 3;
    if (turn === 1) return { seq, at, record: 'intent', task, direction: 'do', status: 'doing', attempt: 1 };
    if (turn === 2) return { seq, at, record: 'log', task, lines: [`line ${seq} of a provider`] };
    return { seq, at, record: 'outcome', task, direction: 'do', result: 'retry', status: 'do', ms: 3 };
  });
}

/**
 * Starts the service. `records` are those of change 1, which runs; `pages` are further pages by path. The returned
 * `send` sends some of them to each open stream, at a rate a second, or at once for undefined.
 */
export async function fakeConsole({ rows = [], records = [], pages = new Map() }) {
  const streams = new Set();
  const change = { number: 1, operation: { operation: 'up', username: 'ann' }, running: true };
  const stack = {
    ...{ ...NAME, tags: {}, version: 1, resources: rows.length, outputs: {}, config: [] },
    ...{ changes: [change], doubts: [], role: 'writer', continues: false },
    running: { update: 'u1', kind: 'update', by: 'ann', since: 1 },
  };
  const answers = new Map([
    ['/console/session', { user: 'ann', organizations: ['organization'], writes: [] }],
    [STACK_CALL, stack],
    [`${STACK_CALL}/resources`, { version: 1, resources: rows }],
    [`${STACK_CALL}/changes/1`, { change, records: [] }],
  ]);
  const texts = new Map([...answers].map(([path, answer]) => [path, JSON.stringify(answer)]));
  const server = createServer(async ({ url, headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    if (pathname === '/console/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = { stack: Object.values(NAME).join('/'), running: 'u1', change: 1 };
      response.write(`event: stack\ndata: ${JSON.stringify(event)}\n\n`);
      streams.add(response);
      response.once('close', () => streams.delete(response));
      return;
    }
    const text = texts.get(pathname);
    if (text !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(text);
      return;
    }
    const page = pages.get(pathname);
    if (page !== undefined) {
      // The same process shows it and the pages of the console.
      const opener = { 'cross-origin-opener-policy': 'same-origin' };
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...opener }).end(page);
      return;
    }
    const packed = /gzip/.test(headers['accept-encoding'] ?? '');
    const file = await consolePage({ path: pathname, packed, base: '' });
    if (file === undefined) response.writeHead(404).end('{}');
    else response.writeHead(200, file.headers).end(file.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const write = (some) => {
    const seq = some.at(-1).seq;
    const data = JSON.stringify({ stack: Object.values(NAME).join('/'), change: 1, records: some });
    for (const stream of streams) stream.write(`id: 1-${seq}\nevent: records\ndata: ${data}\n\n`);
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Resolves once this many streams are open. */
    connected: async (count) => {
      while (streams.size < count) await pause(50);
    },
    send: async (from, to, perSecond) => {
      const batch = perSecond === undefined ? BATCH : Math.round((perSecond * BATCH_MS) / 1000);
      for (let first = from; first < to; first += batch) {
        write(records.slice(first, Math.min(to, first + batch)));
        await pause(perSecond === undefined ? 20 : BATCH_MS);
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
