import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageSchema } from '../schema/package-schema.js';
import { defineProvider } from '../index.js';
import { ComponentTypeError, componentsOf, writeComponentTypes } from './index.js';
import * as site from './testdata/site.js';

const SOURCE = path.join(__dirname, 'testdata', 'site.ts');
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
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  test('what was written down when it was built is what it is served with', () => {
    writeComponentTypes(SOURCE, path.join(folder, 'site.components.json'));
    const built = componentsOf(pathToFileURL(at('site.js', '')).href, site);
    expect(schemaOf(built)).toEqual(schemaOf(componentsOf(pathToFileURL(SOURCE).href, site)));
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
      'bad.ts:8: Bad args.pair: [string, number] is no type of a schema',
      'bad.ts:9: Bad args.big: bigint is no type of a schema',
      'bad.ts:3: Bad args.tree.below: Tree contains itself',
      'bad.ts:13: Bad.map: Map<string, string> is a class',
      'bad.ts:17: Odd options: its constructor takes options where its arguments are to be: (name, args, options)',
    ]);
  });

  test('a built module without its types says what to do', () => {
    const url = pathToFileURL(at('bare.js', '')).href;
    expect(() => componentsOf(url, {})).toThrow(
      /bare\.components\.json nor .*bare\.d\.ts is there: write the types when/,
    );
  });
});
