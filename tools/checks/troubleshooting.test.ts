import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { codes } from '../../packages/ground/diagnostics/src/index.js';

/** Every message of the page of symptoms has a code that there is, and is one that a test has seen. */

const root = path.resolve(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const page = read('docs/troubleshooting.md');

/** By code: the test that produces the message, and words of the message that it expects. */
const SHOWN: Readonly<Record<string, readonly [test: string, words?: string]>> = {
  'CAIRN-USAGE': ['e2e/process/bad-input', "unknown command 'upp'"],
  'CAIRN-PROJECT-MISSING': ['e2e/process/bad-input'],
  'CAIRN-PROJECT-INVALID': ['e2e/process/bad-input'],
  'CAIRN-STACK-NOT-CHOSEN': ['e2e/process/flags', 'no stack selected'],
  'CAIRN-STACK-NOT-FOUND': ['e2e/process/bad-input'],
  'CAIRN-NEEDS-CONFIRMATION': ['e2e/process/bad-input'],
  'CAIRN-NODE-VERSION': ['e2e/process/old-node', 'Cairn needs Node 20.19.0 or later'],
  'CAIRN-PASSPHRASE-MISSING': ['e2e/command/passphrase'],
  'CAIRN-PASSPHRASE-WRONG': [
    'packages/boundary/crypters/src/passphrase/passphrase-manager',
    'incorrect passphrase',
  ],
  'CAIRN-CONFIG-MISSING': ['packages/edges/cli/src/terminal/alias-errors', 'not found for stack'],
  'CAIRN-CONFIG-INVALID': ['e2e/command/config'],
  'CAIRN-PROGRAM-FAILED': ['e2e/process/bad-input'],
  'CAIRN-PROGRAM-LOAD': ['e2e/process/bad-input'],
  'CAIRN-RESOURCE-DUPLICATE': ['e2e/command/program-errors'],
  'CAIRN-RESOURCE-CYCLE': ['e2e/command/program-errors', 'circular dependency: a resource waits for itself'],
  'CAIRN-RESOURCE-CHECK': ['e2e/command/program-errors', 'has a problem: '],
  'CAIRN-PLUGIN-NOT-FOUND': ['e2e/command/program-errors', 'cannot find the provider plugin'],
  'CAIRN-PLUGIN-CHECKSUM': ['e2e/process/plugins'],
  'CAIRN-PLUGIN-DIED': ['e2e/process/bad-input'],
  'CAIRN-PROVIDER-CONTRACT': ['e2e/command/strict-providers'],
  'CAIRN-RESOURCE-FAILED': ['e2e/process/bad-input'],
  'CAIRN-STATE-LOCKED': ['e2e/process/durability', 'which is no longer running'],
  'CAIRN-LEASE-LOST': ['e2e/process/leases'],
  'CAIRN-UNFINISHED': ['e2e/process/resume', '(up) ended early'],
  'CAIRN-IN-DOUBT': ['packages/machines/backends/test/beside', 'it is unknown whether creating'],
  'CAIRN-PROGRAM-CHANGED': [
    'packages/machines/engine/test/resume',
    'program changed since the operation started: ',
  ],
  'CAIRN-RESOURCE-PROTECTED': ['packages/edges/cli/src/terminal/alias-errors', 'it is protected'],
  'CAIRN-PLAN-VIOLATED': ['e2e/command/saved-plans', 'violates plan: '],
  'CAIRN-STORE-CREDENTIALS': ['packages/boundary/blobs/test/s3-faults', 'expired'],
  'CAIRN-STORE-NO-BUCKET': ['packages/boundary/blobs/test/s3-faults', 'no such bucket'],
  'CAIRN-STORE-DENIED': ['packages/boundary/blobs/test/s3-faults', 'permission is denied'],
  'CAIRN-STORE-FULL': ['e2e/process/durability', 'no space'],
  'CAIRN-STATE-CORRUPT': ['e2e/process/durability'],
  'CAIRN-STATE-INTEGRITY': ['e2e/process/bad-input'],
  'CAIRN-STATE-TOO-NEW': ['packages/machines/backends/test/failures'],
};

const named = [...new Set([...page.matchAll(/CAIRN(?:-[A-Z]+)+/g)].map(([code]) => code))];

test('every code of the page is one, and each has a test', () => {
  const known = [...Object.keys(codes), 'CAIRN-NODE-VERSION'];
  expect(named.filter((code) => !known.includes(code))).toEqual([]);
  const shown = [...Object.keys(SHOWN), 'CAIRN-INTERNAL'];
  expect(named.filter((code) => !shown.includes(code))).toEqual([]);
  expect(shown.filter((code) => !named.includes(code))).toEqual([]);
});

test.each(Object.entries(SHOWN))('%s is produced by a test', (code, [file, words]) => {
  expect(existsSync(path.join(root, `${file}.test.ts`))).toBe(true);
  const text = read(`${file}.test.ts`).replaceAll('\\', '');
  expect(text).toContain(words ?? code);
  const rows = page.split('\n').filter((line) => line.startsWith('|') && line.includes(code));
  expect(rows.some((row) => row.includes(words ?? code))).toBe(true);
});
