import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { RoundRobin } from '../support/round-robin.js';

/** One command of Cairn through three processes of the service, of which one after the other is killed. */

jest.setTimeout(300_000);

const why = whyNoPostgres();
const KEY = randomBytes(32).toString('base64');
const FILES = 12;

const program = (content: string): string => `
import { Config } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
let before: LocalCommand | undefined;
for (let number = 0; number < ${FILES}; number += 1)
  before = new LocalCommand(\`c\${number}\`, {
    create: \`echo \${number} >> created.txt\`,
    update: \`echo ${content} \${number} >> updated.txt\`,
    environment: { CONTENT: '${content}' },
  }, before === undefined ? {} : { dependsOn: [before] });
export const word = new Config().requireSecret('word');
`;

(why === undefined ? describe : describe.skip)(
  `three processes behind a proxy${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
    let postgres: Postgres;
    let box: Sandbox;
    let proxy: RoundRobin;
    let env: Record<string, string>;
    const processes: Running[] = [];
    beforeAll(async () => {
      postgres = await startPostgres({ syncs: true });
    });
    afterAll(() => postgres.close());
    beforeEach(async () => {
      box = sandbox({ 'index.ts': program('first') });
      mkdirSync(path.join(box.home, 'blobs'));
      const urls = await Promise.all([0, 1, 2].map((target) => serve(target)));
      proxy = new RoundRobin(urls);
      const url = await proxy.start();
      const made = await box.process(['serve', 'token', 'new', 'alice', ...store()], { env: secrets() });
      env = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: expectOk(made).stdout.trim() };
    });
    afterEach(() => {
      proxy.stop();
      for (const { process } of processes.splice(0)) process.kill('SIGKILL');
      box.remove();
    });

    const store = (): string[] => [
      ...['--store', `postgres://${postgres.user}@${postgres.host}:${postgres.port}/postgres`],
      ...['--blobs', `file://${path.join(box.home, 'blobs')}`],
    ];
    const secrets = (): Record<string, string> => ({
      CAIRN_SERVE_MASTER_KEY: KEY,
      PGPASSWORD: postgres.password,
    });

    async function serve(target: number): Promise<string> {
      const running = box.start(['serve', ...store(), '--listen', '127.0.0.1:0'], { env: secrets() });
      processes[target] = running;
      let line = '';
      running.process.stdout?.on('data', (chunk: string) => (line += chunk));
      await running.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
      return line.trim();
    }

    /** Kills the process that has stored each third batch, loses its answer, and starts another process. */
    function killInTurn(): { readonly count: () => number; readonly done: () => Promise<unknown> } {
      let batches = 0;
      const replaced: Promise<void>[] = [];
      proxy.loses = ({ path: at, target }) => {
        if (!at.endsWith('/journalentries') || (batches += 1) % 3 !== 0) return false;
        processes[target]?.process.kill('SIGKILL');
        replaced.push(serve(target).then((url) => proxy.replace(target, url)));
        return true;
      };
      return { count: () => replaced.length, done: () => Promise.all(replaced) };
    }

    const cairn = (...words: readonly string[]) => box.cairn(words, { env });
    const lines = (file: string): readonly string[] =>
      readFileSync(path.join(box.directory, file), 'utf8').trim().split('\n');

    test('up, update and destroy do each step once, and the state is whole', async () => {
      expectOk(await cairn('stack', 'init', 'dev'));
      expectOk(await cairn('config', 'set', '--secret', 'word', 'planted'));
      const kills = killInTurn();
      expect(expectOk(await cairn('up', '--yes')).stdout).toContain(`${FILES + 1} created`);
      expect(kills.count()).toBeGreaterThan(2);
      const numbers = Array.from({ length: FILES }, (_each, number) => String(number));
      expect(lines('created.txt')).toEqual(numbers);
      await kills.done();

      box.write('index.ts', program('second'));
      expectOk(await cairn('up', '--yes', '--skip-preview'));
      await kills.done();
      expect(lines('updated.txt')).toEqual(numbers.map((number) => `second ${number}`));
      proxy.loses = () => false;
      expect(expectOk(await cairn('preview', '--expect-no-changes')).stdout).toContain('unchanged');
      expect(expectOk(await cairn('stack', 'output', 'word', '--show-secrets')).stdout).toBe('planted\n');
      const history = expectOk(await cairn('stack', 'history')).stdout;
      expect(history.match(/^\d+: \w+ \w+/gm)).toEqual(['2: update succeeded', '1: update succeeded']);
      expect(new Set(proxy.passed.map(({ target }) => target)).size).toBe(3);
      expect(expectOk(await cairn('destroy', '--yes')).stdout).toContain(`${FILES + 1} deleted`);
    });
  },
);
