import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/**
 * Shows which processes of an operation have Cairn's own secrets in their environment, and what is on command lines. A
 * command that the operation runs looks it up in `/proc`.
 */

const onLinux = existsSync('/proc/self/environ') ? test : test.skip;

const SECRETS = {
  CAIRN_CONFIG_PASSPHRASE: 'planted-passphrase',
  PULUMI_ACCESS_TOKEN: 'planted-token',
  PULUMI_CONFIG_PASSPHRASE_FILE: '/planted-file',
};

/** Prints all processes of the box: their command lines, and which of them have the texts in their environment. */
const LOOK = `
const { readFileSync, readdirSync } = require('node:fs');
const read = (pid, file) => { try { return readFileSync('/proc/' + pid + '/' + file, 'utf8'); } catch { return ''; } };
const parentOf = (pid) => Number(read(pid, 'stat').replace(/^.*\\) /, '').split(' ')[1]);
let top = process.pid;
for (let at = top; at > 1; at = parentOf(at)) if (read(at, 'cmdline').includes('cairn.cjs')) top = at;
const isOurs = (pid) => { for (let at = pid; at > 1; at = parentOf(at)) if (at === top) return true; return false; };
const own = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map(Number).filter((pid) => pid !== process.pid && isOurs(pid));
console.log(JSON.stringify(own.map((pid) => ({
  line: read(pid, 'cmdline').split('\\0').join(' '),
  knows: /planted-/.test(read(pid, 'environ')),
}))));
`;

const PROGRAM = `
import { secret } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
import { RandomId } from '@cairn/provider-random';

const random: RandomId = new RandomId('random', { byteLength: 4 });
const look = new LocalCommand('look', { create: secret('node look.cjs # hidden-text'), triggers: [random.id] });
const odd = new LocalCommand('odd', { create: secret('process.exit(0) // shown-text'), interpreter: ['node', '-e'] });
export const seen = look.stdout;
export const withPassphrase = process.env['CAIRN_CONFIG_PASSPHRASE'] !== undefined;
`;

interface Seen {
  readonly line: string;
  readonly knows: boolean;
}

let box: Sandbox;
afterEach(() => box.remove());

onLinux(
  'only the command and its program have them; no command line has the text of a secret command',
  async () => {
    const real = createRequire(require.resolve('esbuild')).resolve('@esbuild/linux-x64/bin/esbuild');
    box = sandbox({
      'index.ts': PROGRAM,
      'look.cjs': LOOK,
      esbuild: `#!/bin/sh\nenv >> esbuild.env\nexec ${real} "$@"\n`,
    });
    const esbuild = path.join(box.directory, 'esbuild');
    chmodSync(esbuild, 0o755);
    Object.assign(box.env, SECRETS, { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1', ESBUILD_BINARY_PATH: esbuild });
    expectOk(await box.process(['stack', 'init', 'dev']));
    const up = expectOk(await box.process(['up', '--yes', '--skip-preview']));
    expect(up.text).toContain('gets on its command line, where other users can read it');
    const shown = expectOk(await box.process(['stack', 'output', '--json', '--show-secrets']));
    const { seen, withPassphrase } = JSON.parse(shown.stdout) as { seen: string; withPassphrase: boolean };
    const processes = JSON.parse(seen) as readonly Seen[];
    const has = (word: string): Seen | undefined => processes.find(({ line }) => line.includes(word));
    expect(has('cairn.cjs')?.knows).toBe(true);
    expect(has('loader/register.js')).toEqual(expect.objectContaining({ knows: true }));
    expect(withPassphrase).toBe(true);
    expect(
      processes.filter(({ line, knows }) => knows && !/cairn\.cjs|loader\/register\.js/.test(line)),
    ).toEqual([]);
    expect(processes.filter(({ line }) => line.includes('provider')).length).toBeGreaterThanOrEqual(2);
    expect(processes.filter(({ line }) => line.includes('hidden-text'))).toEqual([]);
    expect(processes.filter(({ line }) => line.includes('CAIRN_COMMAND_TEXT'))).toHaveLength(1);
    expect(readFileSync(path.join(box.directory, 'esbuild.env'), 'utf8')).not.toContain('planted-');
  },
);
