/** Operations on stacks and their parts, without a terminal. */
export * from './stacks.js';
export { checkOperation, operate, previewOperation, tellIdle } from './operate.js';
export { adoptObjects } from './adoption/adopt.js';
export type { Adopted } from './adoption/adopt.js';
export { readImportList } from './imports/import-list.js';
export { ImportFileOfPreview, importFileText } from './imports/import-file.js';
export type { ImportFile } from './imports/import-file.js';
export { convertedList } from './imports/converted-list.js';
export { placedImport } from './imports/placed-import.js';
export type { PlacedImport } from './imports/import-list.js';
export { importRequest, refuseWordsBesideList } from './imports/import-request.js';
export type { TypedImport } from './imports/import-request.js';
export { withConverter } from './packages/converter.js';
export { isGitSource } from './packages/package-source.js';
export { maskEvent } from './masking/mask-secrets.js';
export { programInfo, runsNode } from './access/program-info.js';
export { builtInLanguage, languagePlaces, withLanguage } from './languages/languages.js';
export { runPluginFolder } from './languages/run-plugin-folder.js';
export type { PluginFolderRun } from './languages/run-plugin-folder.js';
export { analyzeDocument, analyzePolicies } from './operation/analyze-policies.js';
export type { AnalysisRun, PolicyAnalysis, AnalyzedState } from './operation/analyze-policies.js';
export { endedWell } from './operation/operation.js';
export type {
  RunOptions,
  Ended,
  RequestedOperation,
  Outcome,
  PendingCreates,
} from './operation/operation.js';
export { agree } from './operation/pass.js';
export { endsIdle } from './operation/pass.js';
export { STRICT_HINT, planText } from './operation/plans.js';
export type { PlanRules } from './operation/plans.js';
export { withPrepared } from './operation/prepare.js';
export type { PreparedChoice } from './operation/prepare.js';
export { opened } from './operation/prepared.js';
export type { Prepared } from './operation/prepared.js';
export { referredOutputs } from './operation/referred-outputs.js';
export { resourceChanges } from './operation/resource-changes.js';
export { openState } from './operation/state-of-stack.js';
export { detailedDiffJson, reasonJson, stepFacts } from './operation/step-facts.js';
export { optionsFrom } from './options/operation-options.js';
export type { OperationOptions } from './options/operation-options.js';
export { resolveDoubt } from './recovery/resolve.js';
export { resumeOperation } from './recovery/resume.js';
export { rollBackOperation } from './recovery/rollback.js';
