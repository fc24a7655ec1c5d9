/** Notice of the agents of a service. Times are RFC 3339. */
export interface ShownNotice {
  readonly type: string;
  readonly key: string;
  readonly occurrences: number;
  readonly 'first-occurred': string;
  readonly 'last-repeated': string;
  readonly 'last-data'?: Readonly<Record<string, string>>;
  readonly acknowledged?: { readonly by: string; readonly at: string };
}

/** Run that a notice is about. */
interface NoticedRun {
  readonly name: { readonly org: string; readonly project: string; readonly stack: string };
  readonly number: number;
}

/**
 * Returns the run that a notice is about, or undefined for a notice about something else. The key of a notice about a
 * run is `ORG/PROJECT/STACK NUMBER`, and that of a notice about a stack has no number; its data may have it.
 */
export function runOfNotice(notice: Pick<ShownNotice, 'key' | 'last-data'>): NoticedRun | undefined {
  const [, org, project, stack, run = notice['last-data']?.['run'] ?? ''] =
    /^([^/ ]+)\/([^/ ]+)\/([^/ ]+)(?: ([^ ]+))?$/.exec(notice.key) ?? [];
  const [number] = /^[1-9]\d{0,14}$/.exec(run) ?? [];
  if (org === undefined || project === undefined || stack === undefined || number === undefined)
    return undefined;
  return { name: { org, project, stack }, number: Number(number) };
}

/** Returns true for a notice that no person has seen since it was last repeated. */
export function isNewNotice({ acknowledged, ...notice }: ShownNotice): boolean {
  return acknowledged === undefined || acknowledged.at < notice['last-repeated'];
}
