import { previewContents } from './preview-steps.js';

const urn = (name: string): string => `urn:pulumi:dev::shop::test:index:Thing::${name}`;
const step = (op: string, name: string, more: object = {}): object => ({
  metadata: { op, urn: urn(name), type: 'test:index:Thing', new: { inputs: { a: 'planted' } }, ...more },
});
const shown = (events: readonly object[]): readonly string[] =>
  previewContents(events).steps.map(
    ({ op, urn: of, reason = '', replaces = [], differences }) =>
      `${op} ${of.split('::').at(-1)} ${reason}${replaces.join(' ')}|${differences.map(({ path, kind }) => `${path}:${kind}`).join(' ')}`,
  );

test.each<[string, readonly object[], readonly string[]]>([
  [
    'replacements and deletes come first, and what is the same is left out',
    [
      ...['same a', 'create b', 'delete c', 'replace d', 'update e', 'create-replacement d'].map((text) => {
        const [op = '', name = ''] = text.split(' ');
        return { resourcePreEvent: step(op, name) };
      }),
    ],
    ['replace d |', 'create-replacement d |', 'delete c |', 'create b |', 'update e |'],
  ],
  [
    'a step has its reasons, and its differences without values',
    [
      {
        resourcePreEvent: step('replace', 'a', {
          keys: ['size'],
          diffs: ['size', 'tags'],
          detailedDiff: { size: { diffKind: 'update-replace' }, 'tags.x': { diffKind: 'add' } },
        }),
      },
      { resourcePreEvent: step('update', 'b', { diffs: ['size'], cairn: { reason: 'size changed' } }) },
    ],
    ['replace a size|size:update-replace tags.x:add', 'update b size changed|size:update'],
  ],
  [
    'a refresh tells what it found with the outputs',
    [
      { resourcePreEvent: step('refresh', 'a') },
      { resOutputsEvent: step('update', 'a', { detailedDiff: { size: { diffKind: 'update' } } }) },
      { resourcePreEvent: step('refresh', 'b') },
      { resOutputsEvent: step('same', 'b') },
    ],
    ['update a |size:update'],
  ],
  ['events of other kinds and forms', [{ preludeEvent: {} }, { resourcePreEvent: 7 }, {}], []],
])('%s', (_title, events, expected) => {
  expect(shown(events)).toEqual(expected);
  expect(JSON.stringify(previewContents(events))).not.toContain('planted');
});

test('verdicts of policies', () => {
  const policyEvent = {
    ...{ policyName: 'no-public', policyPackName: 'base', enforcementLevel: 'mandatory' },
    ...{ message: 'it is public', resourceUrn: urn('a') },
  };
  expect(previewContents([{ policyEvent }]).policies).toEqual([
    { policy: 'no-public', pack: 'base', level: 'mandatory', message: 'it is public', urn: urn('a') },
  ]);
});
