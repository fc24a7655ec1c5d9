import { RunError } from '../resource/resource-error.js';
import { deployment } from '../runtime/deployment.js';

/** Name of the stack the program is run for. */
export function getStack(): string {
  return deployment().settings.stack;
}

/** Name of the project. */
export function getProject(): string {
  return deployment().settings.project;
}

/** Name of the organization the stack belongs to; `organization` where the backend knows none. */
export function getOrganization(): string {
  return deployment().settings.organization;
}

/** Folder of the project file, as an absolute path. */
export function getRootDirectory(): string {
  return deployment().settings.rootDirectory;
}

/**
 * Fails when the engine behaves as a Pulumi version outside of a range, such as `>=3.240.0 <4.0.0`: spaces mean and,
 * `||` or, `!` not. A program that does not wait for it fails as well.
 */
export function requirePulumiVersion(range: string): Promise<void> {
  const { engine, pending, failures } = deployment();
  const wait = { kind: 'call', what: 'the check of the version', declaredAt: undefined } as const;
  const checked = pending.track(wait, asked());
  checked.catch((error: unknown) => failures.report(error));
  return checked;

  async function asked(): Promise<void> {
    try {
      await engine.requirePulumiVersion(range);
    } catch (error) {
      throw error instanceof Error ? new RunError(error.message) : error;
    }
  }
}

/** Whether this is a preview: nothing will be created, and some outputs are not known. */
export function isDryRun(): boolean {
  return deployment().settings.dryRun;
}
