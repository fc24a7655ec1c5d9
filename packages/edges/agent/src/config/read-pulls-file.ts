import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';
import type { ForgeSettings } from './agent-config.js';
import { readForges } from './read-forges.js';

/** Stacks of a service whose pull requests an agent looks after, and the forges on which they are. */
export interface PullsFile {
  readonly forges: readonly ForgeSettings[];
  readonly stacks: readonly ServedPullStack[];
}

interface ServedPullStack {
  readonly project: string;
  readonly stack: string;
  /** Name of the forge. */
  readonly forge: string;
  /** True if each pull request has a stack of its own, a copy of this one. */
  readonly review: boolean;
}

/** Reads the name of a forge, or a map with it. */
function readTreatment(
  stacks: MapReader,
  name: string,
): { readonly forge: string | undefined; readonly review: boolean } {
  const own = stacks.entry(name)?.value.kind === 'map' ? stacks.submap(name) : undefined;
  if (own === undefined) return { forge: stacks.text(name), review: false };
  const settings = { forge: own.requiredText('forge') || undefined, review: own.flag('review') ?? false };
  own.refuseOthers();
  return settings;
}

/**
 * Parses a file with forges, whose keys are those of the agent's file, and with the forge of each stack, as
 * `PROJECT/STACK`. Fails with `CAIRN-AGENT-INVALID`.
 */
export function parsePullsFile(text: string, file: string): PullsFile {
  const problems = new FileProblems(file, 'file of pull requests', 'CAIRN-AGENT-INVALID');
  const { root } = parseYaml(text, problems);
  if (root?.kind !== 'map')
    return problems.fail({ line: 1, column: 1 }, 'it must be a map of keys', 'Write forges: and stacks:.');
  const reader = new MapReader(root, '', problems);
  const forges = readForges(reader);
  const named = reader.submap('stacks');
  if (named === undefined && reader.entry('stacks') === undefined) reader.problem('stacks', 'is missing');
  const stacks = [...(named?.map.entries.keys() ?? [])].flatMap((name) => {
    const [project = '', stack = '', ...more] = name.split('/');
    if (project === '' || stack === '' || more.length > 0)
      named?.problem(name, 'must be a stack of the service, as PROJECT/STACK');
    const { forge, review } = readTreatment(named as MapReader, name);
    if (forge !== undefined && !forges.some((each) => each.name === forge))
      named?.problem(name, `names an unknown forge "${forge}"`);
    return [{ project, stack, forge: forge ?? '', review }];
  });
  reader.refuseOthers();
  problems.check();
  return { forges, stacks };
}
