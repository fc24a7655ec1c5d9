import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/** The disk of the agent's folder is full in the middle of an operation, and has room again later. */

jest.setTimeout(300_000);

const AGENT = `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
stacks:
- stack: dev
  source: { directory: . }
  policy: { rules: [{ kinds: [create], then: apply }] }
`;

/**
 * Three commands in a line, of which the second fills the disk of the agent, and components with long names: the record
 * of the run does not fit into the room that is left.
 */
const PROGRAM = `
import { LocalCommand } from '@cairn/provider-local';
import { ComponentResource } from '@cairn/sdk';
for (let at = 0; at < 40; at += 1) new ComponentResource('shop:index:Part', 'part-' + at + '-'.repeat(100));
const fill = 'test -e filled || { touch filled; head -c 64M /dev/zero > agent-state/fill; }; ';
let before;
for (const name of ['a', 'b', 'c'])
  before = new LocalCommand(
    name,
    { create: (name === 'b' ? fill : '') + 'exec sh effect.sh create ' + name },
    { dependsOn: before === undefined ? [] : [before] },
  );
`;

function mounted(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status === 0;
}

/** Tells if this process may mount a file system of its own. */
function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-mount-'));
  const isMounted = mounted(folder);
  if (isMounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

const may = canMount();
const mountTest = may ? test : test.skip;
let box: Sandbox;
const stateOf = (): string => path.join(box.directory, 'agent-state');
afterAll(() => {
  if (!may) return;
  spawnSync('umount', ['-l', stateOf()]);
  box.remove();
});

mountTest(
  `a full disk ends no operation, and nothing is done twice${may ? '' : ' (skipped: no mount)'}`,
  async () => {
    box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT, 'agent.yaml': AGENT });
    giveStack(box);
    mkdirSync(stateOf());
    expect(mounted(stateOf())).toBe(true);
    const start = async (): Promise<Running> => {
      const running = box.start(['agent']);
      await running.shown('keeps 1 stack');
      return running;
    };
    const first = await start();
    expectOk(await box.cairn(['request', 'up']));
    // The operation ends, and the agent cannot note that.
    await first.shown(/cannot write the records of the agent, and tries again: .*ENOSPC/);
    await first.shown(/run 1 succeeded/);
    const refused = await box.cairn(['request', 'up']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/CAIRN-STORE-FULL[^]*ENOSPC/)]);
    first.process.kill('SIGKILL');
    await first.finished;
    rmSync(path.join(stateOf(), 'fill'));
    // The next agent finds in the records of the stack that it was done.
    const second = await start();
    await second.shown(/run 1 succeeded/);
    expect(effectsOf(box)).toEqual(['create a', 'create b', 'create c']);
    // An agent that lives continues by itself.
    spawnSync('sh', ['-c', 'head -c 64M /dev/zero > agent-state/fill'], { cwd: box.directory });
    expect((await box.cairn(['request', 'drift'])).code).toBe(1);
    rmSync(path.join(stateOf(), 'fill'));
    expectOk(await box.cairn(['request', 'drift']));
    await second.shown(/run 2 found: nothing differs/);
    expectOk(await box.cairn(['agent', 'drain']));
    expectOk(await second.finished);
  },
);
