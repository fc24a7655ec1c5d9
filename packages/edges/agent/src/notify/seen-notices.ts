import type { NoticeJson, Register } from '@cairn/changes-daemon';
import type { SeenNotice } from '../runs/messages.js';

/** Key of the register for notices that people have seen. */
export const SEEN_NOTICES = 'seen-notices/';

/** Record of a notice that a person has seen. */
interface SeenRow {
  readonly by: string;
  /** RFC 3339 times: of the person, and of the notice. */
  readonly at: string;
  readonly repeated: string;
}

/** Notice with the person who has seen it. One that is repeated later is new again. */
export type ListedNotice = NoticeJson & { readonly acknowledged?: Pick<SeenRow, 'by' | 'at'> };

export function isSeenRow(value: unknown): value is SeenRow {
  const { by, at, repeated } = (value ?? {}) as Partial<SeenRow>;
  return [by, at, repeated].every((text) => typeof text === 'string');
}

/** Notes that a person has seen notices, and forgets those that are gone. */
export function noteSeen(
  register: Register,
  { notices, at, by }: { readonly notices: readonly SeenNotice[]; readonly at: string; readonly by: string },
): void {
  const present = new Set<string>(register.notices.list().map(nameOf));
  const old = [...register.entries(SEEN_NOTICES, isSeenRow).keys()].filter((name) => !present.has(name));
  register.tx((t) => {
    for (const name of old) t.set(SEEN_NOTICES + name, null);
    for (const { repeated, ...notice } of notices)
      if (present.has(nameOf(notice))) t.set(SEEN_NOTICES + nameOf(notice), { by, at, repeated });
  });
}

/** Returns notices with the people who have seen them. */
export function listedNotices(
  notices: readonly NoticeJson[],
  seen: ReadonlyMap<string, SeenRow>,
): readonly ListedNotice[] {
  return notices.map((notice) => {
    const row = seen.get(nameOf(notice));
    if (row === undefined || row.repeated < notice['last-repeated']) return notice;
    return { ...notice, acknowledged: { by: row.by, at: row.at } };
  });
}

function nameOf({ type, key }: Pick<SeenNotice, 'type' | 'key'>): string {
  return `${type} ${key}`;
}
