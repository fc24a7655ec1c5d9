/** Wakes those who wait for something new in this process. Other processes look once a second. */
export class Wakening {
  readonly #waiting = new Set<() => void>();

  /** Wakes everyone who waits. */
  wake(): void {
    for (const each of this.#waiting) each();
  }

  /** Waits for {@link wake}, or for some time in milliseconds. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#waiting.add(end);
    });
  }
}
