/** What belongs to stacks beside their operations; loads no engine. The package exports all of it, too. */
export type { Course, Interaction, Notice, Question } from '../interaction.js';
export type { Heard, OperationStatus, Pass, PassControl, PassEnd, PassView, Purpose } from '../pass-view.js';
export { nothingChanged, rememberInterrupts, tell } from '../ports.js';
export type { Ports } from '../ports.js';
export { unattended } from '../unattended.js';
export { noStack } from '../access/no-stack.js';
export { backendChoice, openBackend, upgradeBackend, withBackend } from '../access/open-backend.js';
export type { Reach } from '../access/open-backend.js';
export { withStack } from '../access/open-stack.js';
export type { OpenStack } from '../access/open-stack.js';
export { hasSecrets, managerOf, stateCrypter } from '../access/secrets.js';
export { chosenStackName, selectedStackName, stackName } from '../access/stack-choice.js';
export type { StackChoice } from '../access/stack-choice.js';
export { openStackFile, openStackFileOf } from '../access/stack-file.js';
export type { OpenStackFile } from '../access/stack-file.js';
export { nameBeside, referredStack, stackHere } from '../access/stack-reference.js';
export { whoAsks } from '../access/this-process.js';
export { userOf } from '../access/user.js';
export {
  configTarget,
  plainTree,
  refuseSecretLook,
  secretTree,
  statedType,
} from '../config/config-values.js';
export type { EditReview, Review } from '../state-edits/edit-state.js';
export { editStateText } from '../state-edits/edited-text.js';
export type { EditText } from '../state-edits/edited-text.js';
export { deleteFromState, markInState, renameInState } from '../state-edits/edits.js';
export type { DeleteOptions } from '../state-edits/edits.js';
export { moveInState } from '../state-edits/move.js';
export type { MoveOptions } from '../state-edits/move.js';
export { mendState, restoreState, setStrandedAside } from '../state-edits/repair.js';
export type { RestorableState } from '../state-edits/repair.js';
export { changeSecretsProvider } from './change-secrets-provider.js';
export type { Protection } from './change-secrets-provider.js';
export { createStack, qualified } from './create-stack.js';
export type { NewStack } from './create-stack.js';
export { exportStack, importStack } from './documents.js';
export type { ExportOptions, ImportDocumentOptions } from './documents.js';
export { stackOutputs } from './outputs.js';
export { removeStack } from './remove-stack.js';
export type { RemoveStackOptions } from './remove-stack.js';
export { renameStack } from './rename-stack.js';
export { checkTag, tagOf } from './tags.js';
