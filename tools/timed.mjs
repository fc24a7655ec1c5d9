/** Runs the words behind it and prints the processor time of itself and its children on 3, however they end. */
const TIMED = 'trap : TERM; "$@" 3>&-; status=$?; times >&3; exit $status';

/** Arguments for bash that run a command and write the processor time of all its processes to descriptor 3. */
export const timed = (words) => ['-c', TIMED, 'timed', ...words];

/** Reads what {@link timed} has written. Undefined if the shell was ended before it could write. */
export function processorSeconds(text) {
  const found = [...text.matchAll(/(\d+)m([\d.,]+)s/g)];
  if (found.length !== 4) return undefined;
  return found.reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest.replace(',', '.')),
    0,
  );
}
