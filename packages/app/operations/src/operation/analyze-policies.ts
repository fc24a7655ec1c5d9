import { urnParts } from '@cairn/addresses';
import { isSealedDocument, openDocument, organizationOf } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { analyzeState } from '@cairn/engine';
import type { EngineEvent, PolicyPackSpec } from '@cairn/engine';
import { decodeSnapshot, emptySnapshot, readUntypedDeployment } from '@cairn/state';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import { loadProject } from '@cairn/workspace';
import type { ResolvedConfig } from '@cairn/workspace';
import { programInfo } from '../access/program-info.js';
import { openManager, stateCrypter } from '../access/secrets.js';
import { environmentSecrets } from '../masking/environment-secrets.js';
import { maskedError } from '../masking/mask-error.js';
import { SecretMask, maskDiagnostic, maskEvent } from '../masking/mask-secrets.js';
import type { OperationOptions } from '../options/operation-options.js';
import { parallelAnalyses, policyPacks } from '../options/policy-packs.js';
import { observed, tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { onePass } from './pass-plugins.js';
import type { PluginUser } from './pass-plugins.js';
import type { Prepared } from './prepared.js';
import { loadPack } from './run-pass.js';
import { openState } from './state-of-stack.js';

/** An exported state, and its name in errors. */
export interface AnalyzedState {
  readonly bytes: Uint8Array;
  readonly source: string;
}

/** Outcome of an analysis. Secrets are masked. */
export interface PolicyAnalysis {
  /** Warnings of packs, and an error for each resource, and for the stack, that breaks mandatory policies. */
  readonly diagnostics: readonly Diagnostic[];
  /** Number of resources in the state. */
  readonly resources: number;
}

/** Subject of an analysis. */
type Analyzed = PluginUser & Pick<Prepared, 'id'>;

/** Settings of an analysis. */
export interface AnalysisRun {
  readonly options: Pick<OperationOptions, 'policyPacks' | 'policyPackConfigs'>;
  readonly emit: (event: EngineEvent) => void;
  /** Ends the analysis; it rejects with CAIRN-CANCELLED. Optional. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs policy packs over the state of the stack, or over an exported one [POL-9]. Uses no program, no provider and no
 * lock, and changes nothing. Throws CAIRN-USAGE without a pack.
 */
export async function analyzePolicies(
  prepared: Prepared,
  document: AnalyzedState | undefined,
  run: AnalysisRun,
): Promise<PolicyAnalysis> {
  const packs = await namedPacks(prepared.ports, run);
  const deployment = await deploymentOf(prepared, document);
  const { resources } = deployment === undefined ? emptySnapshot : await openState(prepared, deployment);
  return analyze(prepared, packs, resources, run);
}

/** Analyzes like {@link analyzePolicies} an exported state of a project without a stack of its own. */
export async function analyzeDocument(
  ports: Ports,
  document: AnalyzedState,
  run: AnalysisRun,
): Promise<PolicyAnalysis> {
  const mask = new SecretMask();
  mask.configured(environmentSecrets(ports.env));
  try {
    const packs = await namedPacks(ports, run);
    const project = await loadProject(ports.cwd);
    const deployment = await openedDocument(ports, document);
    const { resources } = deployment === undefined ? emptySnapshot : await openAlone(ports, deployment, mask);
    const [first] = resources;
    const subject = { ports, project, program: programInfo(project), config: NO_CONFIG, mask };
    const stack = first === undefined ? '' : urnParts(first.urn).stack;
    return await analyze({ ...subject, id: { project: project.name, stack } }, packs, resources, run);
  } catch (error) {
    throw maskedError(error, mask.mask);
  }
}

const NO_CONFIG: ResolvedConfig = {
  config: new Map(),
  program: { values: new Map(), secretKeys: [], secretTexts: [] },
};

async function namedPacks(ports: Ports, { options }: AnalysisRun): Promise<readonly PolicyPackSpec[]> {
  const packs = await policyPacks(ports.cwd, options);
  if (packs.length > 0) return packs;
  throw cairnError('CAIRN-USAGE', 'no policy pack was given', {
    hint: 'Name one or more with --policy-pack DIRECTORY.',
  });
}

async function analyze(
  subject: Analyzed,
  packs: readonly PolicyPackSpec[],
  entries: Snapshot['resources'],
  { emit, signal }: AnalysisRun,
): Promise<PolicyAnalysis> {
  const { ports, project, id, config, mask } = subject;
  for (const { inputs, outputs } of entries) for (const map of [inputs, outputs]) mask.properties(map);
  const masked = (event: EngineEvent): void => emit(maskEvent(event, mask.mask));
  const plugins = onePass(subject).begin(masked, true);
  try {
    const diagnostics = await analyzeState(
      {
        identity: { organization: organizationOf(id), project: project.name, stack: id.stack },
        config: {
          values: Object.fromEntries(config.program.values),
          secretKeys: config.program.secretKeys,
        },
        ...{ entries, packs, analyses: parallelAnalyses(ports.env) },
      },
      {
        ...plugins.ports,
        providers: plugins,
        analyzers: { load: (pack, about) => loadPack(plugins, pack, about) },
        calls: observed(ports, mask.mask)?.calls,
        debugged: ports.observer?.debugged !== undefined,
        emit: masked,
        signal,
      },
    );
    return {
      diagnostics: diagnostics.map((each) => maskDiagnostic(each, mask.mask)),
      resources: entries.length,
    };
  } finally {
    await plugins.end();
  }
}

async function deploymentOf(
  { ports, backend, id }: Prepared,
  document: AnalyzedState | undefined,
): Promise<SerializedDeployment | undefined> {
  if (document !== undefined) return openedDocument(ports, document);
  const { deployment, warnings } = await backend.read(id);
  tell(ports, warnings);
  return deployment;
}

/** Decodes the state into memory, opened by the manager that it names. */
async function openAlone(
  ports: Ports,
  deployment: SerializedDeployment,
  mask: SecretMask,
): Promise<Snapshot> {
  const crypter = mask.hearing(await stateCrypter(ports, deployment));
  return decodeSnapshot(deployment, crypter, 'the state');
}

async function openedDocument(
  ports: Ports,
  { bytes, source }: AnalyzedState,
): Promise<SerializedDeployment | undefined> {
  const opened = isSealedDocument(bytes)
    ? await openDocument(bytes, source, async (manager) => openManager(ports, manager).crypter())
    : bytes;
  return readUntypedDeployment(opened, source).deployment;
}
