import type { Urn } from '@cairn/addresses';
import type { Finding } from '@cairn/tfplugin';
import { violation } from '@cairn/tfplugin';
import { EngineLog } from '@cairn/wire';
import type { TfDiagnostic } from '../client/index.js';
import type { Told } from '../lifecycle/index.js';
import type { ObjectShape } from '../model/index.js';
import type { ProviderLog } from '../process/log-line.js';
import { shownText } from './errors.js';

/** What providers say besides their answers, on its way to the user. */
export class Messages {
  private readonly log = new EngineLog();
  private readonly said = new Set<string>();

  connect(engineAddress: string): void {
    this.log.connect(engineAddress);
  }

  /** Warnings of calls about an object; each once, since plans repeat them. */
  warn(urn: Urn | undefined, shape: ObjectShape | undefined, diagnostics: readonly TfDiagnostic[]): void {
    for (const each of diagnostics) {
      if (each.severity !== 'warning') continue;
      const message = shownText(shape, each);
      const key = `${urn ?? ''}\n${message}`;
      if (this.said.has(key)) continue;
      this.said.add(key);
      this.log.send({ severity: 'warning', message, ...about(urn) });
    }
  }

  /** What was told about an object; where an answer is not quite what the contract says is for reading along. */
  told(provider: string, urn: Urn, shape: ObjectShape, { warnings, notes }: Told): void {
    this.warn(urn, shape, warnings);
    this.note(provider, urn, notes);
  }

  private note(provider: string, urn: Urn, notes: readonly Finding[]): void {
    for (const each of notes) {
      this.log.send({ severity: 'debug', message: violation(provider, urn, each).summary, ...about(urn) });
    }
  }

  /** A line that a provider's process wrote. What is no diagnostic is for reading along, whatever its level. */
  line(provider: string, { level, text }: ProviderLog): void {
    this.log.send({ severity: 'debug', message: `${provider}: ${level}: ${text}`, ...about(undefined) });
  }

  /** All that was said has arrived when it resolves; the next pass is told again. */
  endPass(): Promise<void> {
    this.said.clear();
    return this.log.sent();
  }

  close(): Promise<void> {
    return this.log.close();
  }
}

function about(urn: Urn | undefined) {
  return { urn: urn ?? '', streamId: 0, ephemeral: false } as const;
}
