import type { LaneIndex, LaneNode } from '../src/abort.js';
import type { StatusNode } from '../src/derive.js';
import { deriveStatus, noCounts } from '../src/derive.js';
import type { Status, WaitedStatus } from '../src/status.js';

/** Task for the pure rules, which accept any graph, loops included. */
export interface Node extends LaneNode, StatusNode {
  readonly name: string;
  status: Status;
  waited: WaitedStatus | undefined;
  lanes: readonly number[];
  readonly waits: Node[];
  readonly halts: Node[];
}

/** Parses `P1=do@2+3 P2=wait` and `P1>P2` (P2 waits for P1) to nodes. A wait without a target leads to done. */
export function nodes(tasks: string, edges: string): Node[] {
  const made = words(tasks).map((word, index): Node => {
    const [, name, status, lanes] = /^(\w+)(?:=(\w+))?(?:@([\d+]+))?$/.exec(word) ?? [];
    return {
      order: index + 1,
      name: name as string,
      status: (status ?? 'do') as Status,
      waited: status === 'wait' ? 'done' : undefined,
      lanes: lanes === undefined ? [0] : lanes.split('+').map(Number),
      waits: [],
      halts: [],
    };
  });
  const byName = new Map(made.map((node) => [node.name, node]));
  for (const edge of words(edges)) {
    const [from, to] = edge.split('>').map((name) => byName.get(name) as Node) as [Node, Node];
    from.halts.push(to);
    to.waits.push(from);
  }
  return made;
}

export function indexOf(all: readonly Node[]): LaneIndex<Node> {
  return { lane: (lane) => all.filter((node) => node.lanes.includes(lane)) };
}

export function changeStatus(all: readonly Node[]): Status {
  const counts = noCounts();
  for (const node of all) counts[node.status] += 1;
  return deriveStatus(counts, all);
}

export function show(all: readonly Node[]): string {
  return all.map((node) => `${node.name}=${node.status}`).join(' ');
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
