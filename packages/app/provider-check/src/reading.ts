import { getProperty, isSecret, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isProviderError } from '@cairn/wire';
import type { DiffResponse, ReadResponse } from '@cairn/wire';
import { altered } from './bench.js';
import type { TestObject } from './bench.js';
import { broken, kept, notPromised, notTried } from './report.js';
import type { Trial } from './trial.js';

const QUIET = 'a refresh of an unchanged object changes nothing';
const LOOKS = 'a read looks at the object';
const IMPORT = 'an object can be imported by its id';
const DRIFT = 'a read sees changes by others';

/** Tries reads of the existing object. */
export async function tryReading(trial: Trial): Promise<void> {
  await trial.onObject(QUIET, (object) => tryQuiet(trial, object));
  await trial.onObject(LOOKS, (object) => tryEcho(trial, object));
  await trial.onObject(IMPORT, (object) => tryImport(trial, object));
  await tryDrift(trial);
}

async function tryQuiet(trial: Trial, object: TestObject): Promise<void> {
  const found = await trial.bench.read(trial.about, object.id, object);
  if (isMissing(found)) return trial.note(broken(QUIET, `the read says that ${object.id} is gone`));
  const now = objectAsRead(found, object);
  const diff = await trial.bench.diff(trial.about, now, object.inputs);
  const keys = changedBy(diff);
  trial.note(keys === undefined ? kept(QUIET) : broken(QUIET, `the next update would change ${keys}`));
}

/**
 * Passes wrong values to the read: an answer that repeats one was not looked up. It changes one property at a time,
 * because the provider may find the object by some of them.
 */
async function tryEcho(trial: Trial, object: TestObject): Promise<void> {
  const keys = Object.keys(object.outputs).filter((key) => {
    const value = getProperty(object.outputs, key);
    return !key.startsWith('__') && typeof value === 'string' && value !== object.id && !isSecret(value);
  });
  const answers = [];
  for (const key of keys.slice(0, 5)) answers.push(await repeats(trial, object, key));
  const { reads } = trial.promises;
  if (answers.length === 0)
    return trial.note(notTried(LOOKS, 'no output is a string that could be changed in the record'));
  trial.looks = answers.includes(false);
  if (trial.looks)
    return trial.note(reads === 'record' ? notPromised(LOOKS, 'it declares that it does not') : kept(LOOKS));
  const repeated = `it repeats the record: ${keys.slice(0, 5).join(', ')}`;
  trial.note(reads === 'world' ? broken(LOOKS, repeated) : notPromised(LOOKS, repeated));
}

async function repeats(trial: Trial, object: TestObject, key: string): Promise<boolean> {
  const told = `${String(getProperty(object.outputs, key))}-told`;
  const outputs = altered(object.outputs, key, told);
  try {
    const found = await trial.bench.read(trial.about, object.id, { inputs: object.inputs, outputs });
    return !isMissing(found) && found.outputs !== undefined && getProperty(found.outputs, key) === told;
  } catch {
    return false;
  }
}

async function tryImport(trial: Trial, object: TestObject): Promise<void> {
  const found = await trial.bench.read(trial.about, object.id).catch((error: unknown) => {
    if (isProviderError(error) && !error.inDoubt) return undefined;
    throw error;
  });
  if (found === undefined || (found.inputs === undefined && !isMissing(found)))
    return trial.note(notPromised(IMPORT, 'the type cannot be imported'));
  if (isMissing(found) || found.inputs === undefined)
    return trial.note(
      trial.promises.reads === 'world'
        ? broken(IMPORT, `a read by ${object.id} alone finds nothing`)
        : notPromised(IMPORT, `a read by ${object.id} alone finds nothing`),
    );
  const imported = { id: found.id, inputs: found.inputs, outputs: found.outputs ?? propertyMap({}) };
  const { inputs } = await trial.bench.check(trial.about, trial.inputs(trial.plan.inputs), imported.inputs);
  const keys = changedBy(await trial.bench.diff(trial.about, imported, inputs));
  trial.note(kept(IMPORT, keys === undefined ? '' : `the first update after it would change ${keys}`));
}

async function tryDrift(trial: Trial): Promise<void> {
  const { drift } = trial.plan;
  if (drift === undefined) return trial.note(notTried(DRIFT, 'the file has no `drift` command'));
  await trial.onObject(DRIFT, async (object) => {
    await trial.runCommand(drift, object);
    const found = await trial.bench.read(trial.about, object.id, object);
    if (isMissing(found)) {
      trial.looks = true;
      trial.object = undefined;
      return trial.note(kept(DRIFT, 'the object is gone'));
    }
    const now = objectAsRead(found, object);
    const diff = await trial.bench.diff(trial.about, now, object.inputs);
    const keys = changedBy(diff);
    if (keys === undefined) {
      const verdict = trial.promises.reads === 'world' ? broken : notPromised;
      return trial.note(verdict(DRIFT, 'after the `drift` command the read and the diff find no difference'));
    }
    trial.looks = true;
    const replaces = diff.replaceKeys.length > 0;
    if (!replaces) {
      const outputs = (await trial.bench.update(trial.about, now, object.inputs)) ?? now.outputs;
      trial.object = { ...now, inputs: object.inputs, outputs };
    }
    trial.note(
      kept(DRIFT, `found: ${keys}${replaces ? '; a new object is needed' : '; corrected by an update'}`),
    );
  });
}

/** Returns the names of changed properties, or `undefined` if there are none. */
export function changedBy(diff: DiffResponse): string | undefined {
  if (diff.changes !== 'some') return undefined;
  const keys = new Set([...diff.changedKeys, ...diff.replaceKeys, ...Object.keys(diff.detailedDiff ?? {})]);
  return keys.size === 0 ? 'something that it does not name' : [...keys].join(', ');
}

/** Tells whether a response to a read means that the object does not exist [PROV-17]. */
export function isMissing({ id, outputs }: ReadResponse): boolean {
  return id === '' || outputs === undefined;
}

/** Returns the object with the values of a response to a read. It keeps those that the response does not have. */
export function objectAsRead({ id, inputs, outputs }: ReadResponse, object: TestObject): TestObject {
  return { id, inputs: inputs ?? object.inputs, outputs: outputs ?? object.outputs };
}

/** Returns outputs that no input sets: a person has to provide them if they cannot be read. */
export function ownOutputs({
  inputs,
  outputs,
}: {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}) {
  return Object.keys(outputs).filter((key) => !key.startsWith('__') && !Object.hasOwn(inputs, key));
}
