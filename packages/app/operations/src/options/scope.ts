import { cairnError } from '@cairn/diagnostics';
import type { OperationKind, OperationRequest } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import { OPERATION_OPTIONS } from './operation-options.js';
import type { OperationOptions } from './operation-options.js';

/** Limits of an operation by its options. */
export interface WantedScope {
  readonly scope: Omit<OperationRequest['scope'], 'refresh'>;
  readonly ignoreProtect: boolean;
}

/** Source of an operation's limits. */
interface Limited {
  readonly kind: OperationKind;
  readonly options: OperationOptions;
}

/**
 * Reads the options that limit an operation. `targetReplace` is both a target and a replacement; `excludeProtected`
 * excludes the protected resources of `base`. Called for each pass, with its base state.
 */
export function wantedScope({ kind, options }: Limited, base: Snapshot): WantedScope {
  const { targets = [], excludes = [], replace = [], targetReplace = [] } = options;
  const alsoReplaced = kind === 'up' ? targetReplace : [];
  const kept = kind === 'destroy' && options.excludeProtected === true ? protectedUrns(base) : [];
  return {
    scope: {
      targets: [...targets, ...alsoReplaced],
      targetDependents: options.targetDependents === true,
      excludes: [...excludes, ...kept],
      excludeDependents: options.excludeDependents === true,
      replace: kind === 'up' ? [...replace, ...alsoReplaced] : [],
    },
    ignoreProtect: kind !== 'refresh' && options.ignoreProtect === true,
  };
}

/** Refuses options that contradict each other, before anything is opened or locked [TGT-3]. */
export function refuseContradictions({ kind, options }: Limited): void {
  const targets = (kind === 'up' ? (['targets', 'targetReplace'] as const) : (['targets'] as const)).find(
    (field) => (options[field] ?? []).length > 0,
  );
  const excludes = excludeField(kind, options);
  if (targets === undefined || excludes === undefined) return;
  const [one, other] = [OPERATION_OPTIONS[targets].name, OPERATION_OPTIONS[excludes].name];
  throw cairnError('CAIRN-USAGE', `--${one} and --${other} cannot be given together`, {
    hint: 'Leave one of them out.',
  });
}

function excludeField(
  kind: OperationKind,
  options: OperationOptions,
): 'excludes' | 'excludeProtected' | undefined {
  if ((options.excludes ?? []).length > 0) return 'excludes';
  return kind === 'destroy' && options.excludeProtected === true ? 'excludeProtected' : undefined;
}

function protectedUrns({ resources }: Snapshot): readonly string[] {
  return resources.filter((entry) => entry.protect && !entry.delete).map((entry) => entry.urn);
}
