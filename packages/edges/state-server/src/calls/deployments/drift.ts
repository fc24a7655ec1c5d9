import type { StackId } from '@cairn/backends';
import type { DriftRunAnswer } from '@cairn/http-api';
import type { DriftRecord } from '../../domain/deployments/deployment.js';
import { driftedBy } from '../../domain/drift-looks.js';
import type { StackStore } from '../../store/service-store.js';
import type { Stacks } from '../stacks.js';

/** Looks for drift of stacks. */
export class DriftRuns {
  readonly #store: StackStore;
  readonly #stacks: Stacks;

  constructor({ store, stacks }: { readonly store: StackStore; readonly stacks: Stacks }) {
    this.#store = store;
    this.#stacks = stacks;
  }

  async status(stack: StackId): Promise<object> {
    const { id } = await this.#stacks.record(stack);
    const { rows } = await this.#store.deploymentPage(id, 'drifts', { size: 1, page: 1 });
    const open = await this.#store.openDeployments(id);
    const latest = rows[0] && driftRunAnswer(rows[0].row);
    return {
      driftDetected: latest?.driftDetected ?? false,
      latestDriftRun: latest?.id ?? '',
      runInProgress: open.some(({ operation, run }) => operation === 'detect-drift' && run !== undefined),
      ...(latest?.cairn && { cairn: latest.cairn }),
    };
  }

  async list(
    stack: StackId,
    page: { readonly size: number; readonly page: number },
  ): Promise<{ readonly driftRuns: readonly DriftRunAnswer[]; readonly total: number }> {
    const { id } = await this.#stacks.record(stack);
    const { rows, total } = await this.#store.deploymentPage(id, 'drifts', page);
    return { driftRuns: rows.map(({ row }) => driftRunAnswer(row)), total };
  }
}

function driftRunAnswer({
  id,
  status,
  created,
  modified,
  resourceChanges,
  deployment,
  resources,
}: DriftRecord): DriftRunAnswer {
  return {
    ...{ id, created, status, driftDetected: status === 'succeeded' && driftedBy({ resourceChanges }) > 0 },
    ...(deployment && { deploymentId: deployment.id, deploymentVersion: deployment.number }),
    detectUpdate: { updateId: id, resourceChanges, modified, status },
    ...(status === 'succeeded' && resources !== undefined && { cairn: { resources } }),
  };
}
