import { piecePartsOf } from '@cairn/backends';
import type { ControlMessage, StackId } from '@cairn/backends';
import { describedChange } from '../../domain/served-change.js';
import type { ServedChangeStore } from '../change-store.js';
import { recordTexts } from '../record-texts.js';
import { nameInOrganization } from './served-organizations.js';
import type { ServedOrganization, ServedOrganizations } from './served-organizations.js';

/**
 * Changes in a bucket: journals as tools have them that work on the bucket directly. Those of the service keep their
 * records in the pieces of their updates.
 */
export function bucketChanges(
  organizations: ServedOrganizations,
): ServedChangeStore & Required<Pick<ServedChangeStore, 'changeBase'>> {
  const on = async <T>(
    { stack }: { readonly stack: StackId },
    work: (journals: ServedOrganization['journals'], id: StackId) => Promise<T>,
  ): Promise<T> => work((await organizations.of(stack)).journals, nameInOrganization(stack));
  return {
    changes: (of, choice) =>
      on(of, async (journals, id) =>
        (await journals.list(id, choice)).map(({ number, lock, running, operation, sealed }) => ({
          ...{ number, update: lock, operation },
          ...(sealed && { sealed }),
          ...(running && { running }),
        })),
      ),
    changeNumbers: (of) => on(of, (journals, id) => journals.numbers(id)),
    change: (of, number) =>
      on(of, async (journals, id) => {
        const found = await journals.find(id, number);
        return found && { number, update: found.lock, tasks: found.end?.tasks };
      }),
    openChange: (of, update, { version }) =>
      on(of, (journals, id) => journals.begin(id, version, describedChange(update))),
    closeChange: (of, { change: { number = 0 } }, { end, left, keep }) =>
      on(of, (journals, id) => journals.close(id, number, { end, stored: left !== undefined, keep })),
    takeChange: (of, { texts: _texts, by: _by, ...change }) =>
      on(of, async (journals, id) => {
        const { outcome } = await journals.take(id, change);
        return outcome === 'added' || outcome === 'there' ? outcome : 'taken';
      }),
    changeBase: (of, number) => on(of, (journals, id) => journals.base(id, number)),
    changeRecords: (of, { number }, after) =>
      on(of, async (journals, id) => {
        const parts = (await journals.pieces(id, number)).map(piecePartsOf);
        if (parts.length === 0) {
          const records = (await journals.records(id, number)).slice(after);
          return { records: records.map((record) => JSON.stringify(record)), entries: [] };
        }
        const entries = parts.flatMap((part) => part.entries);
        const records = parts.flatMap((part) => part.records).slice(after);
        return recordTexts(records, async (wanted) =>
          entries.flatMap(({ text, value }) =>
            wanted.has((value as { readonly sequenceID: number }).sequenceID) ? [text] : [],
          ),
        );
      }),
    messages: (of, number) =>
      on(of, async (journals, id) =>
        (await journals.messages(id, number)).map((message) => JSON.stringify(message)),
      ),
    addMessage: (of, number, message) =>
      on(of, (journals, id) => journals.send(id, number, JSON.parse(message) as ControlMessage)),
  };
}
