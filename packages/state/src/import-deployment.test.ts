import { base64Crypter, nopCrypter } from '@cairn/crypters';
import { failureOf } from '../test/failure-of.js';
import { importedDeployment, revealSecrets } from './import-deployment.js';
import type { ImportTarget } from './import-deployment.js';
import { emptyDeployment } from './serialized.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';

const SIG = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const urn = (name: string, stack = 'dev'): string => `urn:pulumi:${stack}::p::a:b:C::${name}`;
const resource = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  id: name,
  type: 'a:b:C',
  ...more,
});
const target = (more: Partial<ImportTarget> = {}): ImportTarget => ({
  stack: 'dev',
  source: 'export.json',
  force: false,
  skipIntegrity: false,
  from: base64Crypter,
  to: nopCrypter,
  secretsProvider: { type: 'passphrase', state: '{"salt":"x"}' },
  ...more,
});
const documentOf = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});

test("secrets, sealed or shown, are sealed anew; manager and manifest are the target's and the document's", () => {
  const sealed = { [SIG]: SECRET, ciphertext: Buffer.from('"a"').toString('base64') };
  const shown = { [SIG]: SECRET, plaintext: '"b"' };
  const manifest = { time: 't', magic: '', version: '' };
  const document = { ...documentOf(resource('x', { inputs: { sealed, shown } })), manifest };
  const { deployment, warnings } = importedDeployment(document, target());
  expect(deployment.resources[0]?.inputs).toEqual({
    sealed: { [SIG]: SECRET, ciphertext: '"a"' },
    shown: { [SIG]: SECRET, ciphertext: '"b"' },
  });
  expect(deployment.secretsProvider).toEqual({ type: 'passphrase', state: '{"salt":"x"}' });
  expect(deployment.manifest).toBe(manifest);
  expect(warnings).toEqual([]);
});

test('pending operations are dropped with a warning each', () => {
  const document: SerializedDeployment = {
    ...documentOf(resource('x')),
    pendingOperations: [{ type: 'creating', resource: resource('y') }],
  };
  const { deployment, warnings } = importedDeployment(document, target());
  expect(deployment.pendingOperations).toEqual([]);
  expect(warnings).toMatchObject([{ severity: 'warning', code: 'CAIRN-IN-DOUBT', urn: urn('y') }]);
});

test.each([
  [
    'a resource of another stack',
    documentOf(resource('x', { urn: urn('x', 'prod') })),
    'belongs to stack "prod"',
  ],
  [
    'a dangling dependency',
    documentOf(resource('x', { dependencies: [urn('y')] })),
    'refers to missing resource',
  ],
])('%s is refused, or a warning when forced', (_title, document, text) => {
  const failure = failureOf(() => importedDeployment(document, target()));
  expect(failure).toMatchObject({
    code: 'CAIRN-STATE-INTEGRITY',
    summary: expect.stringContaining(text),
    hint: expect.stringContaining('--force'),
  });
  const { warnings } = importedDeployment(document, target({ force: true }));
  expect(warnings).toMatchObject([{ severity: 'warning', summary: expect.stringContaining(text) }]);
});

test('the integrity check can be off', () => {
  const document = documentOf(resource('x', { dependencies: [urn('y')] }));
  expect(importedDeployment(document, target({ skipIntegrity: true })).warnings).toEqual([]);
});

test('revealing shows secrets and keeps the rest', () => {
  const sealed = { [SIG]: SECRET, ciphertext: Buffer.from('"a"').toString('base64') };
  const document = {
    ...documentOf(resource('x', { inputs: { sealed } })),
    secretsProvider: { type: 'b64', state: undefined },
  };
  const revealed = revealSecrets(document, base64Crypter, 'f');
  expect(revealed.resources[0]?.inputs).toEqual({ sealed: { [SIG]: SECRET, plaintext: '"a"' } });
  expect(revealed.secretsProvider).toBe(document.secretsProvider);
});
