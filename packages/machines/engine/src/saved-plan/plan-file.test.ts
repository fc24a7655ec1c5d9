import { UNKNOWN_ID, makeProviderReference, makeUrn } from '@cairn/addresses';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import { newManifest, noTimeouts } from '@cairn/state';
import { Asset, UNKNOWN, propertyMap, secret } from '@cairn/values';
import { decodePlan } from './decode-plan.js';
import { encodePlan, holdsSecrets } from './encode-plan.js';
import type { PlannedGoal, ResourcePlan, SavedPlan } from '../model/saved-plan.js';
import { noPropertyPlan } from './property-plan.js';

/** The file of a plan [PLAN-1]. */

const home = { stack: 'dev', project: 'shop' };
const urn = (name: string) => makeUrn({ ...home, parent: undefined, type: 'pkgA:m:typA', name });
const manifest = newManifest(new Date(0), 'v1.2.3');
const backwards = (text: string) => [...text].reverse().join('');
const crypter = { encrypt: backwards, decrypt: backwards };
const source = { file: 'plan.json', ...home, crypter };

const goal: PlannedGoal = {
  type: 'pkgA:m:typA',
  name: 'resA',
  custom: true,
  parent: urn('parent'),
  provider: makeProviderReference(
    makeUrn({ ...home, type: 'pulumi:providers:pkgA', name: 'prov' }),
    UNKNOWN_ID,
  ),
  protect: true,
  deleteBeforeReplace: false,
  dependencies: [urn('b')],
  propertyDependencies: { foo: [urn('b')], bar: [] },
  ignoreChanges: ['a.b'],
  additionalSecretOutputs: ['c'],
  statedAliases: [urn('old')],
  importId: 'id-1',
  customTimeouts: { ...noTimeouts, create: 300 },
  inputs: {
    adds: propertyMap({ foo: UNKNOWN, list: [1, null, '<&>'], file: new Asset({ text: 'x', hash: 'h' }) }),
    deletes: ['gone'],
    updates: propertyMap({ hidden: secret('p4ss') }),
  },
  outputs: { adds: propertyMap({ url: 'u' }), deletes: [], updates: propertyMap({}) },
};
const full: ResourcePlan = {
  goal,
  steps: ['create', 'read-discard', 'delete-replaced'],
  outputs: propertyMap({ url: 'u' }),
  seed: Uint8Array.from({ length: 32 }, (_, index) => index),
};
const bare: ResourcePlan = { goal: undefined, steps: ['delete'], outputs: undefined, seed: undefined };
const plain: ResourcePlan = {
  goal: {
    ...goal,
    parent: undefined,
    provider: undefined,
    deleteBeforeReplace: undefined,
    dependencies: [],
    propertyDependencies: {},
    ignoreChanges: [],
    additionalSecretOutputs: [],
    statedAliases: [],
    importId: '',
    customTimeouts: noTimeouts,
    inputs: noPropertyPlan,
    outputs: noPropertyPlan,
  },
  steps: ['same'],
  outputs: undefined,
  seed: new Uint8Array(32),
};
const plan: SavedPlan = {
  resources: new Map([
    [urn('a'), full],
    [urn('b'), bare],
    [urn('c'), plain],
  ]),
};

test('a plan comes back as it was', () => {
  for (const showSecrets of [false, true]) {
    const text = encodePlan(plan, { manifest, config: {}, crypter, showSecrets });
    expect(decodePlan(text, source)).toEqual(plan);
    expect(text.includes('p4ss')).toBe(showSecrets);
  }
  expect(decodePlan(encodePlan({ resources: new Map() }, { manifest, config: {}, crypter }), source)).toEqual(
    {
      resources: new Map(),
    },
  );
});

test('the file is laid out as other tools know it', () => {
  const small = { resources: new Map([[urn('b'), bare]]) };
  expect(
    encodePlan(small, { manifest: { ...manifest, time: 'T' }, config: { 'shop:a': '<1>' }, crypter }),
  ).toBe(
    `{
    "manifest": {
        "time": "T",
        "magic": ${JSON.stringify(manifest.magic)},
        "version": "v1.2.3"
    },
    "config": {
        "shop:a": "<1>"
    },
    "resourcePlans": {
        "${urn('b')}": {
            "steps": [
                "delete"
            ],
            "state": null
        }
    }
}
`,
  );
  const document = JSON.parse(encodePlan(plan, { manifest, config: {}, crypter })) as {
    resourcePlans: Record<string, { goal?: Record<string, unknown>; steps: string[]; seed?: string }>;
  };
  const written = document.resourcePlans[urn('a')];
  expect(written?.steps).toEqual(['create', 'discard', 'delete-replaced']);
  expect(written?.seed).toBe('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
  expect(written?.goal).toMatchObject({
    inputDiff: {
      adds: { foo: UNKNOWN_ID },
      deletes: ['gone'],
      updates: { hidden: { ciphertext: '"ss4p"' } },
    },
    customTimeouts: { create: 300 },
    id: 'id-1',
  });
  expect(document.resourcePlans[urn('c')]?.goal).toEqual({
    type: 'pkgA:m:typA',
    name: 'resA',
    custom: true,
    protect: true,
    inputDiff: {},
    outputDiff: {},
    customTimeouts: {},
  });
});

test('only a plan with secrets needs a key', () => {
  expect(holdsSecrets(plan)).toBe(true);
  expect(holdsSecrets({ resources: new Map([[urn('c'), plain]]) })).toBe(false);
});

const locked = {
  encrypt: backwards,
  decrypt: (): string => {
    throw new CairnError([errorDiagnostic('CAIRN-PASSPHRASE-WRONG', 'wrong passphrase')]);
  },
};
const one = (resource: unknown) => ({ resourcePlans: { [urn('a')]: resource } });

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{', /plan\.json is not a saved plan: it is not JSON/],
  ['no map', [], /it is not a map/],
  ['something else', { version: 3 }, /version is unknown/],
  [
    'another stack',
    { resourcePlans: { 'urn:pulumi:prod::shop::t::n': {} } },
    /is a plan of stack prod of project shop, not of dev of shop/,
  ],
  ['no URN', { resourcePlans: { x: {} } }, /resourcePlans\.x is not a URN/],
  ['an unknown step', one({ steps: ['explode'] }), /steps\[0\] is not a step: "explode"/],
  ['an unknown constraint', one({ goal: { structuredAliases: [] } }), /goal\.structuredAliases is unknown/],
  ['a text for a flag', one({ goal: { custom: 'yes' } }), /goal\.custom is not true or false/],
  ['a wrong reference', one({ goal: { provider: 'x' } }), /goal\.provider /],
  ['a wrong dependency', one({ goal: { dependencies: ['x'] } }), /goal\.dependencies\[0\] is not a URN/],
  [
    'a wrong value',
    one({ state: { a: { '4dabf18193072939515e22adb298388d': 'x' } } }),
    /state has the unrecognized signature/,
  ],
])('%s is refused with its place', (_title, document, message) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  expect(() => decodePlan(text, source)).toThrow(message);
});

test('secrets of another stack are refused, saying why', () => {
  const text = encodePlan(plan, { manifest, config: {}, crypter });
  const decode = () => decodePlan(text, { ...source, crypter: locked });
  expect(decode).toThrow(/goal\.inputDiff\.updates has secrets that this stack cannot open/);
  try {
    decode();
  } catch (error) {
    expect((error as CairnError).diagnostics[0]?.causes).toEqual(['wrong passphrase']);
  }
});
