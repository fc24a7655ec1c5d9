import { isUrn, urnName } from '@cairn/addresses';
import { referenceList } from '@cairn/state';
import type { SerializedResource } from '@cairn/state';

/** What a graph of a stack shows. Colours as Graphviz has them. */
export interface GraphOptions {
  readonly parents: boolean;
  readonly dependencies: boolean;
  readonly parentColor: string;
  readonly dependencyColor: string;
  /** Names instead of URNs. */
  readonly shortNames: boolean;
  /** Put into the graph as it is, for attributes of one's own. */
  readonly fragment: string;
}

/**
 * A stack in the language of Graphviz: a node a resource; an edge leads from what is needed to what needs it, labelled
 * with the properties that do, and from a parent to its child. Of several entries with one URN the last is meant by
 * references.
 */
export function dotGraph(resources: readonly SerializedResource[], options: GraphOptions): string {
  const nodes = new Map(resources.map(({ urn }, index) => [urn, `Resource${index}`]));
  const lines = ['strict digraph {'];
  if (options.fragment !== '') lines.push(`    ${options.fragment}`);
  for (const [index, { urn }] of resources.entries()) {
    const label = options.shortNames && isUrn(urn) ? urnName(urn) : urn;
    lines.push(`    Resource${index} [label=${quoted(label)}];`);
  }
  for (const [index, resource] of resources.entries()) {
    if (options.dependencies) lines.push(...dependencyEdges(resource, `Resource${index}`, nodes, options));
    const parent = nodes.get(resource.parent ?? '');
    if (options.parents && parent !== undefined)
      lines.push(`    ${parent} -> Resource${index} [color=${quoted(options.parentColor)}];`);
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

function dependencyEdges(
  resource: SerializedResource,
  node: string,
  nodes: ReadonlyMap<string, string>,
  { dependencyColor }: GraphOptions,
): readonly string[] {
  const properties = new Map<string, string[]>();
  for (const { kind, urn, key } of referenceList(resource)) {
    if (kind !== 'dependency' && kind !== 'property-dependency') continue;
    const names = properties.get(urn) ?? [];
    if (key !== undefined && !names.includes(key)) names.push(key);
    properties.set(urn, names);
  }
  return [...properties].flatMap(([urn, names]) => {
    const needed = nodes.get(urn);
    if (needed === undefined) return [];
    const label = names.length === 0 ? '' : `, label=${quoted(names.join(', '))}`;
    return [`    ${needed} -> ${node} [color=${quoted(dependencyColor)}${label}];`];
  });
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
