import { diffMaps, formatPath } from '@cairn/values';
import type { Bench, Compared } from './bench.js';
import { changedBy } from './reading.js';
import { broken, kept, notPromised, notTried } from './report.js';
import { failureText } from './trial.js';
import type { Trial } from './trial.js';

const COMPARES = 'checks and diffs depend on their arguments alone';

/**
 * Keeps the answers about the present object: to its own inputs, and to those of each planned change. {@link
 * tryComparing} asks again when the object has gone.
 */
export async function keepComparisons(trial: Trial): Promise<void> {
  const { object, plan } = trial;
  if (object === undefined || trial.promises.compares !== 'arguments') return;
  const given = plan.changes.map(({ inputs }) => trial.inputs({ ...plan.inputs, ...inputs }));
  for (const news of [object.inputs, trial.inputs(plan.inputs), ...given])
    trial.compared.push({ object, news, answers: await answersOf(trial.bench, trial, { object, news }) });
}

/** Asks the same again in the same process, after calls that changed the object, and in another process. */
export async function tryComparing(trial: Trial): Promise<void> {
  if (trial.promises.compares !== 'arguments')
    return trial.note(notPromised(COMPARES, 'the type does not say so'));
  if (trial.compared.length === 0) return trial.note(notTried(COMPARES, 'there is no object'));
  await compareAgain(trial.bench, trial, 'after other calls');
  const other = await trial.open();
  try {
    await compareAgain(other, trial, 'in another process');
  } finally {
    await other.instance.close();
  }
}

async function compareAgain(bench: Bench, trial: Trial, when: string): Promise<void> {
  for (const before of trial.compared) {
    const now = await answersOf(bench, trial, before);
    const other = otherCheck(before.answers.check, now.check) ?? otherDiff(before.answers.diff, now.diff);
    if (other !== undefined) return trial.note(broken(COMPARES, `${when} ${other}`));
  }
  trial.note(kept(COMPARES));
}

async function answersOf(
  bench: Bench,
  { about }: Trial,
  { object, news }: Pick<Compared, 'object' | 'news'>,
): Promise<Compared['answers']> {
  const check = await bench.check(about, news, object.inputs).catch(failureText);
  const inputs = typeof check === 'string' ? news : check.inputs;
  return { check, diff: await bench.diff(about, object, inputs).catch(failureText) };
}

function otherCheck(
  before: Compared['answers']['check'],
  now: Compared['answers']['check'],
): string | undefined {
  if (typeof before === 'string' || typeof now === 'string')
    return before === now ? undefined : 'the same check succeeds or fails in another way';
  const [first] = diffMaps(before.inputs, now.inputs);
  if (first !== undefined) return `the same check answers another ${formatPath(first.path)}`;
  return JSON.stringify(before.failures) === JSON.stringify(now.failures)
    ? undefined
    : 'the same check refuses other inputs';
}

function otherDiff(
  before: Compared['answers']['diff'],
  now: Compared['answers']['diff'],
): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
  return `the same diff answers ${diffText(now)}, before ${diffText(before)}`;
}

function diffText(diff: Compared['answers']['diff']): string {
  return typeof diff === 'string' ? diff : (changedBy(diff) ?? 'no change');
}
