import type { Provider } from '@cairn/wire';
import { MockWorld, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramFunction, Scenario } from '@cairn/testkit';
import { boxesProvider, inProcessCaller, MemoryStore } from '@cairn/testkit/terraform';
import type { ScriptRule } from '@cairn/testkit/terraform';
import { createBridge } from '../src/index.js';

/**
 * The engine decides the order of several objects. These are the cases of Terraform's lifecycle about it, run in the
 * engine.
 */

const LID = 'boxes:index/lid:Lid';
const BOX = 'boxes:index/box:Box';
const capabilities = { planDestroy: true, moveResourceState: true };

/** A world in which the package `boxes` is the bridge of a scripted provider. */
class BridgedWorld extends MockWorld {
  readonly store = new MemoryStore();
  #rules: readonly ScriptRule[] = [];

  constructor() {
    super({});
  }

  /** Sets the provider's deviations from the next operation on. */
  script(...rules: readonly ScriptRule[]): void {
    this.#rules = rules;
  }

  override async load(): Promise<Provider> {
    const scripted = boxesProvider({ store: this.store, rules: this.#rules, capabilities });
    const running = {
      protocolVersion: 6,
      caller: inProcessCaller([scripted.service()]),
      ended: () => undefined,
      cancel: async () => undefined,
      stop: async () => undefined,
    };
    const bridge = createBridge({ cwd: '/', env: {}, launch: async () => ({ name: 'acme/boxes', running }) });
    const value = Buffer.from(JSON.stringify({ source: 'acme/boxes', version: '1.2.3', name: 'boxes' }));
    await bridge.handshake({ engineAddress: '' });
    await bridge.parameterize({ parameters: { kind: 'value', name: 'boxes', version: '1.2.3', value } });
    return bridge;
  }
}

/** Consecutive operations on one stack. Each effect is reported once. */
class Stack {
  readonly world = new BridgedWorld();
  #prior: Outcome['snapshot'] | undefined;
  #told = 0;

  async run(
    program: ProgramFunction | undefined,
    more: Partial<Scenario> = {},
    rules: readonly ScriptRule[] = [],
  ) {
    this.world.script(...rules);
    const outcome = await runScenario({
      ...(this.#prior !== undefined && { prior: this.#prior }),
      providers: this.world,
      ...(program !== undefined && { program }),
      ...more,
    });
    this.#prior = outcome.snapshot;
    const all = this.world.store.effects();
    const effects = all.slice(this.#told).map(({ effect, id }) => `${effect} ${id}`);
    this.#told = all.length;
    const entries = outcome.snapshot.resources.filter(({ urn }) => urn.includes('Lid'));
    const kept = entries.map(({ id, delete: pending }) => `${id}${pending === true ? ' to delete' : ''}`);
    return { effects, kept, complaints: outcome.complaints, steps: outcome.steps };
  }
}

const lid =
  (boxId: string, options: object = {}, name = 'a'): ProgramFunction =>
  async ({ resource }) => {
    await resource(LID, name, { boxId }, { deleteBeforeReplace: false, ...options });
  };
const failing = (...more: readonly Partial<ScriptRule>[]): readonly ScriptRule[] =>
  more.map((rule) => ({ call: 'applyResourceChange', times: 1, ...rule }));

test('TF-275: the new object first, where the program says so; otherwise the old one is deleted first', async () => {
  const stack = new Stack();
  await stack.run(lid('1'));
  expect(await stack.run(lid('2'))).toMatchObject({
    effects: ['create boxes_lid-2', 'delete boxes_lid-1'],
    kept: ['boxes_lid-2'],
  });
  expect(await stack.run(lid('3', { deleteBeforeReplace: undefined }))).toMatchObject({
    effects: ['delete boxes_lid-2', 'create boxes_lid-3'],
    kept: ['boxes_lid-3'],
  });
});

test('TF-276: the create fails without an object: the old one stays, and the next operation does it all', async () => {
  const stack = new Stack();
  await stack.run(lid('1'));
  const failed = await stack.run(
    lid('2'),
    {},
    failing({ answer: { newState: null }, diagnostics: [{ summary: 'boom' }] }),
  );
  expect(failed).toMatchObject({ effects: [], kept: ['boxes_lid-1'] });
  expect(failed.complaints.join()).toContain('boom');
  expect(await stack.run(lid('2'))).toMatchObject({
    effects: ['create boxes_lid-2', 'delete boxes_lid-1'],
    kept: ['boxes_lid-2'],
  });
});

test('TF-277, TF-278: the create fails with an object: both are kept, and both are replaced by the next operation', async () => {
  const stack = new Stack();
  await stack.run(lid('1'));
  const failed = await stack.run(lid('2'), {}, failing({ diagnostics: [{ summary: 'boom' }] }));
  expect(failed.effects).toEqual(['create boxes_lid-2']);
  expect([...failed.kept].sort()).toEqual(['boxes_lid-1 to delete', 'boxes_lid-2']);
  const again = await stack.run(lid('2'));
  expect([...again.effects].sort()).toEqual([
    'create boxes_lid-3',
    'delete boxes_lid-1',
    'delete boxes_lid-2',
  ]);
  expect(again.kept).toEqual(['boxes_lid-3']);
});

test('TF-279: the delete of the old one fails: it is left to delete, and the next operation deletes it', async () => {
  const stack = new Stack();
  await stack.run(lid('1'));
  const refused = { answer: {}, diagnostics: [{ summary: 'in use' }] };
  const failed = await stack.run(lid('2'), {}, failing({ skip: 1, ...refused }));
  expect(failed.effects).toEqual(['create boxes_lid-2']);
  expect([...failed.kept].sort()).toEqual(['boxes_lid-1 to delete', 'boxes_lid-2']);
  expect(await stack.run(lid('2'))).toMatchObject({ effects: ['delete boxes_lid-1'], kept: ['boxes_lid-2'] });
});

test('TF-337, TF-338: a replacement that somebody asked for, and one because another object was replaced', async () => {
  const stack = new Stack();
  const program: ProgramFunction = async ({ resource }) => {
    const a = await resource(LID, 'a', { boxId: 'x' });
    await resource(LID, 'b', { boxId: 'y' }, { replaceWith: [a.urn] });
  };
  await stack.run(program);
  const outcome = await stack.run(program, { scope: { replace: ['**::a'] } });
  expect([...outcome.effects].sort()).toEqual([
    'create boxes_lid-3',
    'create boxes_lid-4',
    'delete boxes_lid-1',
    'delete boxes_lid-2',
  ]);
});

test('TF-355, TF-358: what is no longer in the program is deleted, unless it is gone', async () => {
  const stack = new Stack();
  const nothing: ProgramFunction = async () => {};
  await stack.run(lid('1'));
  expect(await stack.run(nothing)).toMatchObject({ effects: ['delete boxes_lid-1'], kept: [] });
  await stack.run(lid('1'));
  stack.world.store.write({ effect: 'delete', type: 'boxes_lid', id: 'boxes_lid-2' });
  expect(await stack.run(undefined, { kind: 'destroy' })).toMatchObject({ kept: [] });
});

test('TF-300: a value that turns out to require a replacement replaces, since the engine plans with what is known', async () => {
  const stack = new Stack();
  const program =
    (place: string): ProgramFunction =>
    async ({ resource }) => {
      const a = await resource('boxes:index/shelf:Shelf', 's', { place });
      await resource(LID, 'a', { boxId: a.outputs['id'] ?? a.id });
    };
  await stack.run(program('p'));
  const outcome = await stack.run(program('q'));
  expect([...outcome.effects].sort()).toEqual([
    'create boxes_lid-4',
    'create boxes_shelf-3',
    'delete boxes_lid-2',
    'delete boxes_shelf-1',
  ]);
});

test('an alias of another type has the provider move the object, which stays [TFB-12]', async () => {
  const stack = new Stack();
  await stack.run(async ({ resource }) => {
    await resource(BOX, 'a', { name: 'n' });
  });
  const alias = { kind: 'spec', type: BOX, name: '', stack: '', project: '', parent: { kind: 'same' } };
  const program = lid('b', { aliases: [alias] });
  const targetState = { id: 'boxes_box-1', box_id: 'b', title: null, weight: null };
  const moving = { call: 'moveResourceState', answer: { targetState, targetPrivate: '' } } as const;
  const moved = await stack.run(program, {}, [moving]);
  expect(moved).toMatchObject({ effects: [], kept: ['boxes_box-1'], complaints: [] });
  // It has its new type from here on: no provider has to move it.
  const after = await stack.run(lid('b'));
  expect(after).toMatchObject({ effects: [], kept: ['boxes_box-1'], complaints: [] });
  expect(after.steps.filter((step) => !step.startsWith('same'))).toEqual([]);
});
