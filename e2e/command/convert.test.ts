import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** `convert`: programs in PCL, and those that a converter plugin translates into it. */

let box: Sandbox;
afterEach(() => box.remove());

const read = (file: string) => readFileSync(path.join(box.directory, file), 'utf8');

/** Reads lines `NAME=TEXT` and writes them as outputs; a line `!` is an error, `mapping NAME` asks for one. */
const CONVERTER = `#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Http2Caller } from '@cairn/wire/caller';
import { converterService } from '@cairn/wire/converter-server';
import { MapperClient } from '@cairn/wire/schemas-client';
import { startServer } from '@cairn/wire/server';
const convertProgram = async ({ sourceDirectory, targetDirectory, mapperAddress, args }) => {
  const lines = (await readFile(path.join(sourceDirectory, 'list.txt'), 'utf8')).trim().split('\\n');
  const outputs = [];
  const problems = [];
  for (const line of lines) {
    const [name, text] = line.split('=');
    const asked = /^mapping (.*)/.exec(line)?.[1];
    if (line === '!') problems.push({ severity: 'error', summary: 'a line says nothing', detail: 'it is !' });
    else if (asked !== undefined) {
      const caller = new Http2Caller(mapperAddress);
      const data = await new MapperClient(caller).getMapping({ provider: asked, pulumiProvider: '', ecosystem: '' });
      caller.close();
      outputs.push('output "mapped" {\\n  value = "' + JSON.parse(Buffer.from(data).toString()).to + '"\\n}');
    } else outputs.push('output "' + name + '" {\\n  value = "' + text + args.join('') + '"\\n}');
  }
  problems.push({ severity: 'warning', summary: 'nobody knows what it means', detail: '' });
  await writeFile(path.join(targetDirectory, 'main.pp'), outputs.join('\\n') + '\\n');
  await writeFile(path.join(targetDirectory, 'Pulumi.yaml'), 'name: listed\\nruntime: pcl\\n');
  return problems;
};
const server = await startServer({ services: [converterService({ convertProgram })], stream: true });
process.stdout.write(server.address.split(':').pop() + '\\n');
`;

/** A sandbox without a project, with the converter on the PATH. */
function withConverter(list: string): Sandbox {
  const made = sandbox({ 'list.txt': list, 'bin/pulumi-converter-list': CONVERTER }, { projectFile: false });
  chmodSync(path.join(made.directory, 'bin', 'pulumi-converter-list'), 0o755);
  made.write('bin/package.json', '{"type":"module"}');
  made.env['PATH'] = `${path.join(made.directory, 'bin')}:${made.env['PATH']}`;
  return made;
}

test('a program in PCL becomes one in TypeScript that runs', async () => {
  const odd = '"a${"$"}${"{process.exit(3)}"}b"';
  const values = {
    greeting: '"hello"',
    odd,
    rows: '[for i in range(1, 4) : "row ${i}" if i != 2]',
    zones: '{ for name, zone in { web = "a", api = "b", log = "a" } : zone => name... }',
    wrapped:
      '[element(["a", "b"], 3), element(["a", "b", "c"], -1), element(["a"], 0), try(element([], 0), "empty")]',
    open: '{ for port in [80, 443] : unsecret(secret("p${port}")) => port if unsecret(secret(port)) < 100 }',
  };
  const outputs = Object.entries(values).map(
    ([name, value]) => `output "${name}" {\n  value = ${value}\n}\n`,
  );
  box = sandbox({ 'main.pp': outputs.join('') }, { projectFile: false });
  expectOk(
    await box.cairn([
      'convert',
      '--from',
      'pcl',
      '--language',
      'typescript',
      '--out',
      'ts',
      '--name',
      'shop',
    ]),
  );
  const cwd = path.join(box.directory, 'ts');
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd }));
  const shown = expectOk(await box.cairn(['stack', 'output', '--json'], { cwd }));
  expect(JSON.parse(shown.stdout)).toEqual({
    greeting: 'hello',
    odd: 'a${process.exit(3)}b',
    rows: ['row 1', 'row 3'],
    zones: { a: ['log', 'web'], b: ['api'] },
    wrapped: ['b', 'c', 'a', 'empty'],
    open: { p80: 80 },
  });
  // The generated code passes the compiler, too.
  expectOk(await box.cairn(['preview', '--typecheck'], { cwd }));
});

test('a converter on the PATH: its words, its warnings, mappings from files, then a program that runs', async () => {
  box = withConverter('greeting=hello\nmapping acme\n');
  box.write('acme.json', '{"name":"acme","to":"ours"}');
  const words = ['convert', '--from', 'list', '--out', 'ts', '--mappings', 'acme.json'];
  const finished = expectOk(await box.cairn([...words, '--language', 'typescript', '--', '!']));
  expect(finished.stderr).toContain('warning: nobody knows what it means');
  const cwd = path.join(box.directory, 'ts');
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd }));
  const outputs = JSON.parse(
    expectOk(await box.cairn(['stack', 'output', '--json'], { cwd })).stdout,
  ) as unknown;
  expect(outputs).toEqual({ greeting: 'hello!', mapped: 'ours' });
  expect((await box.cairn([...words, '--language', 'typescript'])).text).toContain(
    'already has a package.json',
  );

  expectOk(
    await box.cairn([
      'convert',
      '--from',
      'list',
      '--out',
      'pcl',
      '--mappings',
      'acme.json',
      '--language',
      'pcl',
    ]),
  );
  expect(read('pcl/main.pp')).toContain('value = "hello"');
  expect(read('pcl/Pulumi.yaml')).toContain('name: listed');
});

test('what cannot be converted is told, and nothing is written', async () => {
  box = withConverter('greeting=hello\n!\n');
  const convert = (...words: string[]) => box.cairn(['convert', '--out', 'ts', ...words]);
  const refusals: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['--from', 'list', '--language', 'typescript'],
      ['a line says nothing', 'it is !'],
    ],
    [['--from', 'absent', '--language', 'typescript'], ['Run `cairn plugin install converter absent`']],
    [['--from', 'list'], ['no target language was given']],
    [['--from', 'list', '--language', 'cobol'], ['cannot convert programs to "cobol"']],
    [['--from', 'pcl', '--language', 'typescript'], ['has no program in PCL']],
    [['--from', 'list', '--language', 'pcl', '--mappings', 'list.txt'], ['does not name a provider']],
  ];
  for (const [words, texts] of refusals) {
    const refused = await convert(...words);
    expect([words, refused.code === 0]).toEqual([words, false]);
    for (const text of texts) expect(refused.stderr).toContain(text);
  }
  expect(existsSync(path.join(box.directory, 'ts', 'package.json'))).toBe(false);
});
