import { matchesGlob } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';

/**
 * List of literal URNs and globs [TGT-1]. `*` matches any run of characters except `:`, `**` any run of any characters.
 * The empty set is unconstrained.
 */
export interface TargetSet {
  readonly constrained: boolean;
  readonly literals: readonly Urn[];
  /** Returns true if the URN is named. False for every URN if the set is unconstrained. */
  names(urn: Urn): boolean;
}

const UNCONSTRAINED: TargetSet = { constrained: false, literals: [], names: () => false };

/** Builds a target set without checking anything. */
export function targetSet(targets: readonly string[]): TargetSet {
  const literals = new Set<string>();
  const globs: string[] = [];
  for (const target of targets) {
    if (target.includes('*')) globs.push(target);
    else literals.add(target);
  }
  if (targets.length === 0) return UNCONSTRAINED;
  return {
    constrained: true,
    literals: [...literals] as Urn[],
    names: (urn) => literals.has(urn) || globs.some((glob) => matchesGlob(glob, urn, ':')),
  };
}

/**
 * Makes one error for each literal that names nothing, then the one that ends the run [TGT-2]. Globs may match nothing.
 * `known` returns true if there is or was such a resource.
 */
export function unknownTargets(
  set: TargetSet,
  known: (urn: Urn) => boolean,
): { readonly each: readonly Diagnostic[]; readonly end: readonly Diagnostic[] } {
  const each = set.literals.filter((urn) => !known(urn)).map(notFound);
  const summary = 'one or more targets could not be found in the stack';
  return { each, end: each.length === 0 ? [] : [errorDiagnostic('CAIRN-TARGET', summary)] };
}

function notFound(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-TARGET', `Target '${urn}' could not be found in the stack.`, {
    hint: urn.includes('$')
      ? 'List the URNs of the stack and correct the target.'
      : 'Did you forget to quote the URN? Without quotes the shell replaces every part of it that begins with a $.',
  });
}
