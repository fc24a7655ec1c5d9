import {
  departuresText,
  noChangesDepartures,
  replaceKeyDepartures,
  stableDepartures,
  wantsReplacement,
} from '@cairn/engine';
import { equalMaps } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import type { TestObject } from './bench.js';
import { inputsAfterCheck, judgePreview } from './making.js';
import type { PlannedChange } from './plan.js';
import { changedBy, isMissing, objectAsRead } from './reading.js';
import { broken, kept, notPromised, notTried } from './report.js';
import type { Trial } from './trial.js';

const SAME = 'the same inputs cause no change';
const DIFF = 'a diff tells the effect of a change';
const UPDATE = 'an update does what the diff announced';
const STABLE = 'properties that a diff declares stable are stable';
const PREVIEW = 'known values in the preview of an update are applied';
const REPLACE = 'a replacement creates another object';
const DELETE = 'a delete removes the object';
const AGAIN = 'a repeated delete has the same result';

/** Tries the same inputs again, then every change of the plan. */
export async function tryChanges(trial: Trial): Promise<void> {
  await trial.onObject(SAME, async (object) => {
    const diff = await trial.bench.diff(trial.about, object, object.inputs);
    const keys = changedBy(diff);
    trial.note(keys === undefined ? kept(SAME) : broken(SAME, `the diff names ${keys}`));
  });
  const { changes, inputs } = trial.plan;
  if (changes.length === 0) trial.note(notTried(UPDATE, 'the file has no `changes`'));
  let given = inputs;
  for (const change of changes) {
    given = { ...given, ...change.inputs };
    const wanted = trial.inputs(given);
    await trial.onObject(DIFF, (object) => tryChange(trial, object, wanted, change));
  }
}

async function tryChange(
  trial: Trial,
  object: TestObject,
  wanted: PropertyMap,
  change: PlannedChange,
): Promise<void> {
  const news = await inputsAfterCheck(trial, wanted, object.inputs);
  if (news === undefined) return;
  const diff = await trial.bench.diff(trial.about, object, news);
  const replaces = wantsReplacement(diff);
  trial.note(judgeDiff(diff, object, news, change));
  if (diff.changes === 'none') return;
  if (replaces) await replace(trial, object, wanted, diff);
  else await update(trial, object, news, diff);
}

function judgeDiff(
  diff: DiffResponse,
  object: TestObject,
  news: PropertyMap,
  { inputs, replaces }: PlannedChange,
) {
  const named = Object.keys(inputs).join(', ');
  if (diff.changes === 'none' && !equalMaps(object.inputs, news))
    return broken(DIFF, `${named} changed, but the diff has no changes`);
  const quiet = noChangesDepartures(diff, object.inputs, news);
  if (quiet.length > 0) return broken(DIFF, departuresText('no-changes', quiet));
  const nowhere = replaceKeyDepartures(diff, [object.inputs, news, object.outputs]);
  if (nowhere.length > 0) return broken(DIFF, departuresText('replace-key', nowhere));
  const found = wantsReplacement(diff);
  const what = found ? 'a new object' : 'an update in place';
  if (replaces !== undefined && replaces !== found && diff.changes !== 'unknown')
    return broken(DIFF, `for ${named} it asks for ${what}; the file expects the other`);
  return kept(DIFF, `${named}: ${diff.changes === 'unknown' ? 'it leaves that to the engine' : what}`);
}

async function update(
  trial: Trial,
  object: TestObject,
  news: PropertyMap,
  diff: DiffResponse,
): Promise<void> {
  await trial.attempt(UPDATE, async () => {
    const shown = await trial.bench.update(trial.about, object, news, true);
    const outputs = (await trial.bench.update(trial.about, object, news)) ?? object.outputs;
    const now = (trial.object = { id: object.id, inputs: news, outputs });
    trial.note(judgePreview(shown, outputs, PREVIEW));
    const moved = stableDepartures(diff.stableKeys, object.outputs, outputs);
    trial.note(moved.length === 0 ? kept(STABLE) : broken(STABLE, departuresText('stable', moved)));
    trial.note(await judgeUpdate(trial, now));
  });
}

/** Judges an update: afterwards nothing is left to do, by its own record and by a read. */
async function judgeUpdate(trial: Trial, now: TestObject) {
  const left = changedBy(await trial.bench.diff(trial.about, now, now.inputs));
  if (left !== undefined) return broken(UPDATE, `after it the diff still names ${left}`);
  const found = await trial.bench.read(trial.about, now.id, now);
  if (isMissing(found)) return broken(UPDATE, 'after it the read says that the object is gone');
  const seen = objectAsRead(found, now);
  const missing = changedBy(await trial.bench.diff(trial.about, seen, now.inputs));
  return missing === undefined
    ? kept(UPDATE)
    : broken(UPDATE, `a read after it shows that it did not do ${missing}`);
}

async function replace(
  trial: Trial,
  object: TestObject,
  wanted: PropertyMap,
  diff: DiffResponse,
): Promise<void> {
  await trial.attempt(REPLACE, async () => {
    const news = await inputsAfterCheck(trial, wanted);
    if (news === undefined) return;
    const shown = await trial.bench.previewCreate(trial.about, news);
    if (diff.deleteBeforeReplace) {
      await trial.bench.delete(trial.about, object);
      trial.object = undefined;
    }
    const made = await trial.bench.create(trial.about, news);
    trial.object = { id: made.id, inputs: news, outputs: made.outputs };
    trial.note(judgePreview(shown, made.outputs));
    if (!diff.deleteBeforeReplace) {
      // An object of the same id is already the new one: the old one of that id no longer exists.
      if (made.id !== object.id) await trial.bench.delete(trial.about, object);
      const found = await trial.bench.read(trial.about, made.id, trial.object);
      if (isMissing(found)) return trial.note(broken(REPLACE, 'deleting the old object removed the new one'));
    }
    const order = diff.deleteBeforeReplace ? 'deleted first' : 'created first';
    trial.note(kept(REPLACE, `${object.id} is now ${made.id}, ${order}`));
  });
}

/** Deletes the object, looks for it, and deletes it again. */
export async function tryDelete(trial: Trial): Promise<void> {
  await trial.onObject(DELETE, async (object) => {
    await trial.bench.delete(trial.about, object);
    trial.object = undefined;
    trial.note(await judgeDelete(trial, object));
    if (trial.promises.repeatable?.includes('delete') !== true)
      return trial.note(notPromised(AGAIN, 'it is not declared'));
    await trial.attempt(AGAIN, async () => {
      await trial.bench.delete(trial.about, object);
      trial.note(kept(AGAIN));
    });
  });
}

async function judgeDelete(trial: Trial, object: TestObject) {
  const { reads } = trial.promises;
  if (reads === 'record')
    return kept(DELETE, 'it cannot be checked: the provider declares that reads repeat the record');
  const found = await trial.bench.read(trial.about, object.id, object).catch(() => undefined);
  if (found === undefined)
    return notPromised(DELETE, 'a read of a deleted object fails, so it cannot be checked');
  if (isMissing(found)) {
    trial.looks = true;
    return kept(DELETE);
  }
  trial.looks = false;
  const seen = `after it a read still answers with ${object.id}`;
  return reads === 'world' ? broken(DELETE, seen) : notPromised(DELETE, `${seen}: it repeats the record`);
}
