import { secret } from '../output/combine.js';
import type { Output } from '../output/brand.js';
import { RunError } from '../resource/resource-error.js';
import { deployment } from '../runtime/deployment.js';

/** Constraints of a text. */
export interface StringConfigOptions {
  readonly allowedValues?: readonly string[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: RegExp | undefined;
}

/** Constraints of a number. */
export interface NumberConfigOptions {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * Configuration of the stack in one namespace. `get…` returns undefined for a key that is not set; `require…` throws.
 * Methods with `Secret` return outputs marked secret. Errors name the key and the command that sets it, never a value.
 */
export class Config {
  /** `namespace` defaults to the project's name. */
  constructor(readonly namespace: string = deployment().settings.project) {}

  get(key: string, limits?: StringConfigOptions): string | undefined {
    return this.#textOf(key, limits, false);
  }

  require(key: string, limits?: StringConfigOptions): string {
    return this.#required(key, this.get(key, limits), false);
  }

  getSecret(key: string, limits?: StringConfigOptions): Output<string> | undefined {
    return asSecret(this.#textOf(key, limits, true));
  }

  requireSecret(key: string, limits?: StringConfigOptions): Output<string> {
    return secret(this.#required(key, this.#textOf(key, limits, true), true));
  }

  getBoolean(key: string): boolean | undefined {
    return this.#booleanOf(key, false);
  }

  requireBoolean(key: string): boolean {
    return this.#required(key, this.getBoolean(key), false);
  }

  getSecretBoolean(key: string): Output<boolean> | undefined {
    return asSecret(this.#booleanOf(key, true)) as Output<boolean> | undefined;
  }

  requireSecretBoolean(key: string): Output<boolean> {
    return secret(this.#required(key, this.#booleanOf(key, true), true)) as Output<boolean>;
  }

  getNumber(key: string, limits?: NumberConfigOptions): number | undefined {
    return this.#numberOf(key, limits, false);
  }

  requireNumber(key: string, limits?: NumberConfigOptions): number {
    return this.#required(key, this.getNumber(key, limits), false);
  }

  getSecretNumber(key: string, limits?: NumberConfigOptions): Output<number> | undefined {
    return asSecret(this.#numberOf(key, limits, true));
  }

  requireSecretNumber(key: string, limits?: NumberConfigOptions): Output<number> {
    return secret(this.#required(key, this.#numberOf(key, limits, true), true));
  }

  /** Returns a structured value. Its text is JSON. */
  getObject<T>(key: string): T | undefined {
    return this.#objectOf<T>(key, false);
  }

  requireObject<T>(key: string): T {
    return this.#required(key, this.getObject<T>(key), false);
  }

  getSecretObject<T>(key: string): Output<T> | undefined {
    return asSecret(this.#objectOf<T>(key, true)) as Output<T> | undefined;
  }

  requireSecretObject<T>(key: string): Output<T> {
    return secret(this.#required(key, this.#objectOf<T>(key, true), true)) as unknown as Output<T>;
  }

  #fullKey(key: string): string {
    return `${this.namespace}:${key}`;
  }

  #text(key: string): string | undefined {
    const { config } = deployment().settings;
    const full = this.#fullKey(key);
    return Object.hasOwn(config, full) ? config[full] : undefined;
  }

  #textOf(key: string, limits: StringConfigOptions | undefined, isSecret: boolean): string | undefined {
    return this.#checked(key, isSecret, (text) => stringProblem(text, limits));
  }

  #booleanOf(key: string, isSecret: boolean): boolean | undefined {
    const text = this.#checked(key, isSecret, booleanProblem);
    return text === undefined ? undefined : text === 'true';
  }

  #numberOf(key: string, limits: NumberConfigOptions | undefined, isSecret: boolean): number | undefined {
    const text = this.#checked(key, isSecret, (given) => numberProblem(given, limits));
    return text === undefined ? undefined : Number(text);
  }

  #objectOf<T>(key: string, isSecret: boolean): T | undefined {
    const text = this.#checked(key, isSecret, jsonProblem);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /** Returns the text of a value after checking it. An error marks a secret as one, for the hint that follows. */
  #checked(
    key: string,
    isSecret: boolean,
    problem: (text: string) => string | undefined,
  ): string | undefined {
    const text = this.#text(key);
    const found = text === undefined ? undefined : problem(text);
    if (found === undefined) return text;
    const full = this.#fullKey(key);
    const kind = isSecret || deployment().settings.configSecretKeys.includes(full) ? 'secret ' : '';
    throw new ConfigError(`${kind}configuration value "${full}" ${found}`, 'CAIRN-CONFIG-INVALID');
  }

  #required<T>(key: string, value: T | undefined, asSecretValue: boolean): T {
    if (value !== undefined) return value;
    const full = this.#fullKey(key);
    const flag = asSecretValue ? '--secret ' : '';
    throw new ConfigError(
      `configuration value "${full}" is not set; set it with: cairn config set ${flag}${full} <value>`,
      'CAIRN-CONFIG-MISSING',
    );
  }
}

/** Thrown for a configuration value that is missing or invalid. Reported without a stack trace. */
export class ConfigError extends RunError {}

function asSecret<T>(value: T | undefined): Output<T> | undefined {
  return value === undefined ? undefined : (secret(value) as unknown as Output<T>);
}

function stringProblem(text: string, limits: StringConfigOptions = {}): string | undefined {
  const { allowedValues, minLength, maxLength, pattern } = limits;
  if (allowedValues?.includes(text) === false) return `is not one of ${allowedValues.join(', ')}`;
  if (minLength !== undefined && text.length < minLength) return `is shorter than ${minLength} characters`;
  if (maxLength !== undefined && text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(text))
    return `does not match ${String(pattern)}`;
  return undefined;
}

function booleanProblem(text: string): string | undefined {
  return text === 'true' || text === 'false' ? undefined : 'is not true or false';
}

function numberProblem(text: string, { min, max }: NumberConfigOptions = {}): string | undefined {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) return 'is not a number';
  if (min !== undefined && value < min) return `is less than ${min}`;
  if (max !== undefined && value > max) return `is greater than ${max}`;
  return undefined;
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'is not JSON';
  }
}
