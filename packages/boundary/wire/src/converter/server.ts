import type { ConvertedResource, Converter } from '../contracts/converter.js';
import type { GenerateProblem } from '../contracts/language.js';
import { DiagnosticSeverity } from '../generated/pulumi/codegen/hcl.js';
import type { Diagnostic } from '../generated/pulumi/codegen/hcl.js';
import { ConverterDefinition } from '../generated/pulumi/converter.js';
import type { ResourceImport } from '../generated/pulumi/converter.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { encodeStruct } from '../values/index.js';

/** Serves a converter. */
export function converterService(converter: Converter): Service {
  const { convertState } = converter;
  return service(ConverterDefinition, {
    convertProgram: async ({ generatedProjectDirectory, loaderTarget, mapperTarget, ...wire }) => {
      const problems = await converter.convertProgram({
        ...wire,
        projectDirectory: generatedProjectDirectory,
        loaderAddress: loaderTarget,
        mapperAddress: mapperTarget,
      });
      return { diagnostics: problems.map(diagnosticOf) };
    },
    ...(convertState !== undefined && {
      convertState: async ({ loaderTarget, mapperTarget, resolverTarget, args }) => {
        const { resources, problems } = await convertState.call(converter, {
          ...{ loaderAddress: loaderTarget, mapperAddress: mapperTarget, resolverAddress: resolverTarget },
          args,
        });
        return { resources: resources.map(resourceOf), diagnostics: problems.map(diagnosticOf) };
      },
    }),
  });
}

function diagnosticOf({ severity, summary, detail }: GenerateProblem): Diagnostic {
  return {
    severity: severity === 'error' ? DiagnosticSeverity.DIAG_ERROR : DiagnosticSeverity.DIAG_WARNING,
    ...{ summary, detail, subject: undefined, context: undefined },
  };
}

function resourceOf(resource: ConvertedResource): ResourceImport {
  const { component, remote, downloadUrl, properties, inputs, outputs, ...rest } = resource;
  return {
    ...rest,
    isComponent: component,
    isRemote: remote,
    pluginDownloadURL: downloadUrl,
    properties: [...properties],
    inputs: inputs && encodeStruct(inputs),
    outputs: outputs && encodeStruct(outputs),
  };
}
