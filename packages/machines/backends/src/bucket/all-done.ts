/** Waits until every write has ended, whichever of them fails. Then fails as the first one that did. */
export async function allDone(writes: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
