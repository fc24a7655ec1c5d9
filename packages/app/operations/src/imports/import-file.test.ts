import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import type { EngineEvent, StepKind } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntrySpec } from '@cairn/state';
import { UNKNOWN, emptyMap, propertyMap, secret } from '@cairn/values';
import { ImportFileOfPreview, importFileText } from './import-file.js';
import { hasSealedValues, placeImport, readImportList } from './import-list.js';

const STACK = { project: 'shop', stack: 'dev' };
const ROOT = rootStackUrn('shop', 'dev');
const urnOf = (type: string, name: string, parent?: Urn) => makeUrn({ ...STACK, type, name, parent });
const providerOf = (urn: Urn) => makeProviderReference(urn, 'an-id');

const DEFAULT = urnOf('pulumi:providers:pkg', 'default_1_2_3');
const NORTH = urnOf('pulumi:providers:pkg', 'north');
const SOUTH = urnOf('pulumi:providers:box', 'south');
const ZOO = urnOf('shop:index:Zoo', 'zoo');
const PARAMETERS = propertyMap({ name: 'base', version: '0.9.0', parameterization: 'YmxvYg==' });

/** Returns the events of a preview of these resources, in their order. */
function events(...rows: readonly (readonly [StepKind, ResourceEntrySpec])[]): readonly EngineEvent[] {
  return rows.map(([kind, spec]) => {
    const entry = resourceEntry(spec);
    const { urn, type } = entry;
    const step = { kind, urn, type, old: undefined, new: entry };
    return { t: 'step-started', planning: true, step } as EngineEvent;
  });
}

function listOf(rows: readonly EngineEvent[]) {
  const list = new ImportFileOfPreview();
  for (const row of rows) list.take(row);
  return list.file();
}

const custom = (type: string, name: string, parent: Urn, provider: Urn): ResourceEntrySpec => ({
  ...{ urn: urnOf(type, name, parent === ROOT ? undefined : parent), type, parent, custom: true },
  provider: providerOf(provider),
});
const provider = (urn: Urn, type: string, inputs = emptyMap): ResourceEntrySpec => ({
  urn,
  type,
  custom: true,
  inputs,
});

test('what is created, by names that are its own, with what it refers to', async () => {
  const file = listOf(
    events(
      ['create', { urn: ROOT, type: 'pulumi:pulumi:Stack', custom: false }],
      ['create', provider(DEFAULT, 'pulumi:providers:pkg', propertyMap({ version: '1.2.3' }))],
      ['same', provider(NORTH, 'pulumi:providers:pkg')],
      ['same', { urn: ZOO, type: 'shop:index:Zoo', parent: ROOT, custom: false }],
      ['create', custom('pkg:index:Thing', 'zoo', ROOT, DEFAULT)],
      ['create', custom('pkg:index:Thing', 'leaf', ZOO, NORTH)],
      ['update', custom('pkg:index:Thing', 'changed', ROOT, DEFAULT)],
    ),
  );
  expect(JSON.parse(await importFileText({ crypter: Promise.resolve(nopCrypter) }, file))).toEqual({
    nameTable: { zoo: ZOO, north: NORTH },
    resources: [
      {
        type: 'pkg:index:Thing',
        name: 'zooThing',
        id: '<PLACEHOLDER>',
        version: '1.2.3',
        logicalName: 'zoo',
      },
      { type: 'pkg:index:Thing', name: 'leaf', id: '<PLACEHOLDER>', parent: 'zoo', provider: 'north' },
    ],
  });
});

test('settings of a provider: secrets are sealed, what is not known is left out and told; another plugin is named', async () => {
  const settings = propertyMap({
    ...{ version: '2.0.0', token: secret('planted'), later: UNKNOWN, __internal: PARAMETERS },
  });
  const file = listOf(
    events(
      ['create', provider(SOUTH, 'pulumi:providers:box', settings)],
      ['create', custom('box:index:Thing', 'a', ROOT, SOUTH)],
    ),
  );
  expect(file.unknown).toEqual([{ urn: SOUTH, keys: ['later'] }]);
  const reversed = { ...nopCrypter, encrypt: (text: string) => [...text].reverse().join('') };
  const text = await importFileText({ crypter: Promise.resolve(reversed) }, file);
  expect(text).not.toContain('planted');
  expect(text).toContain('detnalp');
  const wish = readImportList(text.replace('<PLACEHOLDER>', 'there'), 'list.json', true);
  expect(hasSealedValues(wish)).toBe(true);
  const opened = { ...nopCrypter, decrypt: reversed.encrypt };
  const { items, urns } = placeImport(wish, STACK, opened);
  expect(urns).toEqual([SOUTH, urnOf('box:index:Thing', 'a')]);
  expect(items[0]?.inputs).toEqual(
    propertyMap({ version: '2.0.0', token: secret('planted'), __internal: PARAMETERS }),
  );
  expect(items[1]).toMatchObject({
    provider: SOUTH,
    package: {
      version: '0.9.0',
      parameterization: { base: 'base', name: 'box', version: '2.0.0', value: Buffer.from('blob') },
    },
  });
});
