import { randomBytes, webcrypto } from 'node:crypto';

/** Self-signed certificate with its private key. Created for one connection and then discarded. */
export interface OwnCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS 8. */
  readonly key: string;
  /** Certificate as DER. */
  readonly der: Uint8Array;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' } as const;
const BEFORE_MS = 30_000;
const YEARS = 30;

/**
 * Creates the certificate that one end of a plugin's connection presents to the other, which trusts nothing else. It is
 * an authority of its own for `localhost`, for both ends [TFP-3].
 */
export async function makeCertificate(now = Date.now()): Promise<OwnCertificate> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const { digitalSignature, keyEncipherment, keyAgreement, keyCertSign } = x509.KeyUsageFlags;
  const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
  const made = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: 'CN=localhost, O=Cairn',
      notBefore: new Date(now - BEFORE_MS),
      notAfter,
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature | keyEncipherment | keyAgreement | keyCertSign, true),
        new x509.ExtendedKeyUsageExtension([clientAuth, serverAuth]),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
      ],
    },
    webcrypto as unknown as Parameters<typeof x509.X509CertificateGenerator.createSelfSigned>[1],
  );
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: `${made.toString('pem').trim()}\n`,
    key: pem('PRIVATE KEY', new Uint8Array(pkcs8)),
    der: new Uint8Array(made.rawData),
  };
}

/** Converts a certificate from DER to PEM. */
export function certificatePem(der: Uint8Array): string {
  return pem('CERTIFICATE', der);
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Returns 127 random bits. The first byte keeps the number positive and of full length. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
