import type { ResourceEntry, Snapshot } from '@cairn/state';
import { UNKNOWN, emptyMap } from '@cairn/values';
import { InitFailedError, InvalidAnswerError, ProviderError } from '@cairn/wire';
import { MockWorld, callRequest, diffAnswer, invokeRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';
import { snapshotLookedAt } from './looked-at.js';

/** Answers that break the protocol are refused with the provider's name, and no part of them reaches the state. */

const TYPE = 'pkgA:m:typA';

const one =
  (x: number): ProgramFunction =>
  async (p) => {
    await p.resource(TYPE, 'a', { x });
  };

const reads: ProgramFunction = (p) => p.read(TYPE, 'a', 'there').then(() => {});
const imports: ProgramFunction = async (p) => {
  await p.resource(TYPE, 'a', { x: 1 }, { importId: 'there' });
};
const constructs: ProgramFunction = async (p) => {
  await p.resource('pkgA:m:Remote', 'a', {}, { custom: false, remote: true });
};
const calls: ProgramFunction = async (p) => {
  await p.monitor.call(callRequest({ token: 'pkgA:m:Remote/method' }));
};
const invokes: ProgramFunction = async (p) => {
  await p.monitor.invoke(invokeRequest({ token: 'pkgA:m:function' }));
};

/** Makes an answer without the types of TypeScript. */
const raw = (answer: unknown) => () => answer as never;
const found = { id: 'there', inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false };
const made = { id: 'i', outputs: emptyMap, refreshBeforeUpdate: false };
const notReady = (id: string, outputs: unknown) => () => {
  throw new InitFailedError(id, outputs as never, undefined, ['slow'], false, 'not ready');
};

interface Case {
  readonly call: string;
  readonly what: string;
  readonly behaviour: MockBehaviour;
  readonly fault: string;
  readonly program?: ProgramFunction;
  /** True if `a` exists already, and the program changes it. */
  readonly exists?: boolean;
  readonly kind?: Scenario['kind'];
  /** `here` if the wire cannot express the answer: it occurs only in the process of the engine. */
  readonly only?: 'here';
}

const cases: readonly Case[] = [
  {
    call: 'checkConfig',
    what: 'no inputs',
    behaviour: { checkConfig: raw({ failures: [] }) },
    fault: 'it has no inputs',
    only: 'here',
  },
  {
    call: 'checkConfig',
    what: 'nothing',
    behaviour: { checkConfig: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'configure',
    what: 'nothing',
    behaviour: { configure: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'check',
    what: 'no inputs',
    behaviour: { check: raw({ failures: [] }) },
    fault: 'it has no inputs',
  },
  {
    call: 'check',
    what: 'inputs of a wrong type',
    behaviour: { check: raw({ inputs: ['x'], failures: [] }) },
    fault: 'inputs',
    only: 'here',
  },
  {
    call: 'check',
    what: 'an unknown',
    behaviour: { check: raw({ inputs: { x: UNKNOWN }, failures: [] }) },
    fault: 'x',
  },
  {
    call: 'check',
    what: 'failures without a reason',
    behaviour: { check: raw({ failures: [{}] }) },
    fault: 'one of its failures has no reason',
    only: 'here',
  },
  {
    call: 'check',
    what: 'failures that are no list',
    behaviour: { check: raw({ failures: 'x' }) },
    fault: 'not a list',
    only: 'here',
  },
  {
    call: 'diff',
    what: 'nothing',
    exists: true,
    behaviour: { diff: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'diff',
    what: 'other changes',
    exists: true,
    behaviour: { diff: raw({ changes: true }) },
    fault: 'changes',
    only: 'here',
  },
  {
    call: 'diff',
    what: 'keys that are none',
    exists: true,
    behaviour: { diff: raw({ ...diffAnswer('some'), replaceKeys: 'x' }) },
    fault: 'replaceKeys',
    only: 'here',
  },
  {
    call: 'diff',
    what: 'a kind of its own',
    exists: true,
    behaviour: { diff: raw({ ...diffAnswer('some'), detailedDiff: { x: { kind: 'moved' } } }) },
    fault: 'kind at "x"',
    only: 'here',
  },
  {
    call: 'create',
    what: 'nothing',
    behaviour: { create: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  { call: 'create', what: 'no id', behaviour: { create: raw({ ...made, id: '' }) }, fault: 'it has no id' },
  {
    call: 'create',
    what: 'an undefined id',
    behaviour: { create: raw({ ...made, id: undefined }) },
    fault: 'its id is undefined, not a string',
  },
  {
    call: 'create',
    what: 'NaN as id',
    behaviour: { create: raw({ ...made, id: NaN }) },
    fault: 'its id is number, not a string',
  },
  {
    call: 'create',
    what: 'outputs of a wrong type',
    behaviour: { create: raw({ ...made, outputs: 'x' }) },
    fault: 'outputs',
    only: 'here',
  },
  {
    call: 'create',
    what: 'an unknown deep inside',
    behaviour: { create: raw({ ...made, outputs: { x: [1, { y: UNKNOWN }] } }) },
    fault: 'x[1].y',
  },
  {
    call: 'create',
    what: 'an unknown of an object that is not ready',
    behaviour: { create: notReady('i', { x: UNKNOWN }) },
    fault: 'x',
  },
  {
    call: 'update',
    what: 'nothing',
    exists: true,
    behaviour: { update: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'update',
    what: 'an unknown',
    exists: true,
    behaviour: { update: raw({ outputs: { x: UNKNOWN }, refreshBeforeUpdate: false }) },
    fault: 'x',
  },
  {
    call: 'read',
    what: 'an unknown',
    program: reads,
    behaviour: { read: raw({ ...found, outputs: { x: UNKNOWN } }) },
    fault: 'x',
  },
  {
    call: 'read',
    what: 'an id that is no text',
    program: reads,
    behaviour: { read: raw({ ...found, id: 7 }) },
    fault: 'its id is number, not a string',
  },
  {
    call: 'read',
    what: 'nothing',
    program: reads,
    behaviour: { read: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'read',
    what: 'an unknown input',
    program: imports,
    behaviour: { read: raw({ ...found, inputs: { x: UNKNOWN } }) },
    fault: 'x',
  },
  {
    call: 'read',
    what: 'an id that is no text',
    program: imports,
    behaviour: { read: raw({ ...found, id: NaN }) },
    fault: 'its id is number, not a string',
  },
  {
    call: 'read',
    what: 'an unknown',
    exists: true,
    kind: 'refresh',
    behaviour: { read: raw({ ...found, outputs: { x: UNKNOWN } }) },
    fault: 'x',
  },
  {
    call: 'read',
    what: 'an id that is no text',
    exists: true,
    kind: 'refresh',
    behaviour: { read: raw({ ...found, id: NaN }) },
    fault: 'its id is number, not a string',
  },
  {
    call: 'read',
    what: 'an unknown of an object that is not ready',
    exists: true,
    kind: 'refresh',
    behaviour: { read: notReady('i', { x: UNKNOWN }) },
    fault: 'x',
  },
  {
    call: 'construct',
    what: 'no URN',
    program: constructs,
    behaviour: { construct: raw({ outputs: emptyMap, urn: 'remote' }) },
    fault: 'remote',
  },
  {
    call: 'construct',
    what: 'an empty URN',
    program: constructs,
    behaviour: { construct: raw({ outputs: emptyMap, urn: '' }) },
    fault: '',
  },
  {
    call: 'construct',
    what: 'a URN it has not registered',
    program: constructs,
    behaviour: {
      construct: raw({
        outputs: emptyMap,
        urn: 'urn:pulumi:test::test::pkgA:m:Other::x',
        outputDependencies: {},
      }),
    },
    fault: 'it has not registered urn:pulumi:test::test::pkgA:m:Other::x',
  },
  {
    call: 'construct',
    what: 'nothing',
    program: constructs,
    behaviour: { construct: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
  {
    call: 'call',
    what: 'a result of a wrong type',
    program: calls,
    behaviour: { call: raw({ result: 'x' }) },
    fault: 'result',
    only: 'here',
  },
  {
    call: 'call',
    what: 'an unknown',
    program: calls,
    behaviour: { call: raw({ result: { x: UNKNOWN }, failures: [], resultDependencies: {} }) },
    fault: 'x',
    only: 'here',
  },
  {
    call: 'call',
    what: 'dependencies that are no URNs',
    program: calls,
    behaviour: { call: raw({ result: emptyMap, failures: [], resultDependencies: { x: ['y'] } }) },
    fault: 'dependencies of "x"',
    only: 'here',
  },
  {
    call: 'invoke',
    what: 'an unknown',
    program: invokes,
    behaviour: { invoke: raw({ result: { x: UNKNOWN }, failures: [] }) },
    fault: 'x',
  },
  {
    call: 'invoke',
    what: 'nothing',
    program: invokes,
    behaviour: { invoke: raw(undefined) },
    fault: 'it is empty',
    only: 'here',
  },
];

/** Returns the entry. Refreshes omit lists by property that are empty. */
function entryOf({ resources }: Snapshot): ResourceEntry | undefined {
  return resources.find(({ urn }) => urn.endsWith('::a'));
}

const rows = cases.flatMap((each) => [
  { ...each, where: 'here', overWire: false },
  ...(each.only === undefined ? [{ ...each, where: 'over the wire', overWire: true }] : []),
]);

test.each(rows)(
  'an answer to $call with $what is refused $where',
  async ({ behaviour, program = one(2), exists, kind, fault, overWire }) => {
    const prior =
      exists === true
        ? (await runScenario({ providers: new MockWorld({ pkgA: {} }), program: one(1) })).snapshot
        : undefined;
    const scenario: Scenario = {
      providers: new MockWorld({ pkgA: { behaviour } }),
      program,
      prior,
      overWire,
    };
    const outcome = await runScenario(kind === undefined ? scenario : { ...scenario, kind });
    expect(outcome.result.summary.result).toBe('failed');
    expect(said(outcome)).toMatch(/provider "pkgA" returned an invalid answer to /);
    expect(said(outcome)).toContain(fault);
    const before = prior && entryOf(kind === 'refresh' ? snapshotLookedAt(prior) : prior);
    expect(entryOf(outcome.snapshot)).toEqual(before);
  },
);

/** Returns summaries and causes of the diagnostics. */
function said({ result }: Outcome): string {
  return result.diagnostics.flatMap(({ summary, causes = [] }) => [summary, ...causes]).join('\n');
}

test('what has no answer may be left out: lists of a diff, failures, results of functions and constructors', async () => {
  const providers = new MockWorld({
    pkgA: {
      behaviour: {
        check: ({ news }) => ({ inputs: news }) as never,
        diff: raw({ changes: 'some' }),
        invoke: raw({}),
        call: raw({}),
      },
    },
  });
  const program: ProgramFunction = async (p) => {
    await one(p.dryRun ? 1 : 2)(p);
    expect(await p.monitor.invoke(invokeRequest({ token: 'pkgA:m:function' }))).toMatchObject({
      result: {},
      failures: [],
    });
    expect(await p.monitor.call(callRequest({ token: 'pkgA:m:R/method' }))).toMatchObject({
      result: {},
      failures: [],
    });
  };
  const { snapshot, complaints } = await runScenario({ providers, program });
  expect(complaints).toEqual([]);
  expect((await runScenario({ providers, program, prior: snapshot })).steps).toEqual(['update a']);
});

test.each([false, true])(
  'outputs that are left out are none, and any text is an id (over the wire: %s)',
  async (overWire) => {
    const behaviour: MockBehaviour = {
      diff: () => diffAnswer('some'),
      create: raw({ ...made, id: 'NaN', outputs: undefined }),
      update: raw({ refreshBeforeUpdate: false }),
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot, complaints } = await runScenario({ providers, program: one(1), overWire });
    expect(complaints).toEqual([]);
    expect(snapshot.resources.at(-1)).toMatchObject({ id: 'NaN', outputs: {} });
    const updated = await runScenario({ providers, program: one(2), prior: snapshot, overWire });
    expect([updated.steps, updated.complaints]).toEqual([['update a'], []]);
    expect(updated.snapshot.resources.at(-1)).toMatchObject({ inputs: { x: 2 }, outputs: {} });
  },
);

test('a path that cannot be read is one key: replaceOnChanges can go on', async () => {
  const providers = new MockWorld({
    pkgA: {
      behaviour: {
        diff: () => diffAnswer('some', { detailedDiff: { 'x[': { kind: 'update', inputDiff: false } } }),
      },
    },
  });
  const program =
    (x: number): ProgramFunction =>
    async (p) => {
      await p.resource(TYPE, 'a', { x }, { replaceOnChanges: ['other'] });
    };
  const { snapshot } = await runScenario({ providers, program: program(1) });
  const { steps, complaints } = await runScenario({ providers, program: program(2), prior: snapshot });
  expect([steps, complaints]).toEqual([['update a'], []]);
});

test('an answer that could not be read leaves a create in doubt, and a question not', async () => {
  const fault = () => {
    throw new InvalidAnswerError('it is no message');
  };
  const create = await runScenario({
    providers: new MockWorld({ pkgA: { behaviour: { create: fault } } }),
    program: one(1),
  });
  expect(said(create)).toContain(
    'provider "pkgA" returned an invalid answer to create of pkgA:m:typA: it is no message',
  );
  expect(create.result.inDoubt).toHaveLength(1);
  const check = await runScenario({
    providers: new MockWorld({ pkgA: { behaviour: { check: fault } } }),
    program: one(1),
  });
  expect(said(check)).toContain(
    'provider "pkgA" returned an invalid answer to check of pkgA:m:typA: it is no message',
  );
  expect(check.result.inDoubt).toEqual([]);
  const other = () => {
    throw new ProviderError('INTERNAL', 'something of its own');
  };
  const own = await runScenario({
    providers: new MockWorld({ pkgA: { behaviour: { create: other } } }),
    program: one(1),
  });
  expect(own.result.diagnostics[0]?.code).toBe('CAIRN-RESOURCE-FAILED');
});
