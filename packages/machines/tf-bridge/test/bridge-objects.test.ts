import { isSecret, propertyMap, secret, UNKNOWN } from '@cairn/values';
import { STATE_PROPERTY } from '../src/index.js';
import { BOX, Bridged } from './bridged.js';

const map = propertyMap;
const walls = [{ side: 'left', height: 2 }];

test.each([5, 6] as const)('an object through its life, protocol %d [TFB-5]', async (protocol) => {
  const boxes = await Bridged.start({ protocol });
  const inputs = map({ name: 'n', size: 3, walls, tags: { k: 'v' } });
  expect((await boxes.check(inputs)).failures).toEqual([]);
  const preview = await boxes.create(inputs, true);
  expect(preview).toMatchObject({ id: '', outputs: { name: 'n', size: 3, material: UNKNOWN, id: UNKNOWN } });
  expect(boxes.effects()).toEqual([]);

  const made = await boxes.made(inputs);
  expect(made).toMatchObject({
    id: 'boxes_box-1',
    outputs: { name: 'n', walls: [{ side: 'left', height: 2 }] },
  });
  expect(await boxes.diff(made, inputs)).toMatchObject({ changes: 'none' });

  const bigger = map({ ...inputs, size: 4 });
  const diff = await boxes.diff(made, bigger);
  expect(diff).toMatchObject({ changes: 'some', replaceKeys: [], deleteBeforeReplace: false });
  expect(diff.detailedDiff).toMatchObject({ size: { kind: 'update' }, revision: { kind: 'update' } });
  expect(diff.stableKeys).toEqual(expect.arrayContaining(['name', 'id']));
  expect(await boxes.update(made, bigger, true)).toMatchObject({ size: 4, revision: UNKNOWN, id: made.id });
  const outputs = await boxes.update(made, bigger);
  expect(outputs).toMatchObject({ size: 4, id: made.id });

  const kept = { ...made, inputs: bigger, outputs };
  const renamed = await boxes.diff(kept, map({ ...bigger, name: 'm' }));
  expect(renamed).toMatchObject({ changes: 'some', replaceKeys: ['name'], deleteBeforeReplace: true });
  expect(renamed.detailedDiff?.['name']).toEqual({ kind: 'update-replace', inputDiff: false });

  await boxes.delete(kept);
  expect(await boxes.read(kept)).toMatchObject({ id: '', outputs: undefined });
  expect(boxes.effects()).toEqual(['create boxes_box-1', 'update boxes_box-1', 'delete boxes_box-1']);
});

test('failures of a check name the property, whoever finds them [TFB-3]', async () => {
  const boxes = await Bridged.start();
  expect((await boxes.check(map({ size: -1, colour: 1, nme: 'x' }))).failures).toEqual(
    expect.arrayContaining([
      { property: 'nme', reason: expect.stringContaining('there is no such property') as string },
      { property: 'name', reason: 'is required' },
    ]),
  );
  expect((await boxes.check(map({ name: 'n', size: -1 }))).failures).toEqual([
    { property: 'size', reason: 'Invalid size: A box cannot be smaller than nothing.' },
  ]);
});

test('what is sensitive or write-only is secret in what is stored, and given to the provider as it is [TFB-3]', async () => {
  const boxes = await Bridged.start();
  const { inputs } = await boxes.check(map({ name: 'n', pin: '1234', secret: 'w' }));
  expect([inputs['pin'], inputs['secret']].map((each) => isSecret(each as string))).toEqual([true, true]);
  const made = await boxes.made(inputs);
  expect(made.outputs['pin']).toEqual(secret('1234'));
  expect(isSecret(made.outputs['key'] as string)).toBe(true);
  expect(made.outputs).not.toHaveProperty('secret');
  expect(isSecret(made.outputs[STATE_PROPERTY] as string)).toBe(true);
  expect(boxes.scripted.requests('applyResourceChange')).toMatchObject([
    { config: { pin: '1234', secret: 'w' }, plannedState: { pin: '1234', secret: null } },
  ]);
});

