/** The API of policy packs. */
export { policyPack } from './pack.js';
export { isPolicyPack, ofType, resourcePolicy, stackPolicy } from './policy.js';
export type {
  Policy,
  PolicyContext,
  PolicyPack,
  PolicyPackDefinition,
  PolicyResource,
  PolicyStackResource,
  ReportingContext,
  ResourcePolicy,
  ResourcePolicyDefinition,
  StackPolicy,
  StackPolicyDefinition,
  TypedToken,
} from './policy.js';
export { setting } from './settings.js';
export type { Setting, SettingValues, Settings } from './settings.js';
