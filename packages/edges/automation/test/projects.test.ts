import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CustomResource } from '@cairn/sdk';
import { AutomationError, newProject, openWorkspace } from '../src/index.js';
import { box } from './box.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-projects-')));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string): string => {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
};

/** Returns a template of a TypeScript program that finds its packages where these tests do. */
function template(): string {
  const file = write(
    'template/Cairn.yaml',
    'name: ${PROJECT}\ndescription: ${DESCRIPTION}\nruntime: nodejs\nmain: index.ts\ntemplate:\n  description: a pet\n',
  );
  write(
    'template/package.json',
    '{ "name": "${PROJECT}", "type": "module", "dependencies": { "@cairn/sdk": "*" } }\n',
  );
  write(
    'template/index.ts',
    "import { CustomResource } from '@cairn/sdk';\nnew CustomResource('cairn-random:index:Pet', 'pet', {});\n",
  );
  return path.dirname(file);
}

const SCHEMA = JSON.stringify({
  name: 'crates',
  version: '1.2.0',
  resources: {
    'crates:index:Crate': {
      inputProperties: { size: { type: 'integer' } },
      properties: { size: { type: 'integer' } },
    },
  },
});

test('a project is made from a template, and gets a package', async () => {
  const directory = path.join(folder, 'shop');
  const { backendUrl, env, passphrase } = box();
  const made = { template: template(), directory, name: 'shop', install: false };
  await using workspace = await newProject(made, { backendUrl, env, passphrase });
  expect(workspace.project).toBe('shop');
  expect(readFileSync(path.join(directory, 'Cairn.yaml'), 'utf8')).toBe(
    'name: shop\ndescription: a pet\nruntime: nodejs\nmain: index.ts\n',
  );
  const added = await workspace.addPackage(write('crates.json', SCHEMA));
  expect(added).toEqual({
    name: 'crates',
    version: '1.2.0',
    npmName: '@cairn-sdks/crates',
    instructions: '',
  });
  expect(existsSync(path.join(directory, 'sdks', 'crates', 'index.d.ts'))).toBe(true);
  await expect(newProject(made, { backendUrl, env, passphrase })).rejects.toMatchObject({
    code: 'CAIRN-USAGE',
  });
  const error: unknown = await workspace.installPlugin('not a name').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AutomationError);
});

test('what a project depends on is installed, and what is written on the way is heard', async () => {
  const directory = path.join(folder, 'installed');
  mkdirSync(directory);
  write('installed/Cairn.yaml', 'name: installed\nruntime: nodejs\n');
  write('installed/package.json', '{ "name": "installed", "version": "1.0.0" }\n');
  const { backendUrl, env, passphrase } = box();
  await using workspace = await openWorkspace({ directory, backendUrl, env, passphrase });
  let heard = '';
  await workspace.install({ plugins: false, onOutput: (text) => (heard += text) });
  expect(heard).toMatch(/up to date|added/);
});

test('resources of a state are marked, renamed, moved and taken out', async () => {
  const program = () => {
    new CustomResource('cairn-random:index:Pet', 'pet', {});
    new CustomResource('cairn-random:index:Pet', 'other', {});
  };
  await using workspace = await openWorkspace({ ...box(), project: 'zoo', program });
  const stack = await workspace.createStack('dev');
  const second = await workspace.createStack('second');
  await stack.up();
  const urn = (name: string): string => `urn:pulumi:dev::zoo::cairn-random:index:Pet::${name}`;
  expect(await stack.protect([urn('pet')])).toEqual([urn('pet')]);
  await expect(stack.removeFromState([urn('pet')])).rejects.toMatchObject({ code: 'CAIRN-STATE-RESOURCE' });
  expect(await stack.protect([urn('pet')], { on: false })).toEqual([urn('pet')]);
  expect(await stack.taint([urn('pet')])).toEqual([urn('pet')]);
  expect((await stack.preview()).changes).toMatchObject({ replace: 1 });
  await stack.taint([urn('pet')], { on: false });
  await stack.renameResource(urn('pet'), 'cat');
  expect(await stack.removeFromState([urn('cat')])).toEqual([urn('cat')]);
  expect(await stack.moveToStack([urn('other')], 'second')).toBeGreaterThan(0);
  const types = async (each: typeof stack) =>
    JSON.stringify(await each.exportState()).split('"cairn-random:index:Pet"').length - 1;
  expect([await types(stack), await types(second)]).toEqual([0, 1]);
  await second.destroy();
});
