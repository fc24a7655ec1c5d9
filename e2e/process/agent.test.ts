import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { NOTES, noteText } from '../support/notes.js';
import { giveStack } from '../support/given-stack.js';

/** The agent as a process: approvals, drift, and kills of the agent itself. Every effect is a line of a file. */

jest.setTimeout(300_000);

const agentFile = (more = ''): string => `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
stacks:
- stack: dev
  source: { directory: . }
${more}`;

/**
 * Commands in a line, and a file. After each command the program kills the agent, once, if `agent.pid` names it. The
 * next command is not registered before. Its words are unknown to the preview, so a resume runs the program again.
 */
const program = (names: readonly string[]): string => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { LocalCommand } from '@cairn/provider-local';
import { CustomResource } from '@cairn/sdk';
async function killOnce(name) {
  if (!existsSync('agent.pid') || existsSync('killed-' + name)) return;
  writeFileSync('killed-' + name, '');
  process.kill(Number(readFileSync('agent.pid', 'utf8')), 'SIGKILL');
  // The program ends with its agent.
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
let words = 'exec sh effect.sh create ';
for (const name of ${JSON.stringify(names)}) {
  const command = new LocalCommand(name, {
    create: typeof words === 'string' ? words + name : words.apply((text) => text + name),
    delete: 'exec sh effect.sh delete ' + name,
  });
  words = command.stdout.apply(async () => (await killOnce(name), 'exec sh effect.sh create '));
}
new CustomResource('notes:index:Note', 'page', { file: 'page.json', text: words });
`;

/** Policy pack that refuses a command with the name `rude`. */
const PACK = {
  'rules/PulumiPolicy.yaml': 'runtime: nodejs\n',
  'rules/package.json': JSON.stringify({
    ...{ name: 'house', version: '1.0.0', private: true, type: 'module' },
    dependencies: { '@cairn/sdk': '*' },
  }),
  'rules/index.ts': `
import { policyPack, resourcePolicy } from '@cairn/sdk/policy';
export default policyPack({
  name: 'house',
  description: 'House rules',
  policies: [
    resourcePolicy({
      ...{ name: 'polite', description: 'Nothing is rude.', enforcementLevel: 'mandatory' },
      validate({ name }, { report }) {
        if (name === 'rude') report('it is rude');
      },
    }),
  ],
});
`,
};

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

function boxWith(names: readonly string[], more = ''): Sandbox {
  const box = sandbox({
    ...NOTES,
    ...PACK,
    'index.ts': program(names),
    'effect.sh': EFFECT,
    'agent.yaml': agentFile(more),
  });
  boxes.push(box);
  giveStack(box);
  return box;
}

const ONCE = ['agent', '--once'];

/** Gives the program an output that the agent is to store. Returns the output that the stack has then. */
async function outputOf(box: Sandbox, text: string, value: string): Promise<string> {
  box.write('index.ts', `${text}\nexport const pet = '${value}';\n`);
  expectOk(await box.cairn(['request', 'up']));
  expectOk(await box.process(ONCE));
  return expectOk(await box.cairn(['stack', 'output', 'pet'])).stdout.trim();
}

test('a request waits for its approval, and a drift is reported', async () => {
  const box = boxWith(['a']);
  expectOk(await box.cairn(['request', 'up']));
  expect(expectOk(await box.process(ONCE)).stdout).toBe('quiet\n');
  expect(effectsOf(box)).toEqual([]);
  expect(expectOk(await box.cairn(['agent', 'runs', '1'])).stdout).toMatch(
    /is waiting\n {4}2 create need an approval: no rule applies\nPlan [0-9a-f]{8}:\n {4}create .*\n {4}create .*\nNeeds 1 more: cairn agent approve 1\n/,
  );
  expectOk(await box.cairn(['agent', 'approve', '1']));
  expectOk(await box.process(ONCE));
  expect(effectsOf(box)).toEqual(['create a']);
  expect(expectOk(await box.cairn(['agent', 'runs'])).stdout).toMatch(/up .* succeeded {2}approved by /);

  // No object changes, so that no policy is asked.
  expect(await outputOf(box, program(['a']), 'rex')).toBe('rex');
  expect(expectOk(await box.cairn(['agent', 'runs', '2'])).stdout).toContain('no object changes');

  const changed = noteText('changed by hand', 'bob');
  box.write('page.json', changed);
  expectOk(await box.cairn(['request', 'drift']));
  expectOk(await box.process(ONCE));
  const status = expectOk(await box.cairn(['agent', 'status'])).stdout;
  expect(status).toContain('1 differ');
  expect(status).toMatch(
    /^dev: urn:pulumi:dev::\S+::page {2}update {2}text {2}since 20\S+ {2}last changed by bob$/m,
  );
  expect(expectOk(await box.cairn(['agent', 'notices'])).stdout).toMatch(
    /drift-found dev .*resources=page \(update; last changed by bob\)/,
  );
  // It wrote nothing.
  expect(readFileSync(path.join(box.directory, 'page.json'), 'utf8')).toBe(changed);
});

test('a plan that policy and packs allow is applied by the process that made it; others leave nothing', async () => {
  const tell = 'echo $CAIRN_RUN_OPERATION $CAIRN_RUN_RESULT >> told.txt; exit 3';
  const box = boxWith(
    ['a'],
    `  policy: { rules: [{ kinds: [create], then: apply }] }\n  packs: [rules]\n  afterwards: [[sh, -c, "${tell}"]]\n`,
  );
  const told = (): readonly string[] =>
    readFileSync(path.join(box.directory, 'told.txt'), 'utf8').trim().split('\n');
  const logsOf = (run: string): readonly string[] =>
    readdirSync(path.join(box.directory, 'agent-state', 'runs', run)).filter((name) => name.endsWith('.log'));
  const changes = async (): Promise<number> =>
    (JSON.parse(expectOk(await box.cairn(['changes', '--json'])).stdout) as unknown[]).length;
  expectOk(await box.cairn(['request', 'up']));
  expectOk(await box.process(ONCE));
  const logs = ['afterwards-1.log', 'operation.log'];
  expect([effectsOf(box), logsOf('1'), await changes()]).toEqual([['create a'], logs, 1]);
  expect(await outputOf(box, program(['a']), 'rex')).toBe('rex');
  expect([logsOf('2'), await changes()]).toEqual([logs, 2]);
  // Nothing is left to do.
  expect(await outputOf(box, program(['a']), 'rex')).toBe('rex');
  expect(expectOk(await box.cairn(['agent', 'runs', '3'])).stdout).toContain('nothing differs');
  expect([logsOf('3'), await changes()]).toEqual([['operation.log'], 2]);
  // A delete needs a person.
  box.write('index.ts', program([]));
  expectOk(await box.cairn(['request', 'up']));
  expectOk(await box.process(ONCE));
  expect(expectOk(await box.cairn(['agent', 'runs', '4'])).stdout).toMatch(/is waiting\n {4}1 delete needs/);
  expect([effectsOf(box), logsOf('4'), await changes()]).toEqual([['create a'], ['operation.log'], 2]);
  const log = readFileSync(path.join(box.directory, 'agent-state', 'runs', '4', 'operation.log'), 'utf8');
  expect(log).not.toMatch(/error|Saved the plan/);
  expectOk(await box.cairn(['agent', 'approve', '4']));
  expectOk(await box.process(ONCE));
  expect([effectsOf(box), await changes()]).toEqual([['create a', 'delete a'], 3]);
  // A violation of a pack fails the plan, although the policy allows it.
  box.write('index.ts', program(['rude']));
  expectOk(await box.cairn(['request', 'up']));
  expectOk(await box.process(ONCE));
  expect(expectOk(await box.cairn(['agent', 'runs', '5'])).stdout).toMatch(
    /is failed\n.* breaks the mandatory policy "polite" of house/,
  );
  expect([effectsOf(box), await changes()]).toEqual([['create a', 'delete a'], 3]);
  // After each operation, whatever the command itself ends with.
  expect(told()).toEqual(['up succeeded', 'up succeeded', 'up succeeded']);
  const failure = 'a command afterwards failed: `sh -c';
  expect(expectOk(await box.cairn(['agent', 'runs'])).stdout).toMatch(
    /1 +dev +up +\S+ +succeeded +.*; a command afterwards failed: `sh -c/,
  );
  expect(expectOk(await box.cairn(['agent', 'runs', '1'])).stdout).toContain(failure);
  expect(expectOk(await box.cairn(['agent', 'notices'])).stdout).toMatch(/ afterwards-failed 1 .*code 3/);
});

test('an approval does not outlive the state that it was given for, in the backend of the login', async () => {
  const box = boxWith(['a']);
  const { CAIRN_BACKEND_URL: backend } = box.env;
  delete box.env['CAIRN_BACKEND_URL'];
  expectOk(await box.cairn(['login', String(backend)]));
  expectOk(await box.cairn(['request', 'up']));
  expectOk(await box.process(ONCE));
  expectOk(await box.cairn(['agent', 'approve', '1']));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expectOk(await box.process(ONCE));
  const shown = expectOk(await box.cairn(['agent', 'runs'])).stdout;
  expect(shown).toMatch(/expired {2}the state of the stack has moved since the plan was made/);
  expect(effectsOf(box)).toEqual(['create a']);
});

test('an agent that is killed again and again is continued by the next, and nothing is done twice', async () => {
  const names = ['a', 'b', 'c'];
  const box = boxWith(names, '  policy: { rules: [{ kinds: [create], then: apply }] }\n');
  expectOk(await box.cairn(['request', 'up']));
  for (let kills = 0; ; kills += 1) {
    const agent = box.start(ONCE);
    box.write('agent.pid', String(agent.process.pid));
    const end = await agent.finished;
    if (end.signal !== 'SIGKILL') {
      expectOk(end);
      expect(kills).toBe(names.length);
      break;
    }
  }
  expect(effectsOf(box)).toEqual(names.map((name) => `create ${name}`));
  expect(expectOk(await box.cairn(['agent', 'runs'])).stdout).toMatch(
    /up .* succeeded {2}its operation died and was resumed/,
  );
  expect(expectOk(await box.cairn(['agent', 'notices'])).stdout).toContain('run-recovered 1');
  expect(expectOk(await box.cairn(['preview', '--expect-no-changes'])).stdout).toContain('unchanged');
});
