/** Project and stack files, config values, home, credentials and the selected stack. */
export { envFlag, envVar } from './env.js';
export type { Env } from './env.js';
export { checkedProjectName, checkedStackReference } from './names.js';
export { findProject, loadProject, namedProject } from './project/find-project.js';
export { saveProjectConfig } from './project/save-project-config.js';
export { savePackage } from './project/save-package.js';
export type { RecordedPackage } from './project/save-package.js';
export { parseProject } from './project/parse-project.js';
export type { ProjectOperationSettings } from './project/operation-settings.js';
export type { ConfigDeclaration, Project, ProjectRuntime } from './project/project.js';
export { loadStackFile, parseStackFile, stackFilePath } from './stack-file/stack-file.js';
export type { SecretsSettings } from './stack-file/secrets-settings.js';
export type { StackFile } from './stack-file/stack-file.js';
export { renderStackFile, saveStackFile } from './stack-file/save-stack-file.js';
export type { StackFileChanges } from './stack-file/save-stack-file.js';
export {
  checkSecretsProvider,
  chooseSecretsManager,
  isPassphrase,
  managerOfFile,
  newSecretsChoice,
  requestedSecretsManager,
  secretsSettings,
} from './stack-file/secrets-choice.js';
export type { SecretsChoiceSources } from './stack-file/secrets-choice.js';
export { parseConfigKey, parseConfigPath, shortConfigKey } from './config/config-key.js';
export type { ConfigTarget } from './config/config-key.js';
export { configText, hasSecure, isSecure, jsonText, mapSecrets, secureTexts } from './config/config-tree.js';
export type { ConfigByKey, ConfigTree } from './config/config-tree.js';
export { getConfig, removeConfig, setConfig } from './config/config-edit.js';
export { coerceText, readStatedType, statedTypes } from './config/scalar-text.js';
export { treeOfJson, treeOfStored } from './config/config-edit.js';
export type { StatedType } from './config/scalar-text.js';
export { looksLikeSecret } from './config/looks-secret.js';
export { applyProjectDefaults, decryptTree, isDeclaredSecret } from './config/project-defaults.js';
export { operationConfig } from './config/operation-config.js';
export type { ResolvedConfig } from './config/operation-config.js';
export { recryptConfig, secureText } from './config/program-config.js';
export type { ProgramConfig } from './config/program-config.js';
export { defaultBackendUrl, directoryUrl, homeDirectory } from './home/home.js';
export type { UserContext } from './home/home.js';
export { storeLogin, logOut, logOutOfAll, readCredentials } from './home/credentials.js';
export { backendAddress, isServiceUrl, serviceLogin, storedLogin } from './home/service-login.js';
export type { ServiceLogin } from './home/service-login.js';
export { storeSelectedStack, selectedStack, selectionPath } from './home/selected-stack.js';
export { chooseBackend } from './home/backend-choice.js';
export type { BackendChoice, BackendOrigin } from './home/backend-choice.js';
export { FileProblems } from './yaml/file-problems.js';
export { parseYaml } from './yaml/parse-yaml.js';
export { MapReader, plainData } from './yaml/shape.js';
