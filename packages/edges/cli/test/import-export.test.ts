import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cliBox } from './cli-box.js';
import type { CliBox } from './cli-box.js';

const KEY = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const urn = (name: string, stack = 'dev') => `urn:pulumi:${stack}::shop::a:b:C::${name}`;
const thing = (name: string, more: object = {}) => ({
  ...{ urn: urn(name), custom: true, id: `id-${name}`, type: 'a:b:C' },
  ...more,
});
const MANIFEST = {
  time: '2030-01-01T00:00:00.25+01:00',
  magic: '7dff0d166258e7f1d265e8e044021ea087795d58a0c6415ab6fe8b7c790e447f',
  version: 'v3.260.0',
};
const secret = (text: string) => ({ [KEY]: SECRET, plaintext: JSON.stringify(text) });

let box: CliBox;
beforeAll(async () => {
  box = cliBox();
  await box.ok(['stack', 'init', 'dev']);
});
afterAll(() => box.remove());

function put(deployment: object | null, more: readonly string[] = []) {
  box.write('state.json', JSON.stringify({ version: 3, deployment }));
  return box.run(['stack', 'import', '--file', 'state.json', ...more]);
}

const store = (): string => path.join(box.directory, '..', 'state', '.pulumi');
const stored = (end = ''): string => readFileSync(path.join(store(), `stacks/shop/dev.json${end}`), 'utf8');

interface Exported {
  readonly secrets_providers: unknown;
  readonly resources?: readonly {
    readonly inputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  }[];
}

async function exported(...more: readonly string[]): Promise<Exported> {
  const { stdout } = await box.ok(['stack', 'export', ...more]);
  return (JSON.parse(stdout) as { deployment: Exported }).deployment;
}

describe('stack import and stack export [STATE-10]', () => {
  test('what is kept, dropped and sealed anew; the state before it is .bak; no history, no backups', async () => {
    const inputs = { key: secret('hush'), label: 'a<b' };
    const resource = thing('a', { inputs, propertyDependencies: { key: null, label: [] } });
    const pending_operations = [{ type: 'creating', resource: thing('n') }];
    const before = stored();
    const { code, stderr } = await put({ manifest: MANIFEST, resources: [resource], pending_operations });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`removing pending operation 'creating' on '${urn('n')}'`),
    ]);
    expect(stored('.bak')).toBe(before);
    expect(readdirSync(store()).sort()).toEqual(['journals', 'locks', 'meta.yaml', 'stacks', 'tmp']);
    expect(stored()).toContain(`"manifest":${JSON.stringify(MANIFEST)}`);
    expect(stored()).toContain('"label":"a\\u003cb"}');
    expect(stored()).toContain('"propertyDependencies":{"key":null,"label":[]}');
    expect(stored()).not.toMatch(/pending_operations|hush/);
  });

  test('every import seals every secret with another nonce; exports show secrets only when asked', async () => {
    const sealed = async () => (await exported()).resources?.[0]?.inputs?.['key'];
    await put({ manifest: MANIFEST, resources: [thing('a', { inputs: { key: secret('hush') } })] });
    const first = await sealed();
    expect(first).toEqual({ [KEY]: SECRET, ciphertext: expect.stringMatching(/^v1:/) });
    box.write('state.json', (await box.ok(['stack', 'export'])).stdout);
    await box.ok(['stack', 'import', '--file', 'state.json']);
    expect((await sealed())?.['ciphertext']).not.toBe(first?.['ciphertext']);
    const shown = await exported('--show-secrets');
    expect(shown.resources?.[0]?.inputs?.['key']).toEqual(secret('hush'));
    expect(shown.secrets_providers).toEqual((await exported()).secrets_providers);
  });

  test('resources of other stacks and a state that is not consistent are refused, all of them told, unless forced', async () => {
    const resources = [
      thing('x', { urn: urn('x', 'prod') }),
      thing('y', { urn: urn('y', 'test'), dependencies: [urn('gone')] }),
    ];
    const before = stored();
    const refused = await put({ manifest: MANIFEST, resources });
    expect([refused.code, stored()]).toEqual([1, before]);
    const problems = ['belongs to stack "prod", not to "dev"', 'belongs to stack "test"', 'missing resource'];
    for (const problem of [...problems, '--force']) expect(refused.stderr).toContain(problem);
    const forced = await put({ manifest: MANIFEST, resources }, ['--force']);
    expect(forced.code).toBe(0);
    for (const problem of problems) expect(forced.stderr).toContain(problem);
    expect(forced.stderr.match(/^warning/gm)).toHaveLength(3);
    expect(stored()).toContain('"integrity_error":{"version":"3","command":"stack import');
  });

  test('with the integrity check off only the stack counts', async () => {
    const resources = [thing('y', { dependencies: [urn('gone')] })];
    expect((await put({ resources }, ['--disable-integrity-checking'])).code).toBe(0);
    const foreign = [thing('x', { urn: urn('x', 'prod') })];
    expect((await put({ resources: foreign }, ['--disable-integrity-checking'])).code).toBe(1);
  });

  test('null is an empty state; the secrets manager of a service is replaced by that of the stack', async () => {
    expect((await put(null)).code).toBe(0);
    expect(await exported()).toEqual({
      manifest: { time: '0001-01-01T00:00:00Z', magic: '', version: '' },
      secrets_providers: { type: 'passphrase', state: { salt: expect.any(String) } },
      metadata: {},
    });
    const manager = { type: 'service', state: { url: 'https://service' } };
    const resources = [thing('a', { inputs: { key: secret('hush') } })];
    expect((await put({ secrets_providers: manager, resources })).code).toBe(0);
    expect(await exported()).toMatchObject({ secrets_providers: { type: 'passphrase' } });
    expect(stored()).not.toContain('hush');
  });
});
