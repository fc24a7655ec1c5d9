import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { isUnchanged, recordLookups } from './seen-files.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-seen-')));
  for (const folder of ['src/deep', 'node_modules/one', 'store/one'])
    mkdirSync(at(folder), { recursive: true });
  for (const file of ['src/a.ts', 'src/deep/b.ts', 'node_modules/one/index.d.ts', 'store/one/index.d.ts'])
    writeFileSync(at(file), 'export {};');
  symlinkSync(at('store/one'), at('node_modules/linked'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => path.join(root, name);

/** Lookups, and actions that change their answers. */
const CHANGES: readonly [string, (sys: ts.System) => unknown, () => void][] = [
  [
    'the text of an own file',
    (sys) => sys.readFile(at('src/a.ts')),
    () => writeFileSync(at('src/a.ts'), 'x'),
  ],
  ['an own file is gone', (sys) => sys.readFile(at('src/a.ts')), () => unlinkSync(at('src/a.ts'))],
  [
    'a file that could not be read is there',
    (sys) => sys.readFile(at('no.ts')),
    () => writeFileSync(at('no.ts'), ''),
  ],
  [
    'a file of a package',
    (sys) => sys.readFile(at('node_modules/one/index.d.ts')),
    () => writeFileSync(at('node_modules/one/index.d.ts'), 'export declare const more: 1;'),
  ],
  ['a file is there', (sys) => sys.fileExists(at('src/a.d.ts')), () => writeFileSync(at('src/a.d.ts'), '')],
  ['a file is gone', (sys) => sys.fileExists(at('src/a.ts')), () => unlinkSync(at('src/a.ts'))],
  ['a folder is there', (sys) => sys.directoryExists(at('new')), () => mkdirSync(at('new'))],
  ['a folder is gone', (sys) => sys.directoryExists(at('src')), () => rmSync(at('src'), { recursive: true })],
  [
    'a file in a folder that was not there',
    (sys) => [sys.directoryExists(at('new')), sys.fileExists(at('new/deep/a.ts'))],
    () => {
      mkdirSync(at('new/deep'), { recursive: true });
      writeFileSync(at('new/deep/a.ts'), '');
    },
  ],
  [
    'one more package',
    (sys) => sys.getDirectories(at('node_modules')),
    () => mkdirSync(at('node_modules/two')),
  ],
  [
    'one more source that a pattern covers',
    (sys) => sys.readDirectory(root, ['.ts'], ['node_modules', 'store'], ['**/*']),
    () => writeFileSync(at('src/deep/c.ts'), ''),
  ],
  [
    'a link leads elsewhere',
    (sys) => sys.realpath?.(at('node_modules/linked/index.d.ts')),
    () => {
      unlinkSync(at('node_modules/linked'));
      symlinkSync(at('node_modules/one'), at('node_modules/linked'));
    },
  ],
];

test.each(CHANGES)('%s', (_, ask, change) => {
  const sys = { ...ts.sys };
  const seen = recordLookups(sys);
  ask(sys);
  const found = seen();
  if (found === undefined) throw new Error('not everything was seen');
  const kept = JSON.parse(JSON.stringify(found)) as typeof found;
  expect(isUnchanged(kept)).toBe(true);
  writeFileSync(at('nobody-asked.txt'), '');
  expect(isUnchanged({ ...kept, listings: {} })).toBe(true);
  unlinkSync(at('nobody-asked.txt'));
  change();
  expect(isUnchanged(kept)).toBe(false);
});

test('sources in folders that a walk leaves out are not told completely', () => {
  mkdirSync(at('.hidden'));
  writeFileSync(at('.hidden/c.ts'), '');
  const sys = { ...ts.sys };
  const seen = recordLookups(sys);
  sys.readDirectory(root, ['.ts'], [], ['.hidden/*']);
  expect(seen()).toBeUndefined();
});
