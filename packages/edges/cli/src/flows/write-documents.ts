import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { messageOf } from '@cairn/diagnostics';
import type { EngineEvent, EngineResult } from '@cairn/engine';
import { formatOfFile, graphText, mermaidText } from '@cairn/graphs';
import type { Graph } from '@cairn/graphs';
import { outputChangeLines, stepDiffLines } from '../display/diff/step-diff.js';
import { headingOf, markdownSummary } from '../display/markdown-summary.js';
import type { SummaryFacts } from '../display/markdown-summary.js';
import type { StackFlags } from '../flags/operation.js';
import type { ChangedResource, OperationView } from '../display/operation-view.js';
import { infoText } from '../display/row-line.js';
import { glyphOf, statusText } from '../display/rows.js';
import { countsText, standingOf } from '../display/summary.js';
import { formatDuration } from '../terminal/duration.js';
import { paintFor } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';
import { markOf, operationGraph } from '../report/operation-graph.js';
import { reportPage } from '../report/report-page.js';
import type { ReportFacts, ReportedChange } from '../report/report-page.js';
import { TimedSteps } from '../report/timeline.js';
import { stackWords } from './stack-choice.js';
import { again } from './what-next.js';

/** Files that describe a pass. */
interface DocumentTargets {
  /** File for the summary in Markdown. */
  readonly file: string | undefined;
  /** Page of a job in Markdown, to which other commands write as well. */
  readonly page: string | undefined;
  /** File for an HTML page. */
  readonly report: string | undefined;
  /** File for a drawing; its extension gives the format. */
  readonly graph: string | undefined;
}

/** Position of this command's part on the page of the job. */
export interface PageStart {
  page?: number | undefined;
}

/** A pass that files describe. */
interface SummarisedPass {
  readonly title: string;
  readonly project: string;
  readonly stack: string;
  readonly change: string | undefined;
  readonly page: string | undefined;
  readonly flags: StackFlags;
  readonly result: EngineResult;
  readonly unfinished: boolean;
  readonly expected: number | undefined;
}

/** Writers of files about a pass. */
export interface PassDocuments {
  event(event: EngineEvent): void;
  ended(pass: SummarisedPass, view: OperationView, start: PageStart): void;
}

/** Files that describe a pass. Each pass writes them again, so the last one gives the outcome. */
export class WrittenDocuments implements PassDocuments {
  readonly #steps = new TimedSteps();
  readonly #context: CommandContext;
  readonly #targets: DocumentTargets;

  constructor(context: CommandContext, targets: DocumentTargets) {
    this.#context = context;
    this.#targets = targets;
  }

  event(event: EngineEvent): void {
    if (this.#targets.report !== undefined) this.#steps.take(event, performance.now());
  }

  ended(pass: SummarisedPass, view: OperationView, start: PageStart): void {
    const context = this.#context;
    const { file, page, report, graph } = this.#targets;
    const facts = factsOf(pass, view);
    const shown = (): Graph => operationGraph(view.rows.byUrn.values());
    if (file !== undefined || page !== undefined) {
      const text = markdownSummary({ ...facts, graph: smallGraph(view.changes()) });
      attempt(context, file, 'summary', (target) => writeFileSync(target, text));
      attempt(context, page, 'summary', (target) => {
        start.page ??= statSync(target, { throwIfNoEntry: false })?.size ?? 0;
        if ((statSync(target, { throwIfNoEntry: false })?.size ?? 0) > start.page)
          truncateSync(target, start.page);
        appendFileSync(target, `${text}\n`);
      });
    }
    attempt(context, report, 'report', (target) =>
      writeFileSync(target, reportPage(reportOf(context, pass, facts, shown(), this.#steps))),
    );
    attempt(context, graph, 'graph', (target) => {
      const { text, note } = graphText(shown(), formatOfFile(target) ?? 'dot', headingOf(facts));
      writeFileSync(target, text);
      if (note !== undefined) context.stderr.write(`${target}: ${note}\n`);
    });
  }
}

/** Writes a file. A failure to write it is not a failure of the operation. */
function attempt(
  context: CommandContext,
  target: string | undefined,
  what: string,
  write: (target: string) => void,
): void {
  if (target === undefined) return;
  try {
    write(target);
  } catch (error) {
    context.stderr.write(`warning: cannot write the ${what} to ${target}: ${messageOf(error)}\n`);
  }
}

/** Returns the outcome of an operation, in words. Secrets are always masked. */
function factsOf(pass: SummarisedPass, view: OperationView): OperationFacts {
  const { title, project, stack, result, change, page, expected, unfinished } = pass;
  const { summary, inDoubt, diagnostics } = result;
  const paint = paintFor(false);
  const style = { paint, showSecrets: false };
  const standing = standingOf(summary, view.tally, expected, inDoubt, paint);
  const { outputs } = view.tally;
  return {
    title,
    project,
    stack,
    result: summary.result,
    counts: [countsText(summary, paint, view.tally), standing].filter((text) => text !== '').join('   '),
    duration: formatDuration(summary.durationMs),
    changes: view.changes().map(({ row, step }) => ({
      urn: row.urn,
      mark: markOf(row),
      glyph: glyphOf(row),
      status: statusText(row),
      type: row.type,
      name: row.name,
      why: infoText(row, true),
      lines: stepDiffLines(step, style),
    })),
    outputs: outputs === undefined ? [] : outputChangeLines(outputs.old, outputs.new, style).slice(1, -1),
    diagnostics,
    page,
    next: unfinished && change !== undefined ? nextCommands(pass, change) : [],
  };
}

type OperationFacts = Omit<SummaryFacts, 'changes' | 'graph'> & {
  readonly changes: readonly (SummaryFacts['changes'][number] & ReportedChange)[];
};

function reportOf(
  context: CommandContext,
  { change, project }: SummarisedPass,
  facts: OperationFacts,
  graph: Graph,
  steps: TimedSteps,
): ReportFacts {
  const { stack, result, counts, duration } = facts;
  return {
    ...facts,
    title: headingOf(facts),
    facts: [
      ['Project', project],
      ['Stack', stack],
      ...(change === undefined ? [] : [['Change', change] as const]),
      ['Result', result],
      ['Resources', counts],
      ['Took', duration],
      ['Written', new Date(context.now()).toISOString()],
    ],
    graph,
    steps: steps.all(),
  };
}

/** Returns the changes as Mermaid, if they are few enough to be readable. */
function smallGraph(changes: readonly ChangedResource[]): string | undefined {
  if (changes.length < 2 || changes.length > MOST_NODES) return undefined;
  const graph = operationGraph(changes.map(({ row }) => row));
  return graph.edges.length > MOST_EDGES || graph.nodes.length < 2 ? undefined : mermaidText(graph);
}

/** Limits of a graph in a summary. */
const MOST_NODES = 40;
const MOST_EDGES = 80;

/** Returns commands in the order in which users need them, as on the terminal. */
function nextCommands({ flags, result }: SummarisedPass, change: string): readonly string[] {
  const { kind, result: ended } = result.summary;
  const begin = again(kind, ended);
  const words = [begin ?? [], `resume ${change}`, `rollback ${change}`, `change ${change}`].flat();
  return words.map((each) => `cairn ${each}${stackWords(flags)}`);
}
