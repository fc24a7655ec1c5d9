import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { OidcFiles } from './oidc-files.js';
import { oidcOf } from './oidc-settings.js';
import { RefusedByService } from './service-api.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newPlan() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-oidc-'));
  folders.push(folder);
  return { folder, plan: oidcOf({ operationContext: { oidc: { audience: 'vault' } } }, folder) };
}

test('tokens are replaced while the run lasts, also after a failure, and removed at its end', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const { folder, plan } = newPlan();
  const asked: unknown[] = [];
  const said: string[] = [];
  let called = (): void => undefined;
  const files = new OidcFiles(
    async (audience) => {
      asked.push(audience);
      called();
      if (asked.length === 2) throw new Error('no answer');
      return { token: `token-${asked.length}`, expiresIn: 600 };
    },
    (text) => void said.push(text),
  );
  /** Lets time pass until the service is asked once more. */
  const nextCall = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      called = resolve;
      jest.advanceTimersByTime(ms);
    });
  const file = path.join(folder, 'oidc.jwt');
  try {
    await files.begin(plan);
    expect(readFileSync(file, 'utf8')).toBe('token-1');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    jest.advanceTimersByTime(299_000);
    expect(asked).toHaveLength(1);
    await nextCall(1_000);
    while (said.length === 0) await new Promise(setImmediate);
    expect(said).toEqual(['cannot replace the OpenID Connect token of the run: no answer']);
    await nextCall(5_000);
    await files.end();
    expect(asked).toEqual(['vault', 'vault', 'vault']);
    expect(readdirSync(folder)).toEqual([]);
    jest.advanceTimersByTime(600_000);
    expect(asked).toHaveLength(3);
  } finally {
    jest.useRealTimers();
  }
});

test('a refusal fails at once, with its words', async () => {
  const { plan } = newPlan();
  const refused = new RefusedByService(404, 'The service issues no OpenID Connect tokens.');
  const files = new OidcFiles(
    () => Promise.reject(refused),
    () => undefined,
  );
  const thrown = await files.begin(plan).catch((error: unknown) => error);
  expect(isCairnError(thrown) && thrown.diagnostics[0]?.summary).toBe(
    'cannot get an OpenID Connect token for the run: The service issues no OpenID Connect tokens.',
  );
});
