import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Bytes of one look at a file. */
const PIECE = 256 * 1024;
/** End of what a follower reports. */
interface LogEnd {
  /** Characters of the logs that are reported. */
  readonly most: number;
  /** Line in place of the rest. */
  readonly words: string;
}

/** Follows the logs of a run, which are masked, line by line. */
export class LogFollower {
  readonly #folder: string;
  readonly #add: (line: string, part: string) => void;
  readonly #end: LogEnd;
  readonly #read = new Map<string, { offset: number; rest: string }>();
  #sent = 0;

  /** `add` gets each line with the part of the run that wrote it. */
  constructor(folder: string, add: (line: string, part: string) => void, end: LogEnd) {
    this.#folder = folder;
    this.#add = add;
    this.#end = end;
  }

  /** Reports the lines that are new. At the end, the last line needs no end of its own. */
  async look(isEnd: boolean): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.sort()) if (name.endsWith('.log')) await this.#follow(name, isEnd);
  }

  async #follow(name: string, isEnd: boolean): Promise<void> {
    const file = await open(path.join(this.#folder, name)).catch(() => undefined);
    if (file === undefined) return;
    const known = this.#read.get(name) ?? { offset: 0, rest: '' };
    this.#read.set(name, known);
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE), 0, PIECE, known.offset);
        if (bytesRead === 0) break;
        known.offset += bytesRead;
        const lines = (known.rest + buffer.toString('utf8', 0, bytesRead)).split('\n');
        known.rest = lines.pop() ?? '';
        for (const line of lines) this.#send(line, name);
      }
    } finally {
      await file.close();
    }
    if (isEnd && known.rest !== '') {
      this.#send(known.rest, name);
      known.rest = '';
    }
  }

  #send(line: string, file: string): void {
    const { most, words } = this.#end;
    if (this.#sent > most) return;
    this.#sent += line.length;
    this.#add(this.#sent > most ? words : line, path.basename(file, '.log'));
  }
}
