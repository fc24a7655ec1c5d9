import { noManagerCrypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { PlanOptions, SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import { historyConfig } from './prepared.js';
import type { Prepared } from './prepared.js';

/** What an update is held to. */
export interface PlanRules {
  /** The text of a saved plan, and what errors call it: no step is taken that it does not have. */
  readonly plan?: { readonly name: string; readonly text: string } | undefined;
  /** No step is taken that the preview of this very operation has not shown. */
  readonly strict?: boolean | undefined;
}

/** What plans have to do with one operation. */
export interface PlanChoice {
  /** For its preview. */
  readonly preview: PlanOptions;
  /** For what comes after the preview. `made`: the plan that the preview has made. */
  readonly run: (made: SavedPlan | undefined) => PlanOptions;
}

/** Throws CAIRN-USAGE when there is no preview to be held to, CAIRN-PLAN-INVALID when the plan cannot be followed. */
export async function planChoice(
  prepared: Prepared,
  { plan, strict }: PlanRules,
  preview: boolean,
): Promise<PlanChoice> {
  const follow = plan === undefined ? undefined : await readPlan(prepared, plan.name, plan.text);
  if (strict !== true) return { preview: { follow }, run: () => ({ follow }) };
  if (!preview)
    throw cairnError('CAIRN-USAGE', 'an update that is held to its own preview needs one', {
      hint: 'Save a plan with `cairn preview --save-plan FILE` and follow it with `cairn up --plan FILE`.',
    });
  return { preview: { follow, make: true }, run: (made) => ({ follow: made }) };
}

/** A plan for the stack at hand. Throws CAIRN-PLAN-INVALID. */
async function readPlan(prepared: Prepared, file: string, text: string): Promise<SavedPlan> {
  const { project, stack } = prepared.id;
  const crypter = text.includes('"ciphertext"') ? await prepared.crypter : noManagerCrypter;
  return decodePlan(text, { file, project, stack, crypter });
}

/** The text of a plan, its secrets sealed like those of the stack, unless they are to be shown. */
export async function planText(prepared: Prepared, plan: SavedPlan, showSecrets = false): Promise<string> {
  const { ports, config, crypter } = prepared;
  return encodePlan(plan, {
    manifest: newManifest(ports.now(), `v${ports.version}`),
    config: historyConfig(config),
    crypter: holdsSecrets(plan) ? await crypter : noManagerCrypter,
    showSecrets,
  });
}
