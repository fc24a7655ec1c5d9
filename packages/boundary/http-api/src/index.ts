/** Routes, messages and error bodies of the HTTP state protocol. No input or output. */
export { MOST_ENTRIES, ROUTES } from './routes.js';
export type { Route } from './route.js';
export type { RouteName } from './routes.js';
export { PERMISSIONS } from './permissions.js';
export type { Permission } from './permissions.js';
export { MATCHED_TEXTS, errorBody } from './errors.js';
export type { ErrorBody, ErrorStatus } from './errors.js';
export { CAPABILITIES, SetupRequest } from './accounts.js';
export type { DefaultOrganizationAnswer, SetupAnswer, UserAnswer } from './accounts.js';
export {
  AccessRoles,
  AddMemberRequest,
  ChangeMemberRequest,
  ChangeRoleRequest,
  ChangeTeamRequest,
  CreateGrantRequest,
  CreateOrganizationRequest,
  CreateRoleRequest,
  CreateTeamRequest,
  CreateTokenRequest,
  CreateTrustRequest,
  EXCHANGE,
  ExchangedBody,
  Login,
} from './access.js';
export type {
  AuditLogEvent,
  CreatedTokenAnswer,
  ExchangeAnswer,
  MemberAnswer,
  RoleAnswer,
  TokenAnswer,
  TokensAnswer,
  UserInfoAnswer,
} from './access.js';
export { ConfigPlace, CreateStackRequest, Name, RenameRequest, Tags } from './stacks.js';
export type { ConfigPlaceMessage, StackAnswer, StackRow, StacksAnswer } from './stacks.js';
export { BatchDecryptRequest, BatchEncryptRequest, DecryptRequest, EncryptRequest } from './secrets.js';
export {
  CompleteRequest,
  CreateUpdateRequest,
  EventsRequest,
  LONGEST_LEASE,
  RenewLeaseRequest,
  StartUpdateRequest,
} from './updates.js';
export type {
  ConfigValueMessage,
  RenewLeaseAnswer,
  StartUpdateAnswer,
  UpdateStatusAnswer,
  WireStatus,
} from './updates.js';
export { TerraformLock } from './terraform.js';
export type {
  TerraformLockInfo,
  TerraformRow,
  TerraformRowsAnswer,
  TerraformVersionRow,
  TerraformVersionsAnswer,
} from './terraform.js';
export {
  CHANGES_CAPABILITY,
  CapabilitiesBody,
  ChangeEndRequest,
  ChangeMessageRequest,
  ChangeRequest,
  ChangesBody,
  ImportChangeRequest,
  MOST_MESSAGES,
  MessagesBody,
  RecordsBody,
} from './changes.js';
export type { StartedChange } from './changes.js';
export { ImportVersionRequest } from './history.js';
export { PlaceBody, PlaceRequest, QUEUE_CAPABILITY, TICKET_SECONDS } from './queue.js';
export type { PreviewsAnswer, UpdateInfo } from './history.js';
export { USER_OF_UPDATE } from './update-user.js';
export {
  CreatedBody,
  DecryptedBody,
  DecryptedTextBody,
  EncryptedBody,
  EncryptedTextBody,
  HistoryBody,
  ImportedBody,
  RefusedBody,
  RenewedBody,
  StackBody,
  StacksBody,
  StartedBody,
  StatusBody,
  UserBody,
} from './answers.js';
export {
  ChangeHookRequest,
  CreateHookRequest,
  HOOK_EVENTS,
  HookBody,
  HookDeliveryBody,
  NO_HOOK_SECRET,
  byHookRoute,
  isMailAddress,
  recipientsOf,
} from './hooks.js';
export {
  AgentsBody,
  ApproveRequest,
  AttendRequest,
  ClaimBody,
  AcknowledgeRequest,
  ClaimRequest,
  CreateDeploymentRequest,
  DEPLOYMENT_OPERATIONS,
  DenyRequest,
  ChangeSettingsRequest,
  DriftScheduleRequest,
  LookRequest,
  LONGEST_WAIT_SECONDS,
  PULL_PAGE,
  NoticesBody,
  RUN_LEASE_SECONDS,
  RUN_TOKEN_SECONDS,
  RunTokenBody,
  RunTokenRequest,
  ScheduleRequest,
  TtlScheduleRequest,
} from './deployments.js';
export { AGENT_SYSTEM, deploymentId, numberOfDeployment, numberPart } from './deployment-ids.js';
export { factsOfDeployment, statusOfDeployment, whyOfDeployment } from './deployment-words.js';
export { APPROVAL_PATH, ISSUER_KEYS_PATH } from './deployment-routes.js';
export type {
  AttendAnswer,
  ClaimedLook,
  ClaimedRun,
  DeployedUpdate,
  DeploymentAnswer,
  DeploymentOperation,
  DeploymentStatus,
  DriftRunAnswer,
  LookAnswer,
  ScheduleAnswer,
} from './deployments.js';
export {
  DriftRunBody,
  DriftRunsBody,
  DriftStatusBody,
  ScheduleBody,
  SchedulesBody,
} from './deployment-answers.js';
export type { HookAnswer, HookDeliveryAnswer, HookEvent, HookGroup } from './hooks.js';
export { basePath, consoleAddress, pathBelow } from './console-address.js';
export type { ConsolePage } from './console-address.js';
export { CONSOLE_HEADER } from './console-header.js';
export { pageOfPermalink } from './permalinks.js';
export { ContinueRequest } from './console/changes.js';
export type {
  ConsoleChangeAnswer,
  ConsoleChangeRow,
  ConsoleRecordsEvent,
  ConsoleStackEvent,
} from './console/changes.js';
export type { ConsoleCompareAnswer } from './console/compare.js';
export type {
  ConsolePolicyVerdict,
  ConsolePreviewAnswer,
  ConsolePreviewRow,
  ConsoleDrift,
  ConsolePreviewStep,
  ConsolePreviewsAnswer,
} from './console/previews.js';
export { RevealRequest } from './console/resources.js';
export type {
  ConsoleDifference,
  ConsoleResourceAnswer,
  ConsoleResourceHistoryAnswer,
  ConsoleResourceRow,
  ConsoleResourcesAnswer,
} from './console/resources.js';
export {
  ChangePasswordRequest,
  ConsoleLinkBody,
  EnterRequest,
  PasswordSignInRequest,
  WaitingCommand,
} from './console/sessions.js';
export type {
  ConsoleLinkAnswer,
  ConsoleSessionAnswer,
  ConsoleStartAnswer,
  PasswordSignInAnswer,
} from './console/sessions.js';
export type { ConsoleAccessAnswer, ConsoleSchedule, ConsoleSettingsAnswer } from './console/settings.js';
export type {
  ConsoleDoubt,
  ConsoleStackAnswer,
  ConsoleStackRow,
  ConsoleStacksAnswer,
} from './console/stacks.js';
