import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { StatusError } from '@cairn/wire';

/** Reports outputs for a resource that does not wait for them [REG-11]. */
export function notPending(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-OPTION', `cannot complete ${urn}: its registration isn't pending`, {
    urn,
    hint: 'Register outputs once, for a component that was registered in this run.',
  });
}

/** Makes the error for the program if the operation ends before its call is answered [PRG-9]. */
export function shutDownError(): Error {
  return new StatusError('UNAVAILABLE', 'resource monitor shut down: the operation is ending');
}

/** Makes the error for the program about a read that needs something that failed. */
export function readSkipped(urn: Urn, because: Urn): StatusError {
  return new StatusError(
    'FAILED_PRECONDITION',
    `resource read failed: ${urn} needs ${because}, which has failed`,
  );
}

/** Makes the error for the program about a read that failed while the operation continues. */
export function readFailed({ summary }: Diagnostic): StatusError {
  return new StatusError('UNKNOWN', `resource read failed: ${summary}`);
}
