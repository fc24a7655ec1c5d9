import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmPackages } from './npm-packages.js';

/** Packages of programs, with the real npm. It fetches nothing, because everything it installs is in folders. */

const base = mkdtempSync(join(tmpdir(), 'cairn-npm-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const packages = npmPackages({
  ...process.env,
  npm_config_offline: 'true',
  npm_config_cache: join(base, 'cache'),
});
const at = (...parts: readonly string[]): string => join(base, ...parts);
const infoOf = (directory: string) => ({
  rootDirectory: directory,
  programDirectory: directory,
  entryPoint: '.',
  options: {},
});

function write(file: string, content: string | object): void {
  mkdirSync(join(at(file), '..'), { recursive: true });
  writeFileSync(at(file), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
}

const jsonAt = (file: string): unknown => JSON.parse(readFileSync(at(file), 'utf8'));

beforeAll(() => {
  write('below/package.json', { name: 'below', version: '2.0.0' });
  write('lib/package.json', {
    name: '@cairn-sdks/boxes',
    version: '1.2.3',
    dependencies: { below: `file:${at('artifacts', 'below-2.0.0.tgz')}` },
  });
  write('lib/index.js', 'export {};');
});

test('packs a folder, links the file into a project, installs it, and lists what the program depends on', async () => {
  const said: string[] = [];
  await packages.pack(at('below'), at('artifacts'), () => undefined);
  const file = await packages.pack(at('lib'), at('artifacts', 'new'), (_, text) => said.push(text));
  expect(file).toBe(at('artifacts', 'new', 'cairn-sdks-boxes-1.2.3.tgz'));
  expect(existsSync(file)).toBe(true);

  write('program/package.json', '{\n  // the program\n  "name": "program",\n  "dependencies": {}\n}\n');
  const imports = await packages.link(infoOf(at('program')), [
    { name: 'pulumi', path: '/sdk.tgz' },
    { name: 'Boxes', path: at('lib') },
  ]);
  expect(imports).toBe("import * as sdk from '@cairn/sdk';\nimport * as boxes from '@cairn-sdks/boxes';");
  const text = readFileSync(at('program/package.json'), 'utf8');
  expect(text).toContain('// the program');
  expect(text).toContain('"@cairn/sdk": "file:/sdk.tgz"');
  expect(text).toContain(`"@cairn-sdks/boxes": "file:${at('lib')}"`);

  write('program/package.json', {
    name: 'program',
    dependencies: { '@cairn-sdks/boxes': `file:${file}` },
  });
  await packages.installDependencies(infoOf(at('program')), (_, chunk) => said.push(chunk));
  expect(said.join('')).toMatch(/added|up to date/);
  expect(jsonAt('program/node_modules/@cairn-sdks/boxes/package.json')).toMatchObject({ version: '1.2.3' });
  const direct = await packages.getProgramDependencies(infoOf(at('program')), false);
  expect(direct).toEqual([{ name: '@cairn-sdks/boxes', version: '1.2.3' }]);
  expect(await packages.getProgramDependencies(infoOf(at('program')), true)).toEqual([
    { name: '@cairn-sdks/boxes', version: '1.2.3' },
    { name: 'below', version: '2.0.0' },
  ]);
}, 60_000);

test('what npm says is in the error', async () => {
  write('missing/package.json', { name: 'missing', dependencies: { gone: 'file:../gone.tgz' } });
  await expect(packages.installDependencies(infoOf(at('missing')), () => undefined)).rejects.toThrow(
    /npm install in .*gone/s,
  );
  // It lists what it finds all the same.
  expect(await packages.getProgramDependencies(infoOf(at('missing')), true)).toEqual([]);
}, 60_000);

test('writes the typed package of a schema, with further files; a schema that is wrong is told with its place', async () => {
  const schema = JSON.stringify({
    name: 'boxes',
    version: '1.0.0',
    resources: { 'boxes:index:Box': { inputProperties: { size: { type: 'number' } } } },
  });
  const extraFiles = new Map([['docs/extra.md', Buffer.from('more')]]);
  expect(await packages.generatePackage({ directory: at('sdk'), schema, extraFiles })).toEqual([]);
  expect(jsonAt('sdk/package.json')).toMatchObject({ name: '@cairn-sdks/boxes', version: '1.0.0' });
  expect(readFileSync(at('sdk/docs/extra.md'), 'utf8')).toBe('more');
  const wrong = { directory: at('none'), schema: '{"name":"boxes","resources":[]}', extraFiles: new Map() };
  const problems = await packages.generatePackage(wrong);
  expect(problems).toEqual([
    expect.objectContaining({
      severity: 'error',
      detail: expect.stringContaining('at /resources') as unknown,
    }),
  ]);
  expect(existsSync(at('none'))).toBe(false);
});
