import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
/** Tools that need no build to begin. */
const tools = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.mjs'))
  .filter((file) => {
    const code = readFileSync(path.join(__dirname, file), 'utf8');
    return code.includes(' = toolOptions(import.meta.url') && !/from '(?:@cairn\/|.*\/dist\/)/.test(code);
  });

function ran(file: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join('tools', file), ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('tools with options are found', () => expect(tools.length).toBeGreaterThan(10));

test.each(tools)('%s prints its usage', (file) => {
  const { status, stdout, stderr } = ran(file, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\s/*].+/);
});

test.each([
  ['fuzz.mjs', ['--nonsense'], "fuzz: unknown option '--nonsense'; see --help\n"],
  ['fuzz.mjs', ['--runs', 'many'], 'fuzz: --runs needs a whole number, not many; see --help\n'],
  ['cuts.mjs', ['--isolate', 'x'], 'cuts: --isolate knows component and resource, not x; see --help\n'],
  ['mutants/index.mjs', ['--file', 'a.ts'], 'mutants: --file needs --package; see --help\n'],
])('%s %j ends with one line and 2', (file, words, stderr) => {
  expect(ran(file, ...words)).toEqual({ status: 2, stdout: '', stderr });
});
