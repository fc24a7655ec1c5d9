import { errorDiagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import { stamp } from '../execute/handlers/handler.js';
import { markSecretOutputs } from '../model/secret-outputs.js';
import type { Doubt } from '../model/history.js';
import type { OutputsToTell } from '../model/result.js';
import { mayBeEcho } from './evidence.js';
import type { Asking, DoubtFinding } from './finding.js';
import { isThere, readObject } from './read-object.js';
import type { FoundAgain } from './read-object.js';
import { lacking, outputsWanted, toldOutputs } from './answered-outputs.js';
import type { AnsweredOutputs } from './answered-outputs.js';

/**
 * Takes over an object that a person names as the result of the create. If its provider can read it, it must exist.
 * Otherwise the person supplies its outputs.
 */
export async function adopt(
  id: string,
  told: PropertyMap | undefined,
  asking: Asking,
): Promise<DoubtFinding> {
  const { search, context } = asking;
  const { resource } = search.doubt;
  if (search.known.has(id)) return refused(resource, `the object "${id}" already belongs to the stack`);
  const found = await outputsAt(id, resource.inputs, told, asking);
  if (found.t === 'gone') return refused(resource, `the object "${id}" does not exist`);
  if (found.t === 'read-anyway')
    return refused(resource, 'its provider reads its outputs: leave out `--outputs`');
  if (found.t !== 'complete') return incomplete(found, search.doubt, `--created ${id}`);
  const at = stamp(context);
  return { t: 'done', entry: withOutputs(withEntry(resource, { id, created: at, modified: at }), found) };
}

/**
 * Runs {@link adopt} for an object that a look-up has found. A person is asked for outputs that the provider cannot
 * read.
 */
export async function adoptFound(id: string, asking: Asking): Promise<DoubtFinding> {
  const { search } = asking;
  const { resource } = search.doubt;
  const found = await outputsAt(id, resource.inputs, undefined, asking);
  return found.t === 'missing'
    ? {
        t: 'ask',
        why: `it was found as "${id}", but ${lacking(found.missing)}`,
        outputs: wantedOf(found.missing),
      }
    : adopt(id, undefined, asking);
}

/** Accepts a person's answer that an update or a delete was done. */
export async function takeAsDone(told: PropertyMap | undefined, asking: Asking): Promise<DoubtFinding> {
  const { search, context } = asking;
  const { doubt, cell } = search;
  if (cell === undefined || doubt.type === 'deleting') return { t: 'done', entry: undefined };
  const { resource } = doubt;
  const found = await outputsAt(cell.entry.id, cell.entry.inputs, told, asking);
  if (found.t === 'gone') return { t: 'gone' };
  if (found.t === 'read-anyway')
    return refused(resource, 'its provider reads its outputs: leave out `--outputs`');
  if (found.t !== 'complete') return incomplete(found, doubt, '--done');
  return { t: 'done', entry: withOutputs(withEntry(resource, { modified: stamp(context) }), found) };
}

type OutputsAt =
  | AnsweredOutputs
  | { readonly t: 'complete'; readonly outputs: PropertyMap; readonly read: FoundAgain }
  | { readonly t: 'gone' }
  /** Outputs were supplied although the provider states that it reads them. */
  | { readonly t: 'read-anyway' };

/** Returns the outputs of an object. Outputs that its provider reads override the supplied ones. */
async function outputsAt(
  id: string,
  inputs: PropertyMap,
  told: PropertyMap | undefined,
  { provider, extras, search }: Asking,
): Promise<OutputsAt> {
  const { resource } = search.doubt;
  const outputs =
    search.cell !== undefined && search.doubt.type !== 'creating' ? search.cell.entry.outputs : inputs;
  if (extras?.reads !== 'record') {
    const found = await readObject(provider, resource, { id, inputs, outputs });
    if (!isThere(found)) return { t: 'gone' };
    if (extras?.reads === 'world' && told !== undefined) return { t: 'read-anyway' };
    if (extras?.reads === 'world' || !mayBeEcho({ id, inputs, outputs }, found))
      return { t: 'complete', outputs: found.outputs ?? {}, read: found };
  }
  return toldOutputs(provider, resource, told);
}

/** Makes the finding for incomplete outputs. `answer`: options of the command. */
function incomplete(
  told: Exclude<AnsweredOutputs, { readonly t: 'complete' }>,
  doubt: Doubt,
  answer: string,
): DoubtFinding {
  const outputs = told.t === 'missing' ? wantedOf(told.missing) : undefined;
  return { t: 'failed', diagnostic: outputsWanted(told, doubt, answer), outputs };
}

/** Returns the outputs that its provider was found not to read. */
function wantedOf(missing: readonly string[] | undefined): OutputsToTell {
  return { names: missing ?? [], needed: 'always' };
}

function withOutputs(
  entry: ResourceEntry,
  found: Extract<OutputsAt, { readonly t: 'complete' }>,
): ResourceEntry {
  const { inputs, additionalSecretOutputs } = entry;
  const read = 'read' in found ? found.read : undefined;
  return withEntry(entry, {
    id: read?.id ?? entry.id,
    outputs: markSecretOutputs(found.outputs, { inputs, additionalSecretOutputs }),
    refreshBeforeUpdate: read?.refreshBeforeUpdate ?? entry.refreshBeforeUpdate,
    initErrors: read?.reasons ?? [],
  });
}

function refused({ urn }: ResourceEntry, why: string): DoubtFinding {
  return {
    t: 'failed',
    diagnostic: errorDiagnostic(
      'CAIRN-RESOURCE-MISSING',
      `cannot take over what was created for ${urn}: ${why}`,
      {
        urn,
        hint: 'Nothing was changed. Look for the object at the provider and give its id.',
      },
    ),
  };
}
