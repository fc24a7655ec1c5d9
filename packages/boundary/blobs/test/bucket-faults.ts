import type { FaultScript, ServerFault } from '@cairn/testkit/servers';
import { setImmediate as turn } from 'node:timers/promises';
import type { BlobStore } from '../src/blob-store.js';
import type { ObjectRetryPorts } from '../src/object/retrying.js';

/** Returns retry ports that do not wait, and record the delays in milliseconds. */
export function impatient(): ObjectRetryPorts & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    now += ms;
    await turn();
  };
  return { waits, now: () => now, random: () => 0.5, sleep };
}

/**
 * Returns faults that pass by themselves: `throttled` and `busy` are the vendor's answers, both of which request a
 * delay of two seconds.
 */
export function passingFaults(
  throttled: ServerFault,
  busy: ServerFault,
): readonly (readonly [string, ServerFault])[] {
  return [
    ['an answer 429 with Retry-After', throttled],
    ['an answer 503 with Retry-After', busy],
    ['an answer 500 without a word', { status: 500 }],
    ['a connection cut before the request', { hangUp: 'before' }],
    ['a connection cut after the request', { hangUp: 'after' }],
    ['an answer cut short', { truncate: 3 }],
  ];
}

/**
 * Runs every request of the contract, once with the fault on its first attempt; the outcome must not change. Returns
 * the deviations, as lines; there must be none.
 */
export async function requestsUnder(
  fault: ServerFault,
  faults: FaultScript,
  store: BlobStore,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const under = async (what: string, run: () => Promise<unknown>, expected: unknown): Promise<void> => {
    faults.clear();
    faults.next(fault);
    const outcome = await run().catch((thrown: unknown) => `failed: ${shownText(thrown).slice(0, 300)}`);
    if (faults.pending.length > 0) wrong.push(`${what}: the fault was not played`);
    faults.clear();
    const text = JSON.stringify(outcome);
    if (text !== JSON.stringify(expected)) wrong.push(`${what}: ${text}`);
  };
  const text = async (key: string): Promise<string | undefined> => {
    const blob = await store.get(key);
    return blob && Buffer.from(blob.bytes).toString();
  };
  const ok = async (result: Promise<{ readonly ok: boolean }>): Promise<boolean> => (await result).ok;
  const bytes = Buffer.from('content');
  await under('create', () => ok(store.put('d/a', bytes, { ifAbsent: true })), true);
  await under('create again', () => ok(store.put('d/a', Buffer.from('x'), { ifAbsent: true })), false);
  await under('read', () => text('d/a'), 'content');
  await under('read on', async () => Buffer.from((await store.getFrom?.('d/a', 3)) ?? []).toString(), 'tent');
  const version = (await store.get('d/a'))?.version ?? '';
  await under('replace', () => ok(store.put('d/a', Buffer.from('second'), { ifVersion: version })), true);
  await under('replace again', () => ok(store.put('d/a', bytes, { ifVersion: version })), false);
  await under('write', () => ok(store.put('d/b', bytes)), true);
  await under('copy', () => store.copy('d/a', 'd/c'), { ok: true });
  await under('copy nothing', () => store.copy('d/none', 'd/c'), { ok: false, reason: 'missing' });
  await under('list', async () => (await store.list('d/')).map((row) => row.key), ['d/a', 'd/b', 'd/c']);
  await under('delete', () => store.delete('d/b'), { ok: true, existed: true });
  await under('delete nothing', () => store.delete('d/b'), { ok: true, existed: false });
  await under('open', async () => (await store.openSegment('s/1', { create: 'exclusive' })).ok, true);
  const opened = await store.openSegment('s/2', { create: 'exclusive' });
  if (opened.ok) {
    await under('append', () => opened.segment.append(bytes), undefined);
    await opened.segment.close();
  }
  if ((await text('d/c')) !== 'second') wrong.push('the copy has other content');
  if ((await text('s/2')) !== 'content') wrong.push('the segment has other content');
  return wrong;
}

/** Returns the text of everything in an error that may be shown to a user or in a log. */
export function shownText(thrown: unknown): string {
  const { diagnostics, stack } = thrown as { diagnostics?: unknown; stack?: string };
  const causes: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause)
    causes.push(error.message, error.stack ?? '', JSON.stringify(error));
  return [JSON.stringify(diagnostics), stack, ...causes].join('\n');
}
