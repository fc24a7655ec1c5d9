import type { StackId } from '@cairn/backends';

/** Returns a stable key of a stack. That of a stack of the first organization begins with its project. */
export function stackKey({ organization, project, stack }: StackId): string {
  return organization === undefined ? `${project}/${stack}` : `${organization}/${project}/${stack}`;
}
