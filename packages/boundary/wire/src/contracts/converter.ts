import type { PropertyMap } from '@cairn/values';
import type { GenerateProblem } from './language.js';

/** Translates programs of another language or tool into PCL, and states into lists of importable objects. */
export interface Converter {
  /** Writes the program as PCL into `targetDirectory`, with a project file if it knows one. */
  convertProgram(request: ConvertProgramRequest): Promise<readonly GenerateProblem[]>;
  /** Lists the objects in a state of the other tool. Absent if the converter translates programs only. */
  convertState?(request: ConvertStateRequest): Promise<ConvertedState>;
}

export interface ConvertStateRequest {
  /** Address of the schema loader. */
  readonly loaderAddress: string;
  /** Address of the mapper for another ecosystem. */
  readonly mapperAddress: string;
  /** Address of the package resolver. */
  readonly resolverAddress: string;
  /** User's arguments for the converter itself, such as the file of a state. */
  readonly args: readonly string[];
}

export interface ConvertedState {
  readonly resources: readonly ConvertedResource[];
  readonly problems: readonly GenerateProblem[];
}

/** Object that can be imported. Empty texts mean not known. */
export interface ConvertedResource {
  readonly type: string;
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly component: boolean;
  readonly remote: boolean;
  /** Names of other resources in the answer. */
  readonly parent: string;
  readonly provider: string;
  /** Inputs to keep; empty if not known. */
  readonly properties: readonly string[];
  readonly inputs: PropertyMap | undefined;
  readonly outputs: PropertyMap | undefined;
  /** Plugin that provides the package. */
  readonly parameterization:
    { readonly pluginName: string; readonly pluginVersion: string; readonly value: Uint8Array } | undefined;
  readonly extension:
    { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
}

export interface ConvertProgramRequest {
  readonly sourceDirectory: string;
  readonly targetDirectory: string;
  /** Future directory of the project; used for paths in the program. */
  readonly projectDirectory: string;
  /** Address of the schema loader. */
  readonly loaderAddress: string;
  /** Address of the mapper for another ecosystem. */
  readonly mapperAddress: string;
  /** User's arguments for the converter itself. */
  readonly args: readonly string[];
}
