import path from 'node:path';
import { noManagerCrypter, settledText } from '@cairn/crypters';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import type { Json } from '@cairn/state';
import { recordOptions } from '../options/recorded-options.js';
import type { RecordedOptions } from '../options/recorded-options.js';
import type { RequestedOperation } from './operation.js';
import { crypterForPlan } from './plans.js';
import type { Prepared } from './prepared.js';

/**
 * Returns the part of an operation's record with which it can be continued: its options, its words, and the contents of
 * files.
 */
export async function keptOptions(
  prepared: Prepared,
  { options, imports }: RequestedOperation,
  plan: SavedPlan | undefined,
): Promise<Json> {
  const { ports } = prepared;
  const [crypter, documents] = await Promise.all([prepared.crypter, prepared.documents]);
  const files: Record<string, string> = {};
  if (plan !== undefined) {
    const text = encodePlan(plan, {
      manifest: newManifest(ports.now(), `v${ports.version}`),
      config: {},
      crypter: holdsSecrets(plan) ? crypter : noManagerCrypter,
    });
    files['plan'] = documents.encrypt(await settledText(text));
  }
  const { words = [], list } = imports?.typed ?? {};
  if (list !== undefined) files['list'] = documents.encrypt(list);
  return recordOptions(options, (each) => path.resolve(ports.cwd, each), {
    words: words.map((word) => word ?? null),
    files,
  });
}

/** Opens a file of a record. */
export async function openedFile({ manager, documents }: Prepared, sealed: string): Promise<string> {
  const crypter = await documents;
  await manager.fetch?.([sealed]);
  return crypter.decrypt(sealed);
}

/** Returns the plan to which a recorded operation was limited. */
export async function keptPlan(
  prepared: Prepared,
  { files }: RecordedOptions,
): Promise<SavedPlan | undefined> {
  const sealed = files['plan'];
  if (sealed === undefined) return undefined;
  const text = await openedFile(prepared, sealed);
  const crypter = await crypterForPlan(prepared, text);
  const { project, stack } = prepared.id;
  return decodePlan(text, { file: 'the plan of the change', project, stack, crypter });
}
