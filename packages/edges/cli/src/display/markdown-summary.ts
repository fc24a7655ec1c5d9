import type { Diagnostic } from '@cairn/diagnostics';
import { stripEscapes } from '../terminal/paint.js';
import { visibleName } from '../terminal/controls.js';
import { diagnosticTexts, lineWords, subjectWords } from './diagnostic-words.js';
import { shortType } from './short-type.js';

/** A changed resource, in words. */
export interface SummarisedChange {
  readonly glyph: string;
  readonly status: string;
  readonly type: string;
  readonly name: string;
  readonly why: string;
  /** Differences, one on each line. */
  readonly lines: readonly string[];
}

/** Facts of an operation for its summary. */
export interface SummaryFacts {
  readonly title: string;
  readonly project: string;
  readonly stack: string;
  readonly result: string;
  readonly counts: string;
  readonly duration: string;
  readonly changes: readonly SummarisedChange[];
  readonly outputs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Address of the page of the operation. Defaults to none. */
  readonly page?: string | undefined;
  /** Commands that continue the work. */
  readonly next: readonly string[];
  /** Graph of the changes in the language of Mermaid. Undefined if there is nothing to draw, or too much. */
  readonly graph?: string | undefined;
}

/**
 * Returns the operation and its stack with the project, because one job may run stacks of the same name in several
 * projects.
 */
export function headingOf({
  title,
  project,
  stack,
}: Pick<SummaryFacts, 'title' | 'project' | 'stack'>): string {
  return `${title}: ${project}/${stack}`;
}

/** Maximum length of a summary. A comment on a pull request may have 65,536 characters. */
const LONGEST = 60_000;
/** Maximum length for one resource. */
const LONGEST_CHANGE = 6_000;

/** Returns the link to the page of an operation, if there is one. */
function linkTo(page: string | undefined): string {
  return page === undefined ? '' : ` · [View it](<${page}>)`;
}

/**
 * Returns an operation as Markdown, for a pull request or the page of a job. The caller has already masked secrets.
 * Parts that are too long are counted.
 */
export function markdownSummary(facts: SummaryFacts): string {
  const head = [
    `### ${inline(headingOf(facts))}`,
    '',
    `**${inline(facts.result)}** · ${inline(facts.counts)} · ${facts.duration}${linkTo(facts.page)}`,
    '',
    ...problems(facts.diagnostics),
    ...(facts.next.length === 0 ? [] : ['Next:', '', fenced(facts.next), '']),
    ...table(facts.changes),
  ].join('\n');
  const { graph, outputs } = facts;
  const parts = [
    ...(graph === undefined ? [] : [() => `\n${fenced([graph.trimEnd()], 'mermaid')}\n`]),
    ...facts.changes.filter(({ lines }) => lines.length > 0).map((change) => () => changeBlock(change)),
    ...(outputs.length === 0 ? [] : [() => block('Outputs', outputs)]),
  ];
  let text = head.length > LONGEST ? `${head.slice(0, LONGEST)}\n` : head;
  let left = parts.length;
  for (const make of parts) {
    const part = make();
    if (text.length + part.length > LONGEST) break;
    text += part;
    left -= 1;
  }
  return left === 0 ? `${text.trimEnd()}\n` : `${text.trimEnd()}\n\n${left} more are not shown here.\n`;
}

function table(changes: readonly SummarisedChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const rows = changes
    .slice(0, 200)
    .map(
      ({ glyph, status, type, name, why }) =>
        `| \`${glyph.trim() || ' '}\` | ${inline(status)} | ${inline(shortType(type))} | ${inline(name)} | ${inline(why)} |`,
    );
  const more = changes.length - rows.length;
  return [
    '|  | What | Type | Name | Why |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    ...(more > 0 ? [`${more} more resources change.`, ''] : []),
  ];
}

function problems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .slice(0, 50)
    .flatMap((diagnostic) => {
      const title = `${diagnostic.severity}: ${inline(subjectWords(diagnostic))}`;
      const line = lineWords(diagnostic);
      const place = line === undefined ? '' : ` at \`${inline(line)}\``;
      return [`**${title}**${place}`, '', fenced(diagnosticTexts(diagnostic).flatMap(lines)), ''];
    });
}

const lines = (text: string): readonly string[] => stripEscapes(text).trimEnd().split('\n');

function changeBlock({ glyph, name, type, lines: changed }: SummarisedChange): string {
  const shown: string[] = [];
  let length = 0;
  const all = changed.flatMap(lines);
  for (const line of all) {
    length += line.length + 1;
    if (length > LONGEST_CHANGE) break;
    shown.push(line);
  }
  const left = all.length - shown.length;
  const rest = left === 0 ? [] : [`(${left} more lines)`];
  return block(`${glyph.trim()} ${name} (${shortType(type)})`, [...shown, ...rest]);
}

/** Returns a block that unfolds. A line that begins with its sign is shown in the colour of a change. */
function block(title: string, text: readonly string[]): string {
  const signed = text.map((line) => line.replace(/^( *)([-+]) /, '$2$1 '));
  return `\n<details><summary>${html(visibleName(title))}</summary>\n\n${fenced(signed, 'diff')}\n\n</details>\n`;
}

/** Returns fenced text. The fence is longer than any within. */
function fenced(text: readonly string[], language = ''): string {
  const longest = Math.max(2, ...[...text.join('\n').matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.join('\n')}\n${fence}`;
}

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes text within a line, so that none of it is taken for Markdown. */
function inline(text: string): string {
  return html(visibleName(stripEscapes(text))).replace(/[\\`*_{}[\]()#|~@!]/g, (mark) => `\\${mark}`);
}
