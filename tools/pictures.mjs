// npm run pictures: takes the pictures of the console again that differ from its pages, and keeps them below
// docs/console. Needs the built command, chromium and the DejaVu fonts. To take all of them again, remove them before.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

ensureInstalled();
ensureBuilt();
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const test = path.join(root, 'e2e', 'process', 'console-pictures.test.ts');
const words = [
  '-c',
  'jest.config.cjs',
  '--rootDir',
  '.',
  '--testMatch',
  '**/*.test.ts',
  '--runTestsByPath',
  test,
];
const env = { ...process.env, CAIRN_PICTURES: 'update' };
const { status } = spawnSync(process.execPath, [jest, ...words], { cwd: root, env, stdio: 'inherit' });
process.exitCode = status ?? 1;
