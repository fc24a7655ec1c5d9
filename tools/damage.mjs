#!/usr/bin/env node
/**
 * Alters every byte of the small files of a stack's journals, one at a time, and asks everything of the stack that
 * reads them: `npm run damage`. Prints how many mutations there were. `npm test` takes a sample.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './setup.mjs';

const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const { status, stderr } = spawnSync(
  process.execPath,
  [
    jest,
    '--config',
    path.join(root, 'jest.config.cjs'),
    '--rootDir',
    path.join(root, 'packages', 'machines', 'backends'),
    'test/damage',
  ],
  {
    cwd: path.join(root, 'packages', 'machines', 'backends'),
    env: { ...process.env, CAIRN_DAMAGE_EVERY: '1', FORCE_COLOR: '0' },
    encoding: 'utf8',
  },
);
const counts = stderr.split('\n').filter((line) => /^\d+ mutations/.test(line));
process.stdout.write(`${[...new Set(counts)].join('\n')}\n`);
if (status !== 0) process.stderr.write(stderr);
process.exit(status ?? 1);
