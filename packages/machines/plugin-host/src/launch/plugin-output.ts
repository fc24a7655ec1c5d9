import type { OutputStream } from '@cairn/processes';
import type { PluginMessage } from '../options.js';

/** How much of what a plugin wrote last is kept, in characters. */
const TAIL = 16_384;

/** How a plugin's lines are shown: `hidden` ones only on request, and in the error when it dies. */
type OutputManner = 'hidden' | 'shown';

const SEVERITIES = {
  hidden: { stdout: 'debug', stderr: 'debug' },
  shown: { stdout: 'info', stderr: 'info-to-stderr' },
} as const satisfies Record<OutputManner, Record<OutputStream, PluginMessage['severity']>>;

let lastStreamId = 0;

/** Relays what a plugin writes line by line, and keeps the end of it [PLUG-5]. */
export class PluginOutput {
  private readonly partial: Record<OutputStream, string> = { stdout: '', stderr: '' };
  private readonly streamIds: Record<OutputStream, number> = {
    stdout: ++lastStreamId,
    stderr: ++lastStreamId,
  };
  private kept = '';

  constructor(
    private readonly plugin: string,
    private readonly manner: OutputManner,
    private readonly onMessage: (message: PluginMessage) => void,
  ) {}

  write(stream: OutputStream, text: string): void {
    this.kept = (this.kept + text).slice(-TAIL);
    const lines = (this.partial[stream] + text).split('\n');
    this.partial[stream] = (lines.pop() ?? '').slice(-TAIL);
    for (const line of lines) this.relay(stream, line);
  }

  /** Relays what was left without a line's end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.partial[stream] !== '') this.relay(stream, this.partial[stream]);
      this.partial[stream] = '';
    }
  }

  /** The last lines of both streams, oldest first; empty when it wrote nothing. */
  lastLines(count: number): readonly string[] {
    const lines = this.kept.split('\n').map((line) => line.trimEnd());
    return lines.filter((line) => line !== '').slice(-count);
  }

  private relay(stream: OutputStream, line: string): void {
    this.onMessage({
      severity: SEVERITIES[this.manner][stream],
      plugin: this.plugin,
      text: line.replace(/\r$/, ''),
      streamId: this.streamIds[stream],
      urn: undefined,
    });
  }
}
