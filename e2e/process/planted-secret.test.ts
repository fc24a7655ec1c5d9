import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startS3Server } from '@cairn/testkit/servers';
import type { S3Server } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { filesBelow, holds } from '../support/search.js';

jest.setTimeout(240_000);

/** Nothing in it is the same in every disguise. */
const PLANTED = 'Zq7 "plänted" <&> /+=?\\ %41';

const program = `
import { Config, ResourceHook, log, output, secret } from '@cairn/sdk';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
import { RandomPassword, RandomPet } from '@cairn/provider-random';

const config = new Config();
const mode = config.get('mode') ?? 'good';
const known = config.require('token');
const token = config.requireSecret('token');
console.log('the program says', known);
console.error('and complains', known);
log.warn('it warns of ' + known);

const password = new RandomPassword('password', { length: 24 });
const file = new LocalFile('file', { path: 'made/file.txt', content: token.apply((text) => text.length + ' characters') });
const command = new LocalCommand('command', {
  create: 'echo made; echo "it got $TOKEN" >&2',
  environment: { TOKEN: token },
});
new RandomPet('kept', { length: 1, keepers: { [mode === 'good' ? 'a' : 'b']: token, list: output([1, token]).apply(String) } });

if (mode === 'errors') {
  new LocalCommand('failing', { create: 'echo "no entry with $TOKEN" >&2; exit 3', environment: { TOKEN: token } });
  new LocalCommand('telling', { create: 'echo "the provider gave $MADE" >&2; exit 3', environment: { MADE: password.result } });
  password.result.apply((text) => console.log('the program was given', text));
  const hook = new ResourceHook('refuses', () => { throw new Error('the hook knows ' + known); });
  new RandomPet('hooked', { length: 1 }, { hooks: { beforeCreate: [hook] } });
}
if (mode === 'exception') token.apply((text) => { throw new Error('the program broke on ' + text); });
if (mode === 'slow')
  new LocalCommand('slow', { create: 'echo ready > ready.pipe; exec cat never.pipe', environment: { TOKEN: token } }, { dependsOn: [file, command] });

export const shown = secret({ deep: [token, { more: known }] });
export const made = password.result;
`;

/** Every command's output and every byte that is stored afterwards, by name. */
class Witness {
  readonly #texts: [string, Uint8Array | string][] = [];
  readonly #box: Sandbox;

  constructor(box: Sandbox) {
    this.#box = box;
  }

  async cairn(...words: string[]): Promise<Finished> {
    return this.heard(words, await this.#box.cairn(words, { input: '' }));
  }

  heard(words: readonly string[], end: Finished): Finished {
    this.#texts.push([`cairn ${words.join(' ')}`, end.text]);
    return end;
  }

  /** Returns names of places that contain the text in any disguise. */
  holders(text: string, stored: Iterable<readonly [string, Uint8Array]>): readonly string[] {
    const folder = path.dirname(this.#box.directory);
    const files = filesBelow(folder).map(
      (file) => [path.relative(folder, file), readFileSync(file)] as const,
    );
    return [...this.#texts, ...files, ...stored].flatMap(([name, content]) =>
      holds(content, text) ? [name] : [],
    );
  }
}

describe('a planted secret is nowhere to be found', () => {
  let box: Sandbox;
  let witness: Witness;
  let server: S3Server | undefined;

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    box = sandbox({ 'index.ts': program });
    Object.assign(box.env, env, { TMPDIR: path.join(box.home, 'tmp') });
    mkdirSync(path.join(box.home, 'tmp'));
    witness = new Witness(box);
    expectOk(await witness.cairn('stack', 'init', 'dev'));
    expectOk(await box.cairn(['config', 'set', '--secret', 'token'], { input: PLANTED }));
  };
  afterEach(async () => {
    box.remove();
    await server?.close();
    server = undefined;
  });

  /**
   * Looks for the planted and the made secrets. Finds a text that is not secret, which shows that the search can fail.
   */
  async function search(): Promise<void> {
    const made = expectOk(await box.cairn(['stack', 'output', 'made', '--show-secrets'])).stdout.trim();
    expect(made).toHaveLength(24);
    expect(expectOk(await box.cairn(['config', 'get', 'token'])).stdout.trimEnd()).toBe(PLANTED);
    const stored = [...(server?.buckets.get('states') ?? [])].map(
      ([key, { bytes }]) => [key, bytes] as const,
    );
    expect(witness.holders('made/file.txt', stored).length).toBeGreaterThan(0);
    expect(witness.holders(PLANTED, stored)).toEqual([]);
    expect(witness.holders(made, stored)).toEqual([]);
  }

  test('in a directory: plans, errors, hooks, exceptions, events, a killed update and what follows', async () => {
    await start();
    makePipes(box, 'ready.pipe', 'never.pipe');
    expectOk(await witness.cairn('preview', '--save-plan', 'plan.json', '--diff'));
    expectOk(
      await witness.cairn('up', '--yes', '--skip-preview', '--plan', 'plan.json', '--debug', '--diff'),
    );
    const errors = await witness.cairn(
      'up',
      '--yes',
      '--json',
      '--continue-on-error',
      '--config',
      'mode=errors',
    );
    expect(errors.code).toBe(4);
    for (const said of [
      'no entry with [secret]',
      'the hook knows [secret]',
      'the program says [secret]',
      'the provider gave [secret]',
      'the program was given [secret]',
    ])
      expect(errors.stdout).toContain(said);
    const broken = await witness.cairn(
      'up',
      '--yes',
      '--skip-preview',
      '--debug',
      '--config',
      'mode=exception',
    );
    expect([broken.code, broken.text]).toEqual([1, expect.stringContaining('the program broke on [secret]')]);
    await killed();
    const refused = await box.cairn(['stack', 'change-secrets-provider', 'passphrase'], { input: 'other' });
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('a step is in doubt')]);
    const waits = await witness.cairn('up', '--yes', '--skip-preview', '--config', 'mode=good');
    expect(waits.code).toBe(10);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(waits.stdout)?.[1] ?? '';
    expectOk(await witness.cairn('change', 'resolve', step, '--not-created'));
    for (const words of [
      'stack output --json',
      'stack export',
      'stack history --json',
      'changes --json',
      'config --json',
    ])
      expectOk(await witness.cairn(...words.split(' ')));
    expectOk(await witness.cairn('change', '--last', 'up', '--json'));
    await search();
  });

  test('in a bucket', async () => {
    server = await startS3Server({ buckets: ['states'] });
    await start({ ...server.env, CAIRN_BACKEND_URL: server.bucketUrl('states', 'team') });
    const words = ['up', '--yes', '--debug', '--skip-preview', '--continue-on-error'];
    expect((await witness.cairn(...words, '--config', 'mode=errors')).code).toBe(4);
    await search();
  });

  /** An update that dies while a step with the secret is under way. */
  async function killed(): Promise<void> {
    const words = ['up', '--yes', '--skip-preview', '--config', 'mode=slow'];
    const running = box.start(words);
    await written(box, 'ready.pipe', running);
    running.process.kill('SIGKILL');
    witness.heard(words, await running.finished);
    release(box, 'never.pipe');
  }
});
