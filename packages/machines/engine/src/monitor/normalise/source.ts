import type { Pass } from './draft.js';

/** Where in the program the resource was made, relative to the project [REG-18]. */
export const source: Pass = ({ request }, { sources }) => ({
  goal: {
    sourcePosition: sources.position(request.sourcePosition),
    stackTrace: sources.frames(request.stackTrace, request.parentStackTraceHandle),
  },
});
