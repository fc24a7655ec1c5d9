import { Dynamic, record, UNKNOWN_VALUE } from '@cairn/tfplugin';
import type { TfRecord } from '@cairn/tfplugin';
import { defineFunction, defineProvider, defineResource, s } from '@cairn/provider-sdk';
import type { PlainValues } from '@cairn/provider-sdk';
import { sampleProvider } from '@cairn/testkit/sample';
import { instanceOf, said } from './testdata/terraform-instance.js';
import type { Instance } from './testdata/terraform-instance.js';
import { TerraformProvider } from './index.js';

/** Calls of the handlers of {@link shelves}, in order. */
type Calls = [string, PlainValues][];

function shelves(calls: Calls) {
  const inputs = {
    name: s.string({ maxLength: 12 }).autoname(),
    zone: s.string().computed(),
    site: s.string().optional().immutable(),
    title: s.string().optional(),
    tags: s.set(s.string()).optional(),
    rows: s.array(s.object({ width: s.integer().default(10), colour: s.string().optional() })).optional(),
    grid: s.array(s.array(s.object({ width: s.integer().default(10) }))).optional(),
    extra: s.map(s.any()).optional(),
  };
  const shelf = defineResource({
    inputs,
    outputs: { ...inputs, title: s.string().optional(), etag: s.string() },
    create: async (given) => {
      calls.push(['create', given]);
      return {
        id: 'shelf-1',
        outputs: { ...given, zone: given.zone ?? 'z1', title: given.title?.toUpperCase(), etag: 'e1' },
      };
    },
    update: async (old, given) => {
      calls.push(['update', { old: old.inputs, outputs: old.outputs, given }]);
      return {
        ...given,
        zone: given.zone ?? old.outputs.zone,
        title: given.title?.toUpperCase(),
        etag: 'e2',
      };
    },
    read: async (id, known) => (known === undefined ? undefined : { id, ...known }),
    delete: async (old) => void calls.push(['delete', { old: old.inputs, outputs: old.outputs }]),
  });
  const only = { value: s.string() };
  const fixed = defineResource({
    inputs: only,
    outputs: only,
    create: async (given) => ({ id: given.value, outputs: given }),
  });
  return defineProvider({
    name: 'shelves',
    version: '1.0.0',
    resources: { 'index:Shelf': shelf, 'index:Fixed': fixed },
  });
}

const row = (width: number | null, colour: string | null): TfRecord =>
  record([
    ['colour', colour],
    ['width', width],
  ]);

describe.each([5, 6] as const)(
  'what a property can say, in the lifecycle of Terraform [TFS-3], protocol %d',
  (protocol) => {
    let calls: Calls;
    let shelf: Instance;
    beforeEach(async () => {
      calls = [];
      shelf = await instanceOf(shelves(calls), 'shelves_shelf', {}, protocol);
    });

    it('a made name is unknown in the plan, made once, and kept', async () => {
      expect((await shelf.plan({})).planned).toMatchObject({ name: UNKNOWN_VALUE, zone: UNKNOWN_VALUE });
      expect(await shelf.apply({})).toBe('create');
      const name = shelf.state?.['name'];
      expect(name).toMatch(/^shel-[0-9a-f]{7}$/);
      expect(await shelf.apply({})).toBe('nothing');
      expect(await shelf.apply({ title: 'a' })).toBe('update');
      expect(shelf.state).toMatchObject({ name });
    });

    it('what the provider chose is no change, asked for or not; asking for something else is one', async () => {
      await shelf.apply({});
      expect(shelf.state).toMatchObject({ zone: 'z1' });
      expect(await shelf.apply({ zone: 'z1' })).toBe('nothing');
      expect(await shelf.apply({ zone: 'z2' })).toBe('update');
      expect(await shelf.apply({})).toBe('nothing');
      expect(shelf.state).toMatchObject({ zone: 'z2' });
    });

    it('what can never change asks for another object', async () => {
      await shelf.apply({ site: 'a' });
      expect((await shelf.plan({ site: 'b' })).requiresReplace).toEqual([['site']]);
      expect(await shelf.apply({ site: 'b' })).toBe('replace');
    });

    it('a type that cannot be changed in place is replaced, whatever changes', async () => {
      const fixed = await instanceOf(shelves(calls), 'shelves_fixed', {}, protocol);
      await fixed.apply({ value: 'a' });
      expect((await fixed.plan({ value: 'b' })).requiresReplace).toEqual([['value']]);
      expect(await fixed.apply({ value: 'b' })).toBe('replace');
      expect(fixed.state).toEqual(
        record([
          ['id', 'b'],
          ['value', 'b'],
        ]),
      );
    });

    it('an output that differs from its input is not the state, and handlers get it all the same', async () => {
      await shelf.apply({ title: 'a' });
      expect(shelf.state).toMatchObject({ title: 'a' });
      expect(await shelf.apply({ title: 'a' })).toBe('nothing');
      await shelf.apply({ title: 'b' });
      expect(calls.at(-1)).toMatchObject([
        'update',
        { old: { title: 'a' }, outputs: { title: 'A' }, given: { title: 'b' } },
      ]);
      await shelf.read();
      await shelf.delete();
      expect(calls.at(-1)).toMatchObject(['delete', { old: { title: 'b' }, outputs: { title: 'B' } }]);
    });

    it('defaults within objects are filled in, and no change later', async () => {
      const given = { rows: [row(null, 'red'), row(4, null)], grid: [[record([['width', null]])]] };
      await shelf.apply(given);
      expect(shelf.state).toMatchObject({ rows: [row(10, 'red'), row(4, null)], grid: [[{ width: null }]] });
      expect(calls[0]?.[1]).toMatchObject({
        rows: [{ width: 10, colour: 'red' }, { width: 4 }],
        grid: [[{ width: 10 }]],
      });
      expect(await shelf.apply(given)).toBe('nothing');
    });

    it('null, empty and unknown stay apart', async () => {
      await shelf.apply({ tags: [] });
      expect(shelf.state).toMatchObject({ tags: [], title: null, rows: protocol === 5 ? [] : null });
      expect(await shelf.apply({ tags: ['a', 'b'] })).toBe('update');
      expect((await shelf.plan({ tags: UNKNOWN_VALUE })).planned).toMatchObject({ tags: UNKNOWN_VALUE });
      expect(await shelf.apply({})).toBe('update');
      expect(shelf.state).toMatchObject({ tags: null });
    });

    it('values of free types keep the type that the program gave them', async () => {
      const extra = new Dynamic(
        { kind: 'object', attributes: { a: { kind: 'list', element: 'number' } } },
        record([['a', [1]]]),
      );
      await shelf.apply({ extra });
      expect(shelf.state?.['extra']).toBe(extra);
      expect((await shelf.read()).state?.['extra']).toBe(extra);
      expect(calls[0]?.[1]).toMatchObject({ extra: { a: [1] } });
    });
  },
);

