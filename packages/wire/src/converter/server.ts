import type { Converter } from '../contracts/converter.js';
import { DiagnosticSeverity } from '../generated/pulumi/codegen/hcl.js';
import { ConverterDefinition } from '../generated/pulumi/converter.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';

/** Serves a converter. */
export function converterService(converter: Converter): Service {
  return service(ConverterDefinition, {
    convertProgram: async ({ generatedProjectDirectory, loaderTarget, mapperTarget, ...wire }) => {
      const problems = await converter.convertProgram({
        ...wire,
        projectDirectory: generatedProjectDirectory,
        loaderAddress: loaderTarget,
        mapperAddress: mapperTarget,
      });
      return {
        diagnostics: problems.map(({ severity, summary, detail }) => ({
          severity: severity === 'error' ? DiagnosticSeverity.DIAG_ERROR : DiagnosticSeverity.DIAG_WARNING,
          ...{ summary, detail, subject: undefined, context: undefined },
        })),
      };
    },
  });
}
