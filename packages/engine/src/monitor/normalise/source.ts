import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourcePosition } from '@cairn/wire';
import type { Pass } from './draft.js';

/** Where in the program the resource was made, relative to the project (D3). */
export const source: Pass = ({ request }, { root }) => ({
  goal: {
    sourcePosition: projectPosition(request.sourcePosition, root),
    stackTrace: projectFrames(request.stackTrace, root),
  },
});

/** Frames of a stack trace; one that cannot be used stays, empty. */
export function projectFrames(
  frames: readonly (SourcePosition | undefined)[],
  root: string,
): readonly { readonly sourcePosition: string | undefined }[] {
  return frames.map((frame) => ({ sourcePosition: projectPosition(frame, root) }));
}

/** `project:///<path>#line,column` of a `file://` position; undefined for any other. */
export function projectPosition(position: SourcePosition | undefined, root: string): string | undefined {
  const path = position === undefined ? undefined : filePath(position.uri);
  if (position === undefined || path === undefined) return undefined;
  const { line, column } = position;
  const inProject = relative(root, path).split(sep).join('/');
  if (isAbsolute(inProject) || inProject === '') return undefined;
  const place = column > 0 ? `${line},${column}` : `${line}`;
  return `project:///${inProject}${line > 0 ? `#${place}` : ''}`;
}

function filePath(uri: string): string | undefined {
  if (!uri.startsWith('file://')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
