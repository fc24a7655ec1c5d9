import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { ProviderError } from '@cairn/wire';

/** The brand `isCairnError` looks for; it cannot be inherited together with ProviderError. */
const CAIRN_ERROR = Symbol.for('cairn.error');

/**
 * The plugin's process ended. Both a ProviderError, whose code says whether an object may have been changed, and a
 * CairnError (`isCairnError` holds), whose diagnostic names the provider, how it ended and what it wrote last.
 */
export class PluginDiedError extends ProviderError {
  override readonly name = 'PluginDiedError';
  readonly [CAIRN_ERROR] = true;
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    plugin: string,
    call: string,
    exit: string,
    during: boolean,
    lastLines: readonly string[],
    urn: Urn | undefined,
  ) {
    const summary = during
      ? `the provider plugin ${plugin} ended with ${exit} during ${call}`
      : `cannot call ${call}: the provider plugin ${plugin} has ended with ${exit}`;
    super(during ? 'UNKNOWN' : 'UNAVAILABLE', summary);
    this.diagnostics = [
      errorDiagnostic('CAIRN-PLUGIN-DIED', summary, {
        urn,
        causes: lastLines,
        hint: `run the command again; if it happens again, report it to the authors of ${plugin} with the output above`,
      }),
    ];
  }
}
