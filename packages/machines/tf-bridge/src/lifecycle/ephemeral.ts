import type { TfValue } from '@cairn/tfplugin';
import { afterDataRead } from '@cairn/tfplugin';
import { CLIENT_CAPABILITIES } from '../client/calls.js';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { readDiagnostics } from '../client/diagnostics.js';
import type { Connection } from './connection.js';
import { objectAnswer, objectMessage, schemaNamed } from './connection.js';
import type { Subject } from './failure.js';
import { Judge, TerraformFailure } from './failure.js';

/** Timer of renewals. Tests pass their own. */
export interface RenewalTimer {
  now(): number;
  /** Runs `work` after so many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
}

/** Timer whose waits do not keep the process alive. */
const TIMER: RenewalTimer = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, Math.min(milliseconds, 2 ** 31 - 1)).unref();
    return () => clearTimeout(timer);
  },
};

/** An open ephemeral resource [TFC-36]. It is never stored. */
export interface EphemeralResource {
  readonly value: TfValue;
  readonly warnings: readonly TfDiagnostic[];
  /**
   * Closes it, once, after a renewal under way has finished. Fails if the provider reports an error, or if a renewal
   * has failed.
   */
  close(): Promise<readonly TfDiagnostic[]>;
}

/** Opens an ephemeral resource, and renews it at the times that the provider sets, until it is closed. */
export async function openEphemeral(
  connection: Connection,
  subject: Subject,
  config: TfValue,
  timer: RenewalTimer = TIMER,
): Promise<EphemeralResource> {
  const { calls, schema } = connection;
  const { block } = schemaNamed(schema.ephemeralResources, subject.type, 'ephemeral resource', calls.name);
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('openEphemeralResource', {
    typeName: subject.type,
    config: objectMessage(block, config),
    clientCapabilities: CLIENT_CAPABILITIES,
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  if (answer.deferred !== undefined) judge.broken('DEFERRED', [], warnings);
  const open = new OpenEphemeral(connection, judge, timer, answer.private);
  try {
    const value = judge.value(objectAnswer(block, answer.result), 'NONCONFORMING', warnings);
    const outcome = afterDataRead(block, value, subject.masks);
    judge.found(outcome.findings, warnings);
    open.renewAt(answer.renewAt);
    return { value: outcome.value, warnings, close: () => open.close() };
  } catch (error) {
    await open.close().catch(() => {});
    throw error;
  }
}

class OpenEphemeral {
  #cancelRenewal: () => void = () => {};
  #renewal: Promise<void> = Promise.resolve();
  #failure: unknown;
  #closing: Promise<readonly TfDiagnostic[]> | undefined;
  readonly #connection: Connection;
  readonly #judge: Judge;
  readonly #timer: RenewalTimer;
  #bytes: Uint8Array | undefined;

  constructor(connection: Connection, judge: Judge, timer: RenewalTimer, bytes: Uint8Array | undefined) {
    this.#connection = connection;
    this.#judge = judge;
    this.#timer = timer;
    this.#bytes = bytes;
  }

  renewAt(when: Date | undefined): void {
    if (when === undefined || this.#closing !== undefined) return;
    const wait = Math.max(0, when.getTime() - this.#timer.now());
    this.#cancelRenewal = this.#timer.after(wait, () => {
      this.#renewal = this.#renew().catch((error: unknown) => {
        this.#failure = error;
      });
    });
  }

  close(): Promise<readonly TfDiagnostic[]> {
    return (this.#closing ??= this.#end());
  }

  async #renew(): Promise<void> {
    const typeName = this.#judge.subject.type;
    const answer = await this.#connection.calls.call('renewEphemeralResource', {
      typeName,
      private: this.#bytes,
    });
    this.#judge.said(readDiagnostics(answer.diagnostics));
    this.#bytes = answer.private ?? this.#bytes;
    this.renewAt(answer.renewAt);
  }

  async #end(): Promise<readonly TfDiagnostic[]> {
    this.#cancelRenewal();
    await this.#renewal;
    const typeName = this.#judge.subject.type;
    const answer = await this.#connection.calls.call('closeEphemeralResource', {
      typeName,
      private: this.#bytes,
    });
    const warnings = this.#judge.said(readDiagnostics(answer.diagnostics));
    if (this.#failure instanceof TerraformFailure) throw this.#failure;
    if (this.#failure !== undefined) throw this.#failure as Error;
    return warnings;
  }
}
