import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  createStack,
  operate,
  previewOperation,
  resumeOperation,
  rollBackOperation,
  stackOutputs,
  withPrepared,
  withStack,
} from '../src/index.js';
import type { Outcome, Pass, PassControl, Ports } from '../src/index.js';
import { BaseMovedError } from '@cairn/backends';
import type { Backend, StackLease } from '@cairn/backends';
import { NAMES, codeOf, parts, portsOf, stackWithState } from './library-box.js';

const changesOf = (outcome: Outcome): object => outcome.result.summary.changes;

test('a stack is imported, previewed, changed, taken back, refreshed, destroyed and exported', async () => {
  const cwd = await stackWithState('whole');
  const passes: Pass[] = [];
  const ports = portsOf(cwd, {
    pass: (pass) => {
      passes.push(pass);
      return { event: () => undefined };
    },
  });
  expect(await withStack(ports, {}, (stack) => stackOutputs(stack))).toEqual({ url: 'x' });

  await withPrepared(ports, {}, async (prepared) => {
    const shown = await previewOperation(prepared, { kind: 'up', options: {} });
    expect([shown.status, changesOf(shown)]).toEqual(['succeeded', { delete: 3 }]);
  });
  expect(await parts(cwd)).toEqual(NAMES);

  await withPrepared(ports, {}, async (prepared) => {
    const outcome = await operate(prepared, { kind: 'up', options: { message: 'take all away' } });
    expect([outcome.t, outcome.status]).toEqual(['ended', 'succeeded']);
  });
  expect(await parts(cwd)).toEqual([]);

  await withPrepared(ports, {}, async (prepared) => {
    const [newest] = await prepared.backend.changes(prepared.id);
    expect(newest?.kind).toBe('up');
    const outcome = await rollBackOperation(prepared, newest?.number);
    expect([outcome.t, outcome.status]).toEqual(['ended', 'succeeded']);
    const [entry] = await prepared.backend.history(prepared.id);
    expect(entry?.resourceChanges).toEqual({ create: 3 });
  });
  expect(await parts(cwd)).toEqual(NAMES);

  for (const kind of ['refresh', 'destroy'] as const)
    await withPrepared(ports, {}, async (prepared) => {
      expect((await operate(prepared, { kind, options: {} })).status).toBe('succeeded');
    });
  expect(await parts(cwd)).toEqual([]);
  expect(passes.map(({ which, kind }) => `${which} ${kind}`)).toEqual([
    'preview up',
    'run up',
    'run rollback',
    'run refresh',
    'run destroy',
  ]);
});

/** Returns a backend on which another process changes the state before each of the first operations begins. */
function movingBackend(backend: Backend, moves: number): Backend {
  let left = moves;
  return {
    ...backend,
    lease: async (id, options): Promise<StackLease> => {
      const lease = await backend.lease(id, options);
      const { stack, deployment, snapshot, crypter, notes, finished, unfinished, inDoubt } = lease;
      if (left === 0) return lease;
      left -= 1;
      return {
        ...{ stack, deployment, snapshot, crypter, notes, finished, unfinished, inDoubt },
        lineage: (number) => lease.lineage(number),
        begin: () => Promise.reject(new BaseMovedError(id, 'another update has ended')),
        release: () => lease.release(),
      };
    },
  };
}

test('an operation on a state that was changed before it began is shown and asked for again', async () => {
  const cwd = await stackWithState('moved');
  const events: string[] = [];
  const ports = portsOf(cwd, {
    notice: ({ t }) => void events.push(t),
    pass: ({ which }) => (events.push(which), { event: () => undefined }),
  });
  await withPrepared(ports, {}, async (prepared) => {
    const moving = (moves: number) => ({ ...prepared, backend: movingBackend(prepared.backend, moves) });
    const up = { kind: 'up', options: {} } as const;
    expect(await codeOf(operate(moving(4), up))).toBe('CAIRN-STORE-CONFLICT');
    expect(events.splice(0)).toEqual(['base-moved', 'base-moved', 'base-moved']);
    expect(await parts(cwd)).toEqual(NAMES);
    const outcome = await operate(moving(1), up, { preview: true, confirmed: true });
    expect([outcome.t, outcome.status]).toEqual(['ended', 'succeeded']);
    expect(events).toEqual(['preview', 'base-moved', 'preview', 'run']);
  });
  expect(await parts(cwd)).toEqual([]);
});

test('one that was cut short is gone on with', async () => {
  const cwd = await stackWithState('cut');
  let control: PassControl | undefined;
  const cutting = portsOf(cwd, {
    pass: () => ({
      event: ({ t }) => t === 'step-ended' && control?.cancel(),
      started: (given) => (control = given),
    }),
  });
  await withPrepared(cutting, {}, async (prepared) => {
    const options = { remove: true, parallel: 1 };
    expect((await operate(prepared, { kind: 'destroy', options })).status).toBe('cancelled');
  });
  expect(await parts(cwd)).toEqual(['site']);

  const notices: string[] = [];
  const ports = portsOf(cwd, { notice: ({ t }) => void notices.push(t) });
  await withPrepared(ports, {}, async (prepared) => {
    const ended = await resumeOperation(prepared, undefined);
    expect(ended).toMatchObject({ status: 'succeeded', operation: { kind: 'destroy' } });
    // The effect of the record is complete: the stack itself was to be removed.
    expect(await prepared.backend.exists(prepared.id)).toBe(false);
  });
  expect(notices).toEqual(['stack-removed']);
});

test('a preview is shown and agreed to first, where that is wanted', async () => {
  const cwd = await stackWithState('asked');
  const seen: string[] = [];
  const ports = (agreed: boolean): Ports =>
    portsOf(cwd, {
      attended: true,
      pass: ({ which }) => ({
        event: () => undefined,
        ended: ({ status }) => void seen.push(`${which} ${status}`),
        confirm: async () => seen.push('asked') > 0 && agreed,
      }),
    });
  const destroy = (agreed: boolean): Promise<Outcome> =>
    withPrepared(ports(agreed), {}, (prepared) =>
      operate(prepared, { kind: 'destroy', options: {} }, { preview: true }),
    );
  await expect(destroy(false)).rejects.toThrow('nothing was changed');
  expect(await parts(cwd)).toEqual(NAMES);
  expect((await destroy(true)).status).toBe('succeeded');
  expect(seen).toEqual([
    ...['preview succeeded', 'asked'],
    ...['preview succeeded', 'asked', 'run succeeded'],
  ]);
  expect(await parts(cwd)).toEqual([]);
});

test('the README shows a use that works', async () => {
  const readme = readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  const source = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(source.trim().split('\n').length).toBeLessThanOrEqual(12);
  const cwd = await stackWithState('shown');
  const body = source.replace(/^import .*$/gm, '');
  const names = ['ports', 'createStack', 'withPrepared', 'operate', 'withStack', 'stackOutputs', 'console'];
  const run = new Function(...names, `return (async () => {${body}})();`) as (
    ...given: unknown[]
  ) => Promise<void>;
  const said: unknown[] = [];
  const console = { log: (...texts: unknown[]) => said.push(...texts) };
  await run(portsOf(cwd), createStack, withPrepared, operate, withStack, stackOutputs, console);
  expect(said[0]).toBe('succeeded');
});
