/** A fenced block of a page: a file to write, or commands with the output they are said to have. */
export interface Block {
  readonly kind: 'file' | 'cwd';
  readonly path: string;
  /** A command without which the block is left out. */
  readonly needs: string | undefined;
  readonly body: string;
}

export interface Command {
  readonly line: string;
  readonly output: string;
}

/** The blocks of a page that say which file they are, or in which folder their commands are carried out. */
export const blocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^```\w+ (file|cwd)=(\S+)(?: needs=(\S+))?\n([^]*?)^```$/gm)].map((match) => ({
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

/** The output as a pattern in which `…` stands for anything. */
export const pattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .trim()
      .split('…')
      .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );
