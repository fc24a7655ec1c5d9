/** A stack on a backend of the project layout: both names have been checked. */
export interface StackId {
  readonly project: string;
  readonly stack: string;
}

/** Organization of every stack on a backend without accounts (state.md 5.8). */
export const ORGANIZATION = 'organization';

/** `organization/<project>/<stack>`. */
export function fullStackName(id: StackId): string {
  return `${ORGANIZATION}/${id.project}/${id.stack}`;
}
