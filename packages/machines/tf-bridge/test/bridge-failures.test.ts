import { isCairnError } from '@cairn/diagnostics';
import { inProcessCaller } from '@cairn/testkit/terraform';
import { coerce, record } from '@cairn/tfplugin';
import { propertyMap, secret } from '@cairn/values';
import { isInitFailed, isProviderError } from '@cairn/wire';
import { STATE_PROPERTY, TerraformClient } from '../src/index.js';
import { aboutBox, Bridged } from './bridged.js';
import type { Kept } from './bridged.js';

const map = propertyMap;
const inputs = map({ name: 'n', size: 1 });
const apply = 'applyResourceChange';
const plan = 'planResourceChange';
const broken = { summary: 'No more boxes', detail: 'All are in use.', attribute: ['size'] };

const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Returns the code of the error, and of its diagnostic if it has one. */
const codesOf = (error: unknown) => [
  isProviderError(error) ? error.code : undefined,
  isCairnError(error) ? error.diagnostics[0]?.code : undefined,
];

test('a create that fails with an object keeps it, tainted, and the next change replaces it [TFB-7]', async () => {
  const boxes = await Bridged.start({ rules: [{ call: apply, times: 1, diagnostics: [broken] }] });
  const error = await thrown(boxes.create(inputs));
  if (!isInitFailed(error)) throw new Error(`not InitFailed: ${String(error)}`);
  expect(error).toMatchObject({ id: 'boxes_box-1', outputs: { name: 'n', size: 1 } });
  expect(error.reasons).toEqual(['size: No more boxes: All are in use.']);
  const kept: Kept = { id: error.id, inputs, outputs: error.outputs };
  const diff = await boxes.diff(kept, inputs);
  expect(diff).toMatchObject({ changes: 'some', replaceKeys: ['id'], deleteBeforeReplace: true });
  expect(boxes.scripted.requests(plan).at(-1)).toMatchObject({ priorState: null });
  expect(boxes.scripted.requests(plan).at(-1)).not.toHaveProperty('priorPrivate');
  await boxes.delete(kept);
  const again = await boxes.made(inputs);
  expect(await boxes.diff(again, inputs)).toMatchObject({ changes: 'none' });
  expect(boxes.effects()).toEqual(['create boxes_box-1', 'delete boxes_box-1', 'create boxes_box-2']);
});

test('an update that fails with an object keeps what it has become, not tainted [TFB-7]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  boxes.scripted.next({ call: apply, diagnostics: [broken], change: { 'newState.label': 'half' } });
  const error = await thrown(boxes.update(made, map({ name: 'n', size: 2 })));
  if (!isInitFailed(error)) throw new Error(`not InitFailed: ${String(error)}`);
  expect(error.outputs).toMatchObject({ size: 2, label: 'half' });
  const diff = await boxes.diff({ ...made, outputs: error.outputs }, inputs);
  expect(diff).toMatchObject({ changes: 'some', replaceKeys: [] });
});

test('a delete that fails with an object says what it is like now, with its secrets [TFB-7]', async () => {
  const LID = 'boxes:index/lid:Lid';
  const boxes = await Bridged.start();
  const made = await boxes.made(map({ boxId: secret('b-7') }), LID);
  const newState = { id: made.id, box_id: 'b-7', title: 'half', weight: null };
  boxes.scripted.next({ call: apply, answer: { newState }, diagnostics: [broken] });
  const error = await thrown(boxes.delete(made, LID));
  if (!isInitFailed(error)) throw new Error(`not InitFailed: ${String(error)}`);
  expect(error.reasons).toEqual([expect.stringContaining('No more boxes')]);
  expect(error).toMatchObject({ id: made.id, outputs: { boxId: secret('b-7'), title: 'half' } });
  await boxes.delete({ ...made, outputs: error.outputs }, LID);
  expect(boxes.scripted.requests(apply).at(-1)).toMatchObject({ priorState: { title: 'half' } });
  expect(boxes.effects()).toEqual([`create ${made.id}`, `delete ${made.id}`]);
});

