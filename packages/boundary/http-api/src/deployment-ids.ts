/** Name of the system that runs operations of agents, as `ci.system` of an update has it. Its id is `ci.build.id`. */
export const AGENT_SYSTEM = 'Cairn agent';

/** Digits of a number at the beginning of an id. */
const DIGITS = 8;

/** Returns the id of a deployment: a UUID whose first part is the number, so that ids are in the order of numbers. */
export function deploymentId(number: number, uuid: string): string {
  return `${numberPart(number)}${uuid.slice(DIGITS)}`;
}

/** Returns the first part of the ids of a deployment with a number. */
export function numberPart(number: number): string {
  return number.toString(16).padStart(DIGITS, '0');
}

/** Returns the number of a deployment from its id, or undefined for a text that is no id. */
export function numberOfDeployment(id: string): number | undefined {
  const [, digits] = /^([0-9a-f]{8})-[0-9a-f-]{27}$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** Returns the number of the deployment that has made an update, from the environment of the update. */
export function deploymentOfUpdate(environment: Readonly<Record<string, string>>): number | undefined {
  return environment['ci.system'] === AGENT_SYSTEM
    ? numberOfDeployment(environment['ci.build.id'] ?? '')
    : undefined;
}