test('a secret of the program makes the stored object secret; one without any is not [TFB-4]', async () => {
  const boxes = await Bridged.start();
  const type = 'boxes:index/lid:Lid';
  const open = await boxes.made(map({ boxId: 'b', title: 't' }), type);
  expect(isSecret(open.outputs[STATE_PROPERTY] as string)).toBe(false);
  const hidden = await boxes.made(map({ boxId: 'b', title: secret('t') }), type);
  expect(isSecret(hidden.outputs[STATE_PROPERTY] as string)).toBe(true);
  expect(hidden.outputs['title']).toEqual(secret('t'));
  const { outputs } = await boxes.read(hidden, type);
  expect(outputs?.['title']).toEqual(secret('t'));
});

test('private data come back with every call, and with the delete of what is replaced [TFB-9]', async () => {
  const plan = 'planResourceChange';
  const boxes = await Bridged.start({
    rules: [
      { call: plan, times: 1, change: { plannedPrivate: 'planned' } },
      { call: 'applyResourceChange', times: 1, change: { private: 'applied' } },
      { call: 'readResource', times: 1, change: { private: 'read' } },
    ],
  });
  const inputs = map({ name: 'n' });
  const made = await boxes.made(inputs);
  expect(boxes.scripted.requests('applyResourceChange')).toMatchObject([{ plannedPrivate: 'planned' }]);
  const { outputs = made.outputs } = await boxes.read(made);
  expect(boxes.scripted.requests('readResource')).toMatchObject([{ private: 'applied' }]);
  const kept = { ...made, outputs };
  boxes.scripted.next({ call: plan, skip: 1, change: { plannedPrivate: 'of the new one' } });
  await boxes.diff(kept, map({ name: 'm' }));
  const plans = boxes.scripted.requests(plan);
  expect(plans.slice(-2)).toMatchObject([
    { priorPrivate: 'read' },
    { priorState: null, priorPrivate: 'read' },
  ]);
  const before = boxes.count(plan);
  await boxes.delete(kept);
  expect(boxes.count(plan)).toBe(before);
  expect(boxes.scripted.requests('applyResourceChange').at(-1)).toMatchObject({
    plannedState: null,
    plannedPrivate: 'of the new one',
  });
});

test('the plan of a delete is asked for where nothing replaces the object, or the new one is there already [TFB-9]', async () => {
  const boxes = await Bridged.start();
  const first = await boxes.made(map({ name: 'n' }));
  await boxes.diff(first, map({ name: 'm' }));
  await boxes.made(map({ name: 'm' }));
  await boxes.delete(first);
  expect(boxes.scripted.requests('planResourceChange').at(-1)).toMatchObject({ proposedNewState: null });
});

test('ignored changes are ignored for the first plan, by their property path', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ name: 'n', size: 1, tags: { a: '1', b: '2' } }));
  const news = map({ name: 'n', size: 2, tags: { a: '3', b: '2' } });
  expect(await boxes.diff(made, news, ['size', 'tags.a'])).toMatchObject({ changes: 'none' });
  const diff = await boxes.diff(made, news, ['size']);
  expect(Object.keys(diff.detailedDiff ?? {})).toEqual(expect.arrayContaining(['tags.a']));
  expect(diff.detailedDiff).not.toHaveProperty('size');
});

test('a refresh changes the inputs that are not what they were, and no others [TFB-6]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ name: 'n', size: 1, pin: secret('1') }));
  boxes.scripted.next({
    call: 'readResource',
    change: { 'newState.size': 5, 'newState.pin': '2', 'newState.label': 'l' },
  });
  const found = await boxes.read(made);
  expect(found.inputs).toEqual(map({ name: 'n', size: 5, pin: secret('2') }));
  expect(found.outputs).toMatchObject({ size: 5, label: 'l' });
  const back = await boxes.diff(
    { id: made.id, inputs: found.inputs ?? {}, outputs: found.outputs ?? {} },
    made.inputs,
  );
  expect(back).toMatchObject({ changes: 'some', detailedDiff: { size: { kind: 'update' } } });
});

