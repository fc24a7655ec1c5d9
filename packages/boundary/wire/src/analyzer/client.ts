import type {
  Analysis,
  AnalyzedResource,
  AnalyzedStackResource,
  Analyzer,
  AnalyzerInfo,
  AnalyzerStack,
  PolicySettings,
  Remediations,
} from '../contracts/analyzer.js';
import * as pb from '../generated/pulumi/analyzer.js';
import { encodeMap } from '@cairn/protobuf';
import { orUndefined, serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { decodeAnalysis, decodeRemediations } from './findings.js';
import { decodeAnalyzerInfo, encodeAllSettings } from './info.js';
import { encodeAnalyzedResource, encodeStackResource } from './resource.js';

/** Options of {@link AnalyzerClient}. */
interface AnalyzerClientOptions {
  /**
   * Called once when the client is closed, after the connection is closed. It can, for example, end the pack's process.
   */
  readonly onClose?: (() => Promise<void>) | undefined;
}

/**
 * Policy pack behind a connection. A pack need not implement handshake, stack, remediation, stack analysis and cancel:
 * such an answer is not an error [POL-1].
 */
export class AnalyzerClient implements Analyzer {
  readonly #rpc: ServiceClient<typeof pb.AnalyzerDefinition>;
  #closing: Promise<void> | undefined;
  readonly #caller: Caller;
  readonly #options: AnalyzerClientOptions;

  constructor(caller: Caller, options: AnalyzerClientOptions = {}) {
    this.#caller = caller;
    this.#options = options;
    this.#rpc = serviceClient(pb.AnalyzerDefinition, caller);
  }

  /** Sends the pack the engine's address and the pack's own directory. */
  async handshake(request: { readonly engineAddress: string; readonly directory: string }): Promise<void> {
    const { engineAddress, directory } = request;
    await orUndefined(
      this.#rpc.handshake({ engineAddress, rootDirectory: directory, programDirectory: directory }),
    );
  }

  async configureStack(request: AnalyzerStack): Promise<void> {
    const { config, configSecretKeys, tags, ...names } = request;
    const wire = {
      ...names,
      config: encodeMap(config),
      configSecretKeys: [...configSecretKeys],
      tags: encodeMap(tags),
    };
    await orUndefined(this.#rpc.configureStack(wire));
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return this.#rpc.getPluginInfo({});
  }

  async getAnalyzerInfo(): Promise<AnalyzerInfo> {
    return decodeAnalyzerInfo(await this.#rpc.getAnalyzerInfo({}));
  }

  async configure(settings: Readonly<Record<string, PolicySettings>>): Promise<void> {
    await this.#rpc.configure({ policyConfig: encodeAllSettings(settings) });
  }

  async remediate(resource: AnalyzedResource): Promise<Remediations> {
    const answer = await orUndefined(this.#rpc.remediate(encodeAnalyzedResource(resource, 'remediate')));
    return answer === undefined ? { remediations: [], notApplicable: [] } : decodeRemediations(answer);
  }

  async analyze(resource: AnalyzedResource): Promise<Analysis> {
    return decodeAnalysis(await this.#rpc.analyze(encodeAnalyzedResource(resource, 'analyze')));
  }

  async analyzeStack(resources: readonly AnalyzedStackResource[]): Promise<Analysis> {
    const answer = await orUndefined(
      this.#rpc.analyzeStack({ resources: resources.map(encodeStackResource) }),
    );
    return answer === undefined ? { diagnostics: [], notApplicable: [] } : decodeAnalysis(answer);
  }

  async cancel(): Promise<void> {
    await orUndefined(this.#rpc.cancel({}));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#doClose());
  }

  async #doClose(): Promise<void> {
    this.#caller.close();
    await this.#options.onClose?.().catch(() => {});
  }
}
