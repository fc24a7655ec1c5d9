import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { apart } from '../support/apart.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, release, written } from '../support/pipes.js';
import { untilNoProcess } from '../support/processes.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';

/** `slow` notes its effect when it is let go, and everything after it waits for it. */
const program = (
  line = 'echo ready > ready.pipe; cat go.pipe > /dev/null; echo slow >> effects.txt',
): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const slow = new LocalCommand('slow', { create: ${JSON.stringify(line)}, delete: 'echo gone >> effects.txt' });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [slow] });
`;

const up = ['up', '--yes', '--skip-preview'];

let box: Sandbox;
const file = (name: string): string => path.join(box.directory, name);
const effects = (): string =>
  existsSync(file('effects.txt')) ? readFileSync(file('effects.txt'), 'utf8') : '';
const entries = async (): Promise<string[]> => {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
    deployment: { resources: { urn: string }[]; pending_operations?: { type: string }[] };
  };
  const pending = (deployment.pending_operations ?? []).map(({ type }) => type);
  return [...deployment.resources.map(({ urn }) => urn.split('::').at(-1) ?? ''), ...pending];
};

beforeEach(async () => {
  box = sandbox({ 'index.ts': program() });
  makePipes(box, 'ready.pipe', 'go.pipe');
  giveStack(box);
});
afterEach(() => box.remove());

/** Tells whether a process runs. An ended one stays listed, as `Z`, where no process adopts orphans. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function begun(words: readonly string[] = up): Promise<Running> {
  const running = box.start(words);
  await written(box, 'ready.pipe', running);
  return running;
}

const why = whyNoTerminals();
(why === undefined ? test : test.skip)(
  `^C on a terminal: a running command goes on to its end, is recorded, and is not run again${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const running = onTerminal(box, up);
    await Promise.race([written(box, 'ready.pipe'), running.finished]);
    running.type(KEYS.interrupt);
    await running.shown(/no further step starts; waiting for running ones: create slow \(\d/);
    expect(effects()).toBe('');
    release(box, 'go.pipe');
    const { code, screen } = await running.finished;
    expect([code, effects(), existsSync(file('after.txt'))]).toEqual([8, 'slow\n', false]);
    expect(screen).not.toMatch(/in doubt/);
    expect(await entries()).toEqual(expect.arrayContaining(['slow']));
    expectOk(await box.cairn(['resume', '--yes']));
    expect([effects(), existsSync(file('after.txt'))]).toEqual(['slow\n', true]);
  },
);

test('SIGTERM twice: what is cancelled is in doubt, never "failed"; it is not run again unasked', async () => {
  box.write('index.ts', program('echo begun >> effects.txt; echo ready > ready.pipe; exec cat go.pipe'));
  const running = await begun();
  running.process.kill('SIGTERM');
  await running.shown(/waiting for running ones: create slow/);
  await apart();
  running.process.kill('SIGTERM');
  await running.shown(/asking the providers to end create slow .*`cairn resume 1`/);
  const end = await running.finished;
  expect(end.code).toBe(8);
  expect(end.text).toMatch(/in doubt: create .*::slow/);
  expect(end.text).toMatch(/^ +1 in doubt/m);
  expect(end.text).not.toMatch(/\d failed/);
  expect(await entries()).toEqual(expect.arrayContaining(['creating']));
  const again = await box.cairn(['resume', '--yes']);
  expect([again.code, effects()]).toEqual([10, 'begun\n']);
});

test('a third interrupt leaves at once, and nothing that ran is left behind', async () => {
  box.write(
    'index.ts',
    program('trap "" INT TERM; echo $$ > pid.txt; echo ready > ready.pipe; while :; do cat go.pipe; done'),
  );
  const running = await begun();
  for (const [signal, text] of [
    ['SIGINT', /waiting for running ones/],
    ['SIGTERM', /asking the providers to end create slow/],
    ['SIGINT', /ends now; in doubt: create slow/],
  ] as const) {
    running.process.kill(signal);
    await running.shown(text);
    await apart();
  }
  expect(await running.finished).toMatchObject({ code: 8 });
  const shell = Number(readFileSync(file('pid.txt'), 'utf8'));
  while (isRunning(shell)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await entries()).toEqual(expect.arrayContaining(['creating']));
});

