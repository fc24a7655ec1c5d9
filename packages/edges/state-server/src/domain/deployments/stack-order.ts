import { queuePlaces } from '@cairn/changes-daemon';
import type { AskedDeployment } from './deployment.js';
import { numberedRun } from './deployment.js';

/** Stack whose updates come before those of another one, with its open deployments. */
export interface EarlierStack {
  /** PROJECT/STACK. It names the stack in reasons for waiting. */
  readonly name: string;
  readonly open: readonly AskedDeployment[];
}

/** Open work for which the requests of a stack wait. */
export interface WorkBefore {
  readonly earlier: readonly EarlierStack[];
  /** Name of an update that none of the stack's runs has made, such as `the update of ada`. */
  readonly foreign?: string | undefined;
}

/**
 * Returns what each request of a stack waits for, by its id: a run or an older request of the stack, an open update of
 * an earlier stack, or an update of the stack that is no run [AGT-2]. Requests that wait for nothing are left out.
 */
export function waitsOf(
  open: readonly AskedDeployment[],
  { earlier, foreign }: WorkBefore,
): ReadonlyMap<string, string> {
  const names = earlier.map(({ name }) => name);
  const others = earlier.flatMap(({ name, open: theirs }) => theirs.map((each) => renamed(each, name)));
  const places = queuePlaces(
    [...open, ...others].map(({ request }) => request),
    [...open.flatMap((each) => numberedRun(each) ?? []), ...others.flatMap(({ run }) => run ?? [])],
    (stack) => (names.includes(stack) ? [] : names),
  );
  const own = new Set(open.map(({ request }) => request.id));
  return new Map(
    places.flatMap(({ request: { id, kind }, waitsFor = isChange(kind) ? foreign : undefined }) =>
      waitsFor === undefined || !own.has(id) ? [] : [[id, waitsFor] as const],
    ),
  );
}

/** True if an update among the open deployments of a stack has not begun. */
export function hasQueuedUpdate(open: readonly AskedDeployment[]): boolean {
  return open.some((each) => each.run === undefined && isUpdate(each));
}

/** True if an operation of a deployment is the next step: its request is queued, or its run is ready. */
export function changesNext({ request: { kind }, run }: AskedDeployment): boolean {
  return isChange(kind) && (run === undefined || run.status === 'ready');
}

function isChange(kind: AskedDeployment['request']['kind']): boolean {
  return kind !== 'preview' && kind !== 'drift';
}

/** True if others wait for a deployment of an earlier stack: for an update. */
export function isUpdate({ request }: AskedDeployment): boolean {
  return request.kind === 'up';
}

/** Returns a deployment of an earlier stack whose numbers say of which stack they are. */
function renamed(deployment: AskedDeployment, stack: string) {
  const { request, run, number } = deployment;
  return {
    request: { ...request, id: `${request.id} of ${stack}`, stack },
    run: run && { ...run, id: `${number} of ${stack}`, stack },
  };
}
