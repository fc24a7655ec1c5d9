import type { Urn } from '@cairn/addresses';
import type { ContractFinding } from '@cairn/tfplugin';
import { violation } from '@cairn/tfplugin';
import { EngineLog } from '@cairn/wire';
import type { TfDiagnostic } from '../client/index.js';
import type { Told } from '../lifecycle/index.js';
import type { ObjectShape } from '../model/index.js';
import type { ProviderLog } from '../process/log-line.js';
import { shownText } from './errors.js';

/** Messages of providers besides their answers, for the user. */
export class Messages {
  readonly #log = new EngineLog();
  readonly #said = new Set<string>();

  connect(engineAddress: string): void {
    this.#log.connect(engineAddress);
  }

  /** Reports warnings of calls about an object. Each is reported once, since plans repeat them. */
  warn(urn: Urn | undefined, shape: ObjectShape | undefined, diagnostics: readonly TfDiagnostic[]): void {
    for (const each of diagnostics) {
      if (each.severity !== 'warning') continue;
      const message = shownText(shape, each);
      const key = `${urn ?? ''}\n${message}`;
      if (this.#said.has(key)) continue;
      this.#said.add(key);
      this.#log.send({ severity: 'warning', message, ...about(urn) });
    }
  }

  /** Reports messages about an object. Deviations of an answer from the contract are debug messages. */
  told(provider: string, urn: Urn, shape: ObjectShape, { warnings, notes }: Told): void {
    this.warn(urn, shape, warnings);
    this.#note(provider, urn, notes);
  }

  #note(provider: string, urn: Urn, notes: readonly ContractFinding[]): void {
    for (const each of notes) {
      this.#log.send({ severity: 'debug', message: violation(provider, urn, each).summary, ...about(urn) });
    }
  }

  /**
   * Reports a line that a provider's process wrote. Text that is not a diagnostic is a debug message, whatever its
   * level.
   */
  line(provider: string, { level, text }: ProviderLog): void {
    this.#log.send({ severity: 'debug', message: `${provider}: ${level}: ${text}`, ...about(undefined) });
  }

  /** Resolves when all messages have arrived. The next pass reports its messages again. */
  endPass(): Promise<void> {
    this.#said.clear();
    return this.#log.sent();
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

function about(urn: Urn | undefined) {
  return { urn: urn ?? '', streamId: 0, ephemeral: false } as const;
}
