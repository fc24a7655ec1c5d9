import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationPhases } from '../../decide/operation-phases.js';
import { deleteHooksWithoutProgram } from '../../decide/delete-hooks.js';
import type { ScopeFacts } from '../../decide/facts.js';
import { unknownTargets } from '../../decide/target-set.js';
import type { TargetSet } from '../../decide/target-set.js';
import type { OperationRequest } from '../../model/request.js';

/**
 * Returns the objections to starting at all. Replacements, and all limits of a refresh, must name resources in the
 * stack [TGT-2]. A destroy must be able to call the delete hooks it will meet, which are in the program [HOOK-8].
 */
export function objectionsAtStart(
  request: OperationRequest,
  { targets, excludes, replace }: ScopeFacts,
  phases: OperationPhases,
): readonly Diagnostic[] {
  const named = {
    up: [replace],
    refresh: [targets, excludes],
    destroy: [],
    import: [],
    rollback: [],
    resolve: [],
  }[request.kind];
  const missing = named.map((set) => unknownLiterals(request, set));
  const unknown = missing.flatMap(({ each }) => each);
  if (unknown.length > 0) return [...unknown, ...missing.flatMap(({ end }) => end).slice(0, 1)];
  if (request.kind !== 'destroy' || phases.program !== undefined) return [];
  return deleteHooksWithoutProgram(request.base.resources);
}

/**
 * Finds literals that name nothing: no entry that the operation (or the lineage that it resumes) started with, and
 * nothing of this run.
 */
export function unknownLiterals(
  { base, continues }: OperationRequest,
  set: TargetSet,
  isRegistered: (urn: Urn) => boolean = () => false,
): ReturnType<typeof unknownTargets> {
  let old: ReadonlySet<Urn> | undefined;
  return unknownTargets(set, (urn) => {
    const before = continues?.how === 'resume' ? continues.before.resources : [];
    old ??= new Set([...base.resources, ...before].map((entry) => entry.urn));
    return old.has(urn) || isRegistered(urn);
  });
}
