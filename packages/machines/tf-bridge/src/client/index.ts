export { CLIENT_CAPABILITIES, providerCalls, TERRAFORM_VERSION } from './calls.js';
export type { ProviderCalls, RequestFor, ResponseFor } from './calls.js';
export { hasErrors } from './diagnostics.js';
export type { TfDiagnostic } from './diagnostics.js';
export { providerSchema, withIdentities } from './provider-schema.js';
export type {
  FunctionParameter,
  FunctionSignature,
  IdentityMessage,
  ProviderSchema,
  SchemaMessage,
  SchemaTable,
  ServerCapabilities,
  UnusedParts,
} from './provider-schema.js';
