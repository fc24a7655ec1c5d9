export { AddressError } from './address-error.js';
export {
  ROOT_STACK_TYPE,
  asUrn,
  childQualifiedType,
  isRootStackUrn,
  isUrn,
  joinUrn,
  makeUrn,
  reparentUrn,
  rootStackUrn,
  urnName,
  urnParts,
  urnQualifiedType,
  urnType,
} from './urn.js';
export type { Urn } from './urn.js';
export {
  isProviderType,
  isTypeToken,
  parseTypeToken,
  providerType,
  providerTypePackage,
  tokenPackage,
} from './type-token.js';
export {
  UNKNOWN_ID,
  asProviderReference,
  isDefaultProvider,
  isDefaultProviderName,
  makeProviderReference,
  parseProviderReference,
} from './provider-reference.js';
export type { ProviderReference } from './provider-reference.js';
export { matchesGlob } from './glob.js';
export { capital, checkStackName, isName, parseStackReference } from './names.js';
export type { StackReference } from './names.js';
