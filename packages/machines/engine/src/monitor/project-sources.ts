import { randomUUID } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourcePosition } from '@cairn/wire';

/** Frames of a stack trace as stored. */
type Frames = readonly { readonly sourcePosition: string | undefined }[];

/** Positions in the files of one project. Each file is resolved once. */
export class ProjectSources {
  readonly #callers = new Map<string, Frames>();
  readonly #paths = new Map<string, string | undefined>();
  /** Positions so far, so that entries share their text. */
  readonly #positions = new Map<string, string>();
  readonly #root: string;

  /** `root`: directory of the project file. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns `project:///<path>#line,column` for a `file://` position, and `undefined` for any other. */
  position(position: SourcePosition | undefined): string | undefined {
    if (position === undefined) return undefined;
    const path = this.#path(position.uri);
    if (path === undefined) return undefined;
    const { line, column } = position;
    const place = column > 0 ? `${line},${column}` : `${line}`;
    const text = line > 0 ? `${path}#${place}` : path;
    const known = this.#positions.get(text) ?? text;
    this.#positions.set(known, known);
    return known;
  }

  /**
   * Returns the frames of a stack trace, after those of its caller if it has one. A frame that cannot be used remains,
   * empty.
   */
  frames(frames: readonly (SourcePosition | undefined)[], callerHandle = ''): Frames {
    const own = frames.map((frame) => ({ sourcePosition: this.position(frame) }));
    const caller = this.#callers.get(callerHandle);
    return caller === undefined ? own : [...caller, ...own];
  }

  /**
   * Runs work with a handle of its caller's frames, which is valid until the work ends. There is no handle without
   * frames.
   */
  async calledFrom<T>(
    frames: Frames,
    work: (caller: { readonly stackTraceHandle?: string }) => Promise<T>,
  ): Promise<T> {
    if (frames.length === 0) return work({});
    const stackTraceHandle = randomUUID();
    this.#callers.set(stackTraceHandle, frames);
    try {
      return await work({ stackTraceHandle });
    } finally {
      this.#callers.delete(stackTraceHandle);
    }
  }

  #path(uri: string): string | undefined {
    if (this.#paths.has(uri)) return this.#paths.get(uri);
    const path = projectPath(uri, this.#root);
    this.#paths.set(uri, path);
    return path;
  }
}

function projectPath(uri: string, root: string): string | undefined {
  const path = filePath(uri);
  if (path === undefined) return undefined;
  const inProject = relative(root, path);
  return isAbsolute(inProject) || inProject === ''
    ? undefined
    : `project:///${inProject.split(sep).join('/')}`;
}

/**
 * Returns the file of a URI. The Node SDK mistakes the URL that node uses for an ES module for a path in the working
 * directory. The result has a directory `file:`, after which the path begins.
 */
function filePath(uri: string): string | undefined {
  if (!uri.startsWith('file://')) return undefined;
  try {
    const path = fileURLToPath(uri);
    const nested = path.lastIndexOf('/file:/');
    return nested < 0 ? path : fileURLToPath(`file://${path.slice(nested + '/file:'.length)}`);
  } catch {
    return undefined;
  }
}
