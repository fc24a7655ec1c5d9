/** Piece of a text and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with all edits applied. They do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  const inOrder = edits.map((edit, order) => ({ edit, order }));
  inOrder.sort((a, b) => a.edit.start - b.edit.start || a.order - b.order);
  for (const { edit } of inOrder) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Returns the differences between two versions of a file, as lines with three around them. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const lines = compared(a, b);
  const shown = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind !== ' ') for (let near = Math.max(0, at - 3); near <= at + 3; near += 1) shown.add(near);
  });
  const output = [`--- ${file}`, `+++ ${file}`];
  lines.forEach(({ kind, text, line }, at) => {
    if (!shown.has(at)) return;
    if (!shown.has(at - 1)) output.push(`@@ line ${line} @@`);
    output.push(`${kind}${text}`);
  });
  return `${output.join('\n')}\n`;
}

interface ComparedLine {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
  /** Number of the line in the old version. */
  readonly line: number;
}

/** Compares lines. Edits touch few lines and in order, so the next equal lines are nearby. */
function compared(a: readonly string[], b: readonly string[]): readonly ComparedLine[] {
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      lines.push({ kind: ' ', text: a[i] as string, line: i + 1 });
      i += 1;
      j += 1;
      continue;
    }
    const [skipA, skipB] = nextEqual(a, b, i, j);
    for (; i < skipA; i += 1) lines.push({ kind: '-', text: a[i] as string, line: i + 1 });
    for (; j < skipB; j += 1) lines.push({ kind: '+', text: b[j] as string, line: i + 1 });
  }
  return lines;
}

function nextEqual(
  a: readonly string[],
  b: readonly string[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let distance = 1; distance <= a.length - i + (b.length - j); distance += 1)
    for (let inA = 0; inA <= distance; inA += 1) {
      const [x, y] = [i + inA, j + distance - inA];
      if (x < a.length && y < b.length && a[x] === b[y]) return [x, y];
    }
  return [a.length, b.length];
}