test.each([
  ['a create', 'ABORTED', (boxes: Bridged) => boxes.create(inputs)],
  ['an update', 'UNKNOWN', (boxes: Bridged, made: Kept) => boxes.update(made, map({ name: 'n', size: 2 }))],
] as const)('%s that is refused without an object keeps what was [TFB-7]', async (_title, code, work) => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  boxes.scripted.next({ call: apply, answer: { newState: null, diagnostics: [broken] } });
  const error = await thrown(work(boxes, made));
  expect(isInitFailed(error)).toBe(false);
  expect(codesOf(error)).toEqual([code, undefined]);
  expect(String(error)).toContain('size: No more boxes: All are in use.');
});

test.each([
  ['has no object', { answer: {} }, 'CAIRN-TERRAFORM-RESULT', 'TFC-17 NOW_ABSENT'],
  [
    'is of another type',
    { change: { newState: { $raw: [['object', { id: 'string' }], { id: 'x' }] } } },
    'CAIRN-TERRAFORM-OBJECT',
    'TFC-21 NONCONFORMING',
  ],
  ['is null', { answer: { newState: null } }, 'CAIRN-TERRAFORM-RESULT', 'TFC-17 NOW_ABSENT'],
] as const)(
  'an answer to a create that %s without an error leaves it in doubt [TFB-7]',
  async (_title, rule, code, rules) => {
    const boxes = await Bridged.start();
    boxes.scripted.next({ call: apply, ...rule });
    const error = await thrown(boxes.create(inputs));
    expect(codesOf(error)).toEqual(['INTERNAL', code]);
    expect(String(error)).toContain(rules);
    expect(String(error)).toMatch(/^\w+: provider acme\/boxes, urn:pulumi:s::p::boxes:index\/box:Box::a/);
  },
);

test('a result that is not as planned is kept beside the violation, which names provider, resource, path and rule', async () => {
  const boxes = await Bridged.start();
  boxes.scripted.next({ call: apply, change: { 'newState.size': 9 } });
  const error = await thrown(boxes.create(inputs));
  if (!isInitFailed(error)) throw new Error(`not InitFailed: ${String(error)}`);
  expect(error.outputs).toMatchObject({ size: 9 });
  expect(error.reasons).toEqual([
    'CAIRN-TERRAFORM-RESULT: provider acme/boxes, urn:pulumi:s::p::boxes:index/box:Box::a: .size: has another value than planned [TFC-17 CHANGED]',
  ]);
});

test('a plan that breaks the contract is refused before anything is done, in a preview too', async () => {
  const boxes = await Bridged.start({ rules: [{ call: plan, change: { 'plannedState.size': 9 } }] });
  for (const preview of [true, false]) {
    const error = await thrown(boxes.create(inputs, preview));
    expect(codesOf(error)).toEqual(['FAILED_PRECONDITION', 'CAIRN-TERRAFORM-PLAN']);
    expect(String(error)).toContain(
      '.size: the planned value is not the configured one [TFC-5 CONFIG_MISMATCH]',
    );
  }
  expect(boxes.count(apply)).toBe(0);
});

test('the second plan of a replacement is judged by the diff, before the old object goes [TFC-11]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  boxes.scripted.next({ call: plan, skip: 1, change: { 'plannedState.size': 9 } });
  const error = await thrown(boxes.diff(made, map({ name: 'm', size: 1 })));
  expect(codesOf(error)).toEqual(['FAILED_PRECONDITION', 'CAIRN-TERRAFORM-PLAN']);
  expect(boxes.count(apply)).toBe(1);
});

