import { setImmediate as turn } from 'node:timers/promises';
import { ChangeLog } from './change-log.js';
import { systemClock } from './clock.js';
import type { RecordBody } from './records.js';
import type { ChangeStore } from './store.js';

/** Store whose appends are completed by the test, in any order. */
function heldStore(): ChangeStore & { readonly finish: (() => void)[] } {
  const finish: (() => void)[] = [];
  return {
    finish,
    append: () => new Promise<void>((resolve) => finish.push(resolve)),
    load: () => Promise.resolve([]),
  };
}

const body: RecordBody = { record: 'complete' };

test('nothing counts as durable before what was added earlier, whichever append is done first [JRN-7]', async () => {
  const store = heldStore();
  const log = new ChangeLog(store, systemClock, { seq: 0, tx: 0 }, () => undefined);
  const heard: string[] = [];
  const first = log.add(body, log.now(), false);
  log.after(first, () => heard.push('first'));
  await turn();
  await turn();
  const second = log.add(body, log.now(), false);
  log.after(second, () => heard.push('second'));
  await turn();
  await turn();
  expect(store.finish).toHaveLength(2);

  store.finish[1]?.();
  await turn();
  expect(heard).toEqual([]);
  expect(log.durable).toBe(0);

  store.finish[0]?.();
  await turn();
  await turn();
  expect(heard).toEqual(['first', 'second']);
  expect(log.durable).toBe(second);
});
