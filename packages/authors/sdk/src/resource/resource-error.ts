import { STATE } from './state.js';
import type { AnyResource } from './state.js';
import { positionText } from './source-position.js';
import { label } from './state.js';

/** Codes of a failed program. They are codes of the command line's table. */
export type ProgramFailureCode =
  | 'CAIRN-PROGRAM-FAILED'
  | 'CAIRN-PROGRAM-LOAD'
  | 'CAIRN-CONFIG-MISSING'
  | 'CAIRN-CONFIG-INVALID'
  | 'CAIRN-RESOURCE-CYCLE'
  | 'CAIRN-RESOURCE-FAILED'
  | 'CAIRN-RESOURCE-OPTION';

/** An error of the program whose message is sufficient: reported without a stack trace. */
export class RunError extends Error {
  override readonly name: string = 'RunError';

  constructor(
    message: string,
    readonly failureCode: ProgramFailureCode = 'CAIRN-PROGRAM-FAILED',
  ) {
    super(message);
  }
}

/** An error in one input. */
interface WrongInput {
  /** Path such as `listeners[0].port`. */
  readonly propertyPath: string;
  readonly reason: string;
}

/** Thrown for several invalid inputs of a component. Its message has a line for each. */
export class InputPropertiesError extends RunError {
  override readonly name: string = 'InputPropertiesError';
  readonly errors: readonly WrongInput[];

  constructor({ message, errors }: { readonly message: string; readonly errors: readonly WrongInput[] }) {
    const lines = errors.map(({ propertyPath, reason }) => `  ${propertyPath}: ${reason}`);
    super([message, ...lines].join('\n'));
    this.errors = errors;
  }
}

/** Thrown for one invalid input of a component. */
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

/** Thrown for an invalid declaration of a resource, or a registration that was refused. */
export class ResourceError extends Error {
  override readonly name: string = 'ResourceError';
  /** The resource that the message is about: `<name> [<type>]`. */
  readonly resource: string;
  /** Location of the declaration: `<file>:<line>:<column>`, if known. */
  readonly declaredAt: string | undefined;

  /** `resource` is the resource, or a description of one that could not be created. */
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
 * The deployment ended without this registration, and the reason is already reported: the monitor is gone, or the
 * engine reported the resource as failed or skipped. Ends the program without another message.
 */
export class RegistrationStopped extends ResourceError {
  override readonly name = 'RegistrationStopped';
}
