import { makeProviderReference } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { entryOf, named } from '../../../test/facts.js';
import { LiveState } from '../../record/live-state.js';
import { storable } from './storable.js';

const PROVIDERS = 'pulumi:providers:a';
const provider = (name: string): ResourceEntry =>
  entryOf(name, { urn: named(name, PROVIDERS), type: PROVIDERS });
const by = (name: string) => makeProviderReference(named(name, PROVIDERS), name);
const onRes = { dependencies: [named('res')] };

/** Rows with the earlier `res`, the entry of its cell, other entries, and the storable result. */
const rows: readonly [
  string,
  was: Partial<ResourceEntry>,
  now: Partial<ResourceEntry> | undefined,
  others: readonly ResourceEntry[],
  expected: Partial<ResourceEntry>,
][] = [
  ['the provider that it has', { provider: by('one') }, { provider: by('one') }, [], { provider: by('one') }],
  [
    'another provider that is there',
    { provider: by('two') },
    { provider: by('one') },
    [provider('one'), provider('two')],
    { provider: by('two') },
  ],
  [
    'another provider that is not back: the present one for as long',
    { provider: by('two') },
    { provider: by('one') },
    [provider('one')],
    { provider: by('one') },
  ],
  [
    'another provider that builds on it: the present one for as long',
    { provider: by('two') },
    { provider: by('one') },
    [provider('one'), { ...provider('two'), ...onRes }],
    { provider: by('one') },
  ],
  ['no provider, as it had none', {}, { provider: by('one') }, [provider('one')], { provider: undefined }],
  [
    'what it refers to and is not back is left out',
    { dependencies: [named('gone'), named('there')] },
    {},
    [entryOf('there')],
    { dependencies: [named('there')] },
  ],
  [
    'so is what builds on it by now',
    { dependencies: [named('there')] },
    {},
    [entryOf('there', onRes)],
    { dependencies: [] },
  ],
  [
    'unless it refers to it already',
    { dependencies: [named('there')] },
    { dependencies: [named('there')] },
    [entryOf('there', onRes)],
    { dependencies: [named('there')] },
  ],
  [
    'in a new cell only what is there counts',
    { dependencies: [named('gone'), named('there')] },
    undefined,
    [entryOf('there', onRes)],
    { dependencies: [named('there')] },
  ],
];

test.each(rows)('%s', (_title, was, now, others, expected) => {
  const live = new LiveState([...(now === undefined ? [] : [entryOf('res', now)]), ...others]);
  const cell = now === undefined ? undefined : live.base[0];
  expect(storable(live, entryOf('res', was), cell)).toMatchObject(expected);
});
