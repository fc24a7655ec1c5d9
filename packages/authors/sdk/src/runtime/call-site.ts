/**
 * Remembers the current stack for later errors. Returns a function that replaces an error's frames by those. The stack
 * is read only for an error.
 */
export function fromHere(): <E extends Error>(error: E) => E {
  const here = new Error();
  return (error) => {
    const frames = (here.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
    error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
    return error;
  };
}
