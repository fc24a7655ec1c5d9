import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { makePipes } from '../support/pipes.js';
import { processesOf, untilNoProcess } from '../support/processes.js';

/**
 * The process of the program is started as soon as the command line is known, and waits. When it is not to run, it ends
 * and has done nothing.
 */

const program = `
import { appendFileSync } from 'node:fs';
appendFileSync('ran.txt', process.env.CAIRN_DRY_RUN + '\\n');
console.log('the program runs');
export const color = 'red';
`;
const waits = (box: Sandbox): boolean => processesOf(box).some((words) => words.includes('loader/wait.js'));

const boxes: Sandbox[] = [];
afterEach(() => {
  for (const box of boxes.splice(0)) box.remove();
});

async function stack(): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': program });
  boxes.push(box);
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  return box;
}

const REFUSED: readonly {
  readonly why: string;
  readonly words: readonly string[];
  readonly env?: Record<string, string>;
  readonly locked?: boolean;
  readonly code: string;
}[] = [
  {
    why: 'a wrong passphrase',
    words: ['up', '--yes'],
    env: { CAIRN_CONFIG_PASSPHRASE: 'another' },
    code: 'CAIRN-PASSPHRASE-WRONG',
  },
  { why: 'a lock', words: ['up', '--yes'], locked: true, code: 'CAIRN-STATE-LOCKED' },
  { why: 'no confirmation', words: ['up'], code: 'CAIRN-NEEDS-CONFIRMATION' },
  { why: 'a plan that is not there', words: ['up', '--yes', '--plan', 'none.json'], code: 'CAIRN-USAGE' },
  { why: 'no such stack', words: ['preview', '--stack', 'other'], code: 'CAIRN-STACK-NOT-FOUND' },
];

test.each(REFUSED)('$why: no process, no file and no state is left', async ({ words, env, locked, code }) => {
  const box = await stack();
  if (locked === true) lock(box);
  const before = filesOf(box);
  const refused = await box.process(words, env === undefined ? {} : { env });
  expect(refused.stderr).toContain(`error[${code}]`);
  expect(refused.text).not.toContain('the program runs');
  expect(processesOf(box)).toEqual([]);
  expect(filesOf(box)).toEqual(before);
});

test('a command that is killed before it tells the program what to do leaves nothing', async () => {
  const box = await stack();
  makePipes(box, 'passphrase.pipe');
  const before = filesOf(box);
  const env = {
    CAIRN_CONFIG_PASSPHRASE: undefined,
    CAIRN_CONFIG_PASSPHRASE_FILE: path.join(box.directory, 'passphrase.pipe'),
  };
  // It waits for the end of its passphrase, and the program for its instructions.
  const killed = box.start(['up', '--yes'], { env });
  while (!waits(box)) await new Promise((resolve) => setTimeout(resolve, 20));
  killed.process.kill('SIGKILL');
  await killed.finished;
  expect(await untilNoProcess(box)).toEqual([]);
  expect(filesOf(box)).toEqual(before);
});

test('a preview and the update after it each have a process of their own, told what it is for', async () => {
  const box = await stack();
  expectOk(await box.process(['up', '--yes']));
  expect(readFileSync(path.join(box.directory, 'ran.txt'), 'utf8')).toBe('true\nfalse\n');
  expect(processesOf(box)).toEqual([]);
});

/** Somebody else's lock on the stack. */
function lock(box: Sandbox): void {
  const folder = path.join(box.state, '.pulumi', 'locks', 'organization', 'shop', 'dev');
  mkdirSync(folder, { recursive: true });
  const holder = { pid: 1, username: 'ann', hostname: 'elsewhere', timestamp: '2030-01-01T00:00:00Z' };
  writeFileSync(path.join(folder, 'c0ffee.json'), JSON.stringify(holder));
}

/** Every file of the project, the store and the home with its content; folders and pipes by name. */
function filesOf({ directory }: Sandbox): ReadonlyMap<string, string> {
  const base = path.dirname(directory);
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' }).sort();
  const own = names.filter((name) => !name.startsWith(path.join('home', '.cairn', 'cache')));
  return new Map(
    own.map((name) => {
      const at = path.join(base, name);
      return [name, statSync(at).isFile() ? readFileSync(at, 'latin1') : ''];
    }),
  );
}
