export { consolePath, pathBelow } from './console-address.js';
export type { ConsolePage } from './console-address.js';
export { deploymentOfUpdate } from './deployment-ids.js';
export {
  factsOfDeployment,
  runOfDeployment,
  statusOfDeployment,
  whyOfDeployment,
} from './deployment-words.js';
export type { DeploymentFact, ShownRun } from './deployment-words.js';
export { USER_OF_UPDATE } from './update-user.js';

/** Header that every call of the console has which changes something. No form of another site can send it. */
export const CONSOLE_HEADER = 'x-cairn-console';
