import { STATE } from './state.js';
import type { AnyResource } from './state.js';
import { positionText } from './source-position.js';
import { label } from './state.js';

/** Codes that a program's failure is reported under. They are codes of the command line's table. */
export type ProgramFailureCode =
  | 'CAIRN-PROGRAM-FAILED'
  | 'CAIRN-PROGRAM-LOAD'
  | 'CAIRN-CONFIG-MISSING'
  | 'CAIRN-CONFIG-INVALID'
  | 'CAIRN-RESOURCE-CYCLE'
  | 'CAIRN-RESOURCE-FAILED'
  | 'CAIRN-RESOURCE-OPTION';

/** An error of the program whose message says it all: reported without a stack trace. */
export class RunError extends Error {
  override readonly name: string = 'RunError';

  constructor(
    message: string,
    readonly failureCode: ProgramFailureCode = 'CAIRN-PROGRAM-FAILED',
  ) {
    super(message);
  }
}

/** What is wrong with one input. */
interface WrongInput {
  /** Such as `listeners[0].port`. */
  readonly propertyPath: string;
  readonly reason: string;
}

/** Several inputs of a component are not as they must be; its message has a line for each. */
export class InputPropertiesError extends RunError {
  override readonly name: string = 'InputPropertiesError';
  readonly errors: readonly WrongInput[];

  constructor({ message, errors }: { readonly message: string; readonly errors: readonly WrongInput[] }) {
    const lines = errors.map(({ propertyPath, reason }) => `  ${propertyPath}: ${reason}`);
    super([message, ...lines].join('\n'));
    this.errors = errors;
  }
}

/** One input of a component is not as it must be. */
export class InputPropertyError extends RunError {
  override readonly name: string = 'InputPropertyError';
  readonly propertyPath: string;
  readonly reason: string;

  constructor({ propertyPath, reason }: WrongInput) {
    super(`${propertyPath}: ${reason}`);
    this.propertyPath = propertyPath;
    this.reason = reason;
  }
}

/** A mistake in how a resource was declared, or a registration that was refused. */
export class ResourceError extends Error {
  override readonly name: string = 'ResourceError';
  /** What the message is about: `<name> [<type>]`. */
  readonly resource: string;
  /** Where the program declares it: `<file>:<line>:<column>`, if known. */
  readonly declaredAt: string | undefined;

  /** `resource`: the resource, or what to call one that could not be made. */
  constructor(
    message: string,
    resource: AnyResource | string,
    declaredAt?: string,
    options?: ErrorOptions,
    readonly failureCode: ProgramFailureCode = 'CAIRN-RESOURCE-OPTION',
  ) {
    super(message, options);
    this.resource = typeof resource === 'string' ? resource : label(resource[STATE]);
    this.declaredAt =
      declaredAt ?? (typeof resource === 'string' ? undefined : positionText(resource[STATE].position));
  }
}

/**
 * The deployment has ended without this registration, and whoever ended it has said why: the monitor is gone, or the
 * engine reported the resource as failed or skipped. Ends the program without another word.
 */
export class RegistrationStopped extends ResourceError {
  override readonly name = 'RegistrationStopped';
}
