import { noManagerCrypter, settledText } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { PlanOptions, SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import { historyConfig } from './prepared.js';
import type { Prepared } from './prepared.js';

/** Next action of a person who wants to limit an update that has no preview. */
export const STRICT_HINT =
  'Save a plan with `cairn preview --save-plan FILE` and follow it with `cairn up --plan FILE`.';

/** Limits of an update. */
export interface PlanRules {
  /** Text of a saved plan and its name in errors. Steps outside of the plan are not taken. */
  readonly plan?: { readonly name: string; readonly text: string } | undefined;
  /** Limits the steps to those that the preview of this operation showed. */
  readonly strict?: boolean | undefined;
}

/** Options about plans for one operation. */
export interface PlanChoice {
  /** Options for its preview. */
  readonly preview: PlanOptions;
  /** Returns the options for the passes after the preview. `made` is the plan of the preview. */
  readonly run: (made: SavedPlan | undefined) => PlanOptions;
}

/**
 * Returns the options about plans. Throws CAIRN-USAGE when the limit is a preview and there is none. Throws
 * CAIRN-PLAN-INVALID when the plan cannot be followed.
 */
export async function planChoice(
  prepared: Prepared,
  { plan, strict }: PlanRules,
  preview: boolean,
): Promise<PlanChoice> {
  const follow = plan === undefined ? undefined : await readPlan(prepared, plan.name, plan.text);
  if (strict !== true) return { preview: { follow }, run: () => ({ follow }) };
  if (!preview) throw cairnError('CAIRN-USAGE', 'a strict update needs a preview', { hint: STRICT_HINT });
  return { preview: { follow, make: true }, run: (made) => ({ follow: made }) };
}

/** Reads a plan for the present stack. Throws CAIRN-PLAN-INVALID. */
async function readPlan(prepared: Prepared, file: string, text: string): Promise<SavedPlan> {
  const { project, stack } = prepared.id;
  const crypter = text.includes('"ciphertext"')
    ? await crypterForPlan(prepared, text).catch(failingCrypter)
    : noManagerCrypter;
  return decodePlan(text, { file, project, stack, crypter });
}

/** Returns a crypter that fails when it is used: a plan of another stack is refused before. */
function failingCrypter(thrown: unknown): Crypter {
  const fail = (): never => {
    throw thrown;
  };
  return { encrypt: fail, decrypt: fail };
}

/** Returns the crypter of a stack, for a plan with secrets. The decoder refuses other content. */
export async function crypterForPlan({ manager, crypter }: Prepared, text: string): Promise<Crypter> {
  await manager.fetch?.([...text.matchAll(CIPHERTEXT)].map(([, ciphertext = '']) => ciphertext));
  return crypter;
}

const CIPHERTEXT = /"ciphertext": ?"([^"\\]*)"/g;

/** Writes a plan as text, with secrets sealed like those of the stack, unless they are to be shown. */
export async function planText(prepared: Prepared, plan: SavedPlan, showSecrets = false): Promise<string> {
  const { ports, config, crypter } = prepared;
  const text = encodePlan(plan, {
    manifest: newManifest(ports.now(), `v${ports.version}`),
    config: historyConfig(config),
    crypter: holdsSecrets(plan) ? await crypter : noManagerCrypter,
    showSecrets,
  });
  return settledText(text);
}
