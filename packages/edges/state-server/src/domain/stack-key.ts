import type { StackId } from '@cairn/backends';

/** Returns a stable key of a stack. */
export function stackKey({ project, stack }: StackId): string {
  return `${project}/${stack}`;
}
