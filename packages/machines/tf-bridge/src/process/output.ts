import { isWanted, readLogLine } from './log-line.js';
import type { PluginLogLevel, ProviderLog } from './log-line.js';

type Stream = 'stdout' | 'stderr';

/** Number of characters kept of a line, and of the latest output. */
const TAIL = 16_384;
/** Number of characters kept of a crash's text, from its start. */
const CRASH = 65_536;

/** Output of a provider: logged line by line, with its end kept for errors, and the whole text of a crash [TFP-5]. */
export class ProviderOutput {
  readonly #partial: Record<Stream, string> = { stdout: '', stderr: '' };
  readonly #lines: string[] = [];
  #kept = 0;
  #crash: string | undefined;
  readonly #onLog: (log: ProviderLog) => void;
  readonly #from: PluginLogLevel | 'none';

  /** `from` is the least severe level to report. */
  constructor(onLog: (log: ProviderLog) => void, from: PluginLogLevel | 'none' = 'trace') {
    this.#onLog = onLog;
    this.#from = from;
  }

  write(stream: Stream, text: string): void {
    const lines = (this.#partial[stream] + text).split('\n');
    this.#partial[stream] = (lines.pop() ?? '').slice(-TAIL);
    for (const line of lines) this.#take(line.replace(/\r$/, ''));
  }

  /** Takes the rest of the output, which has no line end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#partial[stream] !== '') this.#take(this.#partial[stream]);
      this.#partial[stream] = '';
    }
  }

  /** Returns the text of a crash, else the last lines. Empty if there were none. */
  lastWords(): readonly string[] {
    return this.#crash === undefined ? this.#lines.slice(-20) : [this.#crash.trimEnd()];
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    if (this.#crash === undefined && /^(?:panic|fatal error): /.test(line)) this.#crash = '';
    if (this.#crash !== undefined && this.#crash.length < CRASH) this.#crash += `${line}\n`;
    this.#lines.push(line.slice(0, TAIL));
    this.#kept += line.length;
    while (this.#kept > TAIL && this.#lines.length > 1) this.#kept -= this.#lines.shift()?.length ?? 0;
    if (isWanted(line, this.#from)) this.#onLog(readLogLine(line));
  }
}
