import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { urnName } from '@cairn/addresses';
import { EXIT, cairnError, exitCodeFor, messageOf } from '@cairn/diagnostics';
import { analyzeDocument, analyzePolicies } from '@cairn/operations';
import type { AnalysisRun, PolicyAnalysis, AnalyzedState } from '@cairn/operations';
import { chosenStack } from '@cairn/operations/stacks';
import { loadProject } from '@cairn/workspace';
import type { EngineEvent } from '@cairn/engine';
import { goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { changeLines } from '../display/diff/change-lines.js';
import { readableChanges } from '../display/diff/value-changes.js';
import { messageLines } from '../display/plain-display.js';
import { policyEventJson } from '../display/policy-json.js';
import { PolicySection } from '../display/policy-section.js';
import { verdictLines } from '../display/verdict.js';
import { withOperationStack } from '../flows/operate.js';
import { optionsFromFlags } from '../flows/options.js';
import { portsOf } from '../flows/ports.js';
import { stackChoice } from '../flows/stack-choice.js';
import { visibleName } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { Paint } from '../terminal/paint.js';
import { reportStyle } from '../terminal/report.js';
import type { CommandContext } from '../command-context.js';

/** `policy analyze` */
export const run: Command<Switches<'diff' | 'json'> & Texts<'file'>> = async ({ flags }, context) => {
  const file = flags.file;
  const document = file === undefined ? undefined : { bytes: await bytesOf(context, file), source: file };
  const style = reportStyle(context);
  const events: JsonObject[] = [];
  const jsonStyle = { showSecrets: false, operation: 'up', internal: false, now: context.now } as const;
  const remediations: Remediation[] = [];
  const section = new PolicySection(context.cwd, context.terminal.unicode);
  const emit = (event: EngineEvent): void => {
    section.take(event);
    if (event.t === 'policy-remediation') remediations.push(event);
    if (flags.json && isPolicyEvent(event)) events.push(policyEventJson(event, jsonStyle));
    if (event.t !== 'diagnostic' || event.ephemeral || event.diagnostic.severity === 'error') return;
    if (event.diagnostic.severity === 'debug' && !style.debug) return;
    context.stderr.write(`${messageLines(event, style).join('\n')}\n`);
  };
  const interrupt = new AbortController();
  const stop = context.onInterrupt(() => {
    if (!interrupt.signal.aborted) context.stderr.write('interrupted: stopping the policy packs\n');
    interrupt.abort();
  });
  const analysis = { options: optionsFromFlags(flags), emit, signal: interrupt.signal };
  const { diagnostics, resources, analyzed } = await analyze(context, flags, document, analysis).finally(
    stop,
  );
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const code = error === undefined ? EXIT.ok : exitCodeFor(error.code);
  if (flags.json) {
    const result = error === undefined ? 'succeeded' : 'failed';
    printJson(context, goStruct({ result, resources, events }));
    return code;
  }
  const { unicode } = context.terminal;
  const lines = [
    style.paint.bold(`Analyzing (${analyzed}):`),
    ...section.lines(style.paint),
    ...(flags.diff ? remediations.flatMap((each) => remediationLines(each, style.paint, unicode)) : []),
    ...verdictLines(diagnostics, {
      ...{ paint: style.paint, unicode, columns: style.columns },
      sourceLine: () => undefined,
    }),
    `${style.paint.bold('Resources:')} ${resources} analyzed, nothing was changed`,
  ];
  context.stdout.write(`${lines.join('\n')}\n`);
  return code;
};

/** Analyzes the document, or the state of the stack. A selected stack provides the configuration for a document. */
async function analyze(
  context: CommandContext,
  flags: StackFlags,
  document: AnalyzedState | undefined,
  run: AnalysisRun,
): Promise<PolicyAnalysis & { readonly analyzed: string }> {
  const ports = portsOf(context, flags);
  if (document !== undefined) {
    const stack = await chosenStack(ports, stackChoice(flags), await loadProject(context.cwd));
    if (stack === undefined)
      return { ...(await analyzeDocument(ports, document, run)), analyzed: document.source };
  }
  return withOperationStack(context, flags, async (prepared) => ({
    ...(await analyzePolicies(prepared, document, run)),
    analyzed: document?.source ?? prepared.id.stack,
  }));
}

type Remediation = Extract<EngineEvent, { readonly t: 'policy-remediation' }>;

function isPolicyEvent(event: EngineEvent): event is Parameters<typeof policyEventJson>[0] {
  return event.t === 'policy-violation' || event.t === 'policy-remediation' || event.t === 'policy-summary';
}

/** Describes the resource and the changes of the correction. */
function remediationLines(
  { urn, policyName, before, after }: Remediation,
  paint: Paint,
  unicode: boolean,
): readonly string[] {
  const style = { paint, showSecrets: false, unicode };
  return [
    paint.bold(`${visibleName(`${policyName}: ${urnName(urn)}`)}`),
    ...readableChanges(before, after).flatMap((change) =>
      changeLines(change, { old: before, new: after, indent: 4 }, style),
    ),
    '',
  ];
}

async function bytesOf(context: CommandContext, file: string): Promise<Uint8Array> {
  try {
    return await readFile(path.resolve(context.cwd, file));
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  }
}
