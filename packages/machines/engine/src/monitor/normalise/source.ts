import type { Pass } from './draft.js';

/** Sets the position in the program where the resource was made, relative to the project [REG-18]. */
export const source: Pass = ({ request }, { sources }) => ({
  goal: {
    sourcePosition: sources.position(request.sourcePosition),
    stackTrace: sources.frames(request.stackTrace, request.parentStackTraceHandle),
  },
});
