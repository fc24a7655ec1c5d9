import { SHOWN_SECRET } from '../console/blinded-values.js';
import { Refusal } from '../refusal.js';
import type { SealedSettings } from './deployment.js';

/** Deepest level of settings. */
const DEEPEST = 20;

type Walk = (text: string) => string | Promise<string>;

/** Returns settings after a change: `null` removes a member, objects are merged, everything else is replaced. */
export function mergedSettings(before: SealedSettings, change: SealedSettings): SealedSettings {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const own = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (value === null) delete merged[name];
    else if (!isObject(value) || isSecret(value)) set(merged, name, value);
    else set(merged, name, mergedSettings(isObject(own) && !isSecret(own) ? own : {}, value));
  }
  return merged;
}

/** Returns settings without `null`, empty lists and empty texts: by these, clients of one deployment say nothing. */
export function givenSettings(settings: SealedSettings): SealedSettings {
  const isGiven = (value: unknown): boolean =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, isObject(value) && !isSecret(value) ? givenSettings(value) : value]),
  );
}

/** Seals the secrets of settings. What is sealed already is checked by opening it, and remains. */
export function sealSettings(settings: SealedSettings, seal: Walk, check: Walk): Promise<SealedSettings> {
  return mapped(settings, 0, async (value) => {
    const sealed = value['ciphertext'];
    if (typeof sealed === 'string') {
      await check(sealed);
      return { ciphertext: sealed };
    }
    if (value['isSecret'] === false) return value['value'];
    const text = value['secret'] ?? value['value'];
    if (typeof text !== 'string') throw new Refusal(400, 'A secret of the settings is no text.');
    return { ciphertext: await seal(text) };
  }) as Promise<SealedSettings>;
}

/** Opens the secrets of settings, for the agent that runs them. */
export function openSettings(settings: SealedSettings, open: Walk): Promise<SealedSettings> {
  return mapped(settings, 0, async ({ ciphertext }) => ({
    secret: await open(String(ciphertext)),
  })) as Promise<SealedSettings>;
}

/** Returns settings with a mark in place of each secret: neither its value nor its ciphertext. */
export function shownSettings(settings: SealedSettings): Promise<SealedSettings> {
  return mapped(settings, 0, async () => SHOWN_SECRET) as Promise<SealedSettings>;
}

/** Returns a value with its secrets replaced. */
async function mapped(
  value: unknown,
  depth: number,
  secret: (value: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<unknown> {
  if (depth > DEEPEST) throw new Refusal(400, `The settings have more than ${DEEPEST} levels.`);
  if (Array.isArray(value)) return Promise.all(value.map((each) => mapped(each, depth + 1, secret)));
  if (!isObject(value)) return value;
  if (isSecret(value)) return secret(value);
  const entries = Object.entries(value).map(
    async ([name, each]) => [name, await mapped(each, depth + 1, secret)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** True for one of the forms in which clients write a secret: the only members of an object. */
function isSecret(value: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(value).sort().join();
  return names === 'secret' || names === 'ciphertext' || names === 'isSecret,value';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a member also if its name has a meaning for objects. */
function set(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns the commit that settings name, if it is a whole one. */
export function commitIn(settings: SealedSettings): string | undefined {
  const context = settings['sourceContext'] as
    { readonly git?: { readonly commit?: unknown } } | null | undefined;
  const commit = context?.git?.commit;
  return typeof commit === 'string' && /^[0-9a-f]{40}$/.test(commit) ? commit : undefined;
}
