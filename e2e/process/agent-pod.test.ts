import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { gitIn } from '../support/git.js';
import { giveStack } from '../support/given-stack.js';

/** Parts of runs as the pods of a cluster do them: work comes in a file, and the result is the last line. */

jest.setTimeout(120_000);

const PROGRAM = `
import { LocalCommand } from '@cairn/provider-local';
console.log('token ' + process.env.API_TOKEN);
new LocalCommand('a', { create: 'exec sh effect.sh create a', delete: 'true' });
`;
const SECRET = 'hunter2-planted';
const WHY = { why: [], approvals: [], needed: 1 };
const RUN = {
  id: '7',
  stack: 'dev',
  kind: 'up',
  request: 'r',
  by: 'ada',
  began: '2026-01-01T00:00:00Z',
  ...WHY,
};

interface Line {
  readonly n: number;
  readonly plan?: string;
  readonly result?: { readonly t: string; readonly digest: string; readonly base: string };
}

const linesOf = ({ stdout }: Finished): readonly Line[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('a plan and its operation run in two pods, a third one looks, and secrets are masked', async () => {
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT });
  try {
    giveStack(box);
    const { directory } = box;
    const names = ['CAIRN_CONFIG_PASSPHRASE', 'CAIRN_BACKEND_URL', 'CAIRN_CODE_CACHE', 'API_TOKEN'];
    const env = Object.fromEntries(names.map((name) => [name, String(box.env[name] ?? SECRET)]));
    const stack = {
      ...{
        name: 'dev',
        stack: 'dev',
        source: { t: 'directory', path: directory },
        before: [],
        afterwards: [['sh', '-c', 'echo told $CAIRN_RUN_RESULT']],
      },
      ...{ environment: names, limits: { timeMs: 60_000, outputBytes: 1_000_000 } },
    };
    const pod = async (part: string, run: object, plan?: string): Promise<Finished> => {
      const file = path.join(box.home, `${part}.gz`);
      writeFileSync(file, gzipSync(JSON.stringify({ version: 4, part, stack, run, env, plan })));
      return expectOk(await box.process(['agent', '--pod-work', file]));
    };
    const old = path.join(box.home, 'old.gz');
    writeFileSync(old, gzipSync(JSON.stringify({ version: 1, part: 'plan', stack, run: RUN, env })));
    expect((await box.cairn(['agent', '--pod-work', old])).text).toMatch(
      /error\[CAIRN-AGENT-INVALID\]: the agent has another version of cairn .*\n {2}hint: Use an image/,
    );
    const planned = await pod('plan', { ...RUN, status: 'planning' });
    const lines = linesOf(planned);
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_line, at) => at + 1));
    expect(planned.stdout).not.toContain(SECRET);
    expect(planned.stdout).toContain('token [secret]');
    const result = lines.at(-1)?.result;
    expect(result).toMatchObject({ t: 'planned', steps: [{ kind: 'create' }] });
    const plan = lines.map((line) => line.plan ?? '').join('');
    const { digest = '', base = '' } = result ?? {};
    const run = { ...RUN, status: 'applying', digest, base };
    // Another folder than that of the plan: each pod has its own.
    const moved = await pod('apply', { ...run, id: '8' }, `${plan} `);
    expect(linesOf(moved).at(-1)?.result).toMatchObject({ t: 'moved' });
    expect(effectsOf(box)).toEqual([]);
    const applied = await pod('apply', { ...run, id: '9' }, plan);
    expect(linesOf(applied).at(-1)?.result).toEqual({ t: 'done' });
    expect([moved.stdout, applied.stdout].map((text) => text.includes('told succeeded'))).toEqual([
      false,
      true,
    ]);
    expect(effectsOf(box)).toEqual(['create a']);
    expect(linesOf(await pod('look', { ...run, id: '9' })).at(-1)?.result).toBe('succeeded');
  } finally {
    box.remove();
  }
});

test('one container fetches with credentials for git, and the next one has the program without them', async () => {
  const box = sandbox({
    'index.ts': `
import { LocalCommand } from '@cairn/provider-local';
console.log('variables ' + Object.keys(process.env).join());
new LocalCommand('a', { create: 'true', delete: 'true' });
`,
  });
  try {
    giveStack(box);
    const git = (...words: readonly string[]): string => gitIn(box, ...words);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'uploadpack.allowFilter', 'true');
    git('add', 'index.ts', 'Cairn.yaml', 'Cairn.dev.yaml', 'package.json');
    git('commit', '--quiet', '--message', 'one');
    const commit = git('rev-parse', 'HEAD');
    const names = ['CAIRN_CONFIG_PASSPHRASE', 'CAIRN_BACKEND_URL', 'CAIRN_CODE_CACHE'];
    const env = Object.fromEntries(names.map((name) => [name, String(box.env[name] ?? '')]));
    const folder = path.join(box.home, 'pod');
    mkdirSync(folder);
    const source = { t: 'git', url: pathToFileURL(box.directory).href, ref: 'refs/heads/main', folder: '.' };
    const stack = {
      ...{
        name: 'dev',
        stack: 'dev',
        source: { ...source, credentials: 'GIT_TOKEN' },
        before: [],
        afterwards: [],
      },
      ...{ environment: names, limits: { timeMs: 60_000, outputBytes: 1_000_000 } },
    };
    const run = { ...RUN, status: 'planning' };
    const container = async (work: object): Promise<Finished> => {
      const file = path.join(box.home, 'work');
      const packed = gzipSync(JSON.stringify({ version: 4, stack, run, env, ...work }));
      // A work of several secrets is several files.
      writeFileSync(file, packed.subarray(0, 100));
      writeFileSync(`${file}.1`, packed.subarray(100));
      return expectOk(await box.process(['agent', '--pod-work', file], { cwd: folder }));
    };
    expect((await container({ part: 'source', git: SECRET })).stdout).toBe('');
    // Nothing of the credentials is left where the program can see it.
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile());
    expect(left.length).toBeGreaterThan(5);
    expect(left.filter((file) => readFileSync(file).includes(SECRET))).toEqual([]);
    const planned = await container({ part: 'plan', isFetched: true });
    expect(linesOf(planned).at(-1)?.result).toMatchObject({ t: 'planned', commit });
    expect(planned.stdout).toContain('variables ');
    expect(planned.stdout).not.toMatch(/GIT_TOKEN|CAIRN_GIT_/);
    // A failure of the first one is the result of the next one.
    await container({ part: 'source', git: SECRET, run: { ...run, commit: 'f'.repeat(40) } });
    expect(linesOf(await container({ part: 'plan', isFetched: true })).at(-1)?.result).toMatchObject({
      ...{ t: 'failed', why: expect.stringContaining('cannot read file:') as string },
    });
  } finally {
    box.remove();
  }
});
