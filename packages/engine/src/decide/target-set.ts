import type { Urn } from '@cairn/addresses';

/**
 * A list of literal URNs and globs (engine-behaviours-2.md A1). `*` matches any run of characters but `:`, `**` any run of
 * any characters. The empty set is unconstrained.
 */
export interface TargetSet {
  readonly constrained: boolean;
  readonly literals: readonly Urn[];
  /** Whether the URN is named. False for every URN when the set is unconstrained. */
  names(urn: Urn): boolean;
}

/** Builds a target set; nothing is checked. */
export function targetSet(targets: readonly string[]): TargetSet {
  const literals = new Set<string>();
  const globs: RegExp[] = [];
  for (const target of targets) {
    if (target.includes('*')) globs.push(globPattern(target));
    else literals.add(target);
  }
  return {
    constrained: targets.length > 0,
    literals: [...literals] as Urn[],
    names: (urn) => literals.has(urn) || globs.some((glob) => glob.test(urn)),
  };
}

function globPattern(glob: string): RegExp {
  const source = glob
    .split('**')
    .map((part) => part.split('*').map(escapeLiteral).join('[^:]*'))
    .join('[\\s\\S]*');
  return new RegExp(`^${source}$`);
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
