import { base64Crypter, nopCrypter } from '@cairn/crypters';
import type { CairnError } from '@cairn/diagnostics';
import { failureOf } from '../../test/failure-of.js';
import { importedDeployment, revealSecrets } from './import-deployment.js';
import type { ImportTarget } from './import-deployment.js';
import { emptyDeployment } from '../document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

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
  expect(failure.summary).toContain('cannot import export.json: ');
  const { warnings } = importedDeployment(document, target({ force: true }));
  expect(warnings).toMatchObject([{ severity: 'warning', summary: expect.stringContaining(text) }]);
  const said = warnings.map(({ summary, hint = '' }) => summary + hint).join();
  expect(said).not.toMatch(/cannot import|refusing|Nothing was changed/);
});

test('every resource of another stack is named, and what is wrong beside that; what can be done is said once', () => {
  const document = documentOf(
    resource('x', { urn: urn('x', 'prod') }),
    resource('y'),
    resource('z', { urn: 'urn:pulumi:test::other::a:b:C::z', dependencies: [urn('gone')] }),
  );
  const of = (part: string) => expect.objectContaining({ summary: expect.stringContaining(part) });
  const expected = [
    of('belongs to stack "prod"'),
    of('belongs to stack "test"'),
    of('refers to missing resource'),
  ];
  let thrown: unknown;
  try {
    importedDeployment(document, target());
  } catch (error) {
    thrown = error;
  }
  const { diagnostics } = thrown as CairnError;
  expect(diagnostics).toEqual(expected);
  expect(diagnostics.map(({ hint }) => hint?.includes('--force') ?? false)).toEqual([false, false, true]);
  const { warnings } = importedDeployment(document, target({ force: true }));
  expect(warnings).toEqual(expected);
});

test('a resource of another project is no fault', () => {
  const document = documentOf(resource('x', { urn: 'urn:pulumi:dev::other::a:b:C::x' }));
  expect(importedDeployment(document, target()).warnings).toEqual([]);
});

test('extensions that nobody needs are dropped', () => {
  const blob = { name: 'e', version: '1.0.0', value: 'AA==' };
  const document = { ...documentOf(resource('x', { extensionRef: 'a' })), extensions: { a: blob, b: blob } };
  expect(importedDeployment(document, target()).deployment.extensions).toEqual({ a: blob });
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
