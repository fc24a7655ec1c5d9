import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';

/** Returns the error for a stack that the backend does not have. `url` is the address of the backend. */
export function stackNotFound(id: StackId, url?: string): CairnError {
  const { organization, project, stack } = id;
  const place = `project '${project}'${organization === undefined ? '' : ` of organization '${organization}'`}`;
  return cairnError(
    'CAIRN-STACK-NOT-FOUND',
    `no stack named '${stack}' found in ${place}${url === undefined ? '' : ` in ${url}`}`,
    {
      hint: `Run \`cairn stack ls\` to list the stacks, or \`cairn stack init ${givenName(id)}\` to create this one.`,
    },
  );
}

/** Returns the error for a name that is taken. */
export function stackExists(id: StackId): CairnError {
  return cairnError('CAIRN-STACK-EXISTS', `stack '${fullStackName(id)}' already exists`, {
    hint: `Choose it with \`cairn stack select ${givenName(id)}\`, or choose another name.`,
  });
}

/** Returns a name that commands take for this stack: with its organization if the backend has several. */
function givenName(id: StackId): string {
  return id.organization === undefined ? id.stack : fullStackName(id);
}
