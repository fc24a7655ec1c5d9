import { cairnError } from '@cairn/diagnostics';
import type { OperationRequest } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import type { Operation } from './operate.js';

/** What the flags of an operation limit it to. */
export interface WantedScope {
  readonly scope: Omit<OperationRequest['scope'], 'refresh'>;
  readonly ignoreProtect: boolean;
}

/**
 * Reads the flags that limit an operation. `--target-replace` is both a target and a replacement; `--exclude-protected`
 * excludes what `base` holds and marks as protected. Called for each phase, with the state it starts from.
 */
export function scopeOf({ kind, flags }: Pick<Operation, 'kind' | 'flags'>, base: Snapshot): WantedScope {
  const alsoReplaced = kind === 'up' ? flags.list('target-replace') : [];
  const kept = kind === 'destroy' && flags.on('exclude-protected') ? protectedUrns(base) : [];
  return {
    scope: {
      targets: [...flags.list('target'), ...alsoReplaced],
      targetDependents: flags.on('target-dependents'),
      excludes: [...flags.list('exclude'), ...kept],
      excludeDependents: flags.on('exclude-dependents'),
      replace: kind === 'up' ? [...flags.list('replace'), ...alsoReplaced] : [],
    },
    ignoreProtect: kind !== 'refresh' && flags.on('ignore-protect'),
  };
}

/** Refuses flags that contradict each other, before anything is opened or locked [TGT-3]. */
export function refuseContradictions({ kind, flags }: Pick<Operation, 'kind' | 'flags'>): void {
  const targets = targetFlags(kind).find((name) => flags.list(name).length > 0);
  const excludes = excludeFlag(kind, flags);
  if (targets === undefined || excludes === undefined) return;
  throw cairnError('CAIRN-USAGE', `--${targets} and --${excludes} cannot be given together`, {
    hint: 'Name either what takes part or what does not.',
  });
}

function targetFlags(kind: Operation['kind']): readonly string[] {
  return kind === 'up' ? ['target', 'target-replace'] : ['target'];
}

function excludeFlag(kind: Operation['kind'], flags: Flags): string | undefined {
  if (flags.list('exclude').length > 0) return 'exclude';
  return kind === 'destroy' && flags.on('exclude-protected') ? 'exclude-protected' : undefined;
}

function protectedUrns({ resources }: Snapshot): readonly string[] {
  return resources.filter((entry) => entry.protect && !entry.delete).map((entry) => entry.urn);
}
