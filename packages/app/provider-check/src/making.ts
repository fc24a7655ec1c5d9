import { departuresText, checkDepartures, previewDepartures } from '@cairn/engine';
import { containsUnknown, isUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isInitFailed, isProviderError } from '@cairn/wire';
import type { CreateResponse } from '@cairn/wire';
import { failuresText, tokenFor } from './bench.js';
import { broken, kept, notPromised, notTried } from './report.js';
import { failureText } from './trial.js';
import type { Trial } from './trial.js';

const CHECK = 'a check completes inputs';
const MISTAKES = 'mistakes are refused before anything is created';
const PREVIEW = 'known values in a preview are applied';
const CREATE = 'a create returns an object with an id';
const TOKEN = 'a repeated create with the same token creates no second object';
const LOOKUP = 'a look-up finds the object';
const PARTIAL = 'an object that is not ready is reported with its id';

/** Tries check, preview, create, and the promises for a repeated create. */
export async function tryMaking(trial: Trial): Promise<void> {
  await tryMistakes(trial);
  const inputs = await inputsAfterCheck(trial, trial.inputs(trial.plan.inputs));
  if (inputs === undefined) return;
  const shown = await trial.attempt(PREVIEW, () => trial.bench.previewCreate(trial.about, inputs));
  const token = tokenFor(trial.plan.name, trial.promises);
  const made = await trial.attempt(CREATE, () => trial.bench.create(trial.about, inputs, token));
  if (made === undefined) return;
  const complaint = unusable(made);
  trial.note(complaint === undefined ? kept(CREATE, `id ${made.id}`) : broken(CREATE, complaint));
  if (made.id !== '') trial.object = { id: made.id, inputs, outputs: made.outputs };
  trial.note(judgePreview(shown, made.outputs, PREVIEW));
  await tryToken(trial, inputs, token);
  await tryLookup(trial, inputs, token ?? '');
}

/** Returns the inputs as the provider completes them, or `undefined` if it refuses or cannot complete them. */
export async function inputsAfterCheck(
  trial: Trial,
  news: PropertyMap,
  prior?: PropertyMap,
): Promise<PropertyMap | undefined> {
  const answer = await trial.attempt(CHECK, () => trial.bench.check(trial.about, news, prior));
  if (answer === undefined) return undefined;
  if (answer.failures.length > 0) {
    trial.note(broken(CHECK, `it refuses the inputs of the file: ${failuresText(answer.failures)}`));
    return undefined;
  }
  const found = checkDepartures(news, answer.inputs, prior);
  trial.note(found.length === 0 ? kept(CHECK) : broken(CHECK, departuresText('check', found)));
  return answer.inputs;
}

async function tryMistakes(trial: Trial): Promise<void> {
  const { invalid } = trial.plan;
  if (invalid === undefined) return trial.note(notTried(MISTAKES, 'the file has no `invalid` inputs'));
  const answer = await trial.attempt(MISTAKES, () => trial.bench.check(trial.about, trial.inputs(invalid)));
  if (answer === undefined) return;
  const { failures } = answer;
  trial.note(
    failures.length > 0
      ? kept(MISTAKES, failuresText(failures))
      : broken(MISTAKES, 'the check accepts the `invalid` inputs'),
  );
}

/** Compares the claims of a preview with the applied result. */
export function judgePreview(shown: PropertyMap | undefined, applied: PropertyMap, promise = PREVIEW) {
  if (shown === undefined)
    return notPromised(promise, 'the provider has no previews: outputs are unknown in them');
  const found = previewDepartures(shown, applied);
  if (found.length > 0) return broken(promise, departuresText('preview', found));
  const open = Object.keys(shown).filter((key) => isUnknown(shown[key] as PropertyValue));
  return kept(promise, open.length === 0 ? '' : `not known before: ${open.join(', ')}`);
}

/** Returns the reason why a response to a create cannot be used, if any. */
function unusable({ id, outputs }: CreateResponse): string | undefined {
  if (id === '') return 'it answered without an id';
  return containsUnknown(outputs) ? 'its outputs contain unknown values' : undefined;
}

async function tryToken(trial: Trial, inputs: PropertyMap, token: string | undefined): Promise<void> {
  if (token === undefined) return trial.note(notPromised(TOKEN, 'the type does not support tokens'));
  await trial.onObject(TOKEN, async ({ id }) => {
    const again = await trial.bench.create(trial.about, inputs, token);
    if (again.id === id) return trial.note(kept(TOKEN));
    const { reads, repeatable = [] } = trial.promises;
    if (reads === 'record' && repeatable.includes('delete'))
      return trial.note(kept(TOKEN, 'there is no object outside of the state that could exist twice'));
    trial.note(broken(TOKEN, `the first create made ${id}, the second ${again.id}`));
    if (again.id !== '') trial.strays.push({ id: again.id, inputs, outputs: again.outputs });
  });
}

async function tryLookup(trial: Trial, inputs: PropertyMap, token: string): Promise<void> {
  if (trial.promises.lookup !== true) return trial.note(notPromised(LOOKUP, 'the type has no look-up'));
  await trial.onObject(LOOKUP, async ({ id }) => {
    const found = await trial.bench.lookup(trial.about, inputs, token);
    trial.note(
      found.includes(id)
        ? kept(LOOKUP)
        : broken(LOOKUP, `it found ${found.length === 0 ? 'nothing' : found.join(', ')}, not ${id}`),
    );
  });
}

/** Tries a create whose object comes into being but is not as it should be. */
export async function tryPartialFailure(trial: Trial): Promise<void> {
  const { fails } = trial.plan;
  if (fails === undefined) return trial.note(notTried(PARTIAL, 'the file has no `fails` inputs'));
  const checked = await trial.attempt(PARTIAL, () => trial.bench.check(trial.about, trial.inputs(fails)));
  if (checked === undefined) return;
  const { inputs } = checked;
  try {
    const made = await trial.bench.create(trial.about, inputs);
    trial.strays.push({ id: made.id, inputs, outputs: made.outputs });
    trial.note(broken(PARTIAL, 'the create with the `fails` inputs did not fail'));
  } catch (error) {
    if (isInitFailed(error)) {
      if (error.id !== '') trial.strays.push({ id: error.id, inputs, outputs: error.outputs });
      const told = `${error.id === '' ? 'no id' : `id ${error.id}`}: ${error.reasons.join('; ')}`;
      const whole = error.id !== '' && error.reasons.length > 0;
      return trial.note(whole ? kept(PARTIAL, told) : broken(PARTIAL, told));
    }
    const definite = isProviderError(error) && !error.inDoubt;
    trial.note(
      definite
        ? kept(PARTIAL, `it says that nothing was done: ${failureText(error)}`)
        : broken(PARTIAL, `its error does not tell whether there is an object: ${failureText(error)}`),
    );
  }
}
