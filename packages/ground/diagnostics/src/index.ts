export { errorDiagnostic, warningDiagnostic } from './diagnostic.js';
export type { Diagnostic, DiagnosticDetails, SourceRange } from './diagnostic.js';
export { BugError, CairnError, cairnError, fail, isCairnError, messageOf, unreachable } from './errors.js';
export {
  DESCRIPTORS_HINT,
  isOutOfDescriptors,
  outOfDescriptors,
  saysOutOfDescriptors,
} from './descriptors.js';
export { EXIT, codes, exitCodeFor, exitStatus, exitStatusFor } from './codes.js';
export type { ErrorCode, ExitDetail } from './codes.js';
export { nearest } from './nearest.js';
export { headLine } from './head-line.js';
export { visible, visibleName } from './visible.js';
