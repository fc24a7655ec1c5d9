import type { DriftRecord } from '../../domain/deployments/deployment.js';
import type { UpdateEnding, UpdateRecord } from '../../domain/update-record.js';
import type { StackStore } from '../../store/service-store.js';
import { rfc3339 } from '../tokens.js';

/** Looks for drift of a stack that are kept. */
const KEPT = 100;
/** Digits of the number of a look, which its id begins with. */
const DIGITS = 12;

/** Notes the end of a preview of a refresh: each is a look for drift. */
export async function noteDriftRun(
  store: StackStore,
  record: UpdateRecord,
  { status, at }: UpdateEnding,
): Promise<void> {
  const { id, stackId, kind, dryRun, createdAt, startedAt = createdAt, resourceChanges = {} } = record;
  if (!dryRun || kind !== 'refresh') return;
  const deployment = (await store.openDeployments(stackId)).find(
    (each) => each.id === record.environment['ci.build.id'],
  );
  const row: DriftRecord = {
    ...{ id, status: status === 'succeeded' ? 'succeeded' : 'failed', resourceChanges },
    ...{ created: rfc3339(startedAt), modified: rfc3339(at) },
    ...(deployment && { deployment: { id: deployment.id, number: deployment.number } }),
  };
  // Times are in seconds, and two looks may end in one.
  const { rows: before } = await store.deploymentPage(stackId, 'drifts', { size: 1, page: 1 });
  const [newest] = before;
  if (newest?.row.id === id) return;
  const number = String(Number(newest?.id.slice(0, DIGITS) ?? 0) + 1).padStart(DIGITS, '0');
  await store.putDeploymentRow(stackId, 'drifts', `${number}-${id}`, row);
  const { rows, total } = await store.deploymentPage(stackId, 'drifts', { size: 1, page: KEPT });
  const [last] = rows;
  if (total > KEPT && last !== undefined)
    await store.removeDeploymentRows(stackId, 'drifts', { from: '', below: last.id });
}
