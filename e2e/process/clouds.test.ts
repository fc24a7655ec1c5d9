import { startAzurite, startGcsServer } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';

/**
 * A stack in a bucket of Google Cloud and in a container of Azure: logs in, is killed in the middle, continues. On one
 * of them to the end.
 */

const PROGRAM = `
import { LocalCommand } from '@cairn/provider-local';
let before = [];
for (const name of ['a', 'b', 'c']) {
  before = [new LocalCommand(name, {
    create: 'exec sh effect.sh create ' + name,
  }, { dependsOn: before })];
}
`;

interface Cloud {
  /** Address of a folder in the bucket. */
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function google(): Promise<Cloud> {
  const server = await startGcsServer({ pageSize: 3 });
  return { address: 'gs://bucket/team', env: server.env, close: () => server.close() };
}

async function azure(): Promise<Cloud> {
  const server = await startAzurite();
  await server.createContainer('states');
  const address = server.address('states').replace('?', '/team?');
  return { address, env: server.env, close: () => server.close() };
}

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

test.each([
  ['Cloud Storage', google, true],
  ['Azure', azure, false],
] as const)('a stack on %s is killed in the middle and gone on with', async (_name, open, whole) => {
  const cloud = await open();
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT });
  boxes.push(box);
  const effects = (): readonly string[] => effectsOf(box);
  const run = (...words: string[]): ReturnType<Sandbox['cairn']> =>
    box.cairn(words, { env: { ...cloud.env, CAIRN_BACKEND_URL: undefined } });
  try {
    expectOk(await run('login', cloud.address));
    expectOk(await run('stack', 'init', 'dev'));
    box.write('kill.txt', 'create b');
    expect((await run('up', '--yes', '--skip-preview')).signal).toBe('SIGKILL');
    expect(effects()).toEqual(['create a', 'create b']);

    // Only a person who looks can know that "b" was made: it was.
    const asked = await run('resume');
    expect([asked.code, asked.stdout]).toEqual([10, expect.stringMatching(/^[0-9a-f]{8} b waits/m)]);
    if (!whole) return;
    const task = /^([0-9a-f]{8}) b waits/m.exec(asked.stdout)?.[1] ?? '';
    box.write('made-b.json', '{ "stdout": "", "stderr": "" }');
    expectOk(await run('change', 'resolve', task, '--created', 'made-b', '--outputs', 'made-b.json'));
    expectOk(await run('resume'));
    expect(effects()).toEqual(['create a', 'create b', 'create c']);
  } finally {
    await cloud.close();
  }
});

test('what a user of each cloud meets first is said with what to do', async () => {
  const box = sandbox({ 'index.ts': '' });
  boxes.push(box);
  const server = await startGcsServer();
  const run = (address: string, env: Record<string, string | undefined>): ReturnType<Sandbox['cairn']> =>
    box.cairn(['login', address], { env: { CAIRN_BACKEND_URL: undefined, ...env } });
  try {
    const noBucket = await run('gs://nowhere', server.env);
    expect([noBucket.code === 0, noBucket.stderr]).toEqual([
      false,
      expect.stringContaining('gcloud storage buckets create gs://nowhere'),
    ]);
    const noAccount = await run('azblob://states', {});
    expect([noAccount.code, noAccount.stderr]).toEqual([3, expect.stringContaining('storage_account=NAME')]);
  } finally {
    await server.close();
  }
});
