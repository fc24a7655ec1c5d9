import { isProviderError } from '@cairn/wire';
import { LATE, settledWithin, tokenFor } from './bench.js';
import type { Bench } from './bench.js';
import { isMissing } from './reading.js';
import { broken, kept, notPromised, notTried } from './report.js';
import type { Finding } from './report.js';
import { failureText } from './trial.js';
import type { Trial } from './trial.js';

const OTHER = 'another process finds the object';
const CANCEL = 'a cancel is answered at once';
const GIVES_UP = 'cancelled work ends and reports what was done';
const CRASH = 'a killed create leaves at most one object, which is found again';

/** Reads the object in a process that has not made it. */
export async function tryOtherProcess(trial: Trial): Promise<void> {
  await trial.onObject(OTHER, async (object) => {
    const before = trial.bench;
    trial.bench = await trial.open();
    await before.instance.close();
    const found = await trial.bench.read(trial.about, object.id, object);
    trial.note(isMissing(found) ? broken(OTHER, `it says that ${object.id} is gone`) : kept(OTHER));
  });
}

/** Cancels a create that takes long, or an idle provider if the plan has no such create. */
export async function tryCancel(trial: Trial): Promise<void> {
  const { interrupt } = trial.plan;
  const bench = await trial.open();
  try {
    if (interrupt === undefined) {
      trial.note(await cancelled(bench));
      return trial.note(notTried(GIVES_UP, 'the file has no `interrupt` inputs'));
    }
    const { inputs } = await bench.check(trial.about, trial.inputs(interrupt.inputs));
    const work = bench.create(trial.about, inputs, tokenFor(trial.plan.name, trial.promises)).then(
      (made) => ({ made }),
      (error: unknown) => ({ error }),
    );
    await bench.ports.sleep(interrupt.after);
    trial.note(await cancelled(bench));
    const end = await settledWithin(bench.ports.cancelMs, work);
    if (end === LATE)
      return trial.note(broken(GIVES_UP, `it still works ${bench.ports.cancelMs / 1000} s after the cancel`));
    if ('made' in end) {
      trial.strays.push({ id: end.made.id, inputs, outputs: end.made.outputs });
      return trial.note(kept(GIVES_UP, `it was done anyway: ${end.made.id}`));
    }
    const definite = isProviderError(end.error) && !end.error.inDoubt;
    const what = definite ? 'it says that nothing was done' : 'it does not report what was done';
    trial.note(kept(GIVES_UP, `${what}: ${failureText(end.error)}`));
    if (!definite) await findStray(trial, inputs);
  } finally {
    await bench.instance.close();
  }
}

async function cancelled({ provider, ports }: Bench): Promise<Finding> {
  const answer = await settledWithin(
    ports.cancelMs,
    provider.cancel().catch((error: unknown) => error),
  );
  if (answer === LATE) return broken(CANCEL, `no answer within ${ports.cancelMs / 1000} s`);
  if (answer === undefined) return kept(CANCEL);
  return isProviderError(answer) && answer.code === 'UNIMPLEMENTED'
    ? notPromised(CANCEL, 'the provider does not support cancel: its process is ended')
    : broken(CANCEL, failureText(answer));
}

/** Kills the provider in the middle of a create, and continues like the engine. */
export async function tryCrash(trial: Trial): Promise<void> {
  const { promises, plan } = trial;
  const token = tokenFor(plan.name, promises);
  if (token === undefined && promises.lookup !== true)
    return trial.note(notPromised(CRASH, 'there is no token and no look-up: the user is asked'));
  await trial.attempt(CRASH, async () => {
    const first = await trial.open();
    const { kill } = first.instance;
    if (kill === undefined) {
      await first.instance.close();
      return trial.note(notTried(CRASH, 'it runs in this process, which cannot be killed'));
    }
    const given = trial.inputs(plan.interrupt?.inputs ?? plan.inputs);
    const { inputs } = await first.check(trial.about, given);
    const work = first.create(trial.about, inputs, token).catch(() => undefined);
    await first.ports.sleep(plan.interrupt?.after ?? 5);
    await kill();
    await work;
    const bench = await trial.open();
    try {
      trial.note(await goneOn(trial, bench, inputs, token));
    } finally {
      await bench.instance.close();
    }
  });
}

async function goneOn(
  trial: Trial,
  bench: Bench,
  inputs: Parameters<Bench['create']>[1],
  token: string | undefined,
): Promise<Finding> {
  if (token !== undefined) {
    const made = await bench.create(trial.about, inputs, token);
    trial.strays.push({ id: made.id, inputs, outputs: made.outputs });
    if (trial.promises.lookup !== true) return kept(CRASH, `created once more with its token: ${made.id}`);
    return judgeFound(await bench.lookup(trial.about, inputs, token), made.id);
  }
  const found = await bench.lookup(trial.about, inputs, '');
  trial.strays.push(...found.map((id) => ({ id, inputs, outputs: inputs })));
  return found.length > 1
    ? broken(CRASH, `the look-up finds several: ${found.join(', ')}`)
    : kept(CRASH, found.length === 0 ? 'nothing was made' : `found: ${found.join(', ')}`);
}

function judgeFound(found: readonly string[], id: string): Finding {
  if (found.length === 1 && found[0] === id) return kept(CRASH, `created once more with its token: ${id}`);
  return broken(
    CRASH,
    `created once more with its token it is ${id}; the look-up finds ${found.join(', ') || 'nothing'}`,
  );
}

/** Finds leftovers of an interrupted create, if the type has a look-up. */
async function findStray(trial: Trial, inputs: Parameters<Bench['create']>[1]): Promise<void> {
  if (trial.promises.lookup !== true) return;
  const fresh = await trial.open();
  try {
    const found = await fresh.lookup(trial.about, inputs, '');
    trial.strays.push(...found.map((id) => ({ id, inputs, outputs: inputs })));
  } finally {
    await fresh.instance.close();
  }
}
