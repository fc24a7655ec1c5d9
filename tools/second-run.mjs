// The second run of test files that failed in CI. Tests of processes, kills and browsers can fail on a machine that has
// too much to do. What passes alone is listed as unsteady and does not fail the run; what fails twice does.

/** With more files than these the cause is not the machine, and nothing runs again. */
const MOST_FILES = 3;

/**
 * Returns the files of a run that should run again: those with failures if they are few, else none. A run without a
 * report has no files and is final.
 */
export function filesToRepeat({ files, failures }) {
  const known = new Set(files.map(({ file }) => file));
  const failed = [...new Set(failures.map(({ file }) => file))];
  return failed.length <= MOST_FILES && failed.every((file) => known.has(file)) ? failed : [];
}

/**
 * Returns the result of a run whose failed files ran again. The second run counts for them: its failures are those of
 * the whole. `unsteady` has the tests that failed only in the first. A second run without a report leaves the first.
 */
export function afterSecondRun(first, second) {
  if (second.files.length === 0) return { ...first, unsteady: [] };
  const again = new Set(second.files.map(({ file }) => file));
  const kept = first.files.filter(({ file }) => !again.has(file));
  const files = [...kept, ...second.files];
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const failedTwice = new Set(second.failures.map(({ file, test }) => `${file}: ${test}`));
  return {
    code: second.code,
    passed: sum('passed'),
    failed: second.failed,
    skipped: sum('skipped'),
    files,
    failures: second.failures,
    unsteady: first.failures.filter(({ file, test }) => !failedTwice.has(`${file}: ${test}`)),
  };
}
