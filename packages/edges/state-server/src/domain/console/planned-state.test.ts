import { UNKNOWN_ID } from '@cairn/addresses';
import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';
import { comparedStates } from './compared-states.js';
import { plannedEntries } from './planned-state.js';

const secret = { [SIGNATURE_KEY]: SIGNATURES.secret, ciphertext: 'sealed' };
const before = [
  {
    ...{ urn: 'a', type: 't', id: 'i1' },
    inputs: { size: 3, tags: { x: '1', y: '2' }, list: ['p', 'q'], key: secret },
  },
  { urn: 'b', type: 't', id: 'i2', inputs: {} },
];
const step = (
  op: string,
  urn: string,
  ...differences: readonly (readonly [path: string, kind: string])[]
) => ({
  ...{ op, urn, type: 't' },
  differences: differences.map(([path, kind]) => ({ path, kind })),
});

test.each<[string, ReturnType<typeof step>, unknown]>([
  ['a delete', step('delete', 'b'), { gone: ['b'] }],
  ['a create', step('create', 'c'), { added: ['c'] }],
  [
    'an update of one property',
    step('update', 'a', ['size', 'update']),
    { changed: [{ path: ['inputs', 'size'], from: 3, to: UNKNOWN_ID }] },
  ],
  [
    'a property inside a map, and one that goes',
    step('update', 'a', ['tags.x', 'update'], ['tags.y', 'delete']),
    {
      changed: [
        { path: ['inputs', 'tags', 'x'], from: '1', to: UNKNOWN_ID },
        { path: ['inputs', 'tags', 'y'], from: '2' },
      ],
    },
  ],
  [
    'an element of a list',
    step('update', 'a', ['list[1]', 'update']),
    { changed: [{ path: ['inputs', 'list', 1], from: 'q', to: UNKNOWN_ID }] },
  ],
  [
    'a secret, which stays a secret',
    step('update', 'a', ['key', 'update']),
    {
      changed: [{ path: ['inputs', 'key'], from: { [SIGNATURE_KEY]: SIGNATURES.secret }, to: UNKNOWN_ID }],
    },
  ],
  [
    'a replacement, of which the id is unknown',
    step('replace', 'a', ['__proto__', 'add']),
    {
      changed: [
        { path: ['id'], from: 'i1', to: UNKNOWN_ID },
        { path: ['inputs', '__proto__'], to: UNKNOWN_ID },
      ],
    },
  ],
])('%s', (_title, planned, expected) => {
  const found = comparedStates(before, plannedEntries(before, [planned]));
  expect({
    ...(found.added.length > 0 && { added: found.added.map(({ urn }) => urn) }),
    ...(found.gone.length > 0 && { gone: found.gone.map(({ urn }) => urn) }),
    ...(found.changed.length > 0 && { changed: found.changed[0]?.differences }),
  }).toEqual(expected);
});
