/** Work on stacks besides their operations; loads no engine. The package exports all of it, too. */
export type { Interaction, Notice, UserQuestion } from './interaction.js';
export type { MessageResult, OperationStatus, Pass, PassControl, PassEnd, PassView } from './pass-view.js';
export type { Mask, Observer, OwnProgram, Ports } from './ports.js';
export { observed } from './ports.js';
export { unattended } from './interaction.js';
export { plainJson, withPlainSecret, withPlainSecrets } from './masking/plain-json.js';
export { logIn } from './access/log-in.js';
export { accountAt } from './access/service-login.js';
export { backendHere, upgradeBackend, withBackendHere } from './access/open-backend.js';
export { withStack } from './access/open-stack.js';
export type { OpenStack } from './access/open-stack.js';
export { chosenStack, requiredStack } from './access/stack-choice.js';
export { stopGraceMs } from './access/stop-grace.js';
export type { StackChoice } from './access/stack-choice.js';
export { openStackFile } from './access/stack-file.js';
export type { OpenStackFile } from './access/stack-file.js';
export { nameBeside, referredStack, stackHere, stackOn } from './access/stack-reference.js';
export { isSecretVariable } from './masking/environment-secrets.js';
export { thisProcess } from './access/this-process.js';
export { userOf } from './access/user.js';
export { copyConfig, refreshConfig, removeConfigValues, setConfigValues } from './config/config-edits.js';
export { configTarget, plainValue, refuseDeclaredSecret, statedType } from './config/config-values.js';
export type { ParsedConfigValue } from './config/config-values.js';
export { configValue, configValues } from './config/read-config.js';
export type { OpenedConfigValue } from './config/read-config.js';
export {
  abortChange,
  approveTask,
  findChange,
  isEnded,
  selectChanges,
  shownChange,
  stackChanges,
} from './changes/changes.js';
export type { Selection } from './changes/changes.js';
export { parseChangeId, parseDoubtId, parseTaskId } from './changes/choose-change.js';
export type { EditReview, Review } from './state-edits/edit-state.js';
export { editStateText } from './state-edits/edited-text.js';
export { deleteFromState, markInState, renameInState } from './state-edits/edits.js';
export { moveInState } from './state-edits/move.js';
export { mendState, restoreState, setStrandedAside } from './state-edits/repair.js';
export { changeSecretsProvider } from './stacks/change-secrets-provider.js';
export type { Protection } from './stacks/change-secrets-provider.js';
export { createStack } from './stacks/create-stack.js';
export { exportStack, importStack } from './stacks/documents.js';
export { outputsOf, stackEntry, stackOutputs } from './stacks/outputs.js';
export { countKept } from './stacks/protected.js';
export { removeStack, renameStack } from './stacks/rename-or-remove.js';
export { stackHistory } from './stacks/history.js';
export type { HistoryOperation } from './stacks/history.js';
export { listStacks, selectStack, stackNames, unselectStack } from './stacks/list-stacks.js';
export type { ListedStack } from './stacks/list-stacks.js';
export { cancelOperation, lockText, locksOfPersons } from './stacks/locks.js';
export { checkTag, removeTag, setTag, tagOf } from './stacks/tags.js';
