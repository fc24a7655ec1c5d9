import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { EFFECT_WITH_MOMENTS, effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';
import { until } from '../support/until.js';

/** Agents that take over from each other, hand over, and wait for people. */

jest.setTimeout(300_000);

const AGENT = `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
stacks:
- stack: dev
  source: { directory: . }
  policy: { rules: [{ kinds: [create], then: apply }] }
`;

const PROGRAM = `
import { LocalCommand } from '@cairn/provider-local';
let before = [];
for (const name of ['a', 'b']) {
  before = [new LocalCommand(name, {
    create: 'exec sh effect.sh create ' + name,
    delete: 'exec sh effect.sh delete ' + name,
  }, { dependsOn: before })];
}
`;

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

function boxWith(effect: string): Sandbox {
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': effect, 'agent.yaml': AGENT });
  boxes.push(box);
  giveStack(box);
  return box;
}

/** Records its effect, and waits for the file `continue` in the step that the file `pause` names. */
const PAUSED = `
echo "$1 $2" >> effects.log
if [ "$(cat pause 2>/dev/null)" = "$1 $2" ]; then echo paused >> paused.log; while [ ! -f continue ]; do sleep 0.05; done; fi
echo "$2"
`;

const runs = async (box: Sandbox): Promise<string> => expectOk(await box.cairn(['agent', 'runs'])).stdout;

const notices = async (box: Sandbox): Promise<string> =>
  expectOk(await box.cairn(['agent', 'notices'])).stdout;

/** Resolves when a step waits for the file `continue`. */
function untilPaused({ directory }: Sandbox): Promise<void> {
  return until(() => existsSync(path.join(directory, 'paused.log')));
}

/** Returns what the commands of all runs have written. */
function logsOf({ directory }: Sandbox): string {
  const folder = path.join(directory, 'agent-state', 'runs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
}

/** Kills an agent, with what it has started. */
async function killed(agent: Running): Promise<void> {
  agent.process.kill('SIGKILL');
  await agent.finished;
}

test('a second agent waits, takes over after a kill, and nothing is done twice', async () => {
  const box = boxWith(PAUSED);
  box.write('pause', 'create b');
  const first = box.start(['agent']);
  await first.shown('keeps 1 stack');
  const second = box.start(['agent']);
  await second.shown('has the folder: waiting for its end');
  expectOk(await box.cairn(['request', 'up']));
  await first.shown('is applying');
  await untilPaused(box);
  await killed(first);
  await second.shown('keeps 1 stack');
  // No one knows if the command of b took effect, so a person is asked.
  await second.shown('is held');
  expect(await runs(box)).toMatch(/held .*b waits: its provider cannot find out/);
  const [, step = ''] = /([0-9a-f]{8}) b waits/.exec(await runs(box)) ?? [];
  box.write('answer.json', JSON.stringify({ stdout: 'b', stderr: '' }));
  expectOk(await box.cairn(['change', 'resolve', step, '--created', 'b', '--outputs', 'answer.json']));
  await second.shown('run 1 succeeded');
  expectOk(await box.cairn(['agent', 'drain']));
  expect(expectOk(await second.finished).stdout).toBe('drained\n');
  expect(effectsOf(box)).toEqual(['create a', 'create b']);
  expect(await notices(box)).toMatch(/agent-lost \S+ .*runs=1\b/);
  // A notice that a person has acknowledged is listed again when it is repeated.
  expect(expectOk(await box.cairn(['agent', 'notices', '--acknowledge'])).stdout).toContain('agent-lost');
  expectOk(await box.process(['agent', '--once']));
  expect(await notices(box)).toBe('');
  const lines = expectOk(await box.cairn(['agent', 'notices', '--json']))
    .stdout.trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      type: 'agent-lost',
      acknowledged: { by: expect.any(String) as string, at: expect.any(String) as string },
    }),
  );
});

test('an agent that is stopped ends its steps and hands over', async () => {
  const box = boxWith(PAUSED);
  box.write('pause', 'create a');
  expectOk(await box.cairn(['request', 'up']));
  const first = box.start(['agent']);
  await first.shown('is applying');
  await untilPaused(box);
  first.process.kill('SIGTERM');
  // The operation has to hear of it before its step ends.
  await until(() => logsOf(box).includes('no further step starts'));
  box.write('continue', '');
  expect(expectOk(await first.finished).stdout).toBe('stopped\n');
  expect(effectsOf(box)).toEqual(['create a']);
  expectOk(await box.process(['agent', '--once']));
  expect(effectsOf(box)).toEqual(['create a', 'create b']);
  expect(await runs(box)).toMatch(/succeeded {2}its operation died and was resumed/);
  expect(await notices(box)).not.toContain('agent-lost');
});

