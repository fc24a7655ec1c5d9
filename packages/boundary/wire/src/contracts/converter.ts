import type { PropertyMap } from '@cairn/values';
import type { GenerateProblem } from './language.js';

/** Translates programs of another language or tool into PCL, and states into lists of what can be imported. */
export interface Converter {
  /** Writes the program as PCL into `targetDirectory`, with a project file where it knows one. */
  convertProgram(request: ConvertProgramRequest): Promise<readonly GenerateProblem[]>;
  /** What a state of the other tool has. Absent: it translates programs only. */
  convertState?(request: ConvertStateRequest): Promise<ConvertedState>;
}

export interface ConvertStateRequest {
  /** Where schemas of packages are served. */
  readonly loaderAddress: string;
  /** Where mappings from another ecosystem are served. */
  readonly mapperAddress: string;
  /** Where packages are resolved. */
  readonly resolverAddress: string;
  /** What the user gave for the converter itself, such as the file of a state. */
  readonly args: readonly string[];
}

export interface ConvertedState {
  readonly resources: readonly ConvertedResource[];
  readonly problems: readonly GenerateProblem[];
}

/** An object that can be imported. Empty texts: not said. */
export interface ConvertedResource {
  readonly type: string;
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly component: boolean;
  readonly remote: boolean;
  /** Names of other resources of the answer. */
  readonly parent: string;
  readonly provider: string;
  /** Inputs to keep; empty: not said. */
  readonly properties: readonly string[];
  readonly inputs: PropertyMap | undefined;
  readonly outputs: PropertyMap | undefined;
  /** The plugin that the package is made of. */
  readonly parameterization:
    { readonly pluginName: string; readonly pluginVersion: string; readonly value: Uint8Array } | undefined;
  readonly extension:
    { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
}

export interface ConvertProgramRequest {
  readonly sourceDirectory: string;
  readonly targetDirectory: string;
  /** Where the project will be; for paths in the program. */
  readonly projectDirectory: string;
  /** Where schemas of packages are served. */
  readonly loaderAddress: string;
  /** Where mappings from another ecosystem are served. */
  readonly mapperAddress: string;
  /** What the user gave for the converter itself. */
  readonly args: readonly string[];
}
