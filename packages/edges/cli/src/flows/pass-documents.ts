import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import type { StackFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';
import type { PassDocuments } from './write-documents.js';

/**
 * Opens the files that are requested for a pass: by flags, and on GitHub the page of the job unless annotations are
 * turned off. Returns undefined for none; the code that writes them is then not loaded.
 */
export async function openPassDocuments(
  context: CommandContext,
  flags: StackFlags,
  annotated: boolean,
): Promise<PassDocuments | undefined> {
  const page = context.env['GITHUB_STEP_SUMMARY'];
  const [file, report, graph] = [flags.summary, flags.report, flags.graph].map((target) =>
    target === undefined ? undefined : path.resolve(context.cwd, target),
  );
  const targets = { file, report, graph, page: annotated && page !== '' ? page : undefined };
  if (Object.values(targets).every((target) => target === undefined)) return undefined;
  const { WrittenDocuments } = await import('./write-documents.js');
  return new WrittenDocuments(context, targets);
}

/** Throws CAIRN-USAGE for a file of `--graph` whose extension names no format. */
export async function checkGraphFile(flags: StackFlags): Promise<void> {
  const file = flags.graph;
  if (file === undefined) return;
  const { formatOfFile } = await import('@cairn/graphs');
  if (formatOfFile(file) !== undefined) return;
  throw cairnError('CAIRN-USAGE', `--graph cannot tell the format of ${file}`, {
    hint: 'Name a file that ends in .svg, .html, .mmd or .dot.',
  });
}
