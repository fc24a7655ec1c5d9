import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageSchema } from '../schema/package-schema.js';
import { defineProvider } from '../index.js';
import { ComponentTypeError, componentsOf, writeComponentTypes } from './index.js';
import * as site from './testdata/site.js';

const SOURCE = path.join(__dirname, 'testdata', 'site.ts');

let home: string;
beforeEach(() => (process.env['CAIRN_HOME'] = home = mkdtempSync(path.join(tmpdir(), 'cairn-home-'))));
afterEach(() => {
  delete process.env['CAIRN_HOME'];
  rmSync(home, { recursive: true });
});

const schemaOf = (components: ReturnType<typeof componentsOf>) =>
  JSON.parse(
    packageSchema(defineProvider({ name: 'sites', version: '1.0.0', resources: {}, components })),
  ) as {
    readonly resources: Readonly<Record<string, Record<string, unknown>>>;
    readonly types: Readonly<Record<string, unknown>>;
  };

test('the schema of components is that of their types', () => {
  const components = componentsOf(pathToFileURL(SOURCE).href, site);
  expect(Object.keys(components)).toEqual(['index:Inner', 'index:Site']);
  const { resources, types } = schemaOf(components);
  expect(resources['sites:index:Site']).toMatchObject({
    isComponent: true,
    description: 'A folder with a page.',
    inputProperties: {
      title: { type: 'string', description: 'The title of the page.' },
      count: { type: 'number' },
      open: { type: 'boolean' },
      style: { $ref: '#/types/sites:index:Style' },
      region: { $ref: '#/types/sites:index:Region' },
      second: { $ref: '#/types/sites:index:Region' },
      rules: { type: 'array', items: { $ref: '#/types/sites:index:Rule' } },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      page: { $ref: 'pulumi.json#/Asset' },
      bundle: { $ref: 'pulumi.json#/Archive' },
      parent: { $ref: '#/resources/sites:index:Inner' },
      other: { $ref: 'pulumi.json#/Any' },
      anything: { $ref: 'pulumi.json#/Any' },
      given: { type: 'string' },
    },
    requiredInputs: ['title', 'open', 'region', 'rules', 'page', 'parent', 'other', 'given'],
    properties: {
      url: { type: 'string', description: 'Where it is.' },
      rule: { $ref: '#/types/sites:index:Rule' },
      inner: { $ref: '#/resources/sites:index:Inner' },
    },
    required: ['url', 'inner'],
  });
  expect(Object.keys(resources['sites:index:Site']?.['properties'] as object)).toEqual([
    'url',
    'rule',
    'inner',
  ]);
  expect(types).toMatchObject({
    'sites:index:Style': {
      type: 'string',
      enum: [
        { name: 'Plain', value: 'plain' },
        { name: 'Loud', value: 'loud' },
      ],
    },
    'sites:index:Region': { type: 'string', enum: [{ value: 'eu' }, { value: 'us' }] },
    'sites:index:Rule': {
      properties: {
        from: { type: 'string', description: 'Where it is from.' },
        weights: { type: 'array', items: { type: 'number' } },
      },
      required: ['from'],
    },
  });
});

