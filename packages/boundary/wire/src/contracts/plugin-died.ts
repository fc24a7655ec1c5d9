import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic, DiagnosticDetails } from '@cairn/diagnostics';
import { ProviderError } from './provider-errors.js';

/** The brand that `isCairnError` looks for; it cannot be inherited together with ProviderError. */
const CAIRN_ERROR = Symbol.for('cairn.error');

/**
 * The process behind a provider ended. Both a ProviderError, whose code says whether an object may have been changed,
 * and a CairnError (`isCairnError` holds), whose diagnostic says which process, how it ended and what it wrote last.
 */
export class PluginDiedError extends ProviderError {
  override readonly name = 'PluginDiedError';
  readonly [CAIRN_ERROR] = true;
  readonly diagnostics: readonly Diagnostic[];

  /** `during`: a call was under way, and what it has done is not known. */
  constructor(summary: string, during: boolean, details: DiagnosticDetails, options?: ErrorOptions) {
    super(during ? 'UNKNOWN' : 'UNAVAILABLE', summary, options);
    this.diagnostics = [errorDiagnostic('CAIRN-PLUGIN-DIED', summary, details)];
  }
}
