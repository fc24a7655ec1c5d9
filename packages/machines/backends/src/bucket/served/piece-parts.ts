import { knownItemTexts, textItems, textLists } from '@cairn/state';
import type { TextItem } from '@cairn/state';

/** Items of a piece of a journal: entries, and the records of a change beside them. */
interface PieceParts {
  readonly entries: readonly TextItem[];
  readonly records: readonly TextItem[];
}

/** Texts of the items of a piece. */
interface PieceTexts {
  readonly entries: readonly { readonly text: string }[];
  readonly records: readonly { readonly text: string }[];
}

/** Returns the bytes of a piece of a journal: its entries, or an object if there are records beside them. */
export function pieceOf({ entries, records }: PieceTexts): Buffer {
  const list = (items: readonly { readonly text: string }[]): string =>
    `[${items.map(({ text }) => text).join(',')}]`;
  return Buffer.from(
    records.length === 0 ? list(entries) : `{"entries":${list(entries)},"records":${list(records)}}`,
  );
}

/** Returns the texts of the entries of a piece. */
export function entryTextsOf(piece: Buffer): readonly string[] {
  return knownItemTexts(piece, 'entries');
}

/** Reads what {@link pieceOf} wrote, or the body of a batch. */
export function piecePartsOf(piece: Buffer): PieceParts {
  const source = 'the journal';
  return piece.toString('latin1', 0, 1) === '['
    ? { entries: textItems(piece, source), records: [] }
    : textLists(piece, source, ['entries', 'records']);
}
