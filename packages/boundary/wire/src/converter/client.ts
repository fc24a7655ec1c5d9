import type {
  ConvertedState,
  ConvertProgramRequest,
  Converter,
  ConvertStateRequest,
} from '../contracts/converter.js';
import type { GenerateProblem } from '../contracts/language.js';
import { DiagnosticSeverity } from '../generated/pulumi/codegen/hcl.js';
import type { Diagnostic } from '../generated/pulumi/codegen/hcl.js';
import { ConverterDefinition } from '../generated/pulumi/converter.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { decodeStruct } from '../values/index.js';

/** Converter behind a connection. */
export class ConverterClient implements Converter {
  readonly #rpc: ServiceClient<typeof ConverterDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(ConverterDefinition, caller);
  }

  async convertProgram(request: ConvertProgramRequest): Promise<readonly GenerateProblem[]> {
    const { sourceDirectory, targetDirectory, projectDirectory, loaderAddress, mapperAddress, args } =
      request;
    const { diagnostics } = await this.#rpc.convertProgram({
      sourceDirectory,
      targetDirectory,
      generatedProjectDirectory: projectDirectory,
      loaderTarget: loaderAddress,
      mapperTarget: mapperAddress,
      args: [...args],
    });
    return problemsOf(diagnostics);
  }

  async convertState(request: ConvertStateRequest): Promise<ConvertedState> {
    const { loaderAddress, mapperAddress, resolverAddress, args } = request;
    const { resources, diagnostics } = await this.#rpc.convertState({
      ...{ loaderTarget: loaderAddress, mapperTarget: mapperAddress, resolverTarget: resolverAddress },
      args: [...args],
    });
    return {
      resources: resources.map(({ isComponent, isRemote, pluginDownloadURL, inputs, outputs, ...rest }) => ({
        ...rest,
        component: isComponent,
        remote: isRemote,
        downloadUrl: pluginDownloadURL,
        inputs: inputs && decodeStruct(inputs),
        outputs: outputs && decodeStruct(outputs),
      })),
      problems: problemsOf(diagnostics),
    };
  }
}

function problemsOf(diagnostics: readonly Diagnostic[]): readonly GenerateProblem[] {
  return diagnostics.map(({ severity, summary, detail, subject }) => ({
    severity: severity === DiagnosticSeverity.DIAG_WARNING ? 'warning' : 'error',
    summary: subject?.start === undefined ? summary : `${subject.filename}:${subject.start.line}: ${summary}`,
    detail,
  }));
}
