import path from 'node:path';
import { noManagerCrypter } from '@cairn/crypters';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { World } from '../world.js';
import type { Operation } from './operate.js';
import type { Prepared } from './prepare.js';
import { recordOptions } from './recorded-options.js';
import type { RecordedOptions } from './recorded-options.js';
import { cairnVersion } from './version.js';

/** What the record of an operation keeps so that it can be gone on with: its flags, its words, and what files said. */
export async function keptOptions(
  world: World,
  prepared: Prepared,
  { flags, typed }: Operation,
  plan: SavedPlan | undefined,
): Promise<Json> {
  const [crypter, documents] = await Promise.all([prepared.crypter, prepared.documents]);
  const files: Record<string, string> = {};
  if (plan !== undefined) {
    const text = encodePlan(plan, {
      manifest: newManifest(world.now(), `v${cairnVersion()}`),
      config: {},
      crypter: holdsSecrets(plan) ? crypter : noManagerCrypter,
    });
    files['plan'] = documents.encrypt(text);
  }
  if (typed?.list !== undefined) files['list'] = documents.encrypt(typed.list);
  const words = (typed?.words ?? []).map((word) => word ?? null);
  return recordOptions(flags, (each) => path.resolve(world.cwd, each), { words, files });
}

/** The plan that a recorded operation was held to. */
export async function keptPlan(
  prepared: Prepared,
  { files }: RecordedOptions,
): Promise<SavedPlan | undefined> {
  const sealed = files['plan'];
  if (sealed === undefined) return undefined;
  const crypter = await prepared.crypter;
  const text = (await prepared.documents).decrypt(sealed);
  const { project, stack } = prepared.id;
  return decodePlan(text, { file: 'the plan of the change', project, stack, crypter });
}
