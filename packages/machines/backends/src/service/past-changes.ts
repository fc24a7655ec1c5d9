import { settled } from '@cairn/crypters';
import { goJson, untypedDeploymentText } from '@cairn/state';
import type { Json } from '@cairn/state';
import { readPastChange, storedStateName } from '../bucket/records/past-change.js';
import { stateTextOf } from '../bucket/state-texts.js';
import { NUMBER_TAKEN } from '../model/past-change.js';
import type { AddedChange, MovingChange, PastChanges } from '../model/past-change.js';
import { stateDigest } from '../model/served-checkpoint.js';
import type { StackId } from '../stack-id.js';
import { RecordFiles } from './record-files.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';

/** Returns the changes of a state service that have ended, for copies of a stack. */
export function servicePastChanges(context: ServiceContext, own: (id: StackId) => StackId): PastChanges {
  return {
    stateName: (id) => storedStateName(new RecordFiles(context, own(id)), own(id)),
    read: (id, number) => readPastChange(new RecordFiles(context, own(id)), own(id), number),
    add: (id, change) => addServiceChange(context, own(id), change),
  };
}

/** Sends a change that has ended; see `PastChanges.add`. */
async function addServiceChange(
  context: ServiceContext,
  id: StackId,
  { number, base, states, ...change }: MovingChange,
): Promise<AddedChange> {
  const text = base && untypedDeploymentText(await settled(base));
  const started = text === undefined ? states.base : stateDigest(stateTextOf(Buffer.from(text), 'the state'));
  // `goJson` keeps the sign of a zero, which records may have.
  const parts = goJson({ ...change, states: { ...states, base: started } } as unknown as Json).slice(0, -1);
  const body = `${parts}${text === undefined ? '' : `,"base":${text}`}}`;
  try {
    const names = { ...pathNames(context, id), number: String(number) };
    await context.http.text('importChange', { names, body });
    return { outcome: 'added', base: started };
  } catch (thrown) {
    const added = thrown instanceof ServiceRefusal ? REFUSALS[thrown.status] : undefined;
    if (added === undefined) throw thrown;
    return added;
  }
}

const REFUSED = { outcome: 'refused' } as const;

/** Outcomes by status: of a service without the route, and of one that takes changes from administrators only. */
const REFUSALS: Readonly<Record<number, AddedChange>> = {
  403: REFUSED,
  404: REFUSED,
  405: REFUSED,
  409: NUMBER_TAKEN,
  413: { outcome: 'left', why: 'it is too large for the service' },
  501: REFUSED,
};
