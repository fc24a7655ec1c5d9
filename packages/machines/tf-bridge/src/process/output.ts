import { isWanted, readLogLine } from './log-line.js';
import type { LogLevel, ProviderLog } from './log-line.js';

type Stream = 'stdout' | 'stderr';

/** Characters of a line, and of what was written last, that are kept. */
const TAIL = 16_384;
/** Characters of a crash's text that are kept, from its start. */
const CRASH = 65_536;

/**
 * What a provider writes: line by line to the log, its end kept for errors, and all of what a crash writes [TFP-5].
 */
export class ProviderOutput {
  private readonly partial: Record<Stream, string> = { stdout: '', stderr: '' };
  private readonly lines: string[] = [];
  private kept = 0;
  private crash: string | undefined;

  /** `from`: the least serious level that is told. */
  constructor(
    private readonly onLog: (log: ProviderLog) => void,
    private readonly from: LogLevel | 'none' = 'trace',
  ) {}

  write(stream: Stream, text: string): void {
    const lines = (this.partial[stream] + text).split('\n');
    this.partial[stream] = (lines.pop() ?? '').slice(-TAIL);
    for (const line of lines) this.take(line.replace(/\r$/, ''));
  }

  /** Takes what was left without a line's end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.partial[stream] !== '') this.take(this.partial[stream]);
      this.partial[stream] = '';
    }
  }

  /** What a crash wrote, else the last lines; empty when there were none. */
  lastWords(): readonly string[] {
    return this.crash === undefined ? this.lines.slice(-20) : [this.crash.trimEnd()];
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    if (this.crash === undefined && /^(?:panic|fatal error): /.test(line)) this.crash = '';
    if (this.crash !== undefined && this.crash.length < CRASH) this.crash += `${line}\n`;
    this.lines.push(line.slice(0, TAIL));
    this.kept += line.length;
    while (this.kept > TAIL && this.lines.length > 1) this.kept -= this.lines.shift()?.length ?? 0;
    if (isWanted(line, this.from)) this.onLog(readLogLine(line));
  }
}
