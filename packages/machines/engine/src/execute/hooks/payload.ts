import { urnName } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { formatPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ErrorHookRequest, HookOptions, ResourceHookRequest } from '@cairn/wire';
import { hookBinding, hookOwner, operationOf } from '../../model/hook-moments.js';
import type { HookedOperation, HookedStep, HookPhase } from '../../model/hook-moments.js';
import type { FormValues } from '../../model/option-forms.js';
import { HOOK_OPTIONS, OPTIONS } from '../../model/options.js';
import type { HookOption } from '../../model/options.js';
import { durationText } from './duration.js';

/**
 * Returns the request for a hook [HOOK-4]. Inputs are the checked ones. Updates and deletes have old sides, creates and
 * updates have new sides. `found` is the record after the step. Only after-hooks of creates and updates have one.
 */
export function hookRequest(
  step: HookedStep,
  phase: HookPhase,
  found: { readonly id: string; readonly outputs: PropertyMap } | undefined,
): ResourceHookRequest {
  const { old, entry } = sides(step);
  return {
    ...about(step),
    id: (phase === 'after' ? found?.id : undefined) ?? old?.id ?? '',
    newInputs: entry?.inputs,
    oldInputs: old?.inputs,
    newOutputs: phase === 'after' && entry !== undefined ? found?.outputs : undefined,
    oldOutputs: old?.outputs,
    oldOptions: old && hookOptions(old),
    newOptions: entry && hookOptions(entry),
  };
}

/** Returns the request for an error hook [HOOK-9]. `errors` are newest first. */
export function errorHookRequest(step: HookedStep, errors: readonly string[]): ErrorHookRequest {
  const { old, entry, operation } = sides(step);
  return {
    ...about(step),
    id: old?.id ?? '',
    newInputs: entry?.inputs,
    oldInputs: old?.inputs,
    oldOutputs: old?.outputs,
    failedOperation: operation,
    errors,
    oldOptions: old && hookOptions(old),
    newOptions: entry && hookOptions(entry),
  };
}

/** Options that a record does not contain, or contains outside of its options. */
type Untold = Omit<HookOptions, (typeof OPTIONS)[HookOption]['hook']>;

/** Returns the options of a resource that its record contains. */
export function hookOptions(entry: ResourceEntry): HookOptions {
  const untold: Untold = {
    parent: entry.parent ?? '',
    provider: entry.provider ?? '',
    providers: {},
    deleteBeforeReplace: undefined,
    aliases: entry.aliases.map((urn) => ({ kind: 'urn', urn }) as const),
    version: '',
    pluginDownloadUrl: '',
    pluginChecksums: {},
  };
  const told = HOOK_OPTIONS.map((option) => [OPTIONS[option].hook, toldOf(entry, option)]);
  return { ...untold, ...(Object.fromEntries(told) as Omit<HookOptions, keyof Untold>) };
}

/** Returns a stored option as hooks see it. */
function toldOf(entry: ResourceEntry, option: HookOption): HookOptions[keyof HookOptions] {
  const value = entry[option];
  switch (OPTIONS[option].form) {
    case 'urn':
      return (value as FormValues['urn']) ?? '';
    case 'paths':
      return (value as FormValues['paths']).map(formatPath);
    case 'timeouts':
      return timeoutTexts(value as FormValues['timeouts']);
    case 'textLists':
      return hookBinding(entry);
    default:
      return value as HookOptions[keyof HookOptions];
  }
}

function timeoutTexts({
  create,
  update,
  delete: del,
  read,
}: FormValues['timeouts']): HookOptions['customTimeouts'] {
  if (create + update + del + read === 0) return undefined;
  return {
    create: durationText(create),
    update: durationText(update),
    delete: durationText(del),
    ...(read > 0 && { read: durationText(read) }),
  };
}

interface Sides {
  readonly operation: HookedOperation;
  readonly old: ResourceEntry | undefined;
  readonly entry: ResourceEntry | undefined;
}

/** Returns both sides of a step. A create has no old side, even if it replaces another object. */
function sides(step: HookedStep): Sides {
  const operation = operationOf(step.kind) as HookedOperation;
  return {
    operation,
    old: operation === 'create' || !('old' in step) ? undefined : step.old,
    entry: 'new' in step ? step.new : undefined,
  };
}

function about(step: HookedStep) {
  return { urn: step.urn, name: urnName(step.urn), type: hookOwner(step).type };
}
