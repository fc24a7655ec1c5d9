/**
 * Remembers the stack of now, for errors that are known later: gives them its frames in the place of their own. Read
 * only when there is an error.
 */
export function fromHere(): <E extends Error>(error: E) => E {
  const here = new Error();
  return (error) => {
    const frames = (here.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
    error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
    return error;
  };
}
