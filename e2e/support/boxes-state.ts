import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ScriptRule } from '@cairn/testkit/terraform';
import { sandbox } from './cairn.js';
import type { Sandbox } from './cairn.js';

const REPOSITORY = path.resolve(__dirname, '..', '..');
const SOURCE = 'registry.terraform.io/acme/boxes';
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

interface Instance {
  readonly [member: string]: unknown;
}

/** Attributes of a box. */
export const BOX = {
  ...{ id: 'box-1', name: 'one', material: 'oak', size: 3, fragile: null, revision: 'r-1', label: null },
  ...{ pin: '1234-pin', key: 'k-98765', secret: null, secret_version: null, colour: null, tags: { a: 'b' } },
  ...{ contents: null, handles: null, dimensions: null, corners: null, extra: null, lock: null },
  ...{ limits: { weight: null, count: null }, wall: [], sticker: [], slot: {}, address: [], timeouts: null },
};
/** Attributes of a lid. */
export const lid = (id: string, box: string, more: object = {}) => ({
  id,
  box_id: box,
  title: null,
  weight: null,
  ...more,
});

/** A resource of a state. */
export const resource = (type: string, name: string, instances: readonly Instance[], more: object = {}) => ({
  ...{ mode: 'managed', type, name, provider: `provider["${SOURCE}"]` },
  ...more,
  instances: instances.map((each) => ({
    schema_version: type === 'boxes_box' ? 1 : 0,
    ...each,
    sensitive_attributes: [],
  })),
});

/** A state with two configurations of a provider that records its calls. */
export const STATE = {
  ...{ version: 4, terraform_version: '1.11.4', serial: 12, lineage: '3f1c2f4e-0000-4000-8000-000000000000' },
  outputs: {
    first: { value: 'lid-of-k', type: 'string' },
    pin: { value: '1234-pin', type: 'string', sensitive: true },
    some: { value: ['x', 'y'], type: ['list', 'string'] },
    access: {
      ...{ value: { key: 'k-98765', at: ['lid-of-k'], port: 5432 }, sensitive: true },
      type: ['object', { key: 'string', at: ['list', 'string'], port: 'number' }],
    },
  },
  resources: [
    resource('boxes_count', 'all', [{ attributes: { type: 'boxes_box', number: 1, ids: ['box-1'] } }], {
      mode: 'data',
    }),
    resource('boxes_box', 'one', [{ attributes: BOX, private: 'AAECAw==' }]),
    resource('boxes_lid', 'n', [
      { index_key: 0, attributes: lid('lid-0', 'box-1'), dependencies: ['boxes_box.one'] },
      { index_key: 1, attributes: lid('lid-1', 'box-1'), dependencies: ['boxes_box.one'] },
    ]),
    resource(
      'terraform_data',
      'own',
      [{ attributes: { id: 'x', input: null, output: null, triggers_replace: null } }],
      {
        provider: 'provider["terraform.io/builtin/terraform"]',
      },
    ),
    resource(
      'boxes_lid',
      'x',
      [{ index_key: 'k', attributes: lid('lid-of-k', 'box-1'), dependencies: ['boxes_box.one'] }],
      {
        module: 'module.m["k"]',
        provider: `module.m.provider["${SOURCE}"].two`,
      },
    ),
  ],
  check_results: null,
};

/** Has the provider where it is found for the program in a directory. */
export function installed(directory: string): void {
  const folder = path.join(directory, 'terraform.d', 'plugins', SOURCE, '1.2.3', platform);
  mkdirSync(folder, { recursive: true });
  const executable = path.join(
    REPOSITORY,
    'packages',
    'testing',
    'testkit',
    'bin',
    'terraform-provider-boxes',
  );
  symlinkSync(executable, path.join(folder, 'terraform-provider-boxes'));
  chmodSync(executable, 0o755);
}

/** Makes a project with such a state, and the file in which the provider records its calls. `rules` are its faults. */
export function boxesSandbox(rules: readonly ScriptRule[] = []): {
  readonly box: Sandbox;
  readonly calls: string;
} {
  const box = sandbox();
  const calls = path.join(box.home, 'calls');
  installed(box.directory);
  const script = path.join(box.home, 'script.json');
  writeFileSync(script, JSON.stringify({ calls, directory: path.join(box.home, 'objects'), rules }));
  box.env['TERRAFORM_SCRIPT'] = script;
  giveState(box, STATE);
  return { box, calls };
}

/** Has something else as the state. */
export function giveState(box: Sandbox, content: unknown): void {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`;
  box.write('terraform.tfstate', text);
}

/** Files below the project and the stacks with one of the texts, other than the given state. */
export function filesWith(box: Sandbox, ...texts: readonly string[]): readonly string[] {
  return [box.directory, box.state].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'terraform.tfstate')
      .map((each) => path.join(each.parentPath, each.name))
      .filter((file) => texts.some((text) => readFileSync(file).includes(text))),
  );
}
