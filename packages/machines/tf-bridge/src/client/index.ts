export type { TfDiagnostic } from './diagnostics.js';
