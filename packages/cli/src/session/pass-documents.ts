import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import type { EngineEvent, OperationResult } from '@cairn/engine';
import type { Flags } from '../command-spec.js';
import type { PassDisplay } from '../display/open-display.js';
import type { World } from '../world.js';
import { textOf } from './stack-choice.js';

/** Files that are written about a pass. */
export interface DocumentTargets {
  /** Markdown. */
  readonly file: string | undefined;
  /** The page of a job, which other commands write to as well: Markdown. */
  readonly page: string | undefined;
  /** A page of HTML. */
  readonly report: string | undefined;
  /** A drawing; the ending says which format. */
  readonly graph: string | undefined;
}

/** Where the part of this command begins on the page of the job. */
export interface PageStart {
  page?: number | undefined;
}

/** A pass that files tell of. */
export interface SummarisedPass {
  readonly title: string;
  readonly project: string;
  readonly stack: string;
  readonly change: string | undefined;
  readonly flags: Flags;
  readonly result: OperationResult;
  readonly unfinished: boolean;
  readonly expected: number | undefined;
}

/** What becomes of a pass as files. */
export interface PassDocuments {
  event(event: EngineEvent): void;
  ended(pass: SummarisedPass, display: PassDisplay, start: PageStart): void;
}

/**
 * The files that are wanted of a pass: by flags, and on GitHub the page of the job unless annotations are turned off.
 * Undefined: none, and nothing of what writes them is loaded.
 */
export async function openPassDocuments(
  world: World,
  flags: Flags,
  annotated: boolean,
): Promise<PassDocuments | undefined> {
  const page = world.env['GITHUB_STEP_SUMMARY'];
  const [file, report, graph] = (['summary', 'report', 'graph'] as const).map((name) => {
    const target = textOf(flags, name);
    return target === undefined ? undefined : path.resolve(world.cwd, target);
  });
  const targets = { file, report, graph, page: annotated && page !== '' ? page : undefined };
  if (Object.values(targets).every((target) => target === undefined)) return undefined;
  const { WrittenDocuments } = await import('./write-documents.js');
  return new WrittenDocuments(world, targets);
}

/** Throws CAIRN-USAGE for a file of `--graph` whose ending names no format. */
export async function checkGraphFile(flags: Flags): Promise<void> {
  const file = textOf(flags, 'graph');
  if (file === undefined) return;
  const { formatOfFile } = await import('@cairn/graphs');
  if (formatOfFile(file) !== undefined) return;
  throw cairnError('CAIRN-USAGE', `--graph cannot tell the format of ${file}`, {
    hint: 'Name a file that ends in .svg, .html, .mmd or .dot.',
  });
}
