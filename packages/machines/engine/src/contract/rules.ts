import {
  containsSecret,
  containsUnknown,
  equalMaps,
  getProperty,
  isArray,
  isMap,
  plainOutputs,
  stripSecrets,
  equal,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { rootOf } from '../decide/provider-path.js';
import { wantsReplacement } from '../decide/replace-on-changes.js';
import { departures, staysUnknown } from './departures.js';
import type { Departure } from './departures.js';

/**
 * Promises that a provider's answers make and that the protocol allows to check. Terraform has the same idea for
 * Terraform providers. Each rule returns the places where an answer breaks it, or none if the answer keeps it.
 */
export type ContractRule = 'check' | 'preview' | 'action' | 'stable' | 'no-changes' | 'replace-key';

/**
 * `check`: a check completes inputs. It may add inputs that the program did not give (defaults, names), mark secrets
 * and write a value in another notation. It may keep a previous value of the object. It may not give a known input
 * another value, drop it, or guess a value for an unknown one. `prior` contains the inputs of the prior object that the
 * check received.
 */
export function checkDepartures(
  news: PropertyMap,
  answered: PropertyMap,
  prior: PropertyMap | undefined,
): readonly Departure[] {
  return departures(news, answered, { instead: prior, unknownMayBe: staysUnknown });
}

/**
 * `preview`: outputs that the preview shows as known are applied unchanged. Outputs that were unknown or absent may
 * become anything.
 */
export function previewDepartures(claimed: PropertyMap, applied: PropertyMap): readonly Departure[] {
  return departures(claimed, applied, { unknownMayBe: () => true });
}

/** `stable`: an output the diff declared stable is the same after an update. */
export function stableDepartures(
  keys: readonly string[],
  before: PropertyMap,
  after: PropertyMap,
): readonly Departure[] {
  if (keys.length === 0) return [];
  const stable = new Set(keys);
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => stable.has(key)));
  return departures(kept, after, { unknownMayBe: () => true });
}

/** `no-changes`: a diff without changes names no properties that differ. */
export function noChangesDepartures(
  diff: DiffResponse,
  prior: PropertyMap,
  inputs: PropertyMap,
): readonly Departure[] {
  const { replaceKeys, changedKeys, detailedDiff } = diff;
  if (diff.changes !== 'none') return [];
  if (replaceKeys.length === 0 && changedKeys.length === 0 && detailedDiff === undefined) return [];
  const named = new Set([...replaceKeys, ...changedKeys, ...Object.keys(detailedDiff ?? {})]);
  return [...named].map((path) => both(path, prior, inputs));
}

/**
 * `replace-key`: only a property that one of the three sides has can force a replacement. `id` is always allowed, and
 * keys that start with `__` belong to the provider.
 */
export function replaceKeyDepartures(
  diff: DiffResponse,
  sides: readonly PropertyMap[],
): readonly Departure[] {
  if (diff.changes === 'none') return [];
  const forced = Object.entries(diff.detailedDiff ?? {}).filter(([, { kind }]) => kind.endsWith('-replace'));
  const paths = new Set([...diff.replaceKeys, ...forced.map(([path]) => path)]);
  return [...paths]
    .filter((path) => !isSomewhere(rootOf(path), sides))
    .map((path) => ({ path, promised: undefined, given: undefined, secret: false }));
}

function isSomewhere(key: string, sides: readonly PropertyMap[]): boolean {
  return key === 'id' || key.startsWith('__') || sides.some((side) => getProperty(side, key) !== undefined);
}

/**
 * `action`: inputs that were known when an update was announced do not turn it into a replacement. `claimed` contains
 * the inputs of the announcement.
 */
export function actionDepartures(
  diff: DiffResponse,
  claimed: PropertyMap,
  inputs: PropertyMap,
): readonly Departure[] {
  if (!wantsReplacement(diff) || containsUnknown(claimed) || !equalMaps(claimed, inputs)) return [];
  const forced = Object.entries(diff.detailedDiff ?? {}).filter(([, { kind }]) => kind.endsWith('-replace'));
  const keys = forced.length > 0 ? forced.map(([path]) => path) : diff.replaceKeys;
  return keys.map((path) => both(path, claimed, inputs));
}

/** Returns true if inputs equal the announced ones with unknowns filled in. Only then do the claims count. */
export function fulfils(announced: PropertyValue, present: PropertyValue | undefined): boolean {
  if (announced === present) return true;
  const was = stripSecrets(plainOutputs(announced));
  if (!containsUnknown(was)) return present !== undefined && equal(was, stripSecrets(plainOutputs(present)));
  if (isArray(was)) {
    const is = present === undefined ? undefined : stripSecrets(plainOutputs(present));
    if (is === undefined || !isArray(is) || is.length !== was.length) return false;
    return was.every((item, index) => fulfils(item, is[index]));
  }
  if (isMap(was)) {
    const is = present === undefined ? undefined : stripSecrets(plainOutputs(present));
    if (is === undefined || !isMap(is)) return false;
    const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...keys].every((key) => {
      const announcedHere = getProperty(was, key);
      return announcedHere !== undefined && fulfils(announcedHere, getProperty(is, key));
    });
  }
  return true; // an unknown may become anything, nothing included
}

function both(path: string, prior: PropertyMap, inputs: PropertyMap): Departure {
  const key = rootOf(path);
  const [promised, given] = [getProperty(prior, key), getProperty(inputs, key)];
  const secret = [promised, given].some((value) => value !== undefined && containsSecret(value));
  return { path, promised, given, secret };
}
