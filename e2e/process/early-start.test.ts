import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { makePipes } from '../support/pipes.js';
import { processesOf, untilNoProcess } from '../support/processes.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';
import { until } from '../support/until.js';

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
/** Resolves when the process of a program has started. */
function untilProgramWaits(box: Sandbox): Promise<void> {
  return until(() => processesOf(box).some((words) => words.includes('loader/wait.js')));
}

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
  expect(await untilNoProcess(box)).toEqual([]);
  expect(filesOf(box)).toEqual(before);
});

test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
  'a command that %s ends before it tells the program what to do leaves nothing',
  async (signal) => {
    const box = await stack();
    makePipes(box, 'passphrase.pipe');
    const before = filesOf(box);
    const env = {
      CAIRN_CONFIG_PASSPHRASE: undefined,
      CAIRN_CONFIG_PASSPHRASE_FILE: path.join(box.directory, 'passphrase.pipe'),
    };
    // It waits for the end of its passphrase, and the program for its instructions.
    const ended = box.start(['up', '--yes'], { env });
    await untilProgramWaits(box);
    ended.process.kill(signal);
    expect((await ended.finished).code).not.toBe(0);
    expect(await untilNoProcess(box)).toEqual([]);
    expect(filesOf(box)).toEqual(before);
  },
);

const why = whyNoTerminals();
(why === undefined ? describe : describe.skip)(
  `a question while a program waits${why === undefined ? '' : ` (${why})`}`,
  () => {
    /** Answers a question with a key once the program waits; returns the exit code, and the program's record. */
    async function answer(
      words: readonly string[],
      question: string,
      key: string,
      env: Record<string, string | undefined> = {},
    ): Promise<readonly [number | null, string | undefined]> {
      const box = await stack();
      const before = filesOf(box);
      const up = onTerminal(box, words, { env });
      await up.shown(question);
      await untilProgramWaits(box);
      up.type(key);
      const { code } = await up.finished;
      expect(await untilNoProcess(box)).toEqual([]);
      const after = new Map(filesOf(box));
      const ran = after.get(path.join('project', 'ran.txt'));
      for (const name of ['home/terminal', 'project/ran.txt']) after.delete(path.normalize(name));
      expect(after).toEqual(before);
      return [code, ran];
    }

    test.each([
      ['declined', KEYS.enter],
      ['interrupted', KEYS.interrupt],
    ])('whether to update, %s: no process is left and nothing is changed', async (_how, key) => {
      expect(await answer(['up'], 'Do you want to perform this update?', key)).toEqual([8, 'true\n']);
    });

    test('for a passphrase, interrupted: no process is left, and the program has not run', async () => {
      const env = { CAIRN_CONFIG_PASSPHRASE: undefined };
      expect(await answer(['up', '--yes'], 'passphrase', KEYS.interrupt, env)).toEqual([8, undefined]);
    });
  },
);

test('a preview and the update after it each have a process of their own, told what it is for', async () => {
  const box = await stack();
  expectOk(await box.process(['up', '--yes']));
  expect(readFileSync(path.join(box.directory, 'ran.txt'), 'utf8')).toBe('true\nfalse\n');
  expect(await untilNoProcess(box)).toEqual([]);
});

/** Writes the lock of another user on the stack. */
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
