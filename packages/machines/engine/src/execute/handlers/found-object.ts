import { cairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import { isInitFailed } from '@cairn/wire';
import type { InitFailedError, Provider, ReadResponse } from '@cairn/wire';
import {
  answered,
  answeredFailure,
  answeredId,
  answeredProperties,
} from '../../providers/provider-answer.js';
import type { ViewFields } from '../views/owned-views.js';
import { entryIdentity } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/** Object as its provider describes it. */
export interface FoundObject {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly refreshBeforeUpdate: boolean;
  /** Reasons why it is not ready. Empty if it is ready. */
  readonly initErrors: readonly string[];
}

/**
 * Looks up an object to take over, even one that is not ready [IMP-1]. Throws if it does not exist, or if the provider
 * cannot report its inputs.
 */
export async function lookUp(
  provider: Provider,
  entry: ResourceEntry,
  id: string,
  context: StepHandlerContext,
  views: Partial<ViewFields> = {},
): Promise<FoundObject> {
  const from = { entry, call: 'read', preview: false };
  const { urn, type } = entry;
  const { answer, reasons } = await readFirst(provider, entry, id, context, views);
  if (answer.outputs === undefined) {
    throw cairnError('CAIRN-RESOURCE-MISSING', `cannot import ${urn}: "${id}" does not exist`, {
      urn,
      hint: 'Correct the import id.',
    });
  }
  if (answer.inputs === undefined) {
    throw cairnError(
      'CAIRN-RESOURCE-FAILED',
      `cannot import ${urn}: the provider cannot import ${type}: it does not support importing`,
      { urn, hint: 'Remove the import option and let the resource be created.' },
    );
  }
  return {
    id: answer.id === '' ? id : answeredId(from, answer.id),
    inputs: answeredProperties(from, answer.inputs, 'inputs'),
    outputs: answeredProperties(from, answer.outputs, 'outputs'),
    refreshBeforeUpdate: answer.refreshBeforeUpdate,
    initErrors: reasons,
  };
}

async function readFirst(
  provider: Provider,
  entry: ResourceEntry,
  id: string,
  context: StepHandlerContext,
  views: Partial<ViewFields>,
): Promise<{ readonly answer: ReadResponse; readonly reasons: readonly string[] }> {
  const from = { entry, call: 'read', preview: false };
  try {
    const answer = await provider.read({
      ...entryIdentity(entry),
      ...views,
      id,
      inputs: undefined,
      state: undefined,
      timeoutSeconds: entry.customTimeouts.read,
    });
    return { answer: answered(from, answer), reasons: [] };
  } catch (thrown) {
    if (!isInitFailed(thrown)) throw thrown;
    const { reasons, ...answer } = answeredFailure(from, thrown);
    context.report(notReady(entry, thrown, reasons));
    return { answer, reasons };
  }
}

/** Makes the warning about an object that was found but has not become ready. */
export function notReady(
  { urn }: ResourceEntry,
  { message }: InitFailedError,
  reasons: readonly string[],
): Diagnostic {
  return warningDiagnostic('CAIRN-RESOURCE-INIT-FAILED', `${urn} is not ready: ${message}`, {
    urn,
    causes: reasons,
  });
}