test('an update that is applied otherwise than the diff told is refused before it is done [TFB-9]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  const news = map({ name: 'n', size: 2 });
  boxes.scripted.next({ call: plan, change: { 'plannedState.label': 'first' } });
  await boxes.diff(made, news);
  boxes.scripted.next({ call: plan, change: { 'plannedState.label': 'second' } });
  const error = await thrown(boxes.update(made, news));
  expect(codesOf(error)).toEqual(['FAILED_PRECONDITION', 'CAIRN-TERRAFORM-FINAL-PLAN']);
  expect(String(error)).toContain('.label: has another value than planned [TFC-16 CHANGED]');
  expect(boxes.count(apply)).toBe(1);
  // The diff of other inputs does not apply to these.
  boxes.scripted.next({ call: plan, change: { 'plannedState.label': 'third' } });
  await boxes.diff(made, map({ name: 'n', size: 3 }));
  expect(await boxes.update(made, news)).toMatchObject({ size: 2 });
});

test('a replacement is held against the diff also where a timeout comes between [TFB-9]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  const news = map({ name: 'm', size: 1 });
  const { urn, name, type } = aboutBox;
  const create = () =>
    boxes.bridge.create({ urn, name, type, inputs: news, timeoutSeconds: 90, preview: false });
  boxes.scripted.next({ call: plan, skip: 1, change: { 'plannedState.label': 'first' } });
  await boxes.diff(made, news);
  boxes.scripted.next({ call: plan, change: { 'plannedState.label': 'second' } });
  expect(codesOf(await thrown(create()))).toEqual(['FAILED_PRECONDITION', 'CAIRN-TERRAFORM-FINAL-PLAN']);
  await boxes.diff(made, news);
  expect(await create()).toMatchObject({ outputs: { name: 'm' } });
  expect(boxes.scripted.requests(apply).at(-1)).toMatchObject({ config: { timeouts: { create: '90s' } } });
});

test('an update that turns out to be a replacement is refused [TFB-5]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  const error = await thrown(boxes.update(made, map({ name: 'm', size: 1 })));
  expect(codesOf(error)).toEqual(['FAILED_PRECONDITION', undefined]);
  expect(String(error)).toContain('requires a replacement because of name');
  expect(boxes.count(apply)).toBe(1);
});

test('a delete that is refused, or leaves the object, fails and keeps it', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  const stored = JSON.parse((made.outputs[STATE_PROPERTY] as { value: string }).value) as {
    attributes: object;
  };
  boxes.scripted.next({ call: apply, answer: { newState: null, diagnostics: [broken] } });
  expect(codesOf(await thrown(boxes.delete(made)))).toEqual(['UNKNOWN', undefined]);
  boxes.scripted.next({ call: apply, answer: { newState: stored.attributes as never } });
  const error = await thrown(boxes.delete(made));
  if (!isInitFailed(error)) throw new Error(`not InitFailed: ${String(error)}`);
  expect(error.reasons).toEqual([expect.stringContaining('TFC-23 NOT_DELETED')]);
  expect(error.outputs).toEqual(made.outputs);
});

test.each([
  ['garbage', 'INTERNAL'],
  ['status', 'INTERNAL'],
] as const)('an apply that ends with %s leaves its object in doubt [TFB-7]', async (fault, code) => {
  const boxes = await Bridged.start();
  boxes.scripted.next({ call: apply, fault, when: 'after', status: 'UNKNOWN' });
  expect(codesOf(await thrown(boxes.create(inputs)))).toEqual([code, undefined]);
});

test.each(['garbage', 'status', 'crash'] as const)(
  'a plan that ends with %s leaves nothing in doubt [TFB-7]',
  async (fault) => {
    const boxes = await Bridged.start();
    boxes.scripted.next({ call: plan, fault, status: 'UNKNOWN' });
    const error = await thrown(boxes.create(inputs));
    expect(codesOf(error)).toEqual(['UNAVAILABLE', undefined]);
    expect(isProviderError(error) && error.inDoubt).toBe(false);
  },
);