describe('stored states of earlier versions [TFS-4]', () => {
  const inputs = { label: s.string(), bigSize: s.integer().default(1) };
  const box = defineResource({
    inputs,
    outputs: { ...inputs, serialText: s.string() },
    create: async (given) => ({ id: '1', outputs: { ...given, serialText: 's' } }),
    migrations: [
      {
        inputs: ({ oldName, ...rest }) => ({ ...rest, label: oldName }),
        outputs: ({ oldName, serial, ...rest }) => ({
          ...rest,
          label: oldName,
          serialText: `s-${String(serial)}`,
        }),
      },
      { inputs: ({ bigSize, ...rest }) => ({ ...rest, bigSize: Number(bigSize) * 10 }) },
    ],
  });
  const provider = new TerraformProvider({
    name: 'boxes',
    version: '3.0.0',
    resources: { 'index:Box': box },
  });
  const type = provider.resources.get('boxes_box');

  it.each([
    [
      'the first',
      0,
      { id: 'x', old_name: 'a', big_size: 2, serial: 7 },
      { label: 'a', big_size: 20, serial_text: 's-7' },
    ],
    [
      'the second',
      1,
      { id: 'x', label: 'a', big_size: 2, serial_text: 't' },
      { label: 'a', big_size: 20, serial_text: 't' },
    ],
    [
      'this one',
      2,
      { id: 'x', label: 'a', big_size: 2, serial_text: 't' },
      { label: 'a', big_size: 2, serial_text: 't' },
    ],
  ])('one of %s becomes one of the newest', (_title, version, stored, upgraded) => {
    expect(type?.served.schema.version).toBe(2);
    expect(type?.upgrade(version, JSON.stringify(stored))).toEqual({
      state: record(Object.entries({ ...upgraded, id: 'x' })),
      diagnostics: [],
    });
  });

  it.each([
    ['one of a newer version', 3, '{}', /version 3.*supports 2; install the newer provider/],
    ['one that is none', 2, '{"label":true', /not JSON/],
  ])('%s is refused', (_title, version, json, text) => {
    const found = type?.upgrade(version, json);
    expect(found?.state).toBeNull();
    expect(said({ diagnostics: found?.diagnostics ?? [] })).toMatch(text);
  });
});

describe('functions as data sources', () => {
  it('answer with what the function answers, configured', async () => {
    const provider = new TerraformProvider(
      sampleProvider({ boxes: new Map([['b', { label: 'found', size: 1 }]]) }),
    );
    const config = record(
      [...provider.schema.block.attributes.keys()].map((name) => [name, name === 'region' ? 'north' : null]),
    );
    expect(await provider.configure(config)).toEqual([]);
    const source = provider.dataSources.get('sample_lookup');
    const asked = record([
      ['id', 'b'],
      ['label', null],
      ['login', null],
      ['region', null],
    ]);
    expect(source?.validate(asked)).toEqual([]);
    const answer = record([
      ['id', 'b'],
      ['label', 'found'],
      ['login', 'l'],
      ['region', 'north'],
    ]);
    expect(await source?.read(asked)).toEqual({ state: answer, diagnostics: [] });
    const wrong = record([
      ['id', null],
      ['label', 'mine'],
      ['login', null],
      ['region', null],
    ]);
    expect(source?.validate(wrong).map(({ attribute }) => attribute)).toEqual([['label'], ['id']]);
  });

  it('keep arguments, and tell the defaults of those that were not given', async () => {
    const echo = defineFunction({
      inputs: { what: s.string(), times: s.integer().default(2) },
      outputs: { text: s.string() },
      invoke: async ({ what, times }) => ({ text: what.repeat(times) }),
    });
    const provider = new TerraformProvider({
      name: 'echoes',
      version: '1.0.0',
      resources: {},
      functions: { 'index:echo': echo },
    });
    const asked = record([
      ['text', null],
      ['times', null],
      ['what', 'a'],
    ]);
    const answer = await provider.dataSources.get('echoes_echo')?.read(asked);
    expect(answer?.state).toEqual(
      record([
        ['text', 'aa'],
        ['times', 2],
        ['what', 'a'],
      ]),
    );
  });
});

it('a configuration that is not as it must be is refused at its attribute', async () => {
  const provider = new TerraformProvider(sampleProvider({ boxes: new Map() }));
  const config = record([...provider.schema.block.attributes.keys()].map((name) => [name, null]));
  expect((await provider.validate(config)).map(({ attribute }) => attribute)).toEqual([['region']]);
  expect((await provider.configure(config)).map(({ attribute }) => attribute)).toEqual([['region']]);
});
