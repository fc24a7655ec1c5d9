/**
 * Functions of the program that the engine calls: transforms, hooks, state migrations. `request` and the answer are encoded
 * messages of the callback's kind; an empty answer is an answer (pulumirpc-semantics.md D11).
 */
export interface Callbacks {
  /** Refuses with INVALID_ARGUMENT for a token nobody registered. */
  invoke(token: string, request: Uint8Array): Promise<Uint8Array>;
}
