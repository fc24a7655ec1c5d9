import type { JWK, JWTPayload } from 'jose';
import type { StackKeys } from '../crypto/stack-keys.js';
import { nextSignerFrom, publishedSigners, signerAt } from '../domain/signers.js';
import type { Signer } from '../domain/signers.js';
import { Refusal } from '../domain/refusal.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import { seconds } from './service-ports.js';

/** Algorithm of signatures: the one that every cloud accepts. */
export const SIGNING_ALGORITHM = 'RS256';

interface SigningPorts {
  readonly store: Pick<ServiceStore, 'listAccess' | 'changeAccess'>;
  readonly keys: StackKeys;
  readonly now: () => Date;
}

/** Keys with which the service signs tokens. All processes of a service have the same. */
export class SigningKeys {
  readonly #ports: SigningPorts;
  /** Work that makes a key. Calls that come meanwhile wait for it. */
  #making: Promise<readonly Signer[]> | undefined;

  constructor(ports: SigningPorts) {
    this.#ports = ports;
  }

  /** Returns the public parts of the keys with which tokens can be checked. */
  async published(): Promise<readonly JWK[]> {
    const signers = publishedSigners(await this.#signers(), seconds(this.#ports.now()));
    return signers.map(({ id, publicKey }) => ({
      ...publicKey,
      kid: id,
      alg: SIGNING_ALGORITHM,
      use: 'sig',
    }));
  }

  /** Signs the claims of a token. */
  async sign(claims: JWTPayload): Promise<string> {
    const { SignJWT, importPKCS8 } = await import('jose');
    const { id, sealed } = signerAt(await this.#signers(), seconds(this.#ports.now())) as Signer;
    const text = (await this.#ports.keys.open(id, sealed.key)).decrypt(Buffer.from(sealed.text, 'base64'));
    if (text === undefined) throw new Refusal(409, 'The key that signs tokens cannot be opened.');
    const key = await importPKCS8(text.toString('utf8'), SIGNING_ALGORITHM);
    return new SignJWT(claims).setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: id, typ: 'JWT' }).sign(key);
  }

  /** Returns the keys. Makes one if there is none, or if the last one ends soon, and removes those that ended. */
  async #signers(): Promise<readonly Signer[]> {
    const { store, now } = this.#ports;
    const known = await store.listAccess('signers', SERVICE_WIDE);
    if (nextSignerFrom(known, seconds(now())) === undefined) return known;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<readonly Signer[]> {
    const { store, now } = this.#ports;
    const made = await this.#newSigner();
    // Another process may have made one meanwhile.
    return store.changeAccess(SERVICE_WIDE, async (access) => {
      const present = await access.listAccess('signers', SERVICE_WIDE);
      const from = nextSignerFrom(present, seconds(now()));
      if (from === undefined) return present;
      const kept = publishedSigners(present, seconds(now()));
      for (const signer of present)
        if (!kept.includes(signer)) await access.removeAccess('signers', signer.id);
      await access.putAccess('signers', { ...made, from });
      return [...kept, { ...made, from }];
    });
  }

  async #newSigner(): Promise<Omit<Signer, 'from'>> {
    const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose');
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const publicKey = await exportJWK(pair.publicKey);
    const id = await calculateJwkThumbprint(publicKey);
    const key = await this.#ports.keys.create(id);
    const text = (await this.#ports.keys.open(id, key)).encrypt(
      Buffer.from(await exportPKCS8(pair.privateKey)),
    );
    return { id, publicKey, sealed: { key, text: text.toString('base64') } };
  }
}

/** Seals the keys of the private parts under the current master key. Returns how many it sealed. */
export async function rotateSigners(
  store: ServiceStore,
  keys: StackKeys,
): Promise<{ readonly rotated: number; readonly current: number }> {
  const none = (await store.listAccess('signers', SERVICE_WIDE)).length === 0;
  if (none) return { rotated: 0, current: 0 };
  return store.changeAccess(SERVICE_WIDE, async (access) => {
    let rotated = 0;
    const signers = await access.listAccess('signers', SERVICE_WIDE);
    for (const signer of signers) {
      const key = await keys.rewrap(signer.id, signer.sealed.key);
      if (key === undefined) continue;
      rotated += 1;
      await access.putAccess('signers', { ...signer, sealed: { ...signer.sealed, key } });
    }
    return { rotated, current: signers.length - rotated };
  });
}
