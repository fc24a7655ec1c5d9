import type { ConvertProgramRequest, Converter } from '../contracts/converter.js';
import type { GenerateProblem } from '../contracts/language.js';
import { DiagnosticSeverity } from '../generated/pulumi/codegen/hcl.js';
import { ConverterDefinition } from '../generated/pulumi/converter.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';

/** A converter behind a connection. */
export class ConverterClient implements Converter {
  private readonly rpc: ServiceClient<typeof ConverterDefinition>;

  constructor(caller: Caller) {
    this.rpc = serviceClient(ConverterDefinition, caller);
  }

  async convertProgram(request: ConvertProgramRequest): Promise<readonly GenerateProblem[]> {
    const { sourceDirectory, targetDirectory, projectDirectory, loaderAddress, mapperAddress, args } =
      request;
    const { diagnostics } = await this.rpc.convertProgram({
      sourceDirectory,
      targetDirectory,
      generatedProjectDirectory: projectDirectory,
      loaderTarget: loaderAddress,
      mapperTarget: mapperAddress,
      args: [...args],
    });
    return diagnostics.map(({ severity, summary, detail, subject }) => ({
      severity: severity === DiagnosticSeverity.DIAG_WARNING ? 'warning' : 'error',
      summary:
        subject?.start === undefined ? summary : `${subject.filename}:${subject.start.line}: ${summary}`,
      detail,
    }));
  }
}
