import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/**
 * One agent for several stacks: operations that die are continued as each stack says, time to live ends stacks, and old
 * runs are deleted. Every effect is a line of a file.
 */

jest.setTimeout(300_000);

const tells = (stack: string): string => `afterwards: [[sh, -c, "echo ${stack} $CAIRN_RUN_RESULT >> told"]]`;

const AGENT = `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
policies:
  creates: { rules: [{ kinds: [create], then: apply }] }
stacks:
- { stack: resumed, source: { directory: . }, policy: creates, ${tells('resumed')} }
- { stack: rolled, source: { directory: . }, policy: creates, recovery: rollback, ${tells('rolled')} }
- { stack: left, source: { directory: . }, policy: creates, recovery: person }
- { stack: short, source: { directory: . }, policy: creates, timeToLive: { after: 1s, approved: true, remove: true } }
- { stack: asked, source: { directory: . }, policy: creates, timeToLive: { after: 1s } }
`;

/** Two steps in a line. Between them the program kills its operation, once, in stacks that \`kills\` names. */
const PROGRAM = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getStack } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
const stack = getStack();
const command = (name, before) => new LocalCommand(name, {
  create: before.apply ? before.apply(() => 'exec sh effect.sh create ' + stack + '-' + name) : 'exec sh effect.sh create ' + stack + '-' + name,
  delete: 'exec sh effect.sh delete ' + stack + '-' + name,
});
const first = command('a', '');
command('b', first.stdout.apply(async () => {
  const mark = 'killed-' + stack;
  if (!readFileSync('kills', 'utf8').includes(stack) || existsSync(mark)) return '';
  writeFileSync(mark, '');
  process.kill(process.ppid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}));
`;

let box: Sandbox;
beforeAll(() => {
  box = sandbox({
    'index.ts': PROGRAM,
    'effect.sh': EFFECT,
    'agent.yaml': AGENT,
    kills: 'resumed rolled left',
  });
  for (const stack of ['resumed', 'rolled', 'left', 'short', 'asked']) giveStack(box, stack);
});
afterAll(() => box.remove());

const effects = (stack: string): readonly string[] =>
  effectsOf(box).filter((line) => line.includes(` ${stack}-`));
const runs = async (): Promise<string> => expectOk(await box.cairn(['agent', 'runs'])).stdout;

test('operations that die are resumed, rolled back or left to a person, and time to live ends stacks', async () => {
  for (const stack of ['resumed', 'rolled', 'left', 'short', 'asked'])
    expectOk(await box.cairn(['request', 'up', '--stack', stack]));
  const agent = box.start(['agent']);
  await agent.shown(/run \d+ succeeded {2}stack=resumed .*was resumed/);
  await agent.shown(/run \d+ rolled-back {2}stack=rolled .*was rolled back/);
  await agent.shown(/run \d+ is held {2}stack=left .*run `cairn resume` or `cairn rollback` on the stack/);
  await agent.shown(/run \d+ succeeded {2}stack=short {2}kind=destroy/);
  await agent.shown(/run \d+ is waiting {2}stack=asked {2}why=2 delete need an approval/);
  expectOk(await box.cairn(['agent', 'drain']));
  expectOk(await agent.finished);

  const told = readFileSync(path.join(box.directory, 'told'), 'utf8');
  expect(told.trim().split('\n').sort()).toEqual(['resumed succeeded', 'rolled rolled-back']);
  expect(effects('resumed')).toEqual(['create resumed-a', 'create resumed-b']);
  expect(effects('rolled')).toEqual(['create rolled-a', 'delete rolled-a']);
  expect(effects('left')).toEqual(['create left-a']);
  expect([...effects('short')].sort()).toEqual([
    'create short-a',
    'create short-b',
    'delete short-a',
    'delete short-b',
  ]);
  expect(effects('asked')).toEqual(['create asked-a', 'create asked-b']);
  const notices = expectOk(await box.cairn(['agent', 'notices'])).stdout;
  expect(notices.match(/run-recovered/g)).toHaveLength(2);
  expect(notices).toMatch(/run-held \d+ .*stack=left/);
  // The destroyed stack is gone; the others remain.
  const left = expectOk(await box.cairn(['stack', 'ls'])).stdout;
  expect(left).not.toContain('short');
  expect(left).toContain('asked');
});

test('an agent continues after the person to whom an operation was left', async () => {
  expectOk(await box.cairn(['resume', '--yes', '--stack', 'left']));
  expect(effects('left')).toEqual(['create left-a', 'create left-b']);
  expectOk(await box.process(['agent', '--once']));
  expect(await runs()).toMatch(/left +up .* succeeded/);
});

test('runs that ended a month ago are deleted with their logs', async () => {
  const folder = path.join(box.directory, 'agent-state', 'runs');
  expect(readdirSync(folder).length).toBeGreaterThan(5);
  box.write(
    'later.mjs',
    `const Real = Date;
     const moved = 31 * 24 * 3_600_000;
     globalThis.Date = class extends Real {
       constructor(...given) { if (given.length === 0) super(Real.now() + moved); else super(...given); }
       static now() { return Real.now() + moved; }
     };`,
  );
  const later = `--import=${path.join(box.directory, 'later.mjs')}`;
  expectOk(await box.process(['agent', '--once'], { env: { NODE_OPTIONS: later } }));
  // Only the run that waits for an approval is left.
  expect((await runs()).trim().split('\n')).toEqual([
    expect.stringMatching(/^RUN/),
    expect.stringMatching(/asked +destroy +expiry +waiting/),
  ]);
  const [waiting = ''] = /^(\d+) /m.exec(await runs())?.slice(1) ?? [];
  expect(readdirSync(folder)).toEqual([waiting]);
  expect(existsSync(path.join(folder, waiting))).toBe(true);
});
