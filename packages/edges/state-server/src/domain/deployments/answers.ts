import type { StackId } from '@cairn/backends';
import type { DeployedUpdate, DeploymentAnswer } from '@cairn/http-api';
import { previewInfoOf } from '../update-info.js';
import type { UpdateRecord } from '../update-record.js';
import { wireStatus } from './deployment.js';
import type { AskedDeployment } from './deployment.js';

/** Facts for the answer about a deployment. */
interface AnswerFacts {
  readonly records: readonly { readonly version: number; readonly record: UpdateRecord | undefined }[];
  /** Version of the stack. */
  readonly latest: number;
  readonly waitsFor: string | undefined;
  /** Address of its page in the console, if the service knows its own. */
  readonly page: string | undefined;
}

/** Returns a deployment as the protocol shows it. */
export function deploymentAnswer(
  stack: StackId,
  deployment: AskedDeployment,
  { records, latest, waitsFor, page }: AnswerFacts,
): DeploymentAnswer {
  const { id, number, operation, initiator, request, run, pool, ranBy, modified } = deployment;
  const status = wireStatus(deployment);
  const started = run?.began ?? request.at;
  const step = { name: `pulumi ${operation}`, status, started, lastUpdated: modified };
  return {
    ...{ id, version: number, created: request.at, modified, status },
    requestedBy: { name: request.by, githubLogin: request.by, avatarUrl: '' },
    ...{ pulumiOperation: operation, initiator },
    ...{ projectName: stack.project, stackName: stack.stack },
    paused: run?.status === 'waiting' || run?.status === 'held',
    ...(pool !== undefined && { agentPool: pool }),
    updates: records.flatMap(({ version, record }) =>
      record === undefined ? [] : [deployedUpdate(record, version, latest)],
    ),
    jobs: run === undefined ? [] : [{ status, started, lastUpdated: modified, steps: [step] }],
    cairn: {
      run: run ?? null,
      ...(waitsFor !== undefined && { waitsFor }),
      ...(ranBy !== undefined && { agent: ranBy }),
      ...(page !== undefined && { consoleUrl: page }),
    },
  };
}

function deployedUpdate(record: UpdateRecord, version: number, latestVersion: number): DeployedUpdate {
  const { kind, message, startTime, endTime, result, environment } = previewInfoOf(record);
  return {
    ...{ id: record.id, updateID: record.id, version, latestVersion },
    ...{ kind: record.dryRun ? kind : record.kind, message, startTime, endTime, result, environment },
    ...(record.dryRun && { cairn: { preview: true as const } }),
    ...(record.change?.number !== undefined && { cairn: { change: record.change.number } }),
  };
}