describe('of a package of its own', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(__dirname, 'testdata', 'made-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (name: string, text: string): string => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  const ARGS = 'export interface Args { readonly size: number }\n';
  const CLASS = `import { ComponentResource } from '@cairn/sdk';
import type { Args } from './args.js';
export declare class Box extends ComponentResource {
  constructor(name: string, args: Args);
}
`;
  const served = (module: string) =>
    Object.keys(componentsOf(pathToFileURL(module).href, { Box: Object })['index:Box']?.inputs ?? {});
  /** Runs work with the folder as it is on another machine, without TypeScript. */
  const elsewhere = <T>(work: (module: string) => T): T => {
    const copy = mkdtempSync(path.join(tmpdir(), 'cairn-installed-'));
    try {
      cpSync(folder, copy, { recursive: true });
      return work(path.join(copy, 'box.js'));
    } finally {
      rmSync(copy, { recursive: true });
    }
  };

  test('what was written when it was built is what it is served with, as long as its declarations are the same', () => {
    const module = at('box.js', '');
    at('box.d.ts', CLASS);
    at('args.d.ts', ARGS);
    writeComponentTypes(module);
    elsewhere((copy) => expect(served(copy)).toEqual(['size']));
    at('args.d.ts', ARGS.replace('size', 'width'));
    expect(served(module)).toEqual(['width']);
    elsewhere((copy) =>
      expect(() => served(copy)).toThrow(/box\.components\.json was written for other declarations/),
    );
    rmSync(path.join(folder, 'args.d.ts'));
    rmSync(path.join(folder, 'box.d.ts'));
    elsewhere((copy) => expect(served(copy)).toEqual(['size']));
  });

  test('types are read once, and again as soon as anything that was read or looked for changes', () => {
    at(
      'box.ts',
      CLASS.replace('declare ', '').replace(
        'args: Args);',
        "args: Args) { super('b:index:Box', name, args); }",
      ),
    );
    const source = path.join(folder, 'box.ts');
    at('args.d.ts', ARGS);
    const cache = path.join(home, 'cache', 'component-types');
    const written = () => readdirSync(cache).map((name) => statSync(path.join(cache, name)).ino);
    let before: readonly number[] = [];
    /** Returns the names served after a change, and the number of reads that took. */
    const readings = (change: () => void): readonly unknown[] => {
      change();
      const names = served(source).join();
      const after = written();
      const read = after.filter((each) => !before.includes(each)).length;
      before = after;
      return [names, read];
    };
    expect(readings(() => undefined)).toEqual(['size', 1]);
    expect(readings(() => undefined)).toEqual(['size', 0]);
    expect(readings(() => at('args.d.ts', ARGS.replace('size', 'width')))).toEqual(['width', 1]);
    expect(readings(() => at('other.ts', 'export const nothing = 1;'))).toEqual(['width', 0]);
    // The compiler prefers a source to declarations.
    expect(readings(() => at('args.ts', ARGS.replace('size', 'depth')))).toEqual(['depth', 1]);
    expect(readings(() => rmSync(path.join(folder, 'args.ts')))).toEqual(['width', 1]);
    const settings = (module: string) => `{ "compilerOptions": { "strict": true, "module": "${module}" } }`;
    expect(readings(() => at('tsconfig.json', settings('NodeNext')))).toEqual(['width', 1]);
    expect(readings(() => undefined)).toEqual(['width', 0]);
    expect(() => readings(() => at('tsconfig.json', settings('AMD')))).toThrow(
      /box\.ts:\d+: Box: the class that it extends is not found: is its package installed/,
    );
  });

  test('types that no schema has are named with their lines, all of them', () => {
    const file = at(
      'bad.ts',
      `import { ComponentResource } from '@cairn/sdk';
import type { ComponentResourceOptions, Input, Output } from '@cairn/sdk';
interface Tree { readonly below?: Tree }
export interface Args {
  call: () => void;
  when: Date;
  either: Input<string | number>;
  pair: [string, number];
  big: bigint;
  tree: Tree;
}
export class Bad extends ComponentResource {
  readonly map!: Output<Map<string, string>>;
  constructor(name: string, args: Args) { super('bad:index:Bad', name, args); }
}
export class Odd extends ComponentResource {
  constructor(name: string, options?: ComponentResourceOptions) { super('bad:index:Odd', name, {}, options); }
}
`,
    );
    const problems = (): readonly string[] => {
      try {
        componentsOf(pathToFileURL(file).href, {});
      } catch (error) {
        if (error instanceof ComponentTypeError)
          return error.problems.map((each) => each.replace(`${folder}/`, ''));
        throw error;
      }
      return [];
    };
    expect(problems()).toEqual([
      'bad.ts:5: Bad args.call: () => void is a function',
      'bad.ts:6: Bad args.when: Date is a class',
      expect.stringMatching(/^bad\.ts:7: Bad args\.either: .* is a union of several types$/) as string,
      'bad.ts:8: Bad args.pair: [string, number] is not a type of a schema',
      'bad.ts:9: Bad args.big: bigint is not a type of a schema',
      'bad.ts:3: Bad args.tree.below: Tree contains itself',
      'bad.ts:13: Bad.map: Map<string, string> is a class',
      'bad.ts:17: Odd options: its constructor must take its arguments before the options: (name, args, options)',
    ]);
  });

  test('a built module without its types says what to do', () => {
    const url = pathToFileURL(at('bare.js', '')).href;
    expect(() => componentsOf(url, {})).toThrow(
      /bare\.components\.json nor .*bare\.d\.ts exists: write the types when/,
    );
  });
});
