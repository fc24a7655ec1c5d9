import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Bytes of one look at a file. */
const PIECE = 256 * 1024;
/** Bytes of a run's log that the service gets. */
const MOST = 8 * 1024 * 1024;

/** Follows the logs of a run, which are masked, line by line. */
export class LogFollower {
  readonly #folder: string;
  readonly #add: (line: string) => void;
  readonly #read = new Map<string, { offset: number; rest: string }>();
  #sent = 0;

  constructor(folder: string, add: (line: string) => void) {
    this.#folder = folder;
    this.#add = add;
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
        for (const line of lines) this.#send(line);
      }
    } finally {
      await file.close();
    }
    if (isEnd && known.rest !== '') {
      this.#send(known.rest);
      known.rest = '';
    }
  }

  #send(line: string): void {
    if (this.#sent > MOST) return;
    this.#sent += line.length;
    this.#add(this.#sent > MOST ? 'The rest of the log is on the machine of the agent.' : line);
  }
}