test('notices are waited for, and an agent whose folder is removed ends with an error', async () => {
  const orphan = boxWith(EFFECT_WITH_MOMENTS);
  const lost = orphan.start(['agent']);
  await lost.shown('keeps 1 stack');
  rmSync(path.join(orphan.directory, 'agent-state'), { recursive: true });
  const box = boxWith(EFFECT_WITH_MOMENTS);
  box.write('agent.yaml', AGENT.replace('[{ kinds: [create], then: apply }]', '[]'));
  const waiting = box.start(['agent', 'notices', '--wait', '2m', '--json']);
  expectOk(await box.cairn(['request', 'up']));
  expect(await runs(box)).toMatch(/^- +dev +up +\S+ +queued/m);
  expectOk(await box.process(['agent', '--once']));
  const [line = ''] = expectOk(await waiting.finished).stdout.split('\n');
  expect(JSON.parse(line)).toMatchObject({
    type: 'approval-wanted',
    key: '1',
    'last-data': { stack: 'dev' },
  });
  const late = await box.cairn(['agent', 'notices', '--wait', '1ms', '--after', '2999-01-01T00:00:00Z']);
  expect([late.code, late.stderr]).toEqual([9, expect.stringContaining('CAIRN-TIMEOUT')]);
  // A denial counts after an approval too, until the run is applied.
  expectOk(await box.cairn(['agent', 'approve', '1']));
  expectOk(await box.cairn(['agent', 'deny', '1', '--reason', 'not today']));
  expectOk(await box.process(['agent', '--once']));
  expect(await runs(box)).toMatch(/denied {2}denied by \S+: not today/);
  const again = await box.cairn(['agent', 'deny', '1']);
  expect([again.code, again.text]).toEqual([
    2,
    expect.stringContaining('cannot deny run 1: its status is denied'),
  ]);
  expect(effectsOf(box)).toEqual([]);
  const { code, text } = await lost.finished;
  expect(code).toBe(12);
  expect(text).toMatch(
    /CAIRN-AGENT-LEASE\]: cannot continue .*: its lease is gone\n {2}hint: The folder .*\n$/,
  );
});

test('notices are sent to targets, and again by hand', async () => {
  const posted: string[] = [];
  let status = 500;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      posted.push(body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const box = boxWith(EFFECT_WITH_MOMENTS);
    const file = (more: string): string => `${AGENT}\nnotify: { ops: { webhook: OPS_HOOK } }\n${more}`;
    const { port } = server.address() as AddressInfo;
    const env = { OPS_HOOK: `http://127.0.0.1:${port}/planted-token` };
    box.write('agent.yaml', file('').replace('[{ kinds: [create], then: apply }]', '[]'));
    const unset = await box.cairn(['agent', '--once']);
    expect([unset.code, unset.stderr]).toEqual([
      2,
      expect.stringContaining('target ops needs the variable OPS_HOOK'),
    ]);
    expectOk(await box.cairn(['request', 'up']));
    // A private address is refused until the file allows it.
    expectOk(await box.process(['agent', '--once'], { env }));
    expect(expectOk(await box.cairn(['agent', 'deliveries'])).stdout).toMatch(
      /ops +approval-wanted 1 +due +1 +127\.0\.0\.1 is not on the public internet/,
    );
    box.write('agent.yaml', file('networks: [127.0.0.1]'));
    const [{ id = '' } = {}] = JSON.parse(
      expectOk(await box.cairn(['agent', 'deliveries', '--json'])).stdout,
    ) as { id: string }[];
    expectOk(await box.cairn(['agent', 'redeliver', id]));
    expectOk(await box.process(['agent', '--once'], { env }));
    status = 200;
    expectOk(await box.cairn(['agent', 'redeliver', id]));
    const last = expectOk(await box.process(['agent', '--once'], { env }));
    expect(expectOk(await box.cairn(['agent', 'deliveries'])).stdout).toMatch(/ops .* sent +1 +200/);
    expect(posted).toHaveLength(2);
    expect(JSON.parse(posted[1] ?? '')).toMatchObject({ notice: { type: 'approval-wanted', key: '1' } });
    expect(last.text).not.toContain('planted-token');
    const none = await box.cairn(['agent', 'redeliver', 'nothing']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no delivery "nothing"')]);
    expect(expectOk(await box.cairn(['agent', 'warnings', '--acknowledge'])).stderr).toBe('no warnings\n');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
