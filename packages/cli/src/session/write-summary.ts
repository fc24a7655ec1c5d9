import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@cairn/diagnostics';
import type { OperationResult } from '@cairn/engine';
import type { Flags } from '../command-spec.js';
import { outputChangeLines, stepDiffLines } from '../display/diff/step-diff.js';
import { markdownSummary } from '../display/markdown-summary.js';
import type { PassDisplay } from '../display/open-display.js';
import { infoText } from '../display/row-line.js';
import { glyphOf, statusText } from '../display/rows.js';
import { countsText, standingOf } from '../display/summary.js';
import { formatDuration } from '../terminal/duration.js';
import { paintFor } from '../terminal/paint.js';
import type { World } from '../world.js';
import { stackWords, textOf } from './stack-choice.js';
import { again } from './what-next.js';

/** Where the Markdown of an operation goes. */
export interface SummaryTargets {
  /** Written anew by each pass: the last one says how it came out. */
  readonly file: string | undefined;
  /** The page of a job, which other commands write to as well. */
  readonly page: string | undefined;
}

/** `--summary`, and the page of a job on GitHub unless annotations are turned off. */
export function summaryTargets(world: World, flags: Flags, annotated: boolean): SummaryTargets {
  const file = textOf(flags, 'summary');
  const page = world.env['GITHUB_STEP_SUMMARY'];
  return {
    file: file === undefined ? undefined : path.resolve(world.cwd, file),
    page: annotated && page !== undefined && page !== '' ? page : undefined,
  };
}

/** A pass whose Markdown is written. */
export interface SummarisedPass {
  readonly title: string;
  readonly stack: string;
  readonly change: string | undefined;
  readonly flags: Flags;
  readonly result: OperationResult;
  readonly unfinished: boolean;
  readonly expected: number | undefined;
}

/** Where the part of this command begins on the page of the job. */
export interface PageStart {
  page?: number | undefined;
}

/** Writes the Markdown; that it cannot be written is no fault of the operation. Secrets are masked always. */
export function writeSummary(
  world: World,
  { file, page }: SummaryTargets,
  pass: SummarisedPass,
  display: PassDisplay,
  start: PageStart,
): void {
  if (file === undefined && page === undefined) return;
  const text = summaryOf(pass, display);
  attempt(world, file, (target) => writeFileSync(target, text));
  attempt(world, page, (target) => {
    start.page ??= statSync(target, { throwIfNoEntry: false })?.size ?? 0;
    if ((statSync(target, { throwIfNoEntry: false })?.size ?? 0) > start.page)
      truncateSync(target, start.page);
    appendFileSync(target, `${text}\n`);
  });
}

function attempt(world: World, target: string | undefined, write: (target: string) => void): void {
  if (target === undefined) return;
  try {
    write(target);
  } catch (error) {
    world.stderr.write(`warning: cannot write the summary to ${target}: ${messageOf(error)}\n`);
  }
}

function summaryOf(pass: SummarisedPass, display: PassDisplay): string {
  const { title, stack, result, change, expected, unfinished } = pass;
  const { summary, inDoubt, diagnostics } = result;
  const paint = paintFor(false);
  const style = { paint, showSecrets: false };
  const standing = standingOf(summary, display.tally, expected, inDoubt.length, paint);
  const { outputs } = display.tally;
  return markdownSummary({
    title,
    stack,
    result: summary.result,
    counts: [countsText(summary, paint, display.tally), standing].filter((text) => text !== '').join('   '),
    duration: formatDuration(summary.durationMs),
    changes: display.changes().map(({ row, step }) => ({
      glyph: glyphOf(row),
      status: statusText(row),
      type: row.type,
      name: row.name,
      why: infoText(row, true),
      lines: stepDiffLines(step, style),
    })),
    outputs: outputs === undefined ? [] : outputChangeLines(outputs.old, outputs.new, style).slice(1, -1),
    diagnostics,
    next: unfinished && change !== undefined ? nextCommands(pass, change) : [],
  });
}

/** In the order in which people need them, as on the terminal. */
function nextCommands({ flags, result }: SummarisedPass, change: string): readonly string[] {
  const { kind, result: ended } = result.summary;
  const begin = again(kind, ended);
  const words = [begin ?? [], `resume ${change}`, `rollback ${change}`, `change ${change}`].flat();
  return words.map((each) => `cairn ${each}${stackWords(flags)}`);
}
