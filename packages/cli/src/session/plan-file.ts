import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { noManagerCrypter } from '@cairn/crypters';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { PlanOptions, SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { historyConfig } from './prepare.js';
import type { Prepared } from './prepare.js';
import { cairnVersion } from './version.js';

/** What plans have to do with one command. */
export interface PlanChoice {
  /** For its preview. */
  readonly preview: PlanOptions;
  /** For what comes after the preview. `made`: the plan that the preview has made. */
  readonly run: (made: SavedPlan | undefined) => PlanOptions;
}

/** Plans have nothing to do with it. */
export const noPlans: PlanChoice = { preview: {}, run: () => ({}) };

/**
 * `up --plan FILE` takes no step that the plan does not have; `up --strict` none that its own preview has not shown.
 * Throws CAIRN-USAGE when there is no preview to be held to, or no such file, CAIRN-PLAN-INVALID when it cannot be
 * followed.
 */
export async function planOfUpdate(world: World, flags: Flags, prepared: Prepared): Promise<PlanChoice> {
  const file = flags.text('plan');
  const follow = file === undefined ? undefined : await readPlan(world, prepared, file);
  if (!flags.on('strict')) return { preview: { follow }, run: () => ({ follow }) };
  const without = ['skip-preview', 'json'].find((name) => flags.on(name));
  if (without !== undefined) {
    throw cairnError('CAIRN-USAGE', `--strict needs the preview that --${without} leaves out`, {
      hint: 'Save a plan with `cairn preview --save-plan FILE` and follow it with `cairn up --plan FILE`.',
    });
  }
  return { preview: { follow, make: true }, run: (made) => ({ follow: made }) };
}

/** The plan of a file, for the stack at hand. */
async function readPlan(world: World, prepared: Prepared, file: string): Promise<SavedPlan> {
  const { project, stack } = prepared.id;
  const text = await readFile(path.resolve(world.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read the plan ${file}`, { causes: [messageOf(error)] }, error);
  });
  const crypter = text.includes('"ciphertext"') ? await prepared.crypter : noManagerCrypter;
  return decodePlan(text, { file, project, stack, crypter });
}

/**
 * Writes a plan, its secrets sealed like those of the stack, unless they are to be shown. Only the user may read it.
 */
export async function writePlan(
  world: World,
  prepared: Prepared,
  file: string,
  plan: SavedPlan,
  showSecrets: boolean,
): Promise<void> {
  const text = encodePlan(plan, {
    manifest: newManifest(world.now(), `v${cairnVersion()}`),
    config: historyConfig(prepared.config),
    crypter: holdsSecrets(plan) ? await prepared.crypter : noManagerCrypter,
    showSecrets,
  });
  await writeFile(path.resolve(world.cwd, file), text, { mode: 0o600 }).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write the plan ${file}`, { causes: [messageOf(error)] }, error);
  });
  world.stderr.write(`Saved the plan; follow it with: cairn up --plan ${file}\n`);
}
