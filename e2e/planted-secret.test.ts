import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startS3Server } from '@cairn/testkit/servers';
import type { S3Server } from '@cairn/testkit/servers';
import { expectOk, sandbox } from './support/cairn.js';
import type { Finished, Sandbox } from './support/cairn.js';
import { filesBelow, holds } from './support/search.js';

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

if (mode === 'provider') new LocalCommand('failing', { create: 'echo "no entry with $TOKEN" >&2; exit 3', environment: { TOKEN: token } });
if (mode === 'hook') {
  const hook = new ResourceHook('refuses', () => { throw new Error('the hook knows ' + known); });
  new RandomPet('hooked', { length: 1 }, { hooks: { beforeCreate: [hook] } });
}
if (mode === 'exception') token.apply((text) => { throw new Error('the program broke on ' + text); });
if (mode === 'rejection') Promise.reject(new Error('nobody waits for ' + known));
if (mode === 'slow') new LocalCommand('slow', { create: 'sleep 60', environment: { TOKEN: token } }, { dependsOn: [file, command] });

export const shown = secret({ deep: [token, { more: known }] });
export const made = password.result;
`;

const MODES: readonly (readonly [string, number])[] = [
  ['provider', 4],
  ['hook', 4],
  ['exception', 1],
  ['rejection', 1],
];

/** Every command's output and every byte that lies somewhere afterwards, by name. */
class Witness {
  private readonly texts: [string, Uint8Array | string][] = [];

  constructor(private readonly box: Sandbox) {}

  async cairn(...words: string[]): Promise<Finished> {
    return this.heard(words, await this.box.cairn(words, { input: '' }));
  }

  heard(words: readonly string[], end: Finished): Finished {
    this.texts.push([`cairn ${words.join(' ')}`, end.text]);
    return end;
  }

  /** Names of what holds the text in any disguise. */
  holders(text: string, stored: Iterable<readonly [string, Uint8Array]>): readonly string[] {
    const folder = path.dirname(this.box.directory);
    const files = filesBelow(folder).map(
      (file) => [path.relative(folder, file), readFileSync(file)] as const,
    );
    return [...this.texts, ...files, ...stored].flatMap(([name, content]) =>
      holds(content, text) ? [name] : [],
    );
  }
}

describe.each(['a directory', 'a bucket'])('a planted secret is nowhere to be found: %s', (place) => {
  let box: Sandbox;
  let witness: Witness;
  let server: S3Server | undefined;

  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    box.env['TMPDIR'] = path.join(box.home, 'tmp');
    mkdirSync(box.env['TMPDIR']);
    if (place === 'a bucket') {
      server = await startS3Server({ buckets: ['states'] });
      Object.assign(box.env, server.env, { CAIRN_BACKEND_URL: server.bucketUrl('states', 'team') });
    }
    witness = new Witness(box);
    expectOk(await witness.cairn('stack', 'init', 'dev'));
    expectOk(await box.cairn(['config', 'set', '--secret', 'token'], { input: PLANTED }));
  });
  afterAll(async () => {
    box.remove();
    await server?.close();
  });

  const stored = (): readonly (readonly [string, Uint8Array])[] =>
    [...(server?.buckets.get('states') ?? [])].map(([key, { bytes }]) => [key, bytes] as const);

  test('in what is said, stored, logged and left behind', async () => {
    expectOk(await witness.cairn('preview', '--save-plan', 'plan.json', '--diff'));
    expectOk(await witness.cairn('up', '--yes', '--plan', 'plan.json', '--debug', '--diff'));
    expectOk(await witness.cairn('preview', '--json'));
    for (const [mode, code] of MODES) {
      const end = await witness.cairn('up', '--yes', '--skip-preview', '--debug', '--config', `mode=${mode}`);
      expect([mode, end.code, end.text.includes('[secret]')]).toEqual([mode, code, true]);
    }
    expect((await witness.cairn('up', '--yes', '--json', '--config', 'mode=provider')).code).toBe(4);
    await killed();
    expectOk(await witness.cairn('config', 'set', 'mode', 'good'));
    await witness.cairn('change', '--last', 'up');
    expectOk(await witness.cairn('up', '--yes', '--skip-preview', '--show-sames'));
    expectOk(
      await witness.cairn('up', '--yes', '--detach', '--on-error', 'rollback', '--replace', '**::kept'),
    );
    expectOk(await witness.cairn('watch', '--last', 'up'));
    for (const words of [
      ['stack'],
      ['stack', 'output', '--json'],
      ['stack', 'export'],
      ['stack', 'history', '--json'],
      ['changes', '--json'],
      ['change', '--last', 'up', '--json'],
      ['config', '--json'],
    ])
      expectOk(await witness.cairn(...words));
    const made = expectOk(await box.cairn(['stack', 'output', 'made', '--show-secrets'])).stdout.trim();
    expect(made).toHaveLength(24);
    expect(expectOk(await box.cairn(['config', 'get', 'token'])).stdout.trimEnd()).toBe(PLANTED);

    expect(witness.holders('nothing like this', stored())).toEqual([]);
    expect(witness.holders('characters', stored()).length).toBeGreaterThan(0);
    expect(witness.holders(PLANTED, stored())).toEqual([]);
    expect(witness.holders(made, stored())).toEqual([]);
  });

  /** An update that dies while a step with the secret is under way, and the next one that finds it. */
  async function killed(): Promise<void> {
    const words = ['up', '--yes', '--skip-preview', '--config', 'mode=slow'];
    const running = box.start(words);
    await running.shown(/slow/);
    running.process.kill('SIGKILL');
    witness.heard(words, await running.finished);
  }
});
