import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');
const page = readFileSync(path.join(root, 'docs/maintainers/promises.md'), 'utf8');
const FOLDERS = ['command', 'process'];
const named = [...page.matchAll(/`((?:command|process)\/[\w-]+)`/g)].map(([, name]) => name ?? '');
const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, 'e2e', folder))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${path.basename(file, '.test.ts')}`),
);

test('the page of promises names every end-to-end test, and no other', () => {
  expect(files.length).toBeGreaterThan(100);
  expect([...new Set(named)].sort()).toEqual([...files].sort());
});

test('every promise and every group of commands has a test', () => {
  const rows = page.split('\n').filter((line) => /^\| (P\d+ |`)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => !/`(command|process)\//.test(row))).toEqual([]);
});

test('end-to-end tests are in a folder that says how they run commands', () => {
  const astray = readdirSync(path.join(root, 'e2e')).filter((file) => file.endsWith('.test.ts'));
  expect(astray).toEqual([]);
  const starts = /\.(?:start|process)\(|\bonTerminal\(|\bcairnCommand\b/;
  const whole = files
    .filter((name) => name.startsWith('command/') && existsSync(path.join(root, `e2e/${name}.test.ts`)))
    .filter((name) => starts.test(readFileSync(path.join(root, `e2e/${name}.test.ts`), 'utf8')));
  expect(whole).toEqual([]);
});
