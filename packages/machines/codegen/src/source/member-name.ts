/** Members of every resource of the SDK, and names with a special meaning in objects. */
export const BASE_MEMBERS = [
  ...['id', 'urn', 'outputOf', 'cached', 'made', 'constructor', 'registerOutputs', 'complete', 'completed'],
  ...['then', '__proto__'],
];

/** Returns the member of a class for an output of this name. */
export function memberName(output: string): string {
  return BASE_MEMBERS.includes(output) ? `${output}_` : output;
}
