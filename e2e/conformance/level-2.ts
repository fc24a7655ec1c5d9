import { readdirSync } from 'node:fs';
import path from 'node:path';
import { secret } from './run-case.js';
import type { ConformanceCase, Entry, Seen } from './run-case.js';

/** Programs with providers: those of ./provider.mjs. */

/** A resource of any type, and a question to a provider, with either SDK. */
const LIBRARY: Readonly<Record<string, string>> = {
  '@cairn/sdk': `
    import * as sdk from 'SDK';
    export class Res extends sdk.CustomResource {
      constructor(type: string, name: string, props: object = {}, options: any = {}) { super(type, name, props, options); }
      out(key: string): any { return this.outputOf(key); }
    }
    export const ask = (token: string, args: object = {}, options: any = {}): any => sdk.invoke(token, args, options);`,
  '@pulumi/pulumi': `
    import * as sdk from 'SDK';
    const OUTPUTS = { value: undefined, output: undefined, text: undefined, read: undefined, nested: undefined };
    export class Res extends sdk.CustomResource {
      constructor(type: string, name: string, props: object = {}, options: any = {}) {
        super(type, name, { ...OUTPUTS, ...props }, options);
      }
      out(key: string): any { return (this as any)[key]; }
    }
    export const ask = (token: string, args: object = {}, options: any = {}): any =>
      sdk.runtime.invokeOutput(token, args as any, options);`,
};

const HEAD = `
import * as pulumi from 'SDK';
import { Res, ask } from './library.js';
const simple = (name: string, options: any = {}, value: any = true) => new Res('simple:index:Resource', name, { value }, options);
const primitive = (name: string, props: object, options: any = {}) => new Res('primitive:index:Resource', name, props, options);
class Group extends pulumi.ComponentResource {
  constructor(name: string, options: any = {}) { super('test:index:Group', name, {}, options); this.registerOutputs({}); }
}
class Simple extends pulumi.ProviderResource {
  constructor(name: string, options: any = {}) { super('simple', name, {}, options); }
}
`;

const VERSIONS: Readonly<Record<string, readonly string[]>> = { simple: ['2.0.0', '26.0.0'] };

/** Makes a case from a program behind {@link HEAD}. `packages`: packages of the providers it uses. */
export function programOf(
  id: string,
  packages: readonly string[],
  text: string,
  runs: ConformanceCase['runs'],
  more: Pick<ConformanceCase, 'sdk'> & { readonly files?: Readonly<Record<string, string>> } = {},
): ConformanceCase {
  const rows = packages.flatMap((name) =>
    (VERSIONS[name] ?? ['1.0.0']).map((version) => ({ name, version })),
  );
  const provider = path.join(__dirname, 'provider.mjs');
  const folder = (row: { readonly name: string; readonly version: string }) =>
    `plugins/${row.name}-${row.version}`;
  const plugins = rows.map(
    (row) => `    - name: ${row.name}\n      path: ${folder(row)}\n      version: ${row.version}\n`,
  );
  const start = rows.map(({ name, version }) => [
    `${folder({ name, version })}/pulumi-resource-${name}`,
    `#!/usr/bin/env node\nimport(${JSON.stringify(provider)}).then((m) => m.serve('${name}', '${version}'));\n`,
  ]);
  return {
    id,
    ...(more.sdk !== undefined && { sdk: more.sdk }),
    project: `name: conformance\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n${plugins.join('')}`,
    files: {
      ...(Object.fromEntries(start) as Record<string, string>),
      ...more.files,
      'index.ts': HEAD + text,
    },
    library: LIBRARY,
    runs: runs.map((run) => ({
      ...run,
      ...(run.files !== undefined && {
        files: Object.fromEntries(
          Object.entries(run.files).map(([file, body]) => [file, file === 'index.ts' ? HEAD + body : body]),
        ),
      }),
    })),
  };
}

