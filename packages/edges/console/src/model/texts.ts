import { visible } from '@cairn/diagnostics';

/** Piece of a text of a program or a provider. The classes are from a list, and nothing else of it takes effect. */
interface TextPiece {
  readonly text: string;
  readonly className: string;
}

/** Escape sequences: those of colours and fonts, with their numbers, all other ones, and addresses (OSC 8). */
const ESCAPE =
  /\u001b\[([\d;]*)m|\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./g;

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Returns a text in pieces. Colours and bold become classes. Other escape sequences are left out. */
export function textPieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let bold = false;
  let colour = '';
  let from = 0;
  const put = (to: number): void => {
    const className = [bold ? 'ansi-bold' : '', colour].filter((each) => each !== '').join(' ');
    if (to > from) pieces.push({ text: visible(text.slice(from, to)), className });
  };
  for (const match of text.matchAll(ESCAPE)) {
    put(match.index);
    from = match.index + match[0].length;
    for (const code of match[1]?.split(';').map(Number) ?? []) {
      if (code === 0) [bold, colour] = [false, ''];
      else if (code === 1) bold = true;
      else if (code === 22) bold = false;
      else if (code === 39) colour = '';
      else if (code >= 30 && code <= 37) colour = `ansi-${String(COLOURS[code - 30])}`;
    }
  }
  put(text.length);
  return pieces;
}

/** Longest text that a page shows before it is asked for more. */
const MOST = 2000;

/** Returns the start of a long text, and the number of characters that it leaves out. */
export function shortenText(text: string, most = MOST): { readonly text: string; readonly left: number } {
  return text.length <= most ? { text, left: 0 } : { text: text.slice(0, most), left: text.length - most };
}
