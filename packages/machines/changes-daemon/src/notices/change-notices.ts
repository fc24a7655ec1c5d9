import type { ChangeObserver, Status } from '@cairn/changes';
import type { Notices } from './notices.js';

/** Change whose notice is kept, for example its machine. */
export interface NoticedChange {
  readonly change: { readonly id: string; readonly kind: string };
  observeChange(observer: ChangeObserver): () => void;
}

/**
 * Keeps the notice of a change up to date. It is reported when it is new (`last` undefined) and on every status, except
 * for flapping between two tasks. Returns a function that returns the status last reported, to be stored with the
 * change. [CHG-22]
 */
export function keepChangeNotice(
  noticed: NoticedChange,
  notices: Notices,
  last?: Status | 'new',
): () => Status | 'new' {
  let told: Status | 'new' = last ?? 'new';
  const { change } = noticed;
  const tell = (): void => {
    notices.add('change-update', change.id, { data: { kind: change.kind } });
  };
  if (last === undefined) tell();
  noticed.observeChange((_from, to) => {
    if (to === told || isFlapping(told, to)) return;
    told = to;
    tell();
  });
  return () => told;
}

function isFlapping(from: Status | 'new', to: Status): boolean {
  return (from === 'doing' && to === 'do') || (from === 'undoing' && to === 'undo');
}
