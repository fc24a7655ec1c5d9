import type { ConsoleChangeRow, UpdateInfo } from '@cairn/http-api';

type DatedChange = Pick<ConsoleChangeRow, 'number' | 'operation'>;

/** Most seconds between the start of an operation by its client's clock and by that of the service. */
const SECONDS_APART = 2;

/**
 * Returns who made a version, and from where: `ann on laptop`, `bob on GitHub Actions`. The record of its change says
 * it; of older versions, the author of the commit and the system that ran it. Empty if neither is known.
 */
export function versionAuthor(
  { cairn, startTime, environment }: Pick<UpdateInfo, 'cairn' | 'startTime' | 'environment'>,
  changes: readonly DatedChange[],
): string {
  const change =
    cairn === undefined
      ? nearestChange(changes, startTime)
      : changes.find(({ number }) => number === Number(cairn.change));
  const who = change?.operation.username ?? environment['git.author'] ?? '';
  const where = change?.operation.hostname ?? environment['ci.system'] ?? '';
  return [who, where].filter((text) => text !== '').join(' on ');
}

function nearestChange(changes: readonly DatedChange[], startTime: number): DatedChange | undefined {
  const apart = ({ operation }: DatedChange): number => Math.abs((operation.startTime ?? NaN) - startTime);
  return changes
    .filter((change) => apart(change) <= SECONDS_APART)
    .sort((one, other) => apart(one) - apart(other))[0];
}
