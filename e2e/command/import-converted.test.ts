import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** `import --from CONVERTER`: a converter plugin lists the contents of a state, and Cairn imports them. */

let box: Sandbox;
afterEach(() => box.remove());

/**
 * A converter of lines `TYPE NAME ID`, from the file that its first argument names; a line `!` is an error, and the
 * second argument becomes the version of all.
 */
const CONVERTER = `#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { converterService } from '@cairn/wire/converter-server';
import { startServer } from '@cairn/wire/server';
const bare = {
  logicalName: '', version: '', downloadUrl: '', component: false, remote: false, parent: '', provider: '',
  properties: [], inputs: undefined, outputs: undefined, parameterization: undefined, extension: undefined,
};
const convertState = async ({ args: [file, version = ''] }) => {
  const lines = (await readFile(file, 'utf8')).trim().split('\\n');
  const objects = lines.filter((line) => line !== '!').map((line) => line.split(' '));
  return {
    resources: objects.map(([type, name, id = '', parent = '']) => ({
      ...bare, type, name, id, parent, version: id === '' ? '' : version, component: id === '',
    })),
    problems: [
      { severity: 'warning', summary: 'the state is old', detail: '' },
      ...(lines.includes('!') ? [{ severity: 'error', summary: 'a line says nothing', detail: 'it is !' }] : []),
    ],
  };
};
const server = await startServer({
  services: [converterService({ convertProgram: async () => [], convertState })],
  stream: true,
});
process.stdout.write(server.address.split(':').pop() + '\\n');
`;

async function withConverter(lines: string, name = 'list'): Promise<Sandbox> {
  const plugin = `bin/pulumi-converter-${name}`;
  const made = sandbox({ 'list.txt': lines, [plugin]: CONVERTER, 'index.ts': '' });
  chmodSync(path.join(made.directory, plugin), 0o755);
  made.write('bin/package.json', '{"type":"module"}');
  made.env['PATH'] = `${path.join(made.directory, 'bin')}:${made.env['PATH']}`;
  giveStack(made);
  return made;
}

const ZOO = 'shop:index:Zoo zoo\ncairn-random:index:Pet mascot brave-otter zoo\n';
const read = (file: string) => readFileSync(path.join(box.directory, file), 'utf8');

test('what the converter finds is imported; its list is kept, and is one for --file', async () => {
  box = await withConverter(ZOO);
  const words = ['import', '--from', 'list', '--generate-resources', 'found.json', '--yes'];
  const imported = expectOk(await box.cairn([...words, 'list.txt']));
  expect(imported.stderr).toContain('warning: the state is old');
  expect(imported.stdout).toContain("const mascot = new CustomResource('cairn-random:index:Pet', 'mascot'");
  expect(expectOk(await box.cairn(['stack', '--show-urns'])).stdout).toContain(
    'shop:index:Zoo$cairn-random:index:Pet::mascot',
  );
  expect(JSON.parse(read('found.json'))).toEqual({
    resources: [
      { type: 'shop:index:Zoo', name: 'zoo', component: true },
      { type: 'cairn-random:index:Pet', name: 'mascot', id: 'brave-otter', parent: 'zoo' },
    ],
  });
  expect(statSync(path.join(box.directory, 'found.json')).mode & 0o077).toBe(0);
  expectOk(await box.cairn(['import', '--file', 'found.json', '--yes', '--generate-code=false']));
});

test('the plugin of Terraform is asked by the name of its executable', async () => {
  box = await withConverter(ZOO, 'terraform');
  const plugin = ['import', '--from', 'pulumi-converter-terraform', 'list.txt', '--preview-only'];
  expect(expectOk(await box.cairn(plugin)).stdout).toContain('mascot');
  const ours = await box.cairn(['import', '--from', 'terraform', 'list.txt', '--preview-only']);
  expect(ours.text).toContain('CAIRN-TERRAFORM-STATE');
  const both = await box.cairn(['import', '--from', 'terraform', 'x', '--generate-resources', 'l', '--yes']);
  expect(both.text).toContain('CAIRN-NOT-OFFERED');
});

test('an import that fails leaves the list behind, and conversions with errors change nothing', async () => {
  box = await withConverter('cairn-random:index:Nothing mascot brave-otter\n');
  const failed = await box.cairn(['import', '--from', 'list', '--yes', 'list.txt']);
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toContain('cairn import --file cairn-import.json');
  expect(read('cairn-import.json')).toContain('"brave-otter"');
  box.write('list.txt', `${ZOO}!\n`);
  const wrong = await box.cairn(['import', '--from', 'list', '--yes', 'list.txt']);
  expect(wrong.text).toContain('a line says nothing');
  expect(existsSync(path.join(box.directory, 'cairn-import-2.json'))).toBe(false);
});

test('what does not go together is refused', async () => {
  box = await withConverter(ZOO);
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['--from', 'list', '--file', 'x.json'], '--file cannot be used with --from list'],
    [['--from', 'list', '--properties', 'a'], '--properties cannot be used with --from list'],
    [['--from', 'absent', 'list.txt'], 'Run `cairn plugin install converter absent`'],
    [['--generate-resources', 'x.json', 'a:b:C', 'x', '1'], '--generate-resources needs --from'],
    [['a:b:C', 'x', '1', '2'], 'an import takes a type, a name and an id'],
    [['--from', 'list', 'nowhere.txt'], 'the converter list failed'],
  ];
  for (const [words, text] of refusals) {
    const refused = await box.cairn(['import', ...words, '--yes']);
    expect([words, refused.code === 0]).toEqual([words, false]);
    expect(refused.stderr).toContain(text);
  }
});
