import { parse } from 'yaml';
import { readTestPlan } from './plan.js';
import { questionsAbout } from './questions.js';
import { brokenPromises } from './report.js';
import type { ProviderReport } from './report.js';
import { planSkeleton } from './schema.js';
import { checkProvider } from './test-provider.js';
import type { TestPorts } from './test-provider.js';
import { PROMISES, shelf } from './testdata/shelf.js';
import type { Fault } from './testdata/shelf.js';

const PLAN = `
resources:
  - type: shelf:index:Book
    inputs: { title: Emma, text: one, code: hunter2 }
    changes:
      - inputs: { text: two }
        replaces: false
      - inputs: { title: Persuasion }
        replaces: true
    drift: anything
    invalid: { text: three }
    fails: { title: Torn, text: fails }
    interrupt: { inputs: { title: Slow, text: slow }, after: 20 }
`;

const run = (faults: readonly Fault[], promises = PROMISES, plan = PLAN): Promise<ProviderReport> =>
  checkProvider(shelf(faults, promises) as TestPorts, readTestPlan(plan, 'plan.yaml'));

test('a provider that keeps everything: every promise is tried and kept, and nobody is asked', async () => {
  const report = await run([]);
  const [resource] = report.resources;
  const found = [...report.findings, ...(resource?.findings ?? [])];
  expect(found.filter(({ verdict }) => verdict !== 'kept')).toEqual([]);
  expect(found).toHaveLength(25);
  expect(resource?.questions).toEqual([]);
});

test.each<[Fault, string, string]>([
  ['alters inputs', 'a check completes inputs', 'title: the program gives "Emma", the check answered "EMMA"'],
  ['checks nothing', 'mistakes are refused before anything is created', 'accepts'],
  ['lies in previews', 'known values in a preview are applied', 'place: shown "top", applied "row-book-1"'],
  ['gives no id', 'a create returns an object with an id', 'without an id'],
  [
    'makes two',
    'a repeated create with the same token creates no second object',
    'the first create made book-1, the second book-2',
  ],
  ['cannot find', 'a look-up finds the object', 'it found nothing, not book-1'],
  ['repeats what it is told', 'a read looks at the object', 'it repeats the record: title, text, place'],
  ['sees changes that are none', 'a refresh of an unchanged object changes nothing', 'would change text'],
  ['wants more and more', 'the same inputs cause no change', 'the diff names title'],
  ['is blind to changes', 'a read sees changes by others', 'find no difference'],
  ['cannot import', 'an object can be imported by its id', 'alone finds nothing'],
  ['remembers by itself', 'another process finds the object', 'is gone'],
  [
    'does not update',
    'an update does what the diff announced',
    'a read after it shows that it did not do text',
  ],
  ['moves what is stable', 'properties that a diff declares stable are stable', 'place: was "elsewhere-'],
  [
    'replaces without need',
    'a diff tells the effect of a change',
    'for text it asks for a new object; the file expects the other',
  ],
  ['deletes nothing', 'a delete removes the object', 'a read still answers'],
  ['deletes once', 'a repeated delete has the same result', 'NOT_FOUND'],
  [
    'fails vaguely',
    'an object that is not ready is reported with its id',
    'does not tell whether there is an object',
  ],
  ['does not answer a cancel', 'a cancel is answered at once', 'no answer within 0.2 s'],
  ['works on after a cancel', 'cancelled work ends and reports what was done', 'still works 0.2 s after'],
  [
    'makes another after a crash',
    'a killed create leaves at most one object, which is found again',
    'the look-up finds ghost',
  ],
  ['compares settings wrongly', 'unchanged settings cause no change', 'the diff names region'],
  [
    'looks at the shelf to compare',
    'checks and diffs depend on their arguments alone',
    'after other calls the same diff answers title, before no change',
  ],
  [
    'completes inputs from memory',
    'checks and diffs depend on their arguments alone',
    'in another process the same check answers another mood',
  ],
])('a provider that %s breaks: %s', async (fault, promise, detail) => {
  const broken = brokenPromises(await run([fault]));
  expect(broken.map((each) => each.promise)).toContain(promise);
  expect(broken.find((each) => each.promise === promise)?.detail).toContain(detail);
});

