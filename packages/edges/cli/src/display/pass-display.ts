import { performance } from 'node:perf_hooks';
import type { EngineEvent, EngineResult } from '@cairn/engine';
import type { ProgramConfig } from '@cairn/workspace';
import { countDiagnostics, diagnosticLines, fittedLines } from '../terminal/report.js';
import { stepDiffLines } from './diff/step-diff.js';
import type { Display } from './display.js';
import { EndReports } from './end-reports.js';
import type { OperationView } from './operation-view.js';
import type { PassStyle } from './pass-style.js';
import { WrittenTree, inTreeOrder, plainLine } from './row-line.js';

/** The display of a pass, with the state that its end and the files about it are made from. */
export class PassDisplay implements Display {
  readonly view: OperationView;
  readonly reports: EndReports;
  readonly #style: PassStyle;
  readonly #display: Display;
  /** True while a stream waits for the address of its page. That of a preview is known after its last event. */
  #waits: boolean;

  /** `display` shows the events after `view` has applied them. */
  constructor(display: Display, view: OperationView, style: PassStyle) {
    this.#display = display;
    this.#style = style;
    this.view = view;
    this.#waits = style.form === 'events' && style.planning;
    this.reports = new EndReports(style);
  }

  event(event: EngineEvent): void {
    if (this.#style.form === 'text' && this.reports.take(event)) return;
    this.#display.event(event, this.view.take(event, performance.now()));
  }

  /**
   * Reports that the operation ended without a result, because it could not continue. This is the only report of its
   * errors in full.
   */
  failed(message: string): void {
    this.#waits = false;
    const { form, report } = this.#style;
    for (const { diagnostic, count } of countDiagnostics(this.reports.takeRest()))
      for (const line of diagnosticLines(diagnostic, count, report)) this.say(line);
    const diagnostic = { severity: 'debug', code: 'CAIRN-INTERNAL', summary: message } as const;
    if (form !== 'text') this.#display.event({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
    else if (report.debug) this.say(`    ${message}`);
  }

  say(line: string): void {
    this.#display.say(line);
  }

  stopping(): void {
    this.#display.stopping?.();
  }

  close(): void {
    if (!this.#waits) this.#display.close();
  }

  /** Ends a stream that waits for the address of its page. Must be called once. */
  end(page?: string): void {
    if (this.#waits) this.#display.close(page);
  }

  /** Returns the running steps with their durations, e.g. `create index (12s)`. */
  running(): readonly string[] {
    return this.view.running(performance.now());
  }

  /** Returns the results of policy packs; empty without any. `cut` is true if the pass did not complete. */
  policies(cut: boolean): readonly string[] {
    return this.view.policies.lines(this.#style.report.paint, cut);
  }

  /** Returns the one text that the pass prints at its end. Empty if its form has none. */
  answer(result: EngineResult, program: ProgramConfig, page?: string): string {
    return this.#display.answer?.(result, program, page) ?? '';
  }

  /**
   * Describes every changed resource, once, for a closer look before confirming: the total effect of its steps, and the
   * differences.
   */
  details(): readonly string[] {
    const { report, showSecrets, unicode, columns } = this.#style;
    const { paint } = report;
    const { rows } = this.view;
    const tree = new WrittenTree();
    return inTreeOrder(this.view.changes(), rows).flatMap(({ row, step }) => {
      const indent = tree.indent(row, rows);
      const differences = stepDiffLines(step, { paint, showSecrets, unicode });
      return [
        plainLine(row, indent, paint, true),
        ...differences.flatMap((text) => fittedLines(`${indent}${text}`, columns)),
      ];
    });
  }
}
