import { createHmac } from 'node:crypto';

/** Times between an attempt of a delivery and the next one, in milliseconds. */
const PAUSES = [10_000, 60_000, 600_000, 3_600_000, 6 * 3_600_000] as const;

/** Returns the time until the attempt after `attempts` failed ones, in milliseconds. Undefined: there is none. */
export function pauseAfter(attempts: number): number | undefined {
  return PAUSES[attempts - 1];
}

/** Digest of a body that shows its receiver that it comes from one who knows the secret. */
export function hookSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
