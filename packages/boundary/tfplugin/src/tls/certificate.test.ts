import { X509Certificate, createPrivateKey } from 'node:crypto';
import { certificatePem, makeCertificate } from './certificate.js';

test('a certificate is an authority of its own for localhost, for both ends [TFP-3]', async () => {
  const { certificate, key, der } = await makeCertificate();
  const read = new X509Certificate(certificate);
  expect({
    ca: read.ca,
    names: read.subjectAltName,
    usages: [...read.keyUsage].sort(),
    curve: read.publicKey.asymmetricKeyDetails?.namedCurve,
    signed: read.verify(read.publicKey),
    key: read.checkPrivateKey(createPrivateKey(key)),
  }).toEqual({
    ca: true,
    names: 'DNS:localhost',
    usages: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    curve: 'secp384r1',
    signed: true,
    key: true,
  });
  expect(new X509Certificate(certificatePem(der)).fingerprint256).toBe(read.fingerprint256);
});

test('it is valid from a little before now, for decades, and no two are the same', async () => {
  const now = Date.UTC(2030, 4, 6, 7, 8, 9);
  const [one, other] = await Promise.all([makeCertificate(now), makeCertificate(now)]);
  const read = new X509Certificate(one.certificate);
  expect(new Date(read.validFrom).getTime()).toBe(now - 30_000);
  expect(new Date(read.validTo).getUTCFullYear()).toBe(2060);
  expect(read.serialNumber).not.toBe(new X509Certificate(other.certificate).serialNumber);
});
