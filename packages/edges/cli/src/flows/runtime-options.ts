import { cairnError } from '@cairn/diagnostics';

/** Parses `--runtime-options`: `key=value,key=value`, given any number of times. */
export function optionsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given
      .flatMap((text) => text.split(','))
      .map((pair) => {
        const at = pair.indexOf('=');
        if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
        throw cairnError('CAIRN-USAGE', `--runtime-options takes key=value, not ${JSON.stringify(pair)}`);
      }),
  );
}
