import { errorDiagnostic } from '@cairn/diagnostics';
import type { RunResult } from '@cairn/wire';
import { hintFor } from '../../monitor/failure-hints.js';
import { REGISTERED } from '../../model/history.js';
import type { PostRegistration } from '../../model/registration.js';
import type { OperationRequest } from '../../model/request.js';
import type { PriorEntries } from '../../prior/entries.js';
import type { PriorGraph } from '../../prior/graph.js';
import type { ContinuedLineage } from '../../recover/continued-lineage.js';
import type { Policies } from '../../policy/policies.js';
import type { SnippetSources } from '../../snippets/snippet-sources.js';
import { OperationLoop } from '../loop.js';
import type { Peers } from '../peers.js';
import type { Run } from '../run.js';
import { replayTranscript } from './replay.js';

/** Entries that registrations are compared with, and the graph of their references. */
export interface Start {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
}

/** Makes the inbox of an operation. Nothing is registered before {@link programPhase}. */
export function makeLoop(
  run: Run,
  { entries, graph }: Start,
  lineage: ContinuedLineage | undefined,
  packs: Policies | undefined,
): OperationLoop {
  const { request, settings, undoer, control, report, gates, peers, plan } = run;
  const { preview } = request;
  const { providers } = peers;
  const { contract, hooks } = run.context;
  const loop = new OperationLoop({
    ...run,
    ...run.concurrency,
    hooks,
    scope: settings.scope,
    entries,
    graph,
    policy: {
      preview,
      mode: settings.phases.program ?? 'apply',
      lookUp: settings.phases.registered,
      ignoreProtect: settings.ignoresProtect,
      refusesReplacements: settings.unexpected.replacements,
      legacyDiff: request.policy.legacyDiff,
      analyzed: packs !== undefined,
    },
    continued: lineage?.view,
    digest: settings.digest,
    unsettled: undoer.doubts.unsettled,
    continueOnError: settings.continues || settings.isolates,
    providers,
    inspector: {
      preview,
      providerOf: (resource) => providers.forResource(resource),
      changeReplaces: (from, to) => providers.changeReplaces(from, to),
      seed: (urn) => plan.seed(urn) ?? contract.seed(urn),
      report: (diagnostic) => report.diagnostic(diagnostic),
      contract,
      policies: packs,
    },
    onStop: () => control.stop(),
    onNews: () => gates.watch.noteActivity(),
    onBug: (thrown) => control.internalError(thrown),
  });
  control.onStop(() => loop.stop());
  return loop;
}

/** Runs the program, or its replacement, until every registration is answered. */
export async function programPhase(
  run: Run,
  loop: OperationLoop,
  snippets: SnippetSources | undefined,
): Promise<void> {
  const { request, peers, plan, control } = run;
  const source = programSource(request, peers);
  const post: PostRegistration = (registration) => {
    plan.heard(registration);
    loop.post(registration);
  };
  const result = await runProgram(source, loop, post, snippets, (thrown) => control.storeFailed(thrown));
  judgeProgram(run, result);
  if (result.t === 'ok') noteRegistered(run);
}

/**
 * Records that the program has registered everything, for an operation that continues this one. It does so once, and
 * only if each registration was processed. Skipped or waiting registrations leave no trace that distinguishes them from
 * added ones.
 */
function noteRegistered({ change, control, gates, settings, report, request }: Run): void {
  if (request.preview || settings.phases.program !== 'apply') return;
  if (control.stopped || report.failed || report.hasRefused || gates.rested) return;
  change.tx((t) => t.set(REGISTERED, true));
}

/** Fails the operation if the program failed. The reason is not reported if the operation had failed before. */
export function judgeProgram({ gates, report, control }: Run, result: RunResult): void {
  if ((result.t === 'ok' && !report.hasRefused) || gates.rested) return;
  const why = whyFailed(result, report.hasToldErrors);
  if (why !== undefined && !control.stopped && !report.hasRefused) {
    report.diagnostic(errorDiagnostic('CAIRN-PROGRAM-FAILED', why, { hint: hintFor(why) }));
  }
  report.failed = true;
  control.stop();
}

/**
 * Returns the failure of a program to report, or `undefined` if everything was reported. No operation fails silently.
 */
function whyFailed(result: RunResult, toldErrors: boolean): string | undefined {
  switch (result.t) {
    case 'ok':
      return undefined;
    case 'failed':
      return result.message;
    case 'bail':
      if (toldErrors) return undefined;
      return result.written === true ? WRITTEN : UNTOLD;
    default:
      return result satisfies never;
  }
}

const WRITTEN = 'The program failed. Its output above tells why.';

const UNTOLD =
  'The program ended as if it had reported its failure, but reported nothing. It may have lost its connection to the engine: run the command again.';

/** Source of registrations. */
type ProgramSource = Pick<Peers, 'runProgram' | 'cancelProgram'>;

/** Returns the program, or the replay of a complete plan instead. Snippets are in the plan as well. */
function programSource({ plan }: Pick<OperationRequest, 'plan'>, peers: Peers): ProgramSource {
  const said = plan?.replay;
  if (said === undefined) return peers;
  return {
    runProgram: (post) => replayTranscript(said, post, peers.providers),
    // Registrations that wait for an answer get a refusal, and nothing more is registered.
    cancelProgram: () => undefined,
  };
}

/**
 * Runs the program until it ends and every registration is answered. If the operation must end before that, it asks the
 * program to end once every registration is answered. It does so no matter how long the program would continue.
 */
async function runProgram(
  source: ProgramSource,
  loop: OperationLoop,
  post: PostRegistration,
  snippets: SnippetSources | undefined,
  onFault: (thrown: unknown) => void,
): Promise<RunResult> {
  const running = source.runProgram(post, snippets).catch((thrown: unknown): RunResult => {
    onFault(thrown);
    return { t: 'bail' };
  });
  const ended = await Promise.race([running, failedAndQuiet(loop)]);
  if (ended === 'failed') {
    await answersSent();
    source.cancelProgram();
  }
  const result = ended === 'failed' ? await running : ended;
  await loop.quiet();
  return result;
}

async function failedAndQuiet(loop: OperationLoop): Promise<'failed'> {
  await loop.whenStopped();
  await loop.quiet();
  return 'failed';
}

/** Resolves when the given answers have been sent. A call that is refused later had no answer. */
function answersSent(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
