import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { CHANGES_CAPABILITY, CapabilitiesBody, QUEUE_CAPABILITY } from '@cairn/http-api';
import type { Backend } from '../backend.js';
import { tellChange } from '../bucket/control/tell.js';
import { followChange } from '../bucket/records/follow.js';
import { changeRow, listChanges, loadChangeOf, newestChange } from '../bucket/records/read-changes.js';
import type { RecordSource } from '../bucket/records/read-changes.js';
import type { PastChanges } from '../model/past-change.js';
import type { StackId } from '../stack-id.js';
import type { Timer } from '../timer.js';
import { RecordFiles } from './record-files.js';
import type { ServiceCapabilities, ServiceContext } from './service-context.js';
import type { ServiceHttp } from './service-http.js';

/** Returns a function that finds out what a service can do. It asks once. */
export function serviceCapabilities(http: ServiceHttp): ServiceContext['capabilities'] {
  let asked: Promise<ServiceCapabilities> | undefined;
  return () => (asked ??= ask(http));
}

async function ask(http: ServiceHttp): Promise<ServiceCapabilities> {
  const answer = await http.find('capabilities', CapabilitiesBody, {});
  const names = new Set(answer?.capabilities?.map(({ capability }) => capability));
  return { keepsChanges: names.has(CHANGES_CAPABILITY), hasQueue: names.has(QUEUE_CAPABILITY) };
}

/** Source of the changes of a stack of a service. */
export type ServiceRecords = RecordSource & { readonly store: RecordFiles; readonly timer: Timer };

/** Returns the source of the changes of a stack, at a new look. */
export function recordsOf(context: ServiceContext, id: StackId): ServiceRecords {
  return { store: new RecordFiles(context, id), process: context.process, timer: context.timer };
}

type ChangeMembers = 'changes' | 'newestChange' | 'changeRow' | 'change' | 'tell' | 'follow' | 'pastChanges';

/**
 * Returns the members of a backend about changes. A service that keeps none has no newest one, and everything else
 * fails with `CAIRN-CHANGES-NOT-KEPT`.
 */
export function serviceChanges(
  context: ServiceContext,
  own: (id: StackId) => StackId,
): Pick<Backend, ChangeMembers> {
  const kept = async <T>(
    id: StackId,
    work: (source: ServiceRecords, id: StackId) => Promise<T>,
  ): Promise<T> => {
    await refuseWithoutChanges(context);
    return work(recordsOf(context, own(id)), own(id));
  };
  return {
    changes: (id, newest) => kept(id, (source, of) => listChanges(source, of, newest)),
    newestChange: async (id, isWanted = () => true) =>
      (await context.capabilities()).keepsChanges
        ? kept(id, (source, stack) => newestChange(source, stack, isWanted))
        : undefined,
    changeRow: (id, number) => kept(id, (source, stack) => changeRow(source, stack, number)),
    change: (id, number) => kept(id, (source, stack) => loadChangeOf(source, stack, number)),
    tell: (id, number, message) => kept(id, (source, stack) => tellChange(source, stack, number, message)),
    follow: (id, number, onRecords, signal) =>
      kept(id, (source, stack) => followChange(source, stack, number, onRecords, signal)),
    pastChanges: pastChangesOn(async () =>
      (await import('./past-changes.js')).servicePastChanges(context, own),
    ),
  };
}

/** Returns changes that have ended from a module that is loaded when one is used. */
function pastChangesOn(load: () => Promise<PastChanges>): PastChanges {
  return {
    stateName: async (id) => (await load()).stateName(id),
    read: async (id, number) => (await load()).read(id, number),
    add: async (id, change) => (await load()).add(id, change),
  };
}

/** Fails with `CAIRN-CHANGES-NOT-KEPT` if a service keeps no changes. */
export async function refuseWithoutChanges(context: ServiceContext): Promise<void> {
  if (!(await context.capabilities()).keepsChanges) throw changesNotKept(context);
}

function changesNotKept({ http }: ServiceContext): CairnError {
  return cairnError('CAIRN-CHANGES-NOT-KEPT', `cannot show or continue changes: ${http.url} keeps none`, {
    hint: 'Run `cairn stack history` to see the updates that the service keeps, or `cairn up` to continue from its state.',
  });
}