const namesOf = ({ entries }: Seen): readonly string[] =>
  entries
    .filter(({ type }) => !/^pulumi:(providers|pulumi):/.test(type))
    .map(({ name }) => name)
    .sort();

export const nameOf = (urn: unknown): string => String(urn).split('::').at(-1) ?? '';

/** Names of the provider of an entry. */
const providerOf = (entry: Entry): string => String(entry['provider']).split('::').at(-2) ?? '';

/** Counts each kind of step in the summary that the command prints. */
function counted({ end }: Seen): Readonly<Record<string, number>> {
  const [, summary = ''] = /^Resources:\n((?:    .*\n)*)/m.exec(end.text) ?? [];
  const rows = [...summary.matchAll(/(\d+) (\w+)/g)];
  return Object.fromEntries(rows.map(([, count, what = '']) => [what, Number(count)]));
}

export const only = (check: (seen: Seen) => void) => [{ check }];
const next = (text: string) => ({ 'index.ts': text });

export const LEVEL_2: readonly ConformanceCase[] = [
  programOf(
    'l2-resource-simple',
    ['simple'],
    "simple('res');",
    only((seen) => {
      expect(seen.entries).toHaveLength(3);
      expect(seen.entry('res')).toMatchObject({ inputs: { value: true }, outputs: { value: true } });
    }),
  ),
  programOf('l2-destroy', ['simple'], "simple('aresource'); simple('other');", [
    { check: (seen) => expect(seen.entries).toHaveLength(4) },
    {
      files: next("simple('aresource');"),
      check: (seen) => {
        expect(seen.entries).toHaveLength(3);
        expect(counted(seen)).toEqual({ deleted: 1, unchanged: 2 });
      },
    },
  ]),
  programOf('l2-engine-update-options', ['simple'], "simple('target'); simple('other');", [
    { words: ['--target', '**target**'], check: (seen) => expect(namesOf(seen)).toEqual(['target']) },
  ]),
  programOf('l2-target-up-with-new-dependency', ['simple'], "simple('target'); simple('untargeted');", [
    { check: (seen) => expect(namesOf(seen)).toEqual(['target', 'untargeted']) },
    {
      files: next(
        "simple('target'); const fresh = simple('fresh'); simple('untargeted', { dependsOn: [fresh] });",
      ),
      words: ['--target', '**::target'],
      check: (seen) => {
        expect(namesOf(seen)).toEqual(['target', 'untargeted']);
        expect(seen.entry('untargeted')['dependencies'] ?? []).toEqual([]);
      },
    },
  ]),
  programOf('l2-target-up-skipped-create-output', ['simple'], "simple('target');", [
    { check: (seen) => expect(namesOf(seen)).toEqual(['target']) },
    {
      files: next("simple('target'); export const skipped = simple('skipped').out('output');"),
      words: ['--target', '**::target'],
      check: (seen) => {
        expect(namesOf(seen)).toEqual(['target']);
        expect(seen.outputs['skipped']).toBeUndefined();
      },
    },
  ]),
  programOf(
    'l2-failed-create',
    ['simple', 'fail_on_create'],
    `const failing = new Res('fail_on_create:index:Resource', 'failing', { value: false });
     simple('dependent', { dependsOn: [failing] });
     simple('using', {}, failing.out('value'));
     simple('independent');`,
    [
      {
        fails: true,
        check: (seen) => {
          expect(seen.end.text).toContain('failed create');
          expect(namesOf(seen)).not.toEqual(expect.arrayContaining(['failing']));
          expect(namesOf(seen)).not.toEqual(expect.arrayContaining(['dependent']));
          expect(namesOf(seen)).not.toEqual(expect.arrayContaining(['using']));
        },
      },
    ],
  ),
  programOf(
    'l2-failed-create-continue-on-error',
    ['simple', 'fail_on_create'],
    `const failing = new Res('fail_on_create:index:Resource', 'failing', { value: false });
     simple('dependent', { dependsOn: [failing] });
     simple('using', {}, failing.out('value'));
     simple('independent');`,
    [
      {
        fails: true,
        words: ['--continue-on-error'],
        check: (seen) => {
          expect(seen.entries).toHaveLength(4);
          expect(namesOf(seen)).toEqual(['independent']);
          expect(counted(seen)['created']).toBe(2);
        },
      },
    ],
  ),
  programOf(
    'l2-failed-create-recover-continue-on-error',
    ['simple', 'fail_on_create'],
    `const failing = new Res('fail_on_create:index:Resource', 'failing', { value: false });
     simple('independent');
     simple('recovered', {}, pulumi.recover(failing.out('output'), () => true));
     export const said = pulumi.recover(failing.out('output').apply(String), (error: any) => String(error));`,
    [
      {
        fails: true,
        words: ['--continue-on-error'],
        check: (seen) => {
          expect(namesOf(seen)).toEqual(['independent', 'recovered']);
          expect(counted(seen)['created']).toBe(3);
        },
      },
    ],
    // Pulumi's SDK treats an output that a provider did not return as present.
    { sdk: '@cairn/sdk' },
  ),
  programOf(
    'l2-parallel-resources',
    ['sync'],
    "for (const name of ['a', 'b', 'c']) new Res('sync:index:Block', name);",
    [{ words: ['--parallel', '16'], check: (seen) => expect(seen.entries).toHaveLength(5) }],
  ),
  programOf(
    'l2-resource-read',
    ['read'],
    "const found = new Res('read:index:Resource', 'found', {}, { id: 'existing-id' }); export const read = found.out('read');",
    only((seen) => {
      expect(seen.entry('found')).toMatchObject({ external: true, id: 'existing-id' });
      expect(seen.outputs).toEqual({ read: 'read existing-id' });
    }),
  ),
  programOf(
    'l2-explicit-provider',
    ['simple'],
    "const prov = new Simple('prov'); simple('res', { provider: prov });",
    only((seen) => {
      expect(seen.entries).toHaveLength(3);
      expect(providerOf(seen.entry('res'))).toBe('prov');
    }),
  ),
  programOf(
    'l2-resource-provider-inheritance',
    ['simple', 'primitive'],
    `const prov = new Simple('prov');
     const parent = simple('parent', { provider: prov });
     simple('same', { parent });
     primitive('other', { text: 'x' }, { parent });`,
    only((seen) => {
      expect(providerOf(seen.entry('same'))).toBe('prov');
      expect(providerOf(seen.entry('other'))).toMatch(/^default/);
    }),
  ),
  programOf(
    'l2-resource-parent-inheritance',
    ['simple'],
    `const prov = new Simple('prov');
     const parent1 = simple('parent1', { provider: prov }), orphan1 = simple('orphan1');
     simple('child1', { parent: parent1 });
     const parent2 = simple('parent2', { protect: true, retainOnDelete: true });
     simple('child2', { parent: parent2 });
     simple('child3', { parent: parent2, protect: false, retainOnDelete: false });
     simple('orphan2');`,
    only((seen) => {
      expect([providerOf(seen.entry('child1')), nameOf(seen.entry('child1')['parent'])]).toEqual([
        'prov',
        'parent1',
      ]);
      expect(providerOf(seen.entry('orphan1'))).toMatch(/^default/);
      const flags = (name: string) =>
        ['protect', 'retainOnDelete'].map((flag) => seen.entry(name)[flag] ?? false);
      expect([flags('child2'), flags('child3'), flags('orphan2')]).toEqual([
        [true, true],
        [false, false],
        [false, false],
      ]);
    }),
  ),
  programOf(
    'l2-resource-option-additional-secret-outputs',
    ['simple'],
    "simple('withSecret', { additionalSecretOutputs: ['value'] }); simple('withoutSecret');",
    only((seen) => {
      expect(seen.entry('withSecret')).toMatchObject({
        additionalSecretOutputs: ['value'],
        outputs: { value: secret(true) },
      });
      expect(seen.entry('withoutSecret').outputs).toEqual({ value: true });
    }),
  ),
  programOf(
    'l2-resource-option-alias',
    ['simple'],
    `const parent = simple('parent');
     simple('byUrn'); simple('byName'); simple('orphan'); simple('child', { parent }); simple('both', { parent });`,
    [
      { check: (seen) => expect(namesOf(seen)).toHaveLength(6) },
      {
        files: next(`
          const parent = simple('parent');
          const urn = 'urn:pulumi:test::conformance::simple:index:Resource::byUrn';
          simple('byUrn2', { aliases: [urn] });
          simple('byName2', { aliases: [{ name: 'byName' }] });
          simple('orphan', { parent, aliases: [{ parent: pulumi.rootStackResource }] });
          simple('child', { aliases: [{ parent }] });
          simple('both2', { aliases: [{ name: 'both', parent }] });`),
        check: (seen) => {
          expect(counted(seen)['created']).toBeUndefined();
          expect(counted(seen)['deleted']).toBeUndefined();
          expect(namesOf(seen)).toEqual(['both2', 'byName2', 'byUrn2', 'child', 'orphan', 'parent']);
        },
      },
    ],
  ),
  programOf(
    'l2-resource-option-custom-timeouts',
    ['simple'],
    `simple('none');
     simple('createOnly', { customTimeouts: { create: '5m' } });
     simple('updateOnly', { customTimeouts: { update: '10m' } });
     simple('deleteOnly', { customTimeouts: { delete: '3m' } });
     simple('readOnly', { customTimeouts: { read: '9m' } });
     simple('all', { customTimeouts: { create: '2m', update: '4m', delete: '1m' } });
     simple('configured', { customTimeouts: { create: new pulumi.Config().require('timeout') } });`,
    [
      ['7m', 420],
      ['1h', 3600],
      ['.2m', 12],
    ].map(([text, seconds]) => ({
      config: [['timeout', String(text)]],
      check: (seen: Seen) => {
        const timeouts = (name: string) => seen.entry(name)['customTimeouts'] ?? {};
        expect(timeouts('none')).toEqual({});
        expect(timeouts('createOnly')).toEqual({ create: 300 });
        expect(timeouts('updateOnly')).toEqual({ update: 600 });
        expect(timeouts('deleteOnly')).toEqual({ delete: 180 });
        expect(timeouts('readOnly')).toEqual({ read: 540 });
        expect(timeouts('all')).toEqual({ create: 120, update: 240, delete: 60 });
        expect(timeouts('configured')).toEqual({ create: seconds });
      },
    })),
  ),
  programOf(
    'l2-resource-option-delete-before-replace',
    ['simple'],
    "const opts = { replaceOnChanges: ['value'] }; simple('first', { ...opts, deleteBeforeReplace: true }); simple('second', { ...opts, deleteBeforeReplace: false });",
    [
      { check: (seen) => expect(namesOf(seen)).toEqual(['first', 'second']) },
      {
        files: next(
          "const opts = { replaceOnChanges: ['value'] }; simple('first', { ...opts, deleteBeforeReplace: true }, false); simple('second', { ...opts, deleteBeforeReplace: false }, false);",
        ),
        check: ({ end }) => {
          const order = (name: string): readonly string[] =>
            [...end.text.matchAll(new RegExp(`${name} (deleted|replaced)`, 'g'))].map(
              ([, what = '']) => what,
            );
          expect([order('first')[0], order('second')[0]]).toEqual(['deleted', 'replaced']);
        },
      },
    ],
  ),
  programOf(
    'l2-resource-option-deleted-with',
    ['simple'],
    "const other = simple('other'); simple('with', { deletedWith: other }); simple('without');",
    only((seen) => {
      expect(nameOf(seen.entry('with')['deletedWith'])).toBe('other');
      expect(seen.entry('without')['deletedWith']).toBeUndefined();
    }),
  ),
  programOf(
    'l2-resource-option-depends-on',
    ['simple'],
    "const other = simple('other'); simple('with', { dependsOn: [other] }); simple('without');",
    only((seen) => {
      expect((seen.entry('with')['dependencies'] as readonly string[]).map(nameOf)).toEqual(['other']);
      expect(seen.entry('without')['dependencies'] ?? []).toEqual([]);
    }),
  ),
  programOf(
    'l2-resource-option-env-var-mappings',
    ['simple'],
    "const prov = new Simple('prov', { envVarMappings: { MY_VAR: 'PROVIDER_VAR' } }); simple('res', { provider: prov });",
    only((seen) =>
      expect(seen.entry('prov').inputs['__internal']).toMatchObject({
        envVarMappings: { MY_VAR: 'PROVIDER_VAR' },
      }),
    ),
  ),
  programOf(
    'l2-resource-option-hide-diffs',
    ['simple'],
    "simple('with', { hideDiffs: ['value'] }); simple('without');",
    only((seen) => {
      expect(seen.entry('with')['hideDiff']).toEqual(['value']);
      expect(seen.entry('without')['hideDiff']).toBeUndefined();
    }),
  ),
  programOf(
    'l2-resource-option-ignore-changes',
    ['nestedobject'],
    `new Res('nestedobject:index:Map', 'with', { tags: { 'a.b': 1 }, list: [{ x: 1 }] }, {
       ignoreChanges: ['list[0].x', 'tags["a.b"]', 'tags["quo\\\\"te"]', 'list[*].x'] });`,
    only((seen) =>
      expect(seen.entry('with')['ignoreChanges']).toEqual([
        'list[0].x',
        'tags["a.b"]',
        'tags["quo\\"te"]',
        'list[*].x',
      ]),
    ),
  ),
  ...(['protect', 'retainOnDelete'] as const).map((option) =>
    programOf(
      `l2-resource-option-${option === 'protect' ? option : 'retain-on-delete'}`,
      ['simple'],
      `simple('yes', { ${option}: true }); simple('no', { ${option}: false }); simple('unset');`,
      only((seen) =>
        expect(['yes', 'no', 'unset'].map((name) => seen.entry(name)[option] ?? false)).toEqual([
          true,
          false,
          false,
        ]),
      ),
    ),
  ),
  programOf(
    'l2-resource-option-replace-with',
    ['simple'],
    "const other = simple('other'); simple('with', { replaceWith: [other] }); simple('without');",
    only((seen) => {
      expect((seen.entry('with')['replaceWith'] as readonly string[]).map(nameOf)).toEqual(['other']);
      expect(seen.entry('without')['replaceWith'] ?? []).toEqual([]);
    }),
  ),
  programOf(
    'l2-resource-option-import',
    ['simple'],
    "simple('imported', { import: 'fakeID123' }); simple('created');",
    only((seen) => {
      expect(seen.entry('imported')).toMatchObject({ id: 'fakeID123', importID: 'fakeID123' });
      expect(seen.entry('created')['importID']).toBeUndefined();
    }),
  ),
  programOf('l2-resource-option-replace-on-changes', ['replaceonchanges'], replaced('1'), [
    { check: (seen) => expect(namesOf(seen)).toHaveLength(6) },
    {
      files: next(replaced('2')),
      check: ({ end }) => {
        const became = (name: string) =>
          new RegExp(`${name} (replaced|updated)`).exec(end.text)?.[1] ??
          (new RegExp(`${name} created`).test(end.text) ? 'replaced' : 'same');
        expect(['schema', 'option', 'both', 'regular', 'same', 'several'].map(became)).toEqual([
          'replaced',
          'replaced',
          'replaced',
          'updated',
          'same',
          'replaced',
        ]);
      },
    },
  ]),
  programOf('l2-resource-option-replacement-trigger', ['simple', 'output'], triggered('test'), [
    {
      check: (seen) => {
        expect(seen.entry('literal')['replacementTrigger']).toBe('test');
        expect(seen.entry('hidden')['replacementTrigger']).toEqual(secret('test'));
        expect(seen.entry('without')['replacementTrigger']).toBeUndefined();
      },
    },
    {
      files: next(triggered('test2')),
      preview: ({ text }) => expect(text).toMatch(/unknown.*replace/),
      check: (seen) => {
        expect(seen.entry('literal')['replacementTrigger']).toBe('test2');
        expect(counted(seen)['replaced']).toBeGreaterThanOrEqual(3);
        expect(seen.end.text).not.toMatch(/without (updated|created|replaced)/);
      },
    },
  ]),
  programOf(
    'l2-resource-option-version',
    ['simple'],
    "simple('two', { version: '2.0.0' }); simple('twentySix', { version: '26.0.0' }); simple('default');",
    only((seen) => {
      const version = (name: string) =>
        seen.entries.find(({ urn, id }) => `${urn}::${String(id)}` === seen.entry(name)['provider'])?.inputs[
          'version'
        ];
      expect([version('two'), version('twentySix')]).toEqual(['2.0.0', '26.0.0']);
      expect(new Set(['two', 'twentySix', 'default'].map((name) => seen.entry(name)['provider'])).size).toBe(
        3,
      );
    }),
  ),
  programOf(
    'l2-resource-option-hooks',
    ['simple'],
    `import { writeFileSync } from 'node:fs';
     const named = new pulumi.ResourceHook('created', async (args: any) => writeFileSync('hook-up.txt_' + args.name, 'x'));
     const dry = new pulumi.ResourceHook('previewed', async (args: any) => writeFileSync('hook-preview.txt_' + args.name, 'x'), { onDryRun: true });
     simple('res', { hooks: { beforeCreate: [named, dry] } });`,
    [
      {
        preview: () => undefined,
        check: ({ box }) =>
          expect(
            readdirSync(box.directory)
              .filter((file) => file.startsWith('hook-'))
              .sort(),
          ).toEqual(['hook-preview.txt_res', 'hook-up.txt_res']),
      },
    ],
  ),
  programOf(
    'l2-resource-hook-after-failure',
    ['simple'],
    "simple('res', { hooks: { afterCreate: [new pulumi.ResourceHook('fails', async () => { throw new Error('the hook said no'); })] } });",
    [{ fails: true, check: ({ end }) => expect(end.text).toContain('the hook said no') }],
  ),
  programOf(
    'l2-resource-hook-on-error',
    ['flaky'],
    `const again = new pulumi.ErrorHook('again', async () => true);
     new Res('flaky:index:FlakyCreate', 'res', {}, { hooks: { onError: [again] } });`,
    only((seen) => expect(namesOf(seen)).toEqual(['res'])),
  ),
  programOf(
    'l2-resource-hook-panic',
    ['simple'],
    "simple('res', { hooks: { beforeCreate: [new pulumi.ResourceHook('dies', async () => { process.exit(3); })] } });",
    [
      {
        fails: true,
        check: ({ end, ...seen }) => {
          expect(end.text).toMatch(/program/);
          expect(namesOf({ end, ...seen })).toEqual([]);
        },
      },
    ],
  ),
  programOf(
    'l2-invoke-simple',
    ['simple-invoke'],
    "export const hello = ask('simple-invoke:index:myInvoke', { value: 'hello' }).apply((r: any) => r.result); export const goodbye = ask('simple-invoke:index:myInvoke', { value: 'goodbye' }).apply((r: any) => r.result);",
    only((seen) => expect(seen.outputs).toEqual({ hello: 'hello world', goodbye: 'goodbye world' })),
  ),
  programOf(
    'l2-invoke-variants',
    ['simple-invoke'],
    `const res = new Res('simple-invoke:index:StringResource', 'res', { text: 'hello' });
     export const output = ask('simple-invoke:index:myInvoke', { value: res.out('text') }).apply((r: any) => r.result);
     export const unit = ask('simple-invoke:index:unit').apply((r: any) => r.result);`,
    only((seen) => {
      expect(seen.outputs).toEqual({ output: 'hello world', unit: 'Hello world' });
      expect(seen.entries).toHaveLength(3);
    }),
  ),
  programOf(
    'l2-invoke-secrets',
    ['simple-invoke'],
    `const of = (value: any, secretResponse: boolean) =>
       ask('simple-invoke:index:secretInvoke', { value, secretResponse }).apply((r: any) => r.response);
     export const plain = of('hello', false), argument = of(pulumi.secret('hello'), false), answer = of('hello', true), both = of(pulumi.secret('hello'), true);`,
    only((seen) =>
      expect(seen.outputs).toEqual({
        plain: 'hello world',
        argument: secret('hello world'),
        answer: secret('hello world'),
        both: secret('hello world'),
      }),
    ),
  ),
  programOf(
    'l2-invoke-options',
    ['simple-invoke'],
    `class Asked extends pulumi.ProviderResource { constructor() { super('simple-invoke', 'explicit', {}); } }
     export const hello = ask('simple-invoke:index:myInvoke', { value: 'hello' }, { provider: new Asked() }).apply((r: any) => r.result);`,
    only((seen) => {
      expect(seen.outputs).toEqual({ hello: 'hello world' });
      expect(seen.entries.map(({ name }) => name).sort()).toEqual(['conformance-test', 'explicit']);
    }),
  ),
  programOf(
    'l2-invoke-options-depends-on',
    ['simple-invoke'],
    `const first = new Res('simple-invoke:index:StringResource', 'first', { text: 'hello' });
     const answer = ask('simple-invoke:index:myInvoke', { value: 'hello' }, { dependsOn: [first] }).apply((r: any) => r.result);
     new Res('simple-invoke:index:StringResource', 'second', { text: answer });`,
    only((seen) => {
      expect((seen.entry('second')['dependencies'] as readonly string[]).map(nameOf)).toEqual(['first']);
      expect(seen.entries).toHaveLength(4);
    }),
  ),
  programOf(
    'l2-invoke-dependencies',
    ['simple', 'simple-invoke'],
    `const first = simple('first');
     const answer = ask('simple-invoke:index:myInvoke', { value: first.id }).apply((r: any) => r.result);
     simple('second', {}, answer.apply((text: string) => text.endsWith(' world')));`,
    [
      {
        preview: ({ code, text }) => expect([code, text]).toEqual([0, expect.stringContaining('second')]),
        check: (seen) => {
          expect((seen.entry('second')['dependencies'] as readonly string[]).map(nameOf)).toEqual(['first']);
          expect(seen.entry('second')['propertyDependencies']).toEqual({ value: [seen.entry('first').urn] });
        },
      },
    ],
  ),
  programOf(
    'l2-resource-elide-unknowns',
    ['simple', 'output'],
    `const out = new Res('output:index:Resource', 'out', { value: 2 });
     simple('using', {}, out.out('output').apply((text: string) => text === 'hello hello'));
     export const said = out.out('output');`,
    [
      {
        preview: ({ code, text }) => expect([code, text]).toEqual([0, expect.stringContaining('using')]),
        check: (seen) => {
          expect(seen.entry('using').inputs).toEqual({ value: true });
          expect(seen.outputs).toEqual({ said: 'hello hello' });
        },
      },
    ],
  ),
  programOf(
    'l2-resource-config',
    ['config'],
    `class Conf extends pulumi.ProviderResource { constructor() { super('config', 'prov', { name: 'my config', pluginDownloadURL: 'not the same as the option' }); } }
     const prov = new Conf();
     export const text = new Res('config:index:Resource', 'res', {}, { provider: prov }).out('text');`,
    only((seen) => {
      expect(seen.entry('prov').inputs).toMatchObject({
        name: 'my config',
        pluginDownloadURL: 'not the same as the option',
      });
      expect(seen.outputs).toEqual({ text: 'my config' });
    }),
  ),
  programOf(
    'l2-resource-asset-archive',
    ['asset-archive'],
    `const { StringAsset, FileAsset, AssetArchive, FileArchive } = (pulumi as any).asset ?? pulumi;
     const of = (name: string, source: any) => new Res('asset-archive:index:Resource', name, { source });
     of('text', new StringAsset('file contents'));
     of('file', new FileAsset('some.txt'));
     of('folder', new FileArchive('folder'));
     of('assembled', new AssetArchive({ a: new StringAsset('a'), folder: new FileArchive('folder') }));`,
    only((seen) => {
      const source = (name: string) => seen.entry(name).inputs['source'] as Readonly<Record<string, unknown>>;
      expect(source('text')).toMatchObject({
        text: 'file contents',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(source('file')).toMatchObject({
        path: 'some.txt',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(source('folder')).toMatchObject({ path: 'folder' });
      expect(Object.keys(source('assembled')['assets'] as object).sort()).toEqual(['a', 'folder']);
    }),
    { files: { 'some.txt': 'some text', 'folder/inner.txt': 'inner' } },
  ),
  programOf(
    'l2-map-keys-adversarial',
    ['primitive'],
    `primitive('res', { stringMap: ${JSON.stringify({
      ...{
        __type: 'a',
        __internal: 'b',
        '': 'c',
        '"quo"te': 'd',
        "it's": 'e',
        'a.b': 'f',
        '*': 'g',
        '[0]': 'h',
      },
      ...{ 'with space': 'i', '\\': 'j', $: 'k' },
    })} });`,
    only((seen) =>
      expect(Object.keys(seen.entry('res').outputs['stringMap'] as object).sort()).toEqual(
        [
          ...['__type', '__internal', '', '"quo"te', "it's", 'a.b', '*', '[0]', 'with space', '\\', '$'],
        ].sort(),
      ),
    ),
  ),
  programOf(
    'l2-large-map',
    ['large'],
    `let value: any = 'deep'; for (let at = 0; at < 300; at += 1) value = { nested: value };
     export const back = new Res('large:index:Map', 'res', { value }).out('value');`,
    only((seen) => {
      let value: unknown = seen.outputs['back'];
      for (let at = 0; at < 300; at += 1) value = (value as { readonly nested: unknown }).nested;
      expect(value).toBe('deep');
    }),
  ),
];

/** Program whose properties change in four ways: replaced by the provider's schema, by option, by both, by neither. */
function replaced(value: string): string {
  return `
    const of = (name: string, props: object, options: any = {}) => new Res('replaceonchanges:index:ResourceA', name, props, options);
    of('schema', { replaceProp: '${value}' });
    of('option', { value: '${value}' }, { replaceOnChanges: ['value'] });
    of('both', { replaceProp: '${value}' }, { replaceOnChanges: ['replaceProp'] });
    of('regular', { value: '${value}' });
    of('same', { value: 'unchanged', replaceProp: 'unchanged' }, { replaceOnChanges: ['value'] });
    of('several', { value: '${value}', other: '${value}' }, { replaceOnChanges: ['value', 'other'] });`;
}

function triggered(value: string): string {
  return `
    const out = new Res('output:index:Resource', 'out', { value: ${value.length} }, { replaceOnChanges: ['value'] });
    simple('literal', { replacementTrigger: '${value}' });
    simple('hidden', { replacementTrigger: pulumi.secret('${value}') });
    simple('unknown', { replacementTrigger: out.out('output') });
    simple('without');`;
}