test('what a provider does not promise is not broken, and a person is asked', async () => {
  const report = await run(
    ['makes two', 'cannot find', 'repeats what it is told', 'deletes once', 'deletes nothing'],
    {},
  );
  expect(brokenPromises(report)).toEqual([]);
  const [resource] = report.resources;
  const verdicts = Object.fromEntries(
    resource?.findings.map(({ promise, verdict }) => [promise, verdict]) ?? [],
  );
  expect(verdicts).toMatchObject({
    'a repeated create with the same token creates no second object': 'not-promised',
    'a look-up finds the object': 'not-promised',
    'a read looks at the object': 'not-promised',
    'a repeated delete has the same result': 'not-promised',
    'checks and diffs depend on their arguments alone': 'not-promised',
    'a killed create leaves at most one object, which is found again': 'not-promised',
  });
  expect(resource?.questions.map((question) => question.replace(/:.*/, ''))).toEqual([
    'a create that was interrupted',
    'an object that is taken over as created',
    'an update that was interrupted',
    'a delete that was interrupted',
  ]);
});

test('secret inputs are not shown, by the schema or by the file', async () => {
  const text = JSON.stringify(await run(['alters inputs', 'does not update', 'wants more and more']));
  expect(text).not.toContain('hunter2');
  const plan = PLAN.replace('    drift', '    secrets: [title]\n    drift');
  expect(JSON.stringify(await run(['alters inputs'], PROMISES, plan))).not.toMatch(/emma/i);
});

test.each([
  [{ idempotencyToken: {}, reads: 'world' }, undefined, 0],
  [{ lookup: true, reads: 'record', repeatable: ['update', 'delete'] }, undefined, 0],
  [{ lookup: true, reads: 'record', repeatable: ['delete'] }, undefined, 1],
  [{ lookup: true }, true, 0],
  [{ lookup: true }, false, 2],
  [{ lookup: true, reads: 'world', holdsData: true }, undefined, 1],
  [{}, true, 1],
] as const)('questions about a type that says %j and whose reads look: %s', (promises, looks, expected) => {
  expect(questionsAbout({ promises, looks, ownOutputs: ['place'] })).toHaveLength(expected);
});

test.each([
  ['{', 'cannot read plan.yaml'],
  ['[]', 'the file must be an object'],
  ['things: []', 'the file.things must be one of config, resources, functions'],
  ['resources: 3', 'resources must be a list'],
  ['resources: [{ inputs: {} }]', 'resources[0].type must be a string'],
  ['resources: [{ type: a, input: {} }]', 'resources[0].input must be one of'],
  [
    'resources: [{ type: a, changes: [{ replaces: maybe }] }]',
    'resources[0].changes[0].replaces must be true or false',
  ],
])('a file that says %s is refused', (text, message) => {
  expect(() => readTestPlan(text, 'plan.yaml')).toThrow(message);
});

test('a file to start from names every type, and is a plan', () => {
  const text = planSkeleton({
    name: 'shelf',
    config: { variables: { url: { type: 'string' } }, required: ['url'] },
    types: {
      'shelf:index:Cover': { properties: { kind: { $ref: '#/types/shelf:index:Kind' } }, required: ['kind'] },
      'shelf:index:Kind': { enum: [{ value: 'hard' }, { value: 'soft' }] },
    },
    resources: {
      'shelf:index:Book': {
        inputProperties: {
          'page-count': { type: 'integer' },
          cover: { $ref: '#/types/shelf:index:Cover' },
          tags: { type: 'array', items: { type: 'string' } },
          note: { type: 'string' },
        },
        requiredInputs: ['page-count', 'cover', 'tags'],
      },
      'shelf:index:Room': { isComponent: true },
    },
  });
  expect(readTestPlan(text, 'plan.yaml')).toMatchObject({
    config: { url: 'text' },
    resources: [
      { type: 'shelf:index:Book', inputs: { 'page-count': 1, cover: { kind: 'hard' }, tags: ['text'] } },
    ],
  });
  expect(text).toContain('#   note: "text"');
  const whole = parse(text.replace(/^( +)# ( *)(changes|- inputs|page-count|replaces)/gm, '$1$2$3')) as {
    resources: object[];
  };
  expect(whole.resources[0]).toMatchObject({ changes: [{ inputs: { 'page-count': 1 }, replaces: false }] });
});