test('a change that the provider defers is refused [TFC-12]', async () => {
  const boxes = await Bridged.start();
  boxes.scripted.next({ call: plan, change: { deferred: { reason: 1 } } });
  const error = await thrown(boxes.create(inputs));
  expect(codesOf(error)).toEqual(['FAILED_PRECONDITION', 'CAIRN-TERRAFORM-DEFERRED']);
});

test('an answer of the old type system is only noted where it differs [TFC-15]', async () => {
  const boxes = await Bridged.start({
    rules: [
      { call: plan, change: { 'plannedState.label': 'x', 'plannedState.size': 9, legacyTypeSystem: true } },
      { call: apply, change: { 'newState.size': 8, legacyTypeSystem: true } },
    ],
  });
  expect((await boxes.create(inputs)).outputs).toMatchObject({ size: 8 });
});

test('after a cancel changes are not begun; questions are answered [TFB-8]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  await boxes.bridge.cancel();
  expect(codesOf(await thrown(boxes.create(inputs)))).toEqual(['ABORTED', undefined]);
  expect(codesOf(await thrown(boxes.delete(made)))).toEqual(['ABORTED', undefined]);
  expect(await boxes.diff(made, inputs)).toMatchObject({ changes: 'none' });
});

test.each([
  ['readResource', 'newIdentity', 'FAILED_PRECONDITION', (boxes: Bridged, made: Kept) => boxes.read(made)],
  ['applyResourceChange', 'newIdentity', 'UNKNOWN', (boxes: Bridged) => boxes.create(inputs)],
] as const)('an identity in an answer to %s is wholly known [TFC-34]', async (call, part, code, work) => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  boxes.scripted.next({ call, change: { [part]: { id: { $unknown: true } } } });
  const error = await thrown(work(boxes, made));
  expect(codesOf(error)[0]).toBe(code);
  const said = isInitFailed(error) ? error.reasons.join() : String(error);
  expect(said).toContain('.identity: is unknown where everything must be known [TFC-29 UNKNOWN_VALUE]');
  // The object that was made is kept all the same.
  expect(isInitFailed(error)).toBe(call === 'applyResourceChange');
});

test('an identity goes with every call about its object and comes back [TFC-34]', async () => {
  const boxes = await Bridged.start();
  const made = await boxes.made(inputs);
  await boxes.read(made);
  await boxes.diff(made, map({ name: 'n', size: 2 }));
  const identity = { id: 'boxes_box-1' };
  expect(boxes.scripted.requests('readResource').at(-1)).toMatchObject({ currentIdentity: identity });
  expect(boxes.scripted.requests(plan).at(-1)).toMatchObject({ priorIdentity: identity });
});

test('another identity than before is warned of, and counts [TFC-34]', async () => {
  const boxes = await Bridged.start();
  const { scripted } = boxes;
  const caller = inProcessCaller([scripted.service()]);
  const client = await TerraformClient.connect({ name: 'b', protocolVersion: scripted.protocol, caller });
  const { block } = client.schema.resources.get('boxes_box') as NonNullable<
    ReturnType<typeof client.schema.resources.get>
  >;
  const subject = { type: 'boxes_box', address: 'boxes_box.a' };
  const config = (size: number) => coerce(block, record(Object.entries({ name: 'n', size })));
  const { state } = await client.apply(subject, await client.plan(subject, { config: config(1) }));
  const prior = state as NonNullable<typeof state>;
  expect((await client.read(subject, prior)).warnings).toEqual([]);

  const change = { newIdentity: { id: 'another' } };
  scripted.next({ call: 'readResource', change });
  const found = await client.read(subject, prior);
  scripted.next({ call: apply, change });
  const applied = await client.apply(subject, await client.plan(subject, { prior, config: config(2) }));
  for (const { warnings, state: now } of [found, applied]) {
    expect(warnings).toMatchObject([
      { severity: 'warning', summary: expect.stringContaining('changed the identity') },
    ]);
    expect(now?.identity?.value).toEqual({ id: 'another' });
  }
});
