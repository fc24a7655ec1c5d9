import { isIPv6 } from 'node:net';

/** Password of a user. The id is the login. */
export interface PasswordRecord {
  readonly id: string;
  /** Id of this password. Sessions that it opened end with it. */
  readonly key: string;
  /** Digest; see `PasswordDigests`. */
  readonly digest: string;
  /** In seconds since 1970. */
  readonly since: number;
}

/** Shortest and longest password, in characters. */
const SHORTEST = 12;
const LONGEST = 256;
/** Number of different characters that a password needs. */
const DIFFERENT = 5;

/** Returns the reason why a text cannot be the password of a user, or undefined. */
export function passwordFault(password: string, login: string): string | undefined {
  const text = password.normalize('NFKC');
  const characters = [...text];
  if (characters.length < SHORTEST) return `has fewer than ${SHORTEST} characters`;
  if (characters.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (new Set(characters).size < DIFFERENT) return `has fewer than ${DIFFERENT} different characters`;
  if (text.toLowerCase().includes(login.toLowerCase())) return 'contains the name of the user';
  return undefined;
}

/** Period in which attempts are counted, in seconds. */
export const ATTEMPT_PERIOD = 900;

/** Most attempts of one kind in a period. Right passwords do not count. */
interface AttemptLimit {
  readonly key: string;
  readonly most: number;
}

/**
 * Returns the limits that an attempt counts towards, in the order in which they are looked at. A stranger at one
 * address does not keep a user from signing in at another one.
 */
export function attemptLimits(login: string, source: string): readonly AttemptLimit[] {
  const network = networkOf(source);
  return [
    { key: `address ${network}`, most: 100 },
    { key: `user ${login} at ${network}`, most: 10 },
    { key: `user ${login}`, most: 100 },
  ];
}

/** Returns an address, or the network of 64 bits of IPv6, which one customer has as a whole. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = (tail ?? '').split(':').filter((group) => group !== '');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array.from({ length: gap }, () => '0'), ...rest].slice(0, 4).join(':');
}
