import type { ConsoleStackEvent, ConsoleStackRow } from '@cairn/http-api';

/**
 * Returns the rows of a list after its first page was read again: rows of later pages stay. `hasMore` is true if there
 * are rows after the page.
 */
export function refreshedRows(
  before: readonly ConsoleStackRow[],
  page: readonly ConsoleStackRow[],
  hasMore: boolean,
): readonly ConsoleStackRow[] {
  const last = page.at(-1);
  if (!hasMore || last === undefined) return page;
  return [...page, ...before.filter((row) => pathOf(row) > pathOf(last))];
}

/** Returns true if a list shows what an event says about a stack. */
export function listShows(
  rows: readonly ConsoleStackRow[],
  { stack, running }: Pick<ConsoleStackEvent, 'stack' | 'running'>,
): boolean {
  return rows.some((row) => pathOf(row) === stack && row.running === (running !== null));
}

/** Returns the text by which the service orders rows. */
function pathOf({ org, project, stack }: ConsoleStackRow): string {
  return `${org}/${project}/${stack}`;
}