test('an imported object has its inputs, and differs in nothing from a program with them [TFB-6]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ name: 'n', size: 3, walls, tags: { k: 'v' } }));
  const found = await boxes.find(made.id);
  expect(found).toMatchObject({ id: made.id, inputs: { name: 'n', size: 3, walls, tags: { k: 'v' } } });
  expect(Object.keys(found.inputs ?? {}).sort()).toEqual(['name', 'size', 'tags', 'walls']);
  const kept = { id: found.id, inputs: found.inputs ?? {}, outputs: found.outputs ?? {} };
  expect(await boxes.diff(kept, kept.inputs)).toMatchObject({ changes: 'none' });
  expect(await boxes.find('nowhere')).toEqual({
    id: '',
    inputs: undefined,
    outputs: undefined,
    refreshBeforeUpdate: false,
  });
});

test('a timeout of the program goes into the block for it, and is no difference later [TFE-7]', async () => {
  const boxes = await Bridged.start();
  const inputs = map({ name: 'n' });
  const [urn, name] = ['urn:pulumi:s::p::boxes:index/box:Box::a', 'a'] as const;
  const { id, outputs } = await boxes.bridge.create({
    ...{ urn: urn as never, name, type: BOX, inputs, preview: false },
    timeoutSeconds: 90,
  });
  expect(boxes.scripted.requests('applyResourceChange')).toMatchObject([
    { config: { timeouts: { create: '90s', delete: null } } },
  ]);
  expect(await boxes.diff({ id, inputs, outputs }, inputs)).toMatchObject({ changes: 'none' });
});

test('state of an earlier schema is upgraded before anything is asked [TFC-31]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ name: 'n' }));
  const older = String(
    made.outputs[STATE_PROPERTY] && (made.outputs[STATE_PROPERTY] as { value: string }).value,
  );
  const outputs = {
    ...made.outputs,
    [STATE_PROPERTY]: older.replace('"schema_version":1', '"schema_version":0'),
  };
  await boxes.diff({ ...made, outputs }, made.inputs);
  expect(boxes.scripted.requests('upgradeResourceState')).toMatchObject([{ version: 0 }]);
  const newer = {
    ...made.outputs,
    [STATE_PROPERTY]: older.replace('"schema_version":1', '"schema_version":2'),
  };
  await expect(boxes.diff({ ...made, outputs: newer }, made.inputs)).rejects.toThrow(
    /newer version of the provider/,
  );
  const without = { ...made.outputs, [STATE_PROPERTY]: null };
  await expect(boxes.diff({ ...made, outputs: without }, made.inputs)).rejects.toThrow(/has no __terraform/);
});

test('an object is upgraded once for the diff and what follows on it [TFB-9]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ name: 'n', size: 1 }));
  const news = map({ name: 'n', size: 2 });
  await boxes.diff(made, news);
  const outputs = await boxes.update(made, news);
  expect(boxes.count('upgradeResourceState')).toBe(1);
  // The object after the update is another one.
  await boxes.delete({ ...made, outputs });
  expect(boxes.count('upgradeResourceState')).toBe(2);
});

