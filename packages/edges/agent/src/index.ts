export { consoleAddress, factsOfDeployment, statusOfDeployment, whyOfDeployment } from '@cairn/http-api';
/** The agent: keeps stacks as their programs and policies say. */
export { runAgent } from './agent.js';
export type { AgentConfig } from './config/agent-config.js';
export { parseExecutorFile } from './config/read-executor-file.js';
export { parsePullsFile } from './config/read-pulls-file.js';
export { parseAgentFile } from './config/read-agent-file.js';
export { warningsToShow, readAgentState } from './folder/agent-folder.js';
export type { AgentState } from './folder/agent-folder.js';
export { leaveAgentMessage, readAgentMessages } from './folder/inbox.js';
export { isLeaseAlive } from './folder/lease.js';
export { runPodPart } from './pod/run-pod-part.js';
export { runServiceAgent } from './service/service-agent.js';
export { RefusedByService, ServiceApi } from './service/service-api.js';
export { watchAgentState } from './folder/watch-state.js';
export { approvalProblem, hasRunEnded, isQueued, queuePlaces } from '@cairn/changes-daemon';
export type { DriftedResource, RequestKind, RequestRow, RunRow } from '@cairn/changes-daemon';
export type { DeploymentAnswer, DeploymentOperation } from '@cairn/http-api';
