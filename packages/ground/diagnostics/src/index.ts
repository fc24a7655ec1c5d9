export { errorDiagnostic, warningDiagnostic } from './diagnostic.js';
export type { Diagnostic, DiagnosticDetails, Severity, SourceRange } from './diagnostic.js';
export { BugError, CairnError, cairnError, fail, isCairnError, messageOf, unreachable } from './errors.js';
export {
  DESCRIPTORS_HINT,
  isOutOfDescriptors,
  outOfDescriptors,
  saysOutOfDescriptors,
} from './descriptors.js';
export { EXIT, codes, exitCodeFor, exitStatus, exitStatusFor } from './codes.js';
export type { ErrorCode, ExitDetail, ExitName } from './codes.js';
export { visible, visibleName } from './visible.js';
