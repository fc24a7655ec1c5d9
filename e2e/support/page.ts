/** A fenced block of a page: a file to write, commands with their output, or the log of a CI job. */
export interface Block {
  readonly kind: 'file' | 'cwd' | 'job';
  /** Path of the file, folder of the commands, or name of the job. */
  readonly path: string;
  /** A command without which the block is left out. */
  readonly needs: string | undefined;
  readonly body: string;
}

export interface Command {
  readonly line: string;
  readonly output: string;
}

/** Returns the blocks of a page that name their file, or the folder in which their commands run. */
export const blocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^```\w+ (file|cwd|job)=(\S+)(?: needs=(\S+))?\n([^]*?)^```$/gm)].map((match) => ({
    kind: match[1] as Block['kind'],
    path: match[2] ?? '',
    needs: match[3],
    body: match[4] ?? '',
  }));

export const commands = (body: string): readonly Command[] =>
  body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { line: part.slice(0, end), output: part.slice(end + 1) };
    });

/** Texts of a page that are examples: `<!-- varies: super-kiwi 25625 -->`. Any other word may be in their places. */
export const varying = (text: string): readonly string[] =>
  [...text.matchAll(/^<!-- varies: (.*) -->$/gm)].flatMap(([, words = '']) => words.split(' '));

/** A duration in parentheses, at the end of a line, or in a column of a table. */
const DURATION = /(?<=\(|: |  )\d+(?:\.\d+)?(?:ms|s|m|h)(?: \d+s)?(?=\)|$|  )/gm;
const AGE = /\b(?:just now|\d+ (?:second|minute|hour)s? ago)\b/g;
const TOOK = /\btook \d+s$/gm;
const HASH = /\b[0-9a-f]{64}\b/g;
/** A line about a step. One that takes less than a millisecond has no duration. */
const STEP = /^ (?:[+~-]|=>|[+-]{2}|<=|±) {2,}\S/;
/** Matches one word of any kind. */
const WORD = '\u0000';

/** Returns an output without the parts that differ from run to run: times, hashes, widths of columns, and `words`. */
export function steady(output: string, words: readonly string[] = []): string {
  const plain = words.reduce((text, word) => text.replaceAll(word, WORD), output);
  return plain
    .replace(DURATION, '0s')
    .replace(AGE, 'just now')
    .replace(TOOK, 'took 0s')
    .replace(HASH, '0'.repeat(64))
    .trim()
    .split('\n')
    .map((line) =>
      STEP.test(line) ? line.replace(/ \((?:0s|…)\)/, '') : line.replace(/(?<=\S) {2,}/g, '  '),
    )
    .join('\n');
}

/** Returns an output in which adjacent steps are sorted: their order depends on which is faster. */
export function unordered(output: string): string {
  const groups: string[][] = [];
  for (const line of output.split('\n')) {
    const last = groups.at(-1);
    if (last !== undefined && STEP.test(line) && STEP.test(last[0] ?? '')) last.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => group.sort()).join('\n');
}

/** Returns the output as a pattern in which `…` matches anything. */
export const pattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .trim()
      .split(/(…|\u0000)/)
      .map((text) => ({ '…': '[^]*', [WORD]: '\\S+' })[text] ?? text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('')}$`,
  );
