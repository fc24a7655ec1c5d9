import { operate, rollBackOperation, withPrepared } from '../src/index.js';
import type { RunOptions, Outcome, Pass, Ports, Prepared } from '../src/index.js';
import { NAMES, codeOf, parts, portsOf, stackWithState } from './library-box.js';

/** Tests of an interrupt that comes before the pass that it is to stop is shown and listens. */

interface Heard {
  readonly passes: string[];
  readonly asked: string[];
}

/** Makes ports on which an interrupt comes while the view of the first pass of a kind is made. */
function interruptedAt(cwd: string, which: Pass['which'], heard: Heard): Ports {
  const listeners = new Set<() => void>();
  let isOver = false;
  const ports = portsOf(cwd, {
    pass: (pass) => {
      heard.passes.push(`${pass.which} ${pass.kind}`);
      if (pass.which === which && !isOver) {
        isOver = true;
        for (const listener of [...listeners]) listener();
      }
      const confirm = (): Promise<boolean> => {
        heard.asked.push(pass.kind);
        return Promise.resolve(true);
      };
      return pass.which === 'preview' ? { event: () => undefined, confirm } : { event: () => undefined };
    },
  });
  const onInterrupt = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { ...ports, onInterrupt };
}

const asked: RunOptions = { preview: true };
const takeAll = (prepared: Prepared, runOptions: RunOptions): Promise<Outcome> =>
  operate(prepared, { kind: 'up', options: {} }, runOptions);
const changes = (cwd: string): Promise<number> =>
  withPrepared(portsOf(cwd), {}, async ({ backend, id }) => (await backend.changes(id)).length);

test('before the preview: it is not shown, nobody is asked, and there is no change', async () => {
  const cwd = await stackWithState('before-preview');
  const heard: Heard = { passes: [], asked: [] };
  const ports = interruptedAt(cwd, 'preview', heard);
  const before = await changes(cwd);
  expect(await codeOf(withPrepared(ports, {}, (prepared) => takeAll(prepared, asked)))).toBe(
    'CAIRN-CANCELLED',
  );
  expect(heard).toEqual({ passes: ['preview up'], asked: [] });
  expect([await parts(cwd), await changes(cwd)]).toEqual([NAMES, before]);
});

test('before the run: it is cancelled before its first step, and so is a rollback', async () => {
  const cwd = await stackWithState('before-run');
  const cancelled = async (run: (prepared: Prepared) => Promise<Outcome>): Promise<void> => {
    const ports = interruptedAt(cwd, 'run', { passes: [], asked: [] });
    expect((await withPrepared(ports, {}, run)).status).toBe('cancelled');
  };
  await cancelled((prepared) => takeAll(prepared, {}));
  expect(await parts(cwd)).toEqual(NAMES);
  await withPrepared(portsOf(cwd), {}, (prepared) => takeAll(prepared, {}));
  expect(await parts(cwd)).toEqual([]);
  const newest = await withPrepared(
    portsOf(cwd),
    {},
    async ({ backend, id }) => (await backend.changes(id))[0],
  );
  await cancelled((prepared) => rollBackOperation(prepared, newest?.number));
  expect(await parts(cwd)).toEqual([]);
});
