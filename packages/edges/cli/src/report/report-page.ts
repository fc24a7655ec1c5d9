import type { Diagnostic } from '@cairn/diagnostics';
import { chip, graphSection, htmlPage, markup, resourceSection } from '@cairn/graphs';
import type { Graph, Mark, Markup, Tone } from '@cairn/graphs';
import { diagnosticTexts, lineWords, subjectWords } from '../display/diagnostic-words.js';
import { shortType } from '../display/short-type.js';
import { stripEscapes } from '../terminal/paint.js';
import { timelineSection } from './timeline.js';
import type { TimedStep } from './timeline.js';

/** A changed resource. */
export interface ReportedChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly mark: Mark;
  readonly why: string;
  /** Differences, one on each line. */
  readonly lines: readonly string[];
}

/** Facts of an operation for a report. The caller has already masked secrets. */
export interface ReportFacts {
  readonly title: string;
  /** Names and values of facts about the whole: the stack, the time, the outcome. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly diagnostics: readonly Diagnostic[];
  /** Commands that continue the work. */
  readonly next: readonly string[];
  readonly changes: readonly ReportedChange[];
  readonly outputs: readonly string[];
  readonly graph: Graph;
  readonly steps: readonly TimedStep[];
}

/** Returns an operation as a page in one file. */
export function reportPage(report: ReportFacts): string {
  const { title, facts, diagnostics, next, changes, outputs, graph, steps } = report;
  const reasons = new Map(changes.map(({ urn, why }) => [urn, why]));
  const body = [
    markup`<ul class="facts">${facts.map(([name, value]) => markup`<li>${name} <b>${value}</b></li>`)}</ul>`,
    problems(diagnostics),
    next.length === 0 ? undefined : markup`<h2>Next</h2>${lines(next)}`,
    changeSection(changes),
    outputs.length === 0 ? undefined : markup`<h2>Outputs</h2>${lines(outputs)}`,
    graphSection(graph),
    timelineSection(steps),
    resourceSection(graph, ({ urn }) => reasonOf(reasons.get(urn))),
  ].filter((part) => part !== undefined);
  return htmlPage({ title, body });
}

function reasonOf(why: string | undefined): Markup | undefined {
  return why === undefined || why === '' ? undefined : markup`<dl><dt>Why</dt><dd>${why}</dd></dl>`;
}

const SHOWN: Readonly<Partial<Record<Diagnostic['severity'], Tone>>> = {
  error: 'failed',
  warning: 'update',
  info: 'read',
};

function problems(diagnostics: readonly Diagnostic[]): Markup | undefined {
  const messages = diagnostics.flatMap((diagnostic) => {
    const tone = SHOWN[diagnostic.severity];
    if (tone === undefined) return [];
    const title = `${diagnostic.severity}: ${subjectWords(diagnostic)}`;
    const line = lineWords(diagnostic);
    const text = diagnosticTexts(diagnostic).map(plain).join('\n');
    return markup`<div class="problem ${tone}"><b>${title}</b>${line === undefined ? '' : ` at ${line}`}<pre>${text}</pre></div>
`;
  });
  return messages.length === 0 ? undefined : markup`<h2>Messages</h2>${messages}`;
}

function changeSection(changes: readonly ReportedChange[]): Markup {
  if (changes.length === 0) return markup`<h2>Steps</h2><p>Nothing changes.</p>`;
  return markup`<h2>Steps</h2><ul class="tree">${changes.map((change) => {
    const { type, name, mark, why, urn } = change;
    const head = markup`${chip(mark)} <b>${name}</b> <span class="type">${shortType(type)}</span>${why === '' ? '' : ` – ${plain(why)}`}`;
    return markup`<li><details><summary>${head}</summary><dl><dt>URN</dt><dd>${urn}</dd></dl>${change.lines.length === 0 ? undefined : lines(change.lines)}</details></li>
`;
  })}</ul>`;
}

const plain = (text: string): string => stripEscapes(text).trimEnd();

/** Returns lines in the colour of their sign. */
function lines(texts: readonly string[]): Markup {
  return markup`<pre>${texts
    .flatMap((text) => plain(text).split('\n'))
    .map((line) => {
      const sign = SIGN_CLASSES[/^ *([-+~])[ -]/.exec(line)?.[1] ?? ''];
      return sign === undefined ? markup`<span>${line}</span>` : markup`<span class="${sign}">${line}</span>`;
    })}</pre>`;
}

const SIGN_CLASSES: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '~': 'changed' };
