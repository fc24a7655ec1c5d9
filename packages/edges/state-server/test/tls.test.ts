import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import { tlsFiles } from '../src/index.js';
import { endServices, newFolder, startTestService } from './service.js';

afterEach(endServices);

/** Makes a certificate for a name, and returns its files. */
function certificate(folder: string, name: string): { readonly cert: string; readonly key: string } {
  const files = { cert: path.join(folder, `${name}.pem`), key: path.join(folder, `${name}.key`) };
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  execFileSync(
    'openssl',
    [...words, '-keyout', files.key, '-out', files.cert, '-subj', `/CN=${name}`, '-days', '2'],
    { stdio: 'pipe' },
  );
  return files;
}

/** Connects, and returns the name of the certificate and the answer to a request. */
async function ask(url: string): Promise<{ readonly name: unknown; readonly answer: string }> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const name = socket.getPeerCertificate().subject.CN;
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return { name, answer };
}

test('a replaced certificate is used at once, and one that cannot be used is not', async () => {
  const folder = newFolder();
  const first = certificate(folder, 'first');
  const second = certificate(folder, 'second');
  const failures: string[] = [];
  const tls = tlsFiles(first, (what) => void failures.push(what));
  const service = await startTestService(newFolder(), { tls });
  expect(service.url).toMatch(/^https:/);
  expect(await ask(service.url)).toEqual({
    name: 'first',
    answer: expect.stringContaining('200 OK') as string,
  });
  copyFileSync(second.cert, first.cert);
  tls.reload();
  expect([failures, (await ask(service.url)).name]).toEqual([['read the certificate again'], 'first']);
  copyFileSync(second.key, first.key);
  tls.reload();
  expect((await ask(service.url)).name).toBe('second');
});

test('a certificate without its key is refused', () => {
  const folder = newFolder();
  const { cert } = certificate(folder, 'one');
  const { key } = certificate(folder, 'two');
  expect(() => tlsFiles({ cert, key }, () => undefined)).toThrow('cannot use the certificate in');
  writeFileSync(key, '');
  expect(() => tlsFiles({ cert, key }, () => undefined)).toThrow('cannot use the certificate in');
});
