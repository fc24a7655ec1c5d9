import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic, DiagnosticDetails } from '@cairn/diagnostics';
import { ProviderError } from './provider-errors.js';

/** Brand that `isCairnError` looks for. It cannot be inherited together with ProviderError. */
const CAIRN_ERROR = Symbol.for('cairn.error');

/**
 * Error: the process behind a provider ended. It is a ProviderError, whose code says whether an object may have been
 * changed. It is also a CairnError (`isCairnError` holds), whose diagnostic says which process ended, how, and with
 * which last output.
 */
export class PluginDiedError extends ProviderError {
  override readonly name = 'PluginDiedError';
  readonly [CAIRN_ERROR] = true;
  readonly diagnostics: readonly Diagnostic[];

  /** `during` is true if a call was under way, so that its effect is not known. */
  constructor(summary: string, during: boolean, details: DiagnosticDetails, options?: ErrorOptions) {
    super(during ? 'UNKNOWN' : 'UNAVAILABLE', summary, options);
    this.diagnostics = [errorDiagnostic('CAIRN-PLUGIN-DIED', summary, details)];
  }
}
