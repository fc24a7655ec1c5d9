import type { OutputStream } from '@cairn/processes';
import type { PluginMessage } from '../options.js';

/** Number of characters kept of a plugin's latest output. */
const TAIL = 16_384;

/** Visibility of a plugin's lines. `hidden` ones are only shown on request, and in the error when it dies. */
type OutputManner = 'hidden' | 'shown';

const SEVERITIES = {
  hidden: { stdout: 'debug', stderr: 'debug' },
  shown: { stdout: 'info', stderr: 'info-to-stderr' },
} as const satisfies Record<OutputManner, Record<OutputStream, PluginMessage['severity']>>;

let lastStreamId = 0;

/** Relays a plugin's output line by line, and keeps the end of it [PLUG-5]. */
export class PluginOutput {
  readonly #partial: Record<OutputStream, string> = { stdout: '', stderr: '' };
  readonly #streamIds: Record<OutputStream, number> = {
    stdout: ++lastStreamId,
    stderr: ++lastStreamId,
  };
  #kept = '';
  readonly #plugin: string;
  readonly #manner: OutputManner;
  readonly #onMessage: (message: PluginMessage) => void;

  constructor(plugin: string, manner: OutputManner, onMessage: (message: PluginMessage) => void) {
    this.#plugin = plugin;
    this.#manner = manner;
    this.#onMessage = onMessage;
  }

  write(stream: OutputStream, text: string): void {
    this.#kept = (this.#kept + text).slice(-TAIL);
    const lines = (this.#partial[stream] + text).split('\n');
    this.#partial[stream] = (lines.pop() ?? '').slice(-TAIL);
    for (const line of lines) this.#relay(stream, line);
  }

  /** Relays the rest that has no line end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#partial[stream] !== '') this.#relay(stream, this.#partial[stream]);
      this.#partial[stream] = '';
    }
  }

  /** Returns the last lines of both streams, oldest first. Empty when it wrote nothing. */
  lastLines(count: number): readonly string[] {
    const lines = this.#kept.split('\n').map((line) => line.trimEnd());
    return lines.filter((line) => line !== '').slice(-count);
  }

  #relay(stream: OutputStream, line: string): void {
    this.#onMessage({
      severity: SEVERITIES[this.#manner][stream],
      plugin: this.#plugin,
      text: line.replace(/\r$/, ''),
      streamId: this.#streamIds[stream],
      urn: undefined,
    });
  }
}
