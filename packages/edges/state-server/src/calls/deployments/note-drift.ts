import { driftOfEvents, driftSince } from '@cairn/changes-daemon';
import type { DriftedResource, EventParts } from '@cairn/changes-daemon';
import { itemTexts } from '@cairn/state';
import type { DriftRecord } from '../../domain/deployments/deployment.js';
import { driftedBy } from '../../domain/drift-looks.js';
import type { UpdateEnding, UpdateRecord } from '../../domain/update-record.js';
import type { StackStore } from '../../store/service-store.js';
import { rfc3339 } from '../tokens.js';

/** Looks for drift of a stack that are kept, and objects that differ of one. */
const KEPT = 100;
const MOST_RESOURCES = 200;
/** Digits of the number of a look, which its id begins with. */
const DIGITS = 12;

/** Notes the end of a preview of a refresh: each is a look for drift. Returns the objects that differ. */
export async function noteDriftRun(
  store: StackStore,
  record: UpdateRecord,
  { status, at }: UpdateEnding,
): Promise<readonly DriftedResource[]> {
  const { id, stackId, kind, dryRun, createdAt, startedAt = createdAt, resourceChanges = {} } = record;
  if (!dryRun || kind !== 'refresh') return [];
  const deployment = (await store.openDeployments(stackId)).find(
    (each) => each.id === record.environment['ci.build.id'],
  );
  const { rows: before } = await store.deploymentPage(stackId, 'drifts', { size: 1, page: 1 });
  const [newest] = before;
  if (newest?.row.id === id) return newest.row.resources ?? [];
  const known = newest?.row.resources ?? [];
  const found = status === 'succeeded' ? await foundBy(store, record) : undefined;
  const resources = found === undefined ? known : driftSince(found, known, rfc3339(at));
  const row: DriftRecord = {
    ...{ id, status: status === 'succeeded' ? 'succeeded' : 'failed', resourceChanges },
    ...{ created: rfc3339(startedAt), modified: rfc3339(at) },
    ...(deployment && { deployment: { id: deployment.id, number: deployment.number } }),
    ...(resources.length > 0 && { resources }),
  };
  // Times are in seconds, and two looks may end in one.
  const number = String(Number(newest?.id.slice(0, DIGITS) ?? 0) + 1).padStart(DIGITS, '0');
  await store.putDeploymentRow(stackId, 'drifts', `${number}-${id}`, row);
  const { rows, total } = await store.deploymentPage(stackId, 'drifts', { size: 1, page: KEPT });
  const [last] = rows;
  if (total > KEPT && last !== undefined)
    await store.removeDeploymentRows(stackId, 'drifts', { from: '', below: last.id });
  return found === undefined ? [] : resources;
}

async function foundBy(
  store: StackStore,
  record: UpdateRecord,
): Promise<readonly Omit<DriftedResource, 'since'>[]> {
  if (driftedBy(record) === 0) return [];
  return driftOfEvents(eventsOf(await store.events(record))).slice(0, MOST_RESOURCES);
}

/** Returns the events of an update that drift is read from. */
function* eventsOf(batches: Awaited<ReturnType<StackStore['events']>>): Generator<EventParts> {
  for (const batch of batches)
    for (const text of itemTexts(batch, 'the events'))
      if (/"(?:resOutputs|diagnostic)Event"/.test(text)) yield JSON.parse(text) as EventParts;
}
