import { statSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '@cairn/workspace';
import type { ProgramInfo } from '@cairn/wire';

/** Returns the place of the program [PRG-1]. */
export function programInfo(project: Project): ProgramInfo {
  const rootDirectory = project.location.directory;
  const options = project.runtime?.options ?? {};
  if (project.main === undefined)
    return { rootDirectory, programDirectory: rootDirectory, entryPoint: '.', options };
  const main = path.resolve(rootDirectory, project.main);
  if (statSync(main, { throwIfNoEntry: false })?.isDirectory() === true) {
    return { rootDirectory, programDirectory: main, entryPoint: '.', options };
  }
  return { rootDirectory, programDirectory: path.dirname(main), entryPoint: path.basename(main), options };
}

/** Runtimes of Node programs; `cairn` is the name of our plugin in Pulumi's command line. */
const NODE_RUNTIMES: readonly string[] = ['nodejs', 'cairn'];

/** True if a project's runtime runs TypeScript and JavaScript. */
export function runsNode(runtime: string | undefined): boolean {
  return runtime !== undefined && NODE_RUNTIMES.includes(runtime);
}
