import { KIND_OF_UPDATE } from '@cairn/backends/words';
import { USER_OF_UPDATE } from '@cairn/http-api/console';
import type { ConsoleChangeRow, UpdateInfo } from '@cairn/http-api';

type DatedChange = Pick<ConsoleChangeRow, 'number' | 'operation'>;
type DatedVersion = Pick<UpdateInfo, 'cairn' | 'kind' | 'startTime'>;

/** Most seconds between the start of an operation by its client's clock and by that of the service. */
const SECONDS_APART = 2;

/**
 * Returns who made a version, and from where: `ann on laptop`, `bob on GitHub Actions`. The service says
 * who asked for it, and the record of its change from where; of older versions, the record of the change or the author
 * of the commit, and the system that ran it. Empty if nothing is known.
 */
export function versionAuthor(
  info: DatedVersion & Pick<UpdateInfo, 'environment'>,
  changes: readonly DatedChange[],
): string {
  const { environment } = info;
  const change = changeOfVersion(info, changes);
  const who = environment[USER_OF_UPDATE] ?? change?.operation.username ?? environment['git.author'] ?? '';
  const where = change?.operation.hostname ?? environment['ci.system'] ?? '';
  return [who, where].filter((text) => text !== '').join(' on ');
}

/** Returns the change that made a version, if it is among those that are known. */
export function changeOfVersion(
  { cairn, kind, startTime }: DatedVersion,
  changes: readonly DatedChange[],
): DatedChange | undefined {
  if (cairn !== undefined) return changes.find(({ number }) => number === Number(cairn.change));
  const operation = Object.hasOwn(KIND_OF_UPDATE, kind) ? KIND_OF_UPDATE[kind as UpdateKind] : undefined;
  const sameKind = changes.filter((change) => change.operation.operation === operation);
  return nearestChange(sameKind, startTime);
}

type UpdateKind = keyof typeof KIND_OF_UPDATE;

function nearestChange(changes: readonly DatedChange[], startTime: number): DatedChange | undefined {
  const apart = ({ operation }: DatedChange): number => Math.abs((operation.startTime ?? NaN) - startTime);
  return changes
    .filter((change) => apart(change) <= SECONDS_APART)
    .sort((one, other) => apart(one) - apart(other))[0];
}