describe('what the pass before has heard [TFB-9]', () => {
  const inputs = map({ name: 'n', size: 1 });

  /** Returns the number of the provider's calls in a pass for an object and its configuration. */
  async function pass(
    boxes: Bridged,
    made: Awaited<ReturnType<Bridged['made']>>,
    news = inputs,
    ignore = ['pin'],
  ) {
    const calls = ['validateResourceConfig', 'upgradeResourceState', 'planResourceChange'] as const;
    const before = calls.map((call) => boxes.count(call));
    expect((await boxes.check(news)).failures).toEqual([]);
    const { changes } = await boxes.diff(made, news, ignore);
    await boxes.bridge.endPass?.();
    return [changes, ...calls.map((call, at) => boxes.count(call) - (before[at] as number))];
  }

  test('is not asked again, of what is to stay as it is', async () => {
    const boxes = await Bridged.start();
    const made = await boxes.made(inputs);
    expect(await pass(boxes, made)).toEqual(['none', 1, 1, 1]);
    expect(await pass(boxes, made)).toEqual(['none', 0, 0, 0]);
    // In one pass the provider is called as often as the engine asks.
    expect(await pass(boxes, made, map({ name: 'n', size: 2 }))).toEqual(['some', 1, 1, 1]);
    expect(await pass(boxes, made, map({ name: 'n', size: 2 }))).toEqual(['some', 0, 1, 1]);
  });

  test('is asked again when the object, the options or the settings are others', async () => {
    const boxes = await Bridged.start();
    const made = await boxes.made(inputs);
    const outputs = await boxes.update(made, map({ name: 'n', size: 3 }));
    expect(await pass(boxes, made)).toEqual(['none', 1, 1, 1]);
    expect(await pass(boxes, { ...made, outputs })).toEqual(['some', 0, 1, 1]);
    expect(await pass(boxes, made)).toEqual(['none', 0, 1, 1]);
    expect(await pass(boxes, made, inputs, [])).toEqual(['none', 0, 1, 1]);
    await boxes.configure(map({ directory: 'elsewhere' }));
    expect(await pass(boxes, made, inputs, [])).toEqual(['none', 1, 1, 1]);
    // Answers that no pass has requested in between are forgotten.
    await boxes.bridge.endPass?.();
    expect(await pass(boxes, made, inputs, [])).toEqual(['none', 1, 1, 1]);
  });
});

describe('an object of another type [TFB-12]', () => {
  const LID = 'boxes:index/lid:Lid';
  const capabilities = { moveResourceState: true };
  const targetState = { id: 'boxes_box-1', box_id: 'b', title: null, weight: null };
  const moving = { call: 'moveResourceState', answer: { targetState, targetPrivate: 'moved' } } as const;

  test('is moved by its provider, and stored as of its new type by the next update, without an apply', async () => {
    const boxes = await Bridged.start({ capabilities, rules: [moving] });
    const made = await boxes.made(map({ name: 'n' }));
    const inputs = map({ boxId: 'b' });
    expect(await boxes.diff(made, inputs, [], LID)).toMatchObject({ changes: 'some', detailedDiff: {} });
    expect(boxes.scripted.requests('moveResourceState')).toMatchObject([
      { sourceProviderAddress: 'acme/boxes', sourceTypeName: 'boxes_box', targetTypeName: 'boxes_lid' },
    ]);
    const outputs = await boxes.update(made, inputs, false, LID);
    expect(outputs).toMatchObject({ boxId: 'b' });
    expect(boxes.count('applyResourceChange')).toBe(1);
    const moves = boxes.count('moveResourceState');
    const moved = { ...made, inputs, outputs };
    expect(await boxes.diff(moved, inputs, [], LID)).toMatchObject({ changes: 'none' });
    expect(boxes.count('moveResourceState')).toBe(moves);
    expect(boxes.scripted.requests('planResourceChange').at(-1)).toMatchObject({ priorPrivate: 'moved' });
  });

  test('is refused where it is of another provider', async () => {
    const boxes = await Bridged.start({ capabilities });
    const made = await boxes.made(map({ name: 'n' }));
    const text = (made.outputs[STATE_PROPERTY] as { readonly value: string }).value;
    const outputs = map({ ...made.outputs, [STATE_PROPERTY]: text.replace('boxes_box"', 'crates_box"') });
    await expect(boxes.diff({ ...made, outputs }, map({ name: 'n' }))).rejects.toThrow(
      /stored as crates_box, an object of another provider/,
    );
    expect(boxes.count('moveResourceState')).toBe(0);
  });

  test('is refused by a provider that cannot move it', async () => {
    const boxes = await Bridged.start();
    const made = await boxes.made(map({ name: 'n' }));
    await expect(boxes.diff(made, map({ boxId: 'b' }), [], LID)).rejects.toThrow(
      /cannot turn objects of type boxes_box into ones of type boxes_lid/,
    );
  });
});
