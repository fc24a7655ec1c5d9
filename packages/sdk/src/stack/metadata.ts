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

/** Whether this is a preview: nothing will be created, and some outputs are not known. */
export function isDryRun(): boolean {
  return deployment().settings.dryRun;
}
