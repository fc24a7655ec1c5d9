export { errorDiagnostic, warningDiagnostic } from './diagnostic.js';
export type { Diagnostic, DiagnosticDetails, Severity, SourceRange } from './diagnostic.js';
export { BugError, CairnError, cairnError, fail, isCairnError, messageOf, unreachable } from './errors.js';
export { EXIT, codes, exitCodeFor } from './codes.js';
export type { ErrorCode, ExitName } from './codes.js';
