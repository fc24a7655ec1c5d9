/** A door that a test opens: what waits at it shows that a call is under way, without any timer. */
export interface Gate {
  /** Resolves when something has arrived at the gate. */
  readonly reached: Promise<void>;
  /** Lets everything through, now and later. */
  open(): void;
  /** Waits until the gate is open. For the side that is held. */
  pass(): Promise<void>;
}

/** A closed gate. */
export function gate(): Gate {
  let arrive: () => void = () => {};
  let open: () => void = () => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    open: () => open(),
    pass: () => {
      arrive();
      return opened;
    },
  };
}
