/** A stack on a backend: both names have been checked. `project`: empty on a store of the layout that came before projects (state.md 5.2). */
export interface StackId {
  readonly project: string;
  readonly stack: string;
}

/** Organization of every stack on a backend without accounts (state.md 5.8). */
export const ORGANIZATION = 'organization';

/** `organization/<project>/<stack>`; the bare name in the layout before projects. */
export function fullStackName(id: StackId): string {
  return id.project === '' ? id.stack : `${ORGANIZATION}/${id.project}/${id.stack}`;
}
