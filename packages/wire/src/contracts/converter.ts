import type { GenerateProblem } from './language.js';

/** Translates programs of another language or tool into PCL. */
export interface Converter {
  /** Writes the program as PCL into `targetDirectory`, with a project file where it knows one. */
  convertProgram(request: ConvertProgramRequest): Promise<readonly GenerateProblem[]>;
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
