import { urnName } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { formatPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ErrorHookRequest, HookOptions, ResourceHookRequest } from '@cairn/wire';
import { hookBinding, hookOwner, operationOf } from '../../model/hook-moments.js';
import type { HookedOperation, HookedStep, HookPhase } from '../../model/hook-moments.js';
import { durationText } from './duration.js';

/**
 * What a hook is told [HOOK-4]: inputs are the checked ones; old sides from updates and deletes, new
 * sides from creates and updates. `found`: the record after the step; only after-hooks of creates and updates have one.
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

/** What an error hook is told [HOOK-9]. `errors`: newest first. */
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

/** Options of a resource as far as its record holds them. */
export function hookOptions(entry: ResourceEntry): HookOptions {
  const { customTimeouts } = entry;
  const hasTimeouts = customTimeouts.create + customTimeouts.update + customTimeouts.delete > 0;
  return {
    parent: entry.parent ?? '',
    dependsOn: entry.dependencies,
    protect: entry.protect,
    retainOnDelete: entry.retainOnDelete,
    ignoreChanges: entry.ignoreChanges,
    replaceOnChanges: entry.replaceOnChanges,
    provider: entry.provider ?? '',
    providers: {},
    deletedWith: entry.deletedWith ?? '',
    replaceWith: entry.replaceWith,
    replacementTrigger: entry.replacementTrigger,
    deleteBeforeReplace: undefined,
    importId: entry.importId,
    hideDiffs: entry.hideDiffs.map(formatPath),
    hooks: hookBinding(entry),
    aliases: entry.aliases.map((urn) => ({ kind: 'urn', urn }) as const),
    customTimeouts: hasTimeouts
      ? {
          create: durationText(customTimeouts.create),
          update: durationText(customTimeouts.update),
          delete: durationText(customTimeouts.delete),
        }
      : undefined,
    additionalSecretOutputs: entry.additionalSecretOutputs,
    version: '',
    pluginDownloadUrl: '',
    pluginChecksums: {},
  };
}

interface Sides {
  readonly operation: HookedOperation;
  readonly old: ResourceEntry | undefined;
  readonly entry: ResourceEntry | undefined;
}

/** A create knows no old side, also when it replaces something. */
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
