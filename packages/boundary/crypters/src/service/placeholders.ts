import { randomBytes } from 'node:crypto';

/**
 * Placeholders of ciphertexts that are still being made elsewhere. Encoding is synchronous, and a service encrypts
 * best in batches: an encoded text has placeholders, and what stores it replaces them first.
 */
const PREFIX = `sealing-${randomBytes(16).toString('hex')}-`;
const PLACEHOLDER = new RegExp(`${PREFIX}\\d+`, 'g');
const sealing: Promise<string>[] = [];

/** Returns a placeholder of a ciphertext. */
export function placeholderOf(ciphertext: Promise<string>): string {
  // Reported where the ciphertext is needed.
  ciphertext.catch(() => undefined);
  return PREFIX + String(sealing.push(ciphertext) - 1);
}

/** Returns a text with its placeholders replaced by their ciphertexts. Fails as the encryption of one of them did. */
export async function settledText(text: string): Promise<string> {
  const ciphertexts = await ciphertextsOf(placeholdersIn(text));
  return ciphertexts.size === 0 ? text : replaced(text, ciphertexts);
}

/**
 * Returns JSON data with the placeholders in its texts replaced by their ciphertexts: the same object if there are
 * none. Fails as the encryption of one of them did.
 */
export async function settled<T>(data: T): Promise<T> {
  if (!hasPlaceholders(data)) return data;
  const found: string[] = [];
  visitTexts(data, (text) => void found.push(...placeholdersIn(text)));
  return rebuilt(data, await ciphertextsOf(found)) as T;
}

/** Returns true if a text in JSON data has a placeholder. */
export function hasPlaceholders(data: unknown): boolean {
  return sealing.length > 0 && visitTexts(data, (text) => text.includes(PREFIX));
}

function placeholdersIn(text: string): readonly string[] {
  return sealing.length === 0 ? [] : (text.match(PLACEHOLDER) ?? []);
}

async function ciphertextsOf(placeholders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const each = [...new Set(placeholders)].map(async (placeholder) => {
    const ciphertext = await sealing[Number(placeholder.slice(PREFIX.length))];
    return [placeholder, ciphertext ?? placeholder] as const;
  });
  return new Map(await Promise.all(each));
}

function replaced(text: string, ciphertexts: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (placeholder) => ciphertexts.get(placeholder) ?? placeholder);
}

/** Calls a function with every text until it returns true. Returns true if it did. */
function visitTexts(data: unknown, visit: (text: string) => boolean | void): boolean {
  if (typeof data === 'string') return visit(data) === true;
  if (typeof data !== 'object' || data === null) return false;
  if (Array.isArray(data)) return data.some((each) => visitTexts(each, visit));
  for (const key in data) if (visitTexts((data as Record<string, unknown>)[key], visit)) return true;
  return false;
}

/** Returns a copy that shares everything without placeholders. */
function rebuilt(data: unknown, ciphertexts: ReadonlyMap<string, string>): unknown {
  if (typeof data === 'string') return replaced(data, ciphertexts);
  if (!hasPlaceholders(data)) return data;
  if (Array.isArray(data)) return data.map((each) => rebuilt(each, ciphertexts));
  return Object.fromEntries(
    Object.entries(data as object).map(([key, each]) => [key, rebuilt(each, ciphertexts)]),
  );
}