test('abort from another terminal: waits for what runs; asked again, it is cancelled and in doubt', async () => {
  const running = await begun();
  const first = expectOk(await box.cairn(['abort', '1']));
  expect(first.stderr).toContain('asked change 1 to stop and to roll back');
  await running.shown(/asks to stop: .*rolled back; waiting for running ones: create slow \(/);
  expect(effects()).toBe('');
  expectOk(await box.cairn(['abort', '1']));
  await running.shown(/asks to stop once more: .*asking the providers to end create slow/);
  const end = await running.finished;
  expect(end.code).toBe(8);
  expect(end.text).toMatch(/in doubt: create .*::slow/);
  const late = await box.cairn(['abort', '1']);
  expect(late.code).not.toBe(0);
  expect(late.stderr).toMatch(/CAIRN-CHANGE-ENDED/);
});

test('abort from another terminal: what runs ends by itself, and is rolled back then', async () => {
  const running = await begun();
  expectOk(await box.cairn(['abort', '1']));
  await running.shown(/asks to stop/);
  release(box, 'go.pipe');
  const end = await running.finished;
  expect([end.code, effects()]).toEqual([11, 'slow\ngone\n']);
});

test('what did not come so far says that nothing was done, and shows no outputs as if it had looked', async () => {
  box.write('index.ts', 'export const color = "red";');
  expectOk(await box.cairn(up));
  const unseen = (end: { text: string }): void => {
    expect(end.text).not.toMatch(/Outputs:|unchanged|nothing to do/);
    expect(end.text).toContain('nothing was done');
  };

  box.write(
    'index.ts',
    `export const color = "blue"; console.log('still here'); await new Promise((done) => setTimeout(done, 60_000));`,
  );
  const running = box.start(up);
  await running.shown('still here');
  running.process.kill('SIGTERM');
  const interrupted = await running.finished;
  expect(interrupted.code).toBe(8);
  unseen(interrupted);
  expect(interrupted.stdout).toContain(
    'It was cancelled: resources that are not counted here were not checked.',
  );

  for (const [file, content, error] of [
    ['index.ts', 'const x = (;', /error\[CAIRN-PROGRAM-LOAD\]: SyntaxError/],
    [
      'index.ts',
      'import x from "nowhere"; console.log(x);',
      /error\[CAIRN-PROGRAM-FAILED\]: Cannot find package 'nowhere'/,
    ],
    [
      'Cairn.yaml',
      'name: shop\nruntime: nodejs\nmain: gone.ts\n',
      /error\[CAIRN-PROGRAM-LOAD\]: cannot run the program .*gone\.ts: it does not exist/,
    ],
  ] as const) {
    box.write(file, content);
    const failed = await box.cairn(up);
    expect(failed.code).toBe(1);
    expect(failed.text).toMatch(error);
    unseen(failed);
  }
});

test('an interrupt cancels the policy packs of an analysis and leaves no process', async () => {
  const pack = {
    'pack/PulumiPolicy.yaml': 'runtime: nodejs\nversion: 1.0.0\n',
    'pack/package.json': JSON.stringify({ name: 'slow', version: '1.0.0', private: true }),
    'pack/index.ts': `
import { writeFileSync } from 'node:fs';
import { PolicyPack } from '@pulumi/policy';
new PolicyPack('slow', {
  policies: [
    {
      name: 'never',
      description: 'Never ends.',
      enforcementLevel: 'mandatory',
      validateResource: async () => {
        writeFileSync('${file('ready.pipe')}', 'ready');
        await new Promise(() => setInterval(() => undefined, 1000));
      },
    },
  ],
});
`,
  };
  for (const [name, text] of Object.entries(pack)) box.write(name, text);
  box.write('index.ts', 'export const nothing = 1;');
  expectOk(await box.cairn(up));
  const running = await begun(['policy', 'analyze', '--policy-pack', 'pack']);
  running.process.kill('SIGINT');
  const end = await running.finished;
  expect([end.code, end.stderr]).toEqual([8, expect.stringContaining('stopping the policy packs')]);
  expect(end.stderr.match(/error\[CAIRN-CANCELLED\]/g)).toHaveLength(1);
  const left = await untilNoProcess(box);
  expect(left.filter((words) => words.includes('pack'))).toEqual([]);
});
