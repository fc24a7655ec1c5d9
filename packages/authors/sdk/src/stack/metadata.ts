import { RunError } from '../resource/resource-error.js';
import { deployment } from '../runtime/deployment.js';

/** Returns the name of the stack that the program runs for. */
export function getStack(): string {
  return deployment().settings.stack;
}

/** Returns the name of the project. */
export function getProject(): string {
  return deployment().settings.project;
}

/** Returns the name of the organization that the stack belongs to, or `organization` if the backend knows none. */
export function getOrganization(): string {
  return deployment().settings.organization;
}

/** Returns the folder of the project file, as an absolute path. */
export function getRootDirectory(): string {
  return deployment().settings.rootDirectory;
}

/**
 * Fails if the engine behaves as a Pulumi version outside of a range, such as `>=3.240.0 <4.0.0`. Spaces mean and, `||`
 * means or, `!` means not. A program that does not await the result fails as well.
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

/** Tells whether this is a preview: nothing will be created, and some outputs are unknown. */
export function isDryRun(): boolean {
  return deployment().settings.dryRun;
}
