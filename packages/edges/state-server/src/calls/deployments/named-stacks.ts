import type { StackId } from '@cairn/backends';
import type { AskedDeployment, SealedSettings, SettingsRow } from '../../domain/deployments/deployment.js';
import { commonStacks, namedStacks } from '../../domain/deployments/named-stacks.js';
import type { DeploymentStore } from '../../store/deployment-store.js';
import type { ApiCaller } from '../caller.js';

/** Rights that a caller needs on each stack whose outputs a run reads, secrets among them. */
const NEEDED = [
  { role: 'reader', permission: 'stack:export' },
  { role: 'writer', permission: 'stack:decrypt' },
] as const;

/** Refuses a caller who may not read a stack with its secrets. */
export async function needSecretsOf(caller: ApiCaller, stack: StackId): Promise<void> {
  for (const needed of NEEDED) await caller.needOnStack(needed, stack);
}

/** Refuses a caller who may not read, with secrets, each stack that settings of a stack name [AGT-20]. */
export async function needNamedStacks(
  caller: ApiCaller,
  of: StackId,
  settings: SealedSettings,
): Promise<void> {
  for (const named of namedStacks(settings, 'reads')) await needSecretsOf(caller, { ...of, ...named });
}

/**
 * Returns the stacks that the token of a run may read, as its patterns: those that the settings named when it was asked
 * for, that they name still, and that the agent may read.
 */
export async function readsOfRun(
  agent: ApiCaller,
  of: StackId,
  { settings }: Pick<AskedDeployment, 'settings'>,
  now: SealedSettings,
): Promise<readonly string[]> {
  const reads: string[] = [];
  for (const named of commonStacks(namedStacks(settings, 'reads'), namedStacks(now, 'reads'))) {
    const target = { ...of, ...named };
    if (
      await needSecretsOf(agent, target).then(
        () => true,
        () => false,
      )
    )
      reads.push(`${named.project}/${named.stack}`);
  }
  return reads;
}

/** Returns the settings of a stack, or none. */
export async function storedSettings(store: DeploymentStore, stackId: string): Promise<SealedSettings> {
  return (await settingsRow(store, stackId))?.settings ?? {};
}

/** Returns the row with the settings of a stack, if it has some. */
export async function settingsRow(
  store: Pick<DeploymentStore, 'deploymentRows'>,
  stackId: string,
): Promise<SettingsRow | undefined> {
  const [own] = await store.deploymentRows(stackId, 'settings');
  return own?.row;
}
