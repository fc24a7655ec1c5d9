import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../domain/refusal.js';

/** Cost of a digest: scrypt with N = 2^`ln`. It takes 128 · N · r bytes of memory. */
interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** Cost of new digests, as OWASP advises it: 128 MiB [SEC-10]. */
const COST: ScryptCost = { ln: 17, r: 8, p: 1 };
/** Largest cost of a stored digest. A larger one is taken for damage, and matches nothing. */
const MOST: ScryptCost = { ln: 20, r: 8, p: 16 };

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Digests that one process computes at a time, and those that may wait for it. */
const AT_ONCE = 2;
const MOST_WAITING = 32;

/** Digest of a password with everything that its check needs, as `$scrypt$ln=17,r=8,p=1$SALT$KEY`. */
interface Digest {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Derives the key of a password. */
type DeriveKey = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>;

/** Makes and checks digests of passwords. Few are computed at a time: others wait, and too many are refused (503). */
export class PasswordDigests {
  readonly #cost: ScryptCost;
  readonly #derive: DeriveKey;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost = COST, derive: DeriveKey = scryptKey) {
    this.#cost = cost;
    this.#derive = derive;
  }

  async make(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#key(password, salt, this.#cost);
    const { ln, r, p } = this.#cost;
    return ['', 'scrypt', `ln=${ln},r=${r},p=${p}`, base64(salt), base64(key)].join('$');
  }

  /** Compares in constant time. Without a digest, or with a damaged one, the same work is done for nothing. */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const digest = stored === undefined ? undefined : digestIn(stored);
    const { cost, salt } = digest ?? { cost: this.#cost, salt: randomBytes(SALT_BYTES) };
    const key = await this.#key(password, salt, cost);
    return digest !== undefined && timingSafeEqual(key, digest.key);
  }

  /** True for a digest whose cost is not that of new ones. */
  isOld(stored: string): boolean {
    const cost = digestIn(stored)?.cost;
    return cost?.ln !== this.#cost.ln || cost.r !== this.#cost.r || cost.p !== this.#cost.p;
  }

  async #key(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
    await this.#turn();
    try {
      return await this.#derive(password.normalize('NFKC'), salt, cost);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING)
      throw new Refusal(503, 'Too many users sign in at the same time. Try again.', 1);
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#running += 1;
  }
}

const scryptKey: DeriveKey = (password, salt, { ln, r, p }) =>
  new Promise((resolve, reject) => {
    // Node refuses to take more memory than this, and needs little beside the blocks.
    const options = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) };
    scrypt(password, salt, KEY_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

const DIGEST = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{16,})\$([\w+/]{43})$/;

function digestIn(stored: string): Digest | undefined {
  const [, ln, r, p, salt = '', key = ''] = DIGEST.exec(stored) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const isSane = (name: keyof ScryptCost): boolean => cost[name] >= 1 && cost[name] <= MOST[name];
  if (!(isSane('ln') && isSane('r') && isSane('p'))) return undefined;
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
